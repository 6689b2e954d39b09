"""A case that several runs measured has one row; what differs between runs is never hidden."""

import html
import unittest

from run_folder import (answers_of, MIB, network_record, read_tidy, record, ReportTest, sections_of,
                        table_cells, write_run)

SIMD, FLOAT, INT8 = "cpu_xnor_simd", "cpu_f32_onednn", "cpu_i8_onednn"


class Merging(ReportTest):
    def page(self, *runs, **info):
        folders = [write_run(self.base / name, records, **info) for name, records in runs]
        return self.page_of(*folders)

    def table(self, page, section="network"):
        header, *rows = table_cells(sections_of(page)[section].split("<details>")[0])
        return [dict(zip(header, row)) for row in rows]

    def test_one_row_from_the_run_with_most_of_it(self):
        page = self.page(("short", [network_record(FLOAT, 8e6), network_record(SIMD, 1e6)]),
                         ("long", [network_record(name, time, repetition=index)
                                   for name, time in [(FLOAT, 6e6), (INT8, 3e6), (SIMD, 2e6)]
                                   for index in range(3)]))
        rows = self.table(page)
        self.assertEqual([row["implementation"] for row in rows], [FLOAT, SIMD, INT8])
        simd = rows[1]
        self.assertEqual((simd["time, ms"], simd["repetitions"]), ("2.00", "3 ok"))
        self.assertEqual(simd["other runs"], "1.00\u00a0ms in short")
        # Over the baseline of its own run, whatever the other one's.
        self.assertEqual(simd["speed-up over cpu_f32_onednn"], "3.00×")
        self.assertEqual(len(read_tidy(self.base)), 5)

    def test_what_one_run_lacks_comes_from_the_other_with_its_own_ratio(self):
        page = self.page(("one", [network_record(FLOAT, 8e6), network_record(INT8, 4e6)]),
                         ("two", [network_record(SIMD, 1e6)]))
        rows = {row["implementation"]: row["speed-up over cpu_f32_onednn"]
                for row in self.table(page)}
        self.assertEqual(rows, {FLOAT: "1.00×", INT8: "2.00×", SIMD: "–"})

    def test_other_machines_commits_and_builds_stay_apart(self):
        for key, value in [("machine", {"name": "elsewhere", "cpu": "Another CPU"}),
                           ("project", {"version": "0.1", "commit": "def456", "dirty": False}),
                           ("build", {"compiler": "clang 14"})]:
            with self.subTest(key):
                one = write_run(self.base / key / "one", [network_record(SIMD, 1e6)])
                two = write_run(self.base / key / "two", [network_record(SIMD, 2e6)],
                                **{key: value})
                section = sections_of(self.page_of(one, two))["network"]
                self.assertEqual([row[1] for row in table_cells(section) if row[0] == SIMD
                                  and len(row) > 8], ["1.00", "2.00"])
                self.assertIn("run one", section)
                self.assertIn("run two", section)

    def test_a_wrong_row_is_not_hidden_by_a_good_one(self):
        good = [network_record(FLOAT, 8e6), network_record(SIMD, 1e6)]
        page = self.page(("good", good), ("bad", [network_record(
            SIMD, 1e6, status="wrong", reason="sum 12, not 14")]))
        self.assertIn("WRONG RESULT: cpu_xnor_simd", sections_of(page)["network"])
        self.assertNotIn("the same output", page)

    def test_outputs_that_differ_between_runs_are_named(self):
        page = self.page(("one", [network_record(SIMD, 1e6)]),
                         ("two", [network_record(SIMD, 1e6, output_hash="bad0")]))
        self.assertIn("OUTPUTS DIFFER", page)

    def test_unequal_regions_stay_apart(self):
        page = self.page(("one", [record(FLOAT, 8000), record(SIMD, 1000)]),
                         ("two", [record(SIMD, 500, source="f32")]))
        self.assertEqual(sections_of(page)["convolutions"].count("<h3>"), 2)

    def test_what_did_not_run_is_one_line(self):
        reason = "no CUDA device <here>"
        gpu = [network_record(name, status="unavailable", reason=reason, device="cuda")
               for name in ("cuda_f32_cudnn", "cuda_xnor_popc")]
        page = self.page(("run", [network_record(FLOAT, 8e6), network_record(SIMD, 1e6), *gpu]))
        section = sections_of(page)["network"]
        self.assertEqual([row["implementation"] for row in self.table(page)], [FLOAT, SIMD])
        self.assertIn(f"Not measured: cuda_f32_cudnn, cuda_xnor_popc: unavailable, {reason}.",
                      html.unescape(section))

    def test_first_screen_has_a_line_for_each_network(self):
        records = [network_record(name, time * factor, network=network, weights_bytes=size * MIB)
                   for network, factor in [("one", 1), ("two", 2)]
                   for name, time, size in [(FLOAT, 8e6, 20), (SIMD, 1e6 * factor, 1)]]
        page = self.page(("run", records), ("again", records))
        answers = answers_of(page)
        self.assertTrue(answers["How fast? 8.00× the speed of float"]
                        .endswith("Over 2 networks: 4.00× to 8.00×."))
        plot = page.split('aria-label="Speed of each network in bits')[1].split("</svg>")[0]
        for text in ["one", "two", "8.00×", "4.00×"]:
            self.assertEqual(plot.count(f">{text}<"), 1)


if __name__ == "__main__":
    unittest.main()
