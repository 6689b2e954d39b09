"""Runs of `memory` and `reproduce` alone, and beside others: a page without empty sections, every row in its place."""

import re
import unittest

from run_folder import claim, memory_row, MIB, network_record, ReportTest, sections_of, table_cells, write_run

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

    def summary(self, text):
        return re.search(r'<p class="summary">(.*?)</p>', text)[1]

    def memory_run(self, name="memory", measured=True):
        rows = [memory_row(implementation, "total", size * MIB, size * MIB if measured else "", policy=policy,
                           input="portrait" if measured else "")
                for implementation, policy, size in [(TORCH, "per_module", 566), (TORCH, "arena", 56), (SIMD, "arena", 13)]]
        return write_run(self.base / name, [], rows)

    def test_memory_alone(self):
        text = self.page(self.memory_run())
        for name in OF_TIMES:
            self.assertNotIn(name, sections_of(text))
        self.assertEqual(self.summary(text),
                         f"A forward pass of face_alignment (batch 1) takes 566\u00a0MiB on {TORCH} with policy per_module, "
                         f"and 13.0\u00a0MiB on {SIMD} with policy arena: 43.5× less.")
        self.assertNotIn("no baseline", text)
        self.assertNotIn("throttled", sections_of(text)["support"])
        self.assertIn('<a href="tidy_memory.csv">', text)
        self.assertNotIn('<a href="tidy.csv">', text)

    def test_planned_alone(self):
        self.assertTrue(self.summary(self.page(self.memory_run(measured=False))).endswith("43.5× less, by plan."))

    def reproduce_run(self, name="reproduce"):
        records = [network_record(FLOAT, 9e6, seed=1, input="random"), network_record(SIMD, 2e6, seed=1, input="random")]
        memory = [memory_row(TORCH, "total", 566 * MIB, 566 * MIB, policy="per_module", real_layers="torch", input="random"),
                  memory_row(SIMD, "total", 13 * MIB, 13 * MIB, input="random")]
        folder = write_run(self.base / name, records, memory,
                           claims=[claim("size", 39, 39.2, "reproduced"), claim("size", 39, 20, "partly"),
                                   claim("speed", 58, 4.5, "not_reproduced")])
        # As `reproduce` leaves it: a run of its own within the run.
        write_run(folder / "without_fma", [network_record("cpu_f32_openblas", 7e6, network="face_alignment_real")], [])
        return folder

    def test_reproduce_alone(self):
        text = self.page(self.reproduce_run())
        self.assertTrue(self.summary(text).startswith(
            "2 published claims in 3 rows: 1 reproduced, 1 partly, 1 not reproduced. On face_alignment"))
        for name in ["claims", "memory"] + OF_TIMES:
            self.assertIn(name, sections_of(text))
        self.assertIn("which name their own baselines", text)

    def test_the_run_within_the_run_is_no_second_one(self):
        text = self.page(self.reproduce_run())
        self.assertNotIn("without_fma", text)
        self.assertNotIn("face_alignment_real", text)

    def test_mixed_runs(self):
        timed = write_run(self.base / "timed", [network_record(FLOAT, 8e6), network_record(SIMD, 1e6)])
        text = self.page(self.memory_run(), self.reproduce_run(), timed)
        sections = sections_of(text)
        for name in ["claims", "memory"] + OF_TIMES:
            self.assertIn(name, sections)
        for run, largest in [("memory", "43.5×"), ("reproduce", "43.5×")]:
            part = next(part for part in sections["memory"].split("<details>")[0].split("<h3>") if f"run {run}" in part)
            self.assertEqual(next(row for row in table_cells(part) if row[:2] == [SIMD, "arena"])[-2], largest)
        self.assertIn('<p class="conditions">run reproduce</p>', sections["claims"])

    def test_nothing_at_all(self):
        text = self.page(write_run(self.base / "empty", []))
        self.assertIn("network", sections_of(text))
        self.assertIn("These runs hold no measured times.", text)


if __name__ == "__main__":
    unittest.main()
