"""MAC per cycle and the share of the machine's limit, and runs from before they were recorded."""

import csv
import unittest

from run_folder import (layer_record, memory_row, MIB, network_record, read_tidy, record, report,
                        ReportTest,
                        sections_of, table_cells, write_run)

NEW_COLUMNS = ("macs_per_cycle", "bound_share")


class Limits(ReportTest):
    def sections(self):
        return sections_of(self.page_of(self.folder))

    def column(self, section, title):
        """implementation -> cell of the first table with such a column."""
        rows = table_cells(section)
        header = next(row for row in rows if title in row)
        at, key = header.index(title), header.index("implementation")
        return {row[key]: row[at] for row in rows[rows.index(header) + 1:]
                if len(row) == len(header)}

    def test_layers_and_networks(self):
        for kind, section in ((record, "convolutions"), (network_record, "network")):
            with self.subTest(section=section):
                folder = self.folder
                self.folder = folder / section
                write_run(self.folder, [kind("cpu_f32_onednn", 8000, bound_share=0.5),
                                        kind("cpu_xnor_swar", 2000, bound_share=0.45, repetition=0),
                                        kind("cpu_xnor_swar", 4000, bound_share=0.225,
                                             repetition=1),
                                        kind("cuda_xnor_popc", 3000)])
                section = self.sections()[section]
                self.assertEqual(self.column(section, "of the bound"),
                                 {"cpu_f32_onednn": "50\u00a0%", "cpu_xnor_swar": "30\u00a0%",
                                  "cuda_xnor_popc": "–"})
                self.assertEqual(self.column(section, "MAC per cycle")["cpu_xnor_swar"], "197")
                shares = {row["implementation"]: row["bound_share"]
                          for row in read_tidy(self.folder)}
                self.assertAlmostEqual(float(shares["cpu_xnor_swar"]), 0.3)
                self.assertEqual(shares["cuda_xnor_popc"], "")
                self.folder = folder

    def test_one_implementation_on_several_instruction_sets(self):
        write_run(self.folder, [record("cpu_f32_onednn", 8000),
                                record("cpu_xnor_simd", 3000, isa="avx2", limited_to="avx2",
                                       case="a"),
                                record("cpu_xnor_simd", 1000, isa="avx512bw", case="b")],
                  memory=[dict(memory_row("cpu_xnor_simd", "total", 5 * MIB, 5 * MIB),
                               limited_to=limited)
                          for limited in ("avx2", "")])
        self.sections()
        rows = {row["implementation"]: row for row in read_tidy(self.folder)}
        self.assertEqual({name: float(row["time_median_ns"]) for name, row in rows.items()},
                         {"cpu_f32_onednn": 8000, "cpu_xnor_simd (avx2)": 3000,
                          "cpu_xnor_simd": 1000})
        self.assertAlmostEqual(float(rows["cpu_xnor_simd (avx2)"]["speedup"]), 8 / 3)
        page = (self.folder / "report.html").read_text(encoding="utf-8")
        self.assertIn("--implementations=cpu_xnor_simd --isa=avx2", page)
        self.assertNotIn("--implementations='cpu_xnor_simd (avx2)'", page)
        self.assertNotIn("not in run.json", page)

    def test_steps_of_a_pass(self):
        write_run(self.folder, [network_record("cpu_xnor_swar", 9000),
                                layer_record("cpu_xnor_swar", 4000, "conv1", "convolution",
                                             bound_share=0.25),
                                layer_record("cpu_xnor_swar", 3000, "pool1", "pool", macs="")])
        rows = {row[0]: row[-1] for row in table_cells(self.sections()["layers"])}
        self.assertEqual(rows["conv1"], "4.00\u00a0µs (25\u00a0%)")
        self.assertEqual(rows["pool1"], "3.00\u00a0µs")

    def test_runs_from_before(self):
        write_run(self.folder, [record("cpu_f32_onednn", 8000),
                                network_record("cpu_f32_onednn", 9000),
                                layer_record("cpu_f32_onednn", 4000, "conv1", "convolution")])
        file = self.folder / "records.csv"
        with open(file, newline="", encoding="utf-8") as stream:
            rows = [{name: value for name, value in row.items() if name not in NEW_COLUMNS}
                    for row in csv.DictReader(stream)]
        with open(file, "w", newline="", encoding="utf-8") as stream:
            writer = csv.DictWriter(stream, rows[0], lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        sections = self.sections()
        for section in ("convolutions", "network"):
            self.assertEqual(self.column(sections[section], "of the bound"),
                             {"cpu_f32_onednn": "–"})
        self.assertEqual(self.column(sections["convolutions"], "MAC per cycle"),
                         {"cpu_f32_onednn": "73.7"})
        self.assertIn("4.00\u00a0µs", [row[-1] for row in table_cells(sections["layers"])])


if __name__ == "__main__":
    unittest.main()
