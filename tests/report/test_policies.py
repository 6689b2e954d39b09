"""Buffer policies: the table, who owns the bytes, one pass step by step, and that policies
are never mixed."""

import csv
import html
import re
import unittest

from run_folder import (buffer_row, memory_row, MIB, network_record, ReportTest, sections_of,
                        table_cells,
                        timeline_row, write_run)

TORCH, SIMD = "cpu_xnor_bnntorch", "cpu_xnor_simd"
POLICIES = {"arena": 1, "per_module": 10, "shared_columns": 4}


class Policies(ReportTest):
    def page(self, records=None, memory=None, **files):
        write_run(self.folder, records, memory, **files)
        return self.page_of(self.folder)

    def tidy(self):
        with open(self.folder / "tidy_memory.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def memory(self, planned_only=False, **fields):
        """im2col buffers are twice the tensors; one's float backend is not the other's."""
        rows = []
        for name, factor, real in [(TORCH, 10, "torch"), (SIMD, 1, "onednn")]:
            for policy, times in POLICIES.items():
                size = factor * times * MIB
                same = {"policy": policy, "float_backend": real,
                        **({"input": ""} if planned_only else {}), **fields}

                def row(category, planned, measured):
                    rows.append(memory_row(name, category, planned, "" if planned_only
                                           else measured, **same))

                row("activations_real", size, size)
                row("workspace_columns", 2 * size, 2 * size)
                row("total", 3 * size, 3 * size + MIB)
                if not planned_only:
                    row("outside", "", 3 * size + 3 * MIB)
                    row("outside_peak", "", 3 * size + 5 * MIB)
                    row("unattributed", "", 2 * MIB)
                row("arena", 3 * size, "")
                row("arena_lower_bound", 2 * size, "")
        return rows

    def buffers(self, name=TORCH, **fields):
        return [buffer_row(name, layer, module, kind, category, count * MIB, policy="per_module",
                           float_backend="torch",
                           **{**more, **fields})
                for layer, module, kind, category, count, more in [
                    ("conv1", "binary_convolution", "workspace", "workspace_columns", 150, {}),
                    ("conv2", "binary_convolution", "workspace", "workspace_columns", 42, {}),
                    ("conv1", "binary_convolution", "workspace", "activations_bits", 6, {}),
                    ("conv1", "binary_convolution", "packed_input", "activations_bits", 30, {}),
                    ("stem", "convolution", "workspace", "workspace_library", 12, {}),
                    ("stem", "convolution", "prepared", "workspace_columns", 9, {}),
                    ("stem", "convolution", "prepared", "weights_real", 15, {}),
                    ("bn", "batch_norm", "tensor", "activations_real", 24, {}),
                    ("input", "input", "tensor", "input_output", 12, {}),
                    ("late", "add", "tensor", "activations_real", 500,
                     {"at_peak": "no", "birth_step": 2}),
                    ("bn", "batch_norm", "prepared", "parameters", 0.25, {}),
                    ("conv1", "binary_convolution", "prepared", "parameters", 0.125, {})]]

    def test_table_is_that_of_the_csv(self):
        rows = table_cells(sections_of(self.page(memory=self.memory()))["memory"])
        shown = {tuple(row[:2]): row for row in rows if len(row) == 9}
        self.assertEqual(shown["implementation", "policy"][2:],
                         ["planned, MiB", "measured, MiB", "outside, MiB", "outside peak, MiB",
                          "unattributed, MiB", "largest over this", "float backend"])
        self.assertEqual(len(self.tidy()), 6)
        for row in self.tidy():
            cells = shown[row["implementation"], row["policy"]]
            self.assertEqual(cells[8], row["float_backend"])
            for cell, column in zip(cells[2:], ["planned", "measured", "outside", "outside_peak",
                                                "unattributed"]):
                self.assertEqual(float(cell), float(f"{float(row[column + '_bytes']) / MIB:.3g}"))
            ratio = 300 * MIB / float(row["planned_bytes"])
            self.assertAlmostEqual(float(row["largest_over_planned"]), ratio)
            self.assertEqual(cells[7], f"{ratio:#.3g}".rstrip(".") + "×")

    def test_the_highest_moment_owns_nothing(self):
        """Older runs lack its row, and so the column; where it is, it is no part of a bar."""
        text = self.page(memory=self.memory())
        self.assertNotIn("</span> outside_peak<", text)
        self.assertIn("33\u00a0%",
                      text.split('implementation and buffer policy">')[1].split("</svg>")[0])
        self.folder = self.folder.with_name("older")
        text = self.page(memory=[row for row in self.memory() if row["category"] != "outside_peak"])
        self.assertNotIn("outside peak, MiB", text)

    def test_batches_are_compared_each_by_itself(self):
        rows = [dict(row, batch=4, planned_bytes=4 * (row["planned_bytes"] or 0))
                for row in self.memory()]
        section = sections_of(self.page(memory=self.memory() + rows))["memory"]
        shown = {tuple(row[:3]): row for row in table_cells(section) if len(row) == 10}
        self.assertEqual(shown[SIMD, "arena", "1"][-2], "100×")
        self.assertEqual(shown[SIMD, "arena", "4"][-2], "100×")
        self.assertEqual(shown[SIMD, "arena", "4"][3], "12.0")

    def test_bars_hold_the_shares(self):
        text = self.page(memory=self.memory())
        plot = text.split('for each implementation and buffer policy">')[1].split("</svg>")[0]
        words = [word for word in re.findall(r"<text[^>]*>(.*?)</text>", plot)]
        for name in [TORCH, SIMD]:
            self.assertEqual(words.count(name), 1)
        for policy in POLICIES:
            self.assertEqual(words.count(policy), 2)
        self.assertIn("67\u00a0%", words)
        self.assertIn("300\u00a0MiB", words)

    def test_what_takes_most(self):
        section = sections_of(self.page(memory=self.memory()))["memory"]
        self.assertIn(f"{TORCH} with policy per_module takes most: 300\u00a0MiB, of these "
                      "67\u00a0% workspace_columns, 33\u00a0% activations_real.", section)

    def test_owners_as_the_command_names_them(self):
        text = self.page(memory=self.memory(), buffers=self.buffers())
        section = sections_of(text)["memory"]
        table = section.split("Who owns the bytes")[1].split("</table>")[0]
        rows = table_cells(table)
        self.assertEqual(rows[0], ["MiB at the peak", "per_module"])
        self.assertEqual(dict(rows[1:]), {
            "binary_convolution im2col buffer": "192 (64\u00a0%)",
            "binary_convolution packed input": "30.0 (10\u00a0%)",
            "batch_norm outputs": "24.0 (8\u00a0%)", "convolution weights_real": "15.0 (5\u00a0%)",
            "convolution library scratchpad": "12.0 (4\u00a0%)", "input": "12.0 (4\u00a0%)",
            "convolution vectors of ones": "9.00 (3\u00a0%)",
            "binary_convolution packed im2col buffer": "6.00 (2\u00a0%)",
            "2 others, each below 0.5\u00a0%": "0.375 (&lt;1\u00a0%)", "together": "300"})
        self.assertEqual(rows[1][0], "binary_convolution im2col buffer")
        # Not by category, where all columns are one: 192 of 300 MiB.
        self.assertIn("of these 64\u00a0% binary_convolution im2col buffer, "
                      "10\u00a0% binary_convolution packed input", section)

    def timeline(self, name=TORCH):
        return [timeline_row(name, step, layer, "workspace_columns", count * MIB * times,
                             policy=policy, float_backend="torch")
                for policy, times in POLICIES.items() for step, layer, count in [(0, "stem", 3),
                                                                                 (1, "conv1", 20)]]

    def test_peak_of_each_policy(self):
        text = self.page(memory=self.memory(), buffers=self.buffers(), timeline=self.timeline())
        notes = dict(re.findall(r'<p class="note"><strong>(.*?)</strong> (.*?)</p>',
                                sections_of(text)["memory"].split('<details class="data">')[0]))
        self.assertEqual(list(notes), list(POLICIES))
        # Alive in that step, of the timeline's categories: neither prepared nor born later.
        self.assertEqual(notes["per_module"],
                         "is fullest at step 1 (conv1), with 200\u00a0MiB alive, the largest: "
                         "binary_convolution im2col buffer of conv1 (150\u00a0MiB), "
                         "binary_convolution im2col buffer of conv2 (42.0\u00a0MiB).")
        self.assertEqual(notes["arena"], "is fullest at step 1 (conv1), with 20.0\u00a0MiB alive.")
        plot = text.split("for each buffer policy\">")[1].split("</svg>")[0]
        for policy, times in POLICIES.items():
            self.assertIn(f">{policy}: alive, MiB<", plot)
            self.assertIn(f">{fmt(20 * times)}\u00a0MiB at step 1<", plot)
        self.assertIn(">20<",
                      plot)  # the arena's highest tick: its panel is not to the largest's scale

    def test_equal_steps_and_bytes_born_later(self):
        timeline = [timeline_row(TORCH, step, "stem", "activations_real", MIB, policy="per_module",
                                 float_backend="torch")
                    for step in range(3)]
        section = sections_of(self.page(memory=self.memory(), buffers=self.buffers(),
                                        timeline=timeline))["memory"]
        self.assertIn("with 1.00\u00a0MiB alive, the largest: batch_norm outputs of bn "
                      "(24.0\u00a0MiB); 2 other steps as full.", section)

    def test_each_policy_by_its_categories(self):
        """What was there before assumed one policy: its tables and timelines hold rows of one."""
        section = sections_of(self.page([network_record(SIMD, 2e6, seed=1, input="portrait")],
                                        self.memory(),
                                        timeline=self.timeline(SIMD)))["memory"]
        folded = section.split('<details class="data">')[1]
        self.assertIn("(6)", folded.split("</summary>")[0])
        for part in folded.split("<h3>")[1:]:
            policy = re.search(r"buffer policy (\w+)", part)[1]
            factor = 10 if "float backend torch" in part else 1
            cells = dict(row for row in table_cells(part) if len(row) == 2)
            self.assertEqual(float(cells["activations_real"]), factor * POLICIES[policy])
            self.assertEqual(float(cells["arena"]), 3 * factor * POLICIES[policy])

    def test_planned_only(self):
        section = sections_of(self.page(memory=self.memory(planned_only=True)))["memory"]
        self.assertIn("Planned only: nothing was run.", section)
        rows = table_cells(section)
        self.assertIn(["implementation", "policy", "planned, MiB", "largest over this",
                       "float backend"], rows)
        self.assertIn([TORCH, "per_module", "300", "1.00×", "torch"], rows)
        firsts = [row[0] for row in rows]
        self.assertNotIn("outside", firsts)
        self.assertIn("total", firsts)
        self.assertNotIn("measured", "".join(re.findall("<figcaption>(.*?)</figcaption>",
                                                        section)).lower())

    def test_runs_with_the_arena_alone_are_as_before(self):
        rows = [row for row in self.memory() if row["policy"] == "arena"]
        section = sections_of(self.page(memory=rows))["memory"]
        self.assertNotIn("largest over this", section)
        self.assertNotIn("<details", section)
        self.assertEqual(len(self.tidy()), 2)

    def test_commands(self):
        text = html.unescape(self.page(memory=self.memory() + self.memory(planned_only=True)))
        line = ("xnorbench memory --networks=face_alignment --implementations=cpu_xnor_bnntorch "
                "--policy=per_module "
                "--float-backend=torch {}--threads=1 --batch=1 --seed=1 --out=DIR{}<")
        self.assertIn(line.format("--input=portrait ", ""), text)
        self.assertIn(line.format("", " --plan"), text)

    def test_float_backend_are_told_apart(self):
        """Twice the same implementation and policy: bytes of one are not added to the other's."""
        memory = self.memory() + self.memory(float_backend="openblas")
        memory = list({tuple(list(row.values())[:10]): row for row in memory}.values())
        other = [dict(row, float_backend="openblas") for row in self.buffers() + self.timeline()]
        text = self.page(memory=memory, buffers=self.buffers() + other[:12],
                         timeline=self.timeline() + other[12:])
        section = sections_of(text)["memory"]
        owners = table_cells(section.split("Who owns the bytes")[1].split("</table>")[0])
        self.assertEqual(owners[0], ["MiB at the peak", "per_module, torch",
                                     "per_module, openblas"])
        self.assertEqual(owners[-1], ["together", "300", "300"])
        self.assertIn("of these 64\u00a0% binary_convolution im2col buffer", section)
        self.assertIn("<strong>per_module, openblas</strong> is fullest at step 1 (conv1), "
                      "with 200\u00a0MiB alive", section)

    def test_instruction_sets_are_told_apart_in_every_table(self):
        memory = self.memory() + self.memory(limited_to="avx2")
        section = sections_of(self.page(memory=memory,
                                        buffers=self.buffers(limited_to="avx2")))["memory"]
        self.assertIn(f"<strong>{TORCH} (avx2)</strong>", section)
        self.assertIn([f"{TORCH} (avx2)", "arena", "30.0"], [row[:3]
                                                             for row in table_cells(section)])

    def test_one_instruction_set_needs_no_telling(self):
        memory = self.memory(limited_to="avx2")
        section = sections_of(self.page(memory=memory,
                                        buffers=self.buffers(limited_to="avx2")))["memory"]
        self.assertNotIn("(avx2)", section)


def fmt(value):
    return f"{value:#.3g}".rstrip(".")


if __name__ == "__main__":
    unittest.main()
