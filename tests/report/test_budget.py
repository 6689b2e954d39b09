"""What fits into a budget, and what each step saves: as budget.csv and savings.csv have it."""

import re
import unittest

from run_folder import memory_row, MIB, ReportTest, sections_of, setting, table_cells, write_run

TORCH, SIMD = "cpu_xnor_bnntorch", "cpu_xnor_simd"
SPACE = "\u00a0"


def budget_row(name, needed, fits, **fields):
    return setting(name, **{"input": "", "budget_bytes": 900 * MIB, "reserved_bytes": 250 * MIB,
                            "needed_bytes": needed * MIB, "fits": fits, "largest_batch": 3,
                            "largest_input_height": 384, "largest_input_width": 256,
                            "size_bound_layer": "", **fields})


def saving_row(name, saving, total, **fields):
    return setting(name, input="", policy="", saving=saving, total_bytes=total * MIB, **fields)


class Budget(ReportTest):
    def section(self, budget, savings=(), **run):
        memory = [memory_row(row["implementation"], "total", row["needed_bytes"], "",
                             policy=row["policy"], input="") for row in budget]
        write_run(self.folder, [], memory, budget=budget, savings=savings, **run)
        self.text = self.page_of(self.folder)
        return sections_of(self.text).get("budget", "")

    def test_needs_and_what_is_left(self):
        section = self.section([budget_row(TORCH, 566.25, "yes", policy="per_module",
                                           float_backend="torch"),
                                budget_row(SIMD, 700.5, "no", policy="per_module")])
        rows = table_cells(section)
        self.assertEqual(rows[1], [TORCH, "per_module", "566", f"fits, 83.8{SPACE}MiB left", "3",
                                   "384×256", "torch"])
        self.assertEqual(rows[2][3], f"too much by 50.5{SPACE}MiB")
        self.assertIn(f"face_alignment in 650{SPACE}MiB", section)
        self.assertIn(f"900{SPACE}MiB less 250{SPACE}MiB that others hold.", section)
        # Text and colour.
        self.assertIn(f'<span class="box good">fits, 83.8{SPACE}MiB left</span>', section)
        self.assertIn('<span class="box bad">too much by', section)

    def test_nothing_fits_or_the_size_is_fixed(self):
        none = {"largest_input_height": "", "largest_input_width": ""}
        rows = table_cells(self.section([budget_row(TORCH, 700, "no", largest_batch=0, **none),
                                         budget_row(SIMD, 10, "yes", largest_batch=40,
                                                    size_bound_layer="fc6", **none)]))
        self.assertEqual(rows[1][4:6], ["none", "none"])
        self.assertEqual(rows[2][4:6], ["40", "fixed by fc6"])

    def test_nothing_reserved(self):
        section = self.section([budget_row(SIMD, 10, "yes", reserved_bytes=0)])
        self.assertNotIn("others hold", section)

    def test_what_each_step_saves(self):
        section = self.section([budget_row(TORCH, 800, "no")],
                               [saving_row(TORCH, "nothing freed", 800),
                                saving_row(TORCH, "one column buffer", 700),
                                saving_row(TORCH, "in place", 50),
                                saving_row(SIMD, "nothing freed", 20),
                                saving_row(SIMD, "elsewhere", 1, batch=9)])
        parts = re.split("<h4>", section)[1:]
        self.assertEqual([part.split("</h4>")[0] for part in parts],
                         [f"What saves how much with {name}" for name in (TORCH, SIMD)])
        self.assertEqual(table_cells(parts[0])[1:], [
            ["nothing freed", "800", "–", f"too much by 150{SPACE}MiB"],
            ["one column buffer", "700", "100", f"too much by 50.0{SPACE}MiB"],
            ["in place", "50.0", "650", "fits"], ["together", "", "750", "16.0× less"]])
        self.assertNotIn("elsewhere", section)

    def test_no_budget_no_section(self):
        self.assertEqual(self.section([]), "")
        self.assertNotIn("#budget", self.text)


if __name__ == "__main__":
    unittest.main()
