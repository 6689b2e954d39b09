"""Schema 1 and schema 2: the same numbers give the same page; the columns are those documented."""

import csv
import unittest

from run_folder import (as_schema_1, buffer_row, claim, documented_columns, layer_record,
                        memory_row,
                        MIB, network_record, peak, record, ReportTest, setting, timeline_row,
                        write_run)

SIMD, FLOAT = "cpu_xnor_simd", "cpu_f32_onednn"


def everything():
    """A run with rows in every file and a value in every column that has another name."""
    memory = [memory_row(SIMD, category, size * MIB, size * MIB, policy=policy)
              for policy, size in [("arena", 3), ("per_module", 9)]
              for category in ("activations_real", "total")]
    return {
        "records": [network_record(FLOAT, 8e6, bound_share=0.5, seed=1, input="portrait"),
                    network_record(SIMD, 1e6, bound_share=0.25, seed=1, input="portrait"),
                    layer_record(SIMD, 5e5, "conv1", "convolution", bound_share=0.25),
                    record(FLOAT, 8000, bound_share=0.5), record(SIMD, 1000, bound_share=0.125)],
        "memory": memory,
        "timeline": [timeline_row(SIMD, 0, "conv1", "activations_real", 3 * MIB)],
        "buffers": [buffer_row(SIMD, "conv1", "binary_convolution", kind, "activations_real",
                               4 * MIB, policy="per_module")
                    for kind in ("tensor", "packed_input", "workspace")],
        "budget": [setting(SIMD, budget_bytes=9 * MIB, reserved_bytes=0, needed_bytes=3 * MIB,
                           fits="yes", largest_batch=2, size_bound_layer="")],
        "savings": [setting(SIMD, policy="", saving="nothing freed", total_bytes=9 * MIB),
                    setting(SIMD, policy="", saving="one buffer", total_bytes=3 * MIB)],
        "claims": [claim("size", 39, 32, "partly",
                         command="xnorbench memory --float-backend=onednn")],
        "peaks": [peak("bound_cpu_xnor_simd", 800), peak("popcnt", 2, "operations/cycle")]}


class Schemas(ReportTest):
    def page(self, schema):
        self.folder = self.base / str(schema) / "run"
        files = everything()
        if schema == 1:
            for row in files["claims"]:
                row["command"] = row["command"].replace("--float-backend", "--real-layers")
        write_run(self.folder, schema=schema, **files)
        page = self.page_of(self.folder)
        tables = [(self.folder / name).read_text(encoding="utf-8")
                  for name in ("tidy.csv", "tidy_memory.csv", "tidy_claims.csv")]
        return page, tables

    def test_both_give_the_same_page(self):
        (new_page, new_tables), (old_page, old_tables) = self.page(2), self.page(1)
        with open(self.folder / "records.csv", newline="", encoding="utf-8") as file:
            names = next(csv.reader(file))
        self.assertIn("real_layers", names)  # the old names were really there
        self.assertTrue((self.folder / "remedies.csv").is_file())
        self.assertEqual(new_tables, old_tables)
        self.assertEqual(new_page, old_page)
        for old in ("real_layers", "real layers", "remed", "operand", "limit_cpu", "--real-layers"):
            self.assertNotIn(old, new_page)
        for new in ("--float-backend", "packed input", "nothing freed"):
            self.assertIn(new, new_page)

    def test_bounds_of_run_json_in_schema_1(self):
        _, _, peaks = as_schema_1("peaks", [], [peak("bound_cpu_xnor_simd", 800)])
        write_run(self.folder, [record(SIMD, 1000, macs=1e6)], schema=1)
        path = self.folder / "run.json"
        text = path.read_text(encoding="utf-8")
        row = str(peaks[0]).replace("'", '"')
        path.write_text(text.replace('"schema": 1', f'"schema": 1, "peaks": [{row}]'),
                        encoding="utf-8")
        self.assertIn("<td>cpu_xnor_simd</td><td class=\"num\">800</td>", self.page_of(self.folder))

    def test_old_names_are_no_names_of_schema_2(self):
        write_run(self.folder, [network_record(SIMD, 1000)])
        path = self.folder / "records.csv"
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("float_backend", "real_layers", 1), encoding="utf-8")
        from run_folder import report
        done = report(self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn("column float_backend is missing", done.stderr)

    def test_columns_are_those_documented(self):
        from report_lib.columns import FILES  # the script put it on the path
        for name, columns in FILES.items():
            with self.subTest(name):
                self.assertEqual(list(columns.names), documented_columns(name))
                self.assertLessEqual(columns.numbers | columns.optional, set(columns.names))


if __name__ == "__main__":
    unittest.main()
