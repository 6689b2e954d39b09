"""Runs of `memory` and `reproduce` alone, and beside others: a page without empty
sections, every row in its place."""

import re
import unittest

from run_folder import (answers_of, claim, memory_row, MIB, network_record, peak, record,
                        ReportTest, sections_of, table_cells, write_run)

TORCH, SIMD, FLOAT = "cpu_xnor_bnntorch", "cpu_xnor_simd", "cpu_f32_onednn"
OF_TIMES = ["network", "layers", "convolutions"]


class Alone(ReportTest):
    def page(self, *folders):
        text = self.page_of(*folders)
        for target in re.findall(r'<a href="#(\w+)"', text):
            self.assertIn(f'id="{target}"', text)
        for name in re.findall(r'<a href="(\w+\.csv)"', text):
            self.assertTrue(self.page_file.with_name(name).is_file())
        return text

    def memory_run(self, name="memory", measured=True):
        rows = [memory_row(implementation, category, size * MIB, size * MIB if measured else "",
                           policy=policy, input="portrait" if measured else "")
                for implementation, policy, size in
                [(TORCH, "per_module", 566), (TORCH, "arena", 56), (SIMD, "arena", 13)]
                for category in ("workspace_columns", "total")]
        return write_run(self.base / name, [], rows)

    def test_memory_alone(self):
        text = self.page(self.memory_run())
        for name in OF_TIMES:
            self.assertNotIn(name, sections_of(text))
        self.assertEqual(answers_of(text), {
            "How small?": f"A forward pass of face_alignment takes 13.0\u00a0MiB on {SIMD} and "
                          f"56.0\u00a0MiB on {TORCH}.",
            "Where do 593\u00a0MB come from?":
                f"A pass of face_alignment (batch 1) on {TORCH} takes 566\u00a0MiB when no module "
                "frees its buffers (per_module); 100\u00a0% of it is workspace_columns. It takes "
                "56.0\u00a0MiB when buffers share memory (arena): 10.1× less."})
        rows = table_cells(sections_of(text)["memory"])
        self.assertEqual(next(row for row in rows if row[:2] == [SIMD, "arena"])[-2], "43.5×")
        self.assertNotIn("no baseline", text)
        self.assertNotIn("throttled", sections_of(text)["support"])
        self.assertIn('<a href="tidy_memory.csv">', text)
        self.assertNotIn('<a href="tidy.csv">', text)

    def test_planned_alone(self):
        answers = answers_of(self.page(self.memory_run(measured=False)))
        self.assertIn(" takes 566\u00a0MiB by plan when ",
                      answers["Where do 593\u00a0MB come from?"])

    def reproduce_run(self, name="reproduce"):
        records = [network_record(name, time, seed=1, input="random")
                   for name, time in [(FLOAT, 9e6), (SIMD, 2e6)]]
        memory = [memory_row(TORCH, "total", 566 * MIB, 566 * MIB, policy="per_module",
                             float_backend="torch", input="random"),
                  memory_row(SIMD, "total", 13 * MIB, 13 * MIB, input="random")]
        folder = write_run(self.base / name, records, memory,
                           claims=[claim("size", 39, 39.2, "reproduced"),
                                   claim("size", 39, 20, "partly"),
                                   claim("speed", 58, 4.5, "not_reproduced")])
        # As `reproduce` leaves it: a run of its own within the run.
        write_run(folder / "without_fma",
                  [network_record("cpu_f32_openblas", 7e6, network="face_alignment_real")], [])
        return folder

    def test_reproduce_alone(self):
        text = self.page(self.reproduce_run())
        answers = answers_of(text)
        self.assertEqual(answers["What became of each published figure?"],
                         "2 published claims, each read in every sensible way, 3 in all: "
                         "1 reproduced, 1 partly, 1 not reproduced.")
        self.assertTrue(answers["How fast? 4.50× the speed of float"].startswith("face_alignment"))
        for name in ["claims", "memory", "network"]:
            self.assertIn(name, sections_of(text))
        self.assertIn("Claims name their own baselines", text)

    def test_the_run_within_the_run_is_no_second_one(self):
        text = self.page(self.reproduce_run())
        self.assertNotIn("without_fma", text)
        self.assertNotIn("face_alignment_real", text)

    def test_mixed_runs(self):
        timed = write_run(self.base / "timed", [network_record(FLOAT, 8e6),
                                                network_record(SIMD, 1e6)])
        text = self.page(self.memory_run(), self.reproduce_run(), timed)
        sections = sections_of(text)
        for name in ["claims", "memory", "network"]:
            self.assertIn(name, sections)
        rows = table_cells(sections["memory"].split("<details>")[0])
        # Measured by two runs, shown once.
        self.assertEqual([row[-2] for row in rows if row[:2] == [SIMD, "arena"]], ["43.5×"])
        self.assertIn('<p class="conditions">run reproduce</p>', sections["claims"])

    def test_nothing_at_all(self):
        text = self.page(write_run(self.base / "empty", []))
        for name in OF_TIMES + ["memory", "claims", "bounds", "repeat"]:
            self.assertNotIn(name, sections_of(text))
        self.assertIn("These runs hold no measured times.", text)

    def test_single_layers_alone(self):
        text = self.page(write_run(self.base / "conv", [record(FLOAT, 8000), record(SIMD, 1000)]))
        self.assertEqual(list(answers_of(text)), ["How fast? 8.00× the speed of float"])
        self.assertNotIn("network", sections_of(text))
        self.assertNotIn("memory", sections_of(text))

    def test_peaks_alone(self):
        run = write_run(self.base / "peak", [], [], peaks=[
            peak("popcnt", 1.5, "operations/cycle", "scalar"), peak("bound_cpu_xnor_simd", 812.5)])
        text = self.page(run)
        rows = table_cells(sections_of(text)["bounds"])
        self.assertIn(["cpu_xnor_simd", "812"], rows)
        self.assertIn(["popcnt", "scalar", "1.50", "operations/cycle"], rows)
        self.assertNotIn("hold no measured times", text)
        self.assertNotIn("no baseline", text)


if __name__ == "__main__":
    unittest.main()
