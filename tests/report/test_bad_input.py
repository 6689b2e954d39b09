"""Bad input: exit status 2, one line that names the place, and no file written."""

import json
import subprocess
import tempfile
import unittest
from pathlib import Path

from run_folder import SCRIPT, claim, record, report, write_run


class BadInput(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.base = Path(temporary.name)
        self.run_folder = write_run(self.base / "run", [record("cpu_f32_onednn", 1000)],
                                    memory=[], samples=[])

    def refused(self, *words, says):
        before = sorted(self.base.rglob("*"))
        done = report(*words)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        for text in says:
            self.assertIn(text, done.stderr)
        self.assertEqual(sorted(self.base.rglob("*")), before)

    def edit(self, name, old, new):
        path = self.run_folder / name
        text = path.read_text(encoding="utf-8")
        self.assertIn(old, text)
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    def test_as_a_program(self):
        good = subprocess.run([SCRIPT, self.run_folder], capture_output=True, text=True,
                              check=False)
        self.assertEqual((good.returncode, good.stderr), (0, ""))
        self.assertEqual(good.stdout.strip(), str(self.run_folder / "report.html"))
        bad = subprocess.run([SCRIPT, self.base], capture_output=True, text=True, check=False)
        self.assertEqual((bad.returncode, bad.stderr.count("\n")), (2, 1))

    def test_no_argument(self):
        self.refused(says=["RUN", "expected"])

    def test_unknown_flag(self):
        self.refused(self.run_folder, "--base=x", says=["--base=x", "expected"])

    def test_no_such_folder(self):
        self.refused(self.base / "none", says=["none", "expected a run folder"])

    def test_not_a_run_folder(self):
        self.refused(self.base, says=["run.json", "no such file"])

    def test_run_without_tables(self):
        for name in ["records.csv", "memory.csv"]:
            (self.run_folder / name).unlink()
        self.refused(self.run_folder, says=["neither records.csv nor memory.csv"])

    def test_given_twice(self):
        self.refused(self.run_folder, self.run_folder, says=["given twice"])

    def test_malformed_json(self):
        (self.run_folder / "run.json").write_text('{"schema": 1,\n oops}', encoding="utf-8")
        self.refused(self.run_folder, says=["run.json line 2", "valid JSON"])

    def test_other_schema(self):
        (self.run_folder / "run.json").write_text(json.dumps({"schema": 3}), encoding="utf-8")
        self.refused(self.run_folder, says=["schema is 3", "schema 1 and 2"])

    def test_json_of_another_shape(self):
        self.edit("run.json", '"machine": {', '"machine": 3, "other": {')
        self.refused(self.run_folder, says=["machine is int", "expected dict"])

    def test_missing_column(self):
        self.edit("records.csv", "time_median_ns", "time_median_us")
        self.refused(self.run_folder, says=["records.csv", "time_median_ns is missing"])

    def test_missing_memory_column(self):
        self.edit("memory.csv", "policy", "rule")
        self.refused(self.run_folder, says=["memory.csv", "policy is missing"])

    def test_short_row(self):
        with open(self.run_folder / "records.csv", "a", encoding="utf-8") as file:
            file.write("a,b\n")
        self.refused(self.run_folder, says=["records.csv line 3", "2 fields"])

    def test_unclosed_quote(self):
        with open(self.run_folder / "samples.csv", "a", encoding="utf-8") as file:
            file.write('"a,0,0,1\n')
        self.refused(self.run_folder, says=["samples.csv line", "RFC 4180"])

    def test_not_a_number(self):
        self.edit("records.csv", "2000000000.0", "fast")
        self.refused(self.run_folder, says=["records.csv row 1", "clock_hz is 'fast'",
                                            "expected a number"])

    def test_not_utf8(self):
        (self.run_folder / "records.csv").write_bytes(b"case\n\xff\n")
        self.refused(self.run_folder, says=["records.csv", "UTF-8"])

    def test_unknown_status(self):
        self.edit("records.csv", ",ok,", ",fine,")
        self.refused(self.run_folder, says=["status is 'fine'", "throttled"])

    def test_ok_without_time(self):
        folder = write_run(self.base / "timeless", [record("cpu_f32_onednn", status="ok")])
        self.refused(folder, says=["ok without a time"])

    def test_unknown_verdict(self):
        folder = write_run(self.base / "judged", [], claims=[claim("size", 2, 2, "reproduced"),
                                                             claim("size", 2, 2, "true")])
        self.refused(folder, says=["claims.csv row 2", "verdict is 'true'", "not_reproduced"])

    def test_missing_column_of_claims(self):
        folder = write_run(self.base / "judged", [], claims=[claim("size", 2, 2, "reproduced")])
        text = (folder / "claims.csv").read_text(encoding="utf-8")
        (folder / "claims.csv").write_text(text.replace("baseline", "over"), encoding="utf-8")
        self.refused(folder, says=["claims.csv", "baseline is missing"])

    def test_row_twice(self):
        folder = write_run(self.base / "double", [record("cpu_f32_onednn", 1000)] * 2)
        self.refused(folder, says=["row 2", "appears twice"])

    def test_unknown_baseline(self):
        self.refused(self.run_folder, "--baseline=cpu_f64_magic",
                     says=["--baseline=cpu_f64_magic", "known: cpu_f32_onednn"])

    def test_output_folder_missing(self):
        self.refused(self.run_folder, f"--out={self.base}/none/page.html",
                     says=["cannot write", "none"])

    def test_output_is_a_folder(self):
        self.refused(self.run_folder, f"--out={self.base}", says=["is a folder"])

    def test_second_file_blocked_leaves_no_first(self):
        (self.run_folder / "tidy.csv").mkdir()
        self.refused(self.run_folder, says=["tidy.csv", "is a folder"])


if __name__ == "__main__":
    unittest.main()
