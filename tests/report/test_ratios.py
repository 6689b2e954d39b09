"""Medians and ratios: right, over the named baseline, and never across unequal timed regions."""

import tempfile
import unittest
from pathlib import Path

from run_folder import (network_record, read_tidy, record, report, sections_of, table_cells,
                        write_run)


class Ratios(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def tidy(self, records, *words, **run):
        folder = write_run(self.folder / "run", records, **run)
        done = report(folder, *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.page = (folder / "report.html").read_text(encoding="utf-8")
        return {row["implementation"] if len(records) < 4 else (row["implementation"], row["cache"],
                row["threads"], row["source"], row["destination"], row["batch"]): row
                for row in read_tidy(folder)}

    def test_median_of_repetition_medians(self):
        records = [record("cpu_f32_onednn", time, repetition=index)
                   for index, time in enumerate([3000, 1000, 2000])]
        tidy = self.tidy(records)
        self.assertEqual(float(tidy["cpu_f32_onednn"]["time_median_ns"]), 2000)
        self.assertEqual(tidy["cpu_f32_onednn"]["repetitions_used"], "3")

    def test_speedup_rates_and_baseline(self):
        tidy = self.tidy([record("cpu_f32_onednn", 8000), record("cpu_xnor_popcnt", 2000)])
        row = tidy["cpu_xnor_popcnt"]
        self.assertEqual((float(row["speedup"]), row["baseline"]), (4.0, "cpu_f32_onednn"))
        self.assertAlmostEqual(float(row["gmac_per_s"]), 1179648 / 2000)
        self.assertAlmostEqual(float(row["macs_per_cycle"]), 1179648 / (2000e-9 * 2e9))

    def test_quartiles_come_from_the_samples(self):
        rows = [record("cpu_f32_onednn", 2000)]
        samples = [{"case": rows[0]["case"], "repetition": 0, "sample": index, "time_ns": time}
                   for index, time in enumerate([1000, 2000, 3000])]
        row = self.tidy(rows, samples=samples)["cpu_f32_onednn"]
        self.assertEqual((float(row["time_p25_ns"]), float(row["time_p75_ns"])), (1500, 2500))

    def test_never_across_unequal_regions(self):
        changes = [{"source": "f32"}, {"destination": "f32"}, {"batch": 8}, {"threads": 2},
                   {"cache": "cold"}]
        records = [record("cpu_f32_onednn", 8000)]
        records += [record("cpu_xnor_popcnt", 2000, **change) for change in changes]
        for row in self.tidy(records).values():
            if row["implementation"] == "cpu_xnor_popcnt":
                self.assertEqual((row["speedup"], row["baseline"]), ("", ""))

    def test_ratio_in_each_region(self):
        records = [record(name, time * factor, cache=cache)
                   for cache, factor in [("hot", 1), ("cold", 10)]
                   for name, time in [("cpu_f32_onednn", 6000),
                                      ("cpu_xnor_swar", 2000 + factor * 1000)]]
        speedups = {key[:2]: row["speedup"] for key, row in self.tidy(records).items()}
        self.assertAlmostEqual(float(speedups["cpu_xnor_swar", "hot"]), 2.0)
        self.assertAlmostEqual(float(speedups["cpu_xnor_swar", "cold"]), 0.5)

    def test_not_across_runs(self):
        one = write_run(self.folder / "one", [record("cpu_f32_onednn", 8000)])
        two = write_run(self.folder / "two", [record("cpu_xnor_popcnt", 2000)])
        self.assertEqual(report(one, two).returncode, 0)
        self.assertEqual([row["speedup"] for row in read_tidy(self.folder)], ["1.0", ""])
        self.assertTrue((self.folder / "report.html").exists())

    def test_throttled_is_left_out_and_counted(self):
        records = [record("cpu_f32_onednn", 8000),
                   record("cpu_xnor_popcnt", 2000),
                   record("cpu_xnor_popcnt", 9000, repetition=1, status="throttled")]
        row = self.tidy(records)["cpu_xnor_popcnt"]
        self.assertEqual((row["time_median_ns"], row["speedup"]), ("2000.0", "4.0"))
        self.assertEqual((row["repetitions_used"], row["repetitions_throttled"]), ("1", "1"))
        self.assertIn("left out of medians and ratios: 1.", self.page)

    def test_only_throttled_has_a_time_but_no_ratio(self):
        tidy = self.tidy([record("cpu_f32_onednn", 8000),
                          record("cpu_xnor_popcnt", 2000, status="throttled")])
        row = tidy["cpu_xnor_popcnt"]
        self.assertEqual((row["status"], row["time_median_ns"], row["speedup"]),
                         ("throttled", "2000.0", ""))

    def test_wrong_never_has_a_time(self):
        records = [record("cpu_f32_onednn", 8000),
                   record("cpu_xnor_popcnt", 2000),
                   record("cpu_xnor_popcnt", 1000, repetition=1, status="wrong",
                          reason="sum 12, not 14")]
        row = self.tidy(records)["cpu_xnor_popcnt"]
        self.assertEqual((row["status"], row["time_median_ns"], row["speedup"]), ("wrong", "", ""))
        self.assertIn("Wrong results from cpu_xnor_popcnt", self.page)
        self.assertIn("sum 12, not 14", sections_of(self.page)["support"])

    def test_layers_get_no_ratio(self):
        tidy = self.tidy([network_record(name, 1000, kind="layer", layer="stem", part="real_layer")
                          for name in ["cpu_f32_onednn", "cpu_xnor_swar"]])
        self.assertEqual({row["speedup"] for row in tidy.values()}, {""})

    def test_baseline_is_chosen_and_named(self):
        records = [record("cpu_xnor_popcnt", 2000), record("cpu_f32_direct", 9000)]
        row = self.tidy(records)["cpu_xnor_popcnt"]
        self.assertEqual((row["speedup"], row["baseline"]), ("4.5", "cpu_f32_direct"))
        header = table_cells(sections_of(self.page)["convolutions"])
        self.assertTrue(any("speed-up over cpu_f32_direct" in cells for cells in header))

    def test_baseline_by_request(self):
        records = [record("cpu_f32_onednn", 8000), record("cpu_xnor_swar", 4000)]
        tidy = self.tidy(records, "--baseline=cpu_xnor_swar")
        self.assertEqual(tidy["cpu_f32_onednn"]["speedup"], "0.5")
        self.assertIn("are over <strong>cpu_xnor_swar</strong>.", self.page)


if __name__ == "__main__":
    unittest.main()
