"""Several networks, batches and thread counts: overview, curves, what is collapsed, cold
against hot."""

import itertools
import unittest

from run_folder import (MIB, network_record, read_tidy, record, ReportTest, sections_of,
                        table_cells, write_run)


class Networks(ReportTest):
    def page(self, records, **run):
        write_run(self.folder, records, **run)
        return self.page_of(self.folder)

    def test_overview_numbers_are_those_of_the_csv(self):
        section = sections_of(self.page(
            [network_record(name, time, network=network)
             for network, factor in [("face_alignment", 1), ("xnor_resnet18", 3)]
             for name, time in [("cpu_f32_onednn", 8.5e6 * factor),
                                ("cpu_xnor_swar", 2e6)]]))["overview"]
        shown = [row for row in table_cells(section) if row[0] != "network"]
        self.assertEqual([row[0] for row in shown], ["face_alignment", "xnor_resnet18"] * 2)
        for row in read_tidy(self.folder):
            cells = dict(zip(table_cells(section)[0],
                             next(line for line in shown if line[0] == row["network"])))
            text = f"{float(row['time_median_ns']) / 1e6:#.3g}\u00a0ms"
            if row["implementation"] != "cpu_f32_onednn":
                text += f" · {float(row['speedup']):#.3g}×"
            self.assertEqual(cells[row["implementation"]], text)
        self.assertEqual(shown[2][1], "50.0 · 48.0")  # peak and what is beyond the weights

    def test_overview_names_the_reason(self):
        section = sections_of(self.page(
            [network_record("cpu_f32_onednn", 8e6), network_record("cpu_f32_onednn", 8e6,
                                                                   network="other"),
             network_record("cpu_xnor_swar", 2e6),
             network_record("cpu_xnor_swar", network="other", reason="groups <2>")]))["overview"]
        self.assertIn("unsupported (1)", table_cells(section)[2])
        self.assertIn("(1) groups &lt;2&gt;", section)

    def test_no_overview_of_one_network(self):
        self.assertNotIn("overview", sections_of(self.page([network_record("cpu_xnor_swar",
                                                                           1000)])))

    def test_overview_never_mixes_regions(self):
        section = sections_of(self.page(
            [network_record("cpu_f32_onednn", 8e6), network_record("cpu_f32_onednn", 8e6,
                                                                   network="other"),
             network_record("cpu_xnor_swar", 2e6, float_backend="openblas"),
             network_record("cpu_xnor_swar", 1e6, network="other", threads=2)]))["overview"]
        self.assertNotIn("×", section)
        self.assertIn("face_alignment (float backend openblas)", section)
        self.assertNotIn("1.00\u00a0ms", section)

    def test_overview_leaves_out_what_has_no_single_case(self):
        section = sections_of(self.page(
            [network_record("cpu_xnor_swar", 1000, network=name, batch=batch)
             for name, batch in [("one", 1), ("two", 1), ("three", 4)]]))["overview"]
        self.assertIn("Not run at batch 1 on one thread: three.", section)

    def swept(self, **changed):
        return [network_record(name, time * batch / threads, batch=batch, threads=threads,
                               **changed)
                for batch, threads in itertools.product([4, 1], [1, 2])
                for name, time in [("cpu_f32_onednn", 8e6), ("cpu_xnor_swar", 2e6)]]

    def test_one_plot_and_curves_for_many_combinations(self):
        text = self.page(self.swept())
        self.assertEqual(text.count('aria-label="Time of one forward pass of face_alignment by'), 1)
        section = sections_of(text)["network"]
        self.assertIn("batch 1, 1 thread", section)
        self.assertIn("Time per image against batch, 1 thread.", section)
        self.assertIn("Time of one call against threads, batch 1.", section)
        details = table_cells(section.split("<summary>Other conditions (6 rows)")[1])
        tidy = {(row["implementation"], row["batch"], row["threads"]): row
                for row in read_tidy(self.folder)}
        self.assertEqual(len(details) - 1, 6)
        for row in details[1:]:
            source = tidy[tuple(row[:3])]
            self.assertEqual(row[3], f"{float(source['time_median_ns']) / 1e6:#.3g}")
            self.assertEqual(row[5], f"{float(source['speedup']):#.3g}×")

    def test_curve_passes_through_the_csv(self):
        from report_lib import section_curves  # the script put it on the path
        seen = []
        original, section_curves.curves = section_curves.curves, \
            lambda lines, *rest: seen.append(lines) or original(lines, *rest)
        self.addCleanup(setattr, section_curves, "curves", original)
        self.page(self.swept())
        by_batch, by_threads = seen
        self.assertEqual(sorted(by_batch["cpu_xnor_swar"]), [(1, 2.0), (4, 2.0)])
        self.assertEqual(sorted(by_threads["cpu_f32_onednn"]), [(1, 8.0), (2, 4.0)])

    def test_unequal_outputs_among_the_collapsed_are_named(self):
        records = self.swept()
        records[0]["output_hash"] = "bad0"
        shown = sections_of(self.page(records))["network"].split("<details>")[0]
        self.assertIn("batch 4, 1 thread: OUTPUTS DIFFER", shown)

    def test_note_on_logical_cpus(self):
        for machine, text in [({"logical_cpus": 8, "threads_per_core": 2},
                               "two hardware threads of one core give little"),
                              ({"logical_cpus": 8}, "8 logical CPUs."), ({}, "")]:
            self.folder = self.folder.with_name(f"run{len(machine)}")
            page = self.page(self.swept(), machine=machine)
            self.assertEqual("On thread counts" in page, bool(text))
            self.assertIn(text, page)

    def test_no_curve_without_a_second_point(self):
        text = self.page([network_record("cpu_f32_onednn", 8e6),
                          network_record("cpu_xnor_swar", 2e6, batch=4)])
        self.assertNotIn("Time per image against", text)

    def test_scatter_names_every_implementation_once(self):
        names = [f"cpu_xnor_kind{index}" for index in range(9)]
        text = self.page([network_record(name, 1e6 + index, peak_bytes=9 * MIB)
                          for index, name in enumerate(names)])
        label = 'aria-label="Time of one forward pass of face_alignment against'
        plot = text.split(label)[1].split("</svg>")[0]
        for name in names:
            self.assertEqual(plot.count(f">{name}<"), 1)

    def test_no_scatter_without_memory(self):
        text = self.page([network_record(name, 1e6, peak_bytes="")
                          for name in ["cpu_f32_onednn", "cpu_xnor_swar"]])
        self.assertNotIn("Time against memory", text)

    def test_labels_do_not_overlap(self):
        from report_lib import plots_scatter
        points = [(100 + 3 * (index % 3), 100 + 4 * index) for index in range(10)]
        places = plots_scatter.place_labels(points, [(120, 18)] * 10, (0, 0, 480, 400))
        for one, two in itertools.combinations(places, 2):
            self.assertEqual(plots_scatter._overlap(one, two), 0)

    def test_cold_over_hot_of_the_same_case(self):
        text = self.page([record(name, time * factor, cache=cache, layer=f"only {cache}")
                          for cache, factor in [("hot", 1), ("cold", 3)]
                          for name, time in [("cpu_f32_onednn", 6000), ("cpu_xnor_swar", 2000)]]
                         + [record("cpu_xnor_popcnt", 9000, cache="cold")])
        rows = table_cells(sections_of(text)["cache"])
        self.assertEqual(rows[0], ["case", "cpu_f32_onednn", "cpu_xnor_swar"])
        self.assertEqual(rows[1][2], "3.00× (2.00\u00a0µs → 6.00\u00a0µs)")

    def test_no_cold_over_hot_across_other_regions(self):
        for change in [{"threads": 2}, {"batch": 2}, {"source": "f32"}, {"destination": "f32"},
                       {"seed": 8},
                       {"problem": "ic64_ih9_oc32_kh3_ph1_pad-1"}, {"status": "throttled"}]:
            with self.subTest(change):
                self.folder = self.folder.with_name("-".join(map(str, *change.items())))
                text = self.page([record("cpu_xnor_swar", 2000),
                                  record("cpu_xnor_swar", 6000, cache="cold", **change)])
                self.assertNotIn("cache", sections_of(text))


if __name__ == "__main__":
    unittest.main()
