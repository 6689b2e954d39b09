"""The page: its numbers are those of tidy.csv, nothing is hidden, missing parts leave a
sensible page."""

import html
import re
import unittest

from run_folder import (answers_of, layer_record, memory_row, MIB, network_record, read_tidy,
                        record, report, ReportTest, sections_of, table_cells, write_run)


class Page(ReportTest):
    def page(self, records=None, *words, **run):
        write_run(self.folder, records, **run)
        return self.page_of(self.folder, *words)

    def test_self_contained(self):
        text = self.page([network_record("cpu_f32_onednn", 8e6),
                          network_record("cpu_xnor_swar", 2e6)])
        self.assertNotIn("<script", text)
        outside_plots = re.sub(r"<svg.*?</svg>", "", text, flags=re.S)
        addresses = re.findall(r'(?:src|href)="(?!#|tidy\.csv)([^":]*:.{10})', outside_plots)
        self.assertEqual(set(addresses), {"data:image/svg+", "data:image/png;"})
        identities = re.findall(r' id="([^"]*)"', text)
        self.assertEqual(len(identities), len(set(identities)))
        self.assertIn("<text", text)  # text in the plots stays text

    def test_network_numbers_are_those_of_the_csv(self):
        text = self.page([network_record("cpu_f32_onednn", 8123456),
                          network_record("cpu_xnor_swar", 2345678, weights_bytes=MIB)])
        header, *rows = table_cells(sections_of(text)["network"].split("<details>")[0])
        cells = {row[0]: dict(zip(header, row)) for row in rows}
        for row in read_tidy(self.folder):
            shown = cells[row["implementation"]]
            self.assertEqual(shown["time, ms"], f"{float(row['time_median_ns']) / 1e6:.2f}")
            self.assertEqual(shown["speed-up over cpu_f32_onednn"],
                             f"{float(row['speedup']):.2f}×")
            beyond = (float(row["peak_bytes"]) - float(row["weights_bytes"])) / MIB
            self.assertEqual(shown["memory beyond weights, MiB"], f"{beyond:.1f}")
        answers = answers_of(text)
        self.assertEqual(answers["How fast? 3.46× the speed of float"],
                         "face_alignment (batch 1, 1 thread, hot cache) takes 2.35\u00a0ms a pass "
                         "in bits (cpu_xnor_swar) and 8.12\u00a0ms in float.")
        self.assertEqual(answers["How small? 1.00× less memory than float"],
                         "A pass of face_alignment takes 50.0\u00a0MiB in bits (cpu_xnor_swar) and "
                         "50.0\u00a0MiB in float. Its weights alone: 1.00\u00a0MiB and "
                         "2.00\u00a0MiB, 2.00×.")

    def test_conv_numbers_and_readable_problems(self):
        text = self.page([record("cpu_f32_onednn", 8000), record("cpu_xnor_swar", 3000)])
        rows = [row for row in table_cells(sections_of(text)["convolutions"])
                if len(row) > 3 and row[0] == "cpu_xnor_swar"]
        self.assertIn(["64→32 3×3 at 8×8 · ic64_ih8_oc32_kh3_ph1_pad-1"],
                      table_cells(sections_of(text)["convolutions"]))
        self.assertIn("3.00\u00a0µs", rows[0])
        self.assertIn("2.67×", rows[0])
        self.assertIn("393", rows[0])  # GMAC/s
        self.assertIn("197", rows[0])  # MAC per cycle

    def test_equal_outputs(self):
        text = self.page([network_record(name, 1000) for name in ["cpu_f32_onednn",
                                                                  "cpu_xnor_swar"]])
        self.assertIn("All 2 implementations gave the same output.", text)

    def test_unequal_outputs_are_named(self):
        text = self.page([network_record(name, 1000) for name in ["cpu_f32_onednn",
                                                                  "cpu_xnor_swar"]]
                         + [network_record("cpu_xnor_popcnt", 1000, output_hash="bad0")])
        self.assertIn("OUTPUTS DIFFER: cpu_xnor_popcnt differs from the majority of 2.", text)
        self.assertNotIn("gave the same output", text)

    def test_outputs_that_change_between_repetitions_are_named(self):
        text = self.page([network_record("cpu_xnor_swar", 1000, repetition=index, output_hash=value)
                          for index, value in enumerate(["aa", "aa", "bad0"])])
        self.assertIn("OUTPUTS DIFFER", text)
        self.assertIn("cpu_xnor_swar: aa; cpu_xnor_swar: bad0", text)

    def test_unequal_outputs_of_a_layer_are_named(self):
        text = self.page([record("cpu_f32_onednn", 1000), record("cpu_xnor_swar", 1000,
                                                                 output_hash="bad0")])
        self.assertIn("OUTPUTS DIFFER: 64→32 3×3 at 8×8", text)

    def test_layers_by_part_and_longest(self):
        rows = [layer_record("cpu_xnor_swar", 4e6, "block1", "convolution"),
                layer_record("cpu_xnor_swar", 5e6, "block2", "convolution"),
                layer_record("cpu_xnor_swar", 1e6, "block1", "sign_pass")]
        section = sections_of(self.page(rows))["layers"]
        self.assertIn("never summed into the network's time", section)
        tables = table_cells(section)
        self.assertEqual(tables[0], ["implementation", "sign_pass", "convolution"])
        self.assertEqual(tables[1], ["cpu_xnor_swar", "1.00\u00a0ms (10\u00a0%)",
                                     "9.00\u00a0ms (90\u00a0%)"])
        self.assertEqual(tables[3][:2], ["block2", "convolution"])

    def test_memory(self):
        rows = [memory_row("cpu_xnor_swar", "weights_packed", 3 * MIB, 3 * MIB),
                memory_row("cpu_xnor_swar", "activations_real", 10 * MIB, 12 * MIB),
                memory_row("cpu_xnor_swar", "unattributed", "", -MIB),
                memory_row("cpu_xnor_swar", "total", 13 * MIB, 15 * MIB),
                memory_row("cpu_xnor_swar", "outside", "", 14 * MIB)]
        cells = {row[0]: row[1]
                 for row in table_cells(sections_of(self.page(memory=rows))["memory"])}
        self.assertEqual(cells["weights_packed"], "3.00")
        self.assertEqual(cells["total"], "13.0 / 15.0")
        self.assertEqual((cells["outside"], cells["unattributed"]), ("14.0", "−1.00"))

    def test_reasons_are_shown_and_escaped(self):
        reason = 'kernel <b>"ref:any"</b> & others'
        absent = {"name": "cuda_b1_mma", "device": "cuda", "arithmetic": "b1",
                  "description": "tensor cores",
                  "status": "unavailable", "reason": "no <driver>"}
        text = self.page([record("cpu_f32_onednn", reason=reason)], implementations=[absent])
        self.assertNotIn("<b>", text)
        support = sections_of(text)["support"]
        self.assertIn(reason, html.unescape(support))
        self.assertIn("no &lt;driver&gt;", support)
        rows = {row[0]: row for row in table_cells(support.split('<details class="data">')[0])}
        self.assertEqual(rows["cuda_b1_mma"][1], "unavailable")
        self.assertEqual(rows["cpu_f32_onednn"][1], "not in run.json")

    def test_commands(self):
        text = html.unescape(self.page([record("cpu_f32_onednn", 1000),
                                        network_record("cpu_xnor_swar", 1000)]))
        self.assertIn("xnorbench conv --shapes=ic64_ih8_oc32_kh3_ph1_pad-1 "
                      "--implementations=cpu_f32_onednn "
                      "--source=sign --destination=acc --threads=1 --batch=1 --cache=hot --seed=7",
                      text)
        self.assertIn("xnorbench network --networks=face_alignment --implementations=cpu_xnor_swar "
                      "--float-backend=onednn --threads=1 --batch=1", text)

    def test_command_of_a_product_has_no_batch(self):
        text = html.unescape(self.page([record("cpu_f32_onednn", 1000, kind="gemm",
                                               problem="m64_n64_k64")]))
        self.assertIn("xnorbench gemm --shapes=m64_n64_k64 --implementations=cpu_f32_onednn "
                      "--source=sign --destination=acc --threads=1 --cache=hot --seed=7", text)

    def test_everything_unsupported(self):
        text = self.page([record("cpu_f32_onednn", reason="too small"),
                          network_record("cpu_xnor_swar")])
        self.assertIn("Nothing was timed", text)
        self.assertIn("there is no baseline", text)

    def test_one_implementation(self):
        self.assertIn("the only implementation timed",
                      self.page([network_record("cpu_xnor_swar", 1000)]))

    def test_no_rows(self):
        text = self.page([])
        self.assertNotIn("network", sections_of(text))
        self.assertNotIn("#network", text)

    def test_zero_bytes(self):
        self.page(memory=[memory_row("cpu_xnor_swar", "total", 0, 0)])

    def test_matrix_products(self):
        text = self.page([record(name, time, kind="gemm", problem="m64_n64_k64")
                          for name, time in [("cpu_f32_onednn", 4000), ("cpu_xnor_swar", 1000)]])
        self.assertIn("Matrix products", text)
        self.assertIn("m64_n64_k64", text)

    def test_interrupted_in_the_middle_of_a_row(self):
        write_run(self.folder, [record("cpu_f32_onednn", 1000)], finished=None, exit_status=None)
        with open(self.folder / "records.csv", "a", encoding="utf-8") as file:
            file.write("conv/half a r")
        self.assertEqual(report(self.folder).returncode, 0)
        text = (self.folder / "report.html").read_text(encoding="utf-8")
        self.assertIn("was interrupted", text)
        self.assertIn("unfinished last line of records.csv", text)
        self.assertEqual(len(read_tidy(self.folder)), 1)


if __name__ == "__main__":
    unittest.main()
