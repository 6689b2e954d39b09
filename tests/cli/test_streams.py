"""Streams that are closed or full, and two runs in one folder, must not spoil the records."""
import subprocess
import time
import unittest

from program import (CSV_FILES, PATIENCE, PROGRAM, ProgramTest, read_columns, read_rows, read_run,
                     run)

TINY = ("conv", "--shapes=ic65_ih4_oc3", "--repetitions=2", "--min-time=0.001",
        "--implementations=cpu_xnor_swar")


class Streams(ProgramTest):
    def run_with(self, redirection):
        out = self.folder / f"run {len(list(self.folder.iterdir()))}"
        result = subprocess.run(["/bin/sh", "-c", f'exec "$@" {redirection}', "sh", PROGRAM, *TINY,
                                 f"--out={out}"],
                                capture_output=True, text=True, timeout=PATIENCE)
        self.assertGreaterEqual(result.returncode, 0, "ended by a signal")
        self.assertLess(result.returncode, 128, result.stderr)
        self.assertEqual(len(read_rows(out / "records.csv")), 2)
        for name in CSV_FILES:
            width = len(read_columns(out / name))
            for row in read_rows(out / name):
                self.assertEqual(len([value for value in row.values() if value is not None]), width,
                                 f"{name}: {row}")
            self.assertNotIn("steps", (out / name).read_text())
        return result, out

    def test_closed(self):
        for redirection in (">&-", "2>&-", "<&- >&- 2>&-"):
            with self.subTest(redirection):
                _, out = self.run_with(redirection)
                self.assertIsNotNone(read_run(out)["finished"])

    def test_full(self):
        result, out = self.run_with("2>/dev/full")
        self.assertEqual(result.returncode, 0)
        self.assertIsNotNone(read_run(out)["finished"])

    def test_lost_output_is_no_success(self):
        for arguments in (["list"], ["--help"], ["check", "--shapes=ic1"]):
            with open("/dev/full", "w", encoding="utf-8") as full:
                self.assertNotEqual(subprocess.run([PROGRAM, *arguments], stdout=full,
                                                   stderr=subprocess.DEVNULL,
                                                   timeout=PATIENCE).returncode, 0, arguments)

    def test_second_run_in_the_same_folder_is_refused(self):
        out = self.folder / "run"
        command = (*TINY[:2], "--repetitions=500", "--min-time=0.02", f"--out={out}")
        first = subprocess.Popen([PROGRAM, *command], stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)
        try:
            end = time.monotonic() + PATIENCE
            while not (out / "records.csv").exists() or (out
                                                         / "records.csv").read_bytes().count(
                                                             b"\n") < 3:
                self.assertLess(time.monotonic(), end, "no rows appeared")
                time.sleep(0.005)
            second = run(*command)
            self.assertEqual(second.returncode, 2, second.stderr)
            self.assertIn(str(out), second.stderr)
        finally:
            first.kill()
            first.wait()


if __name__ == "__main__":
    unittest.main()
