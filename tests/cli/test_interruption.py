"""A run that was cut off keeps what it measured, and its own command completes it."""
import collections
import json
import os
import signal
import subprocess
import time
import unittest

from program import CSV_FILES, PATIENCE, PROGRAM, ProgramTest, read_rows, read_run, run

REPETITIONS = 4
# Long enough to be hit in the middle: some 24 rows of 30 ms.
COMMAND = ("conv", "--shapes=ic64_ih8_oc64_kh3_ph1,ic65_ih8_oc64_kh3_ph1_pad-1",
           "--implementations=cpu_xnor_swar,cpu_xnor_popcnt,cpu_f32_direct",
           f"--repetitions={REPETITIONS}",
           "--min-time=0.02")
TINY = ("conv", "--shapes=ic65_ih4_oc3,ic64", "--implementations=cpu_xnor_swar,cpu_f32_direct",
        "--repetitions=3",
        "--min-time=0.001")


class RunTest(ProgramTest):
    """Continues runs and knows what a whole one holds."""

    def setUp(self):
        super().setUp()
        self.out = self.folder / "run"

    def assert_complete(self, command=COMMAND):
        """What a run that was never cut off would hold."""
        description = read_run(self.out)
        self.assertIsNotNone(description["finished"])
        self.assertEqual(description["exit_status"], 0)
        rows = read_rows(self.out / "records.csv")
        keys = [(row["case"], row["repetition"]) for row in rows]
        self.assertEqual(len(keys), len(set(keys)), "a key occurs twice")
        count = int(next(word for word in command
                         if word.startswith("--repetitions")).split("=")[1])
        by_case = collections.defaultdict(list)
        samples = collections.Counter((row["case"], row["repetition"])
                                      for row in read_rows(self.out / "samples.csv"))
        for row in rows:
            self.assertNotIn(None, row)
            self.assertNotIn(None, row.values())
            by_case[row["case"]].append(row)
            self.assertEqual(samples.pop((row["case"], row["repetition"]), 0),
                             int(row["samples"] or 0))
        self.assertEqual(samples, {}, "samples of no row")
        for case, rows in by_case.items():
            if rows[0]["status"] == "unsupported":
                self.assertEqual(len(rows), 1)
            else:
                self.assertEqual([row["repetition"] for row in rows],
                                 [str(i) for i in range(count)], case)
        completed = read_rows(self.out / "completed.csv")
        self.assertEqual(collections.Counter((row["case"], row["repetition"]) for row in completed),
                         collections.Counter(keys))
        return len(by_case)

    def continue_run(self, command=COMMAND):
        result = run(*command, f"--out={self.out}")
        self.assert_good(result)
        return result


class Interruption(RunTest):
    def start_and_signal(self, number, rows=3):
        """Sends the signal once there are some rows."""
        records = self.out / "records.csv"
        process = subprocess.Popen([PROGRAM, *COMMAND, f"--out={self.out}"],
                                   stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        end = time.monotonic() + PATIENCE
        while not (records.exists() and records.read_bytes().count(b"\n") > rows):
            self.assertLess(time.monotonic(), end, "no rows appeared")
            self.assertIsNone(process.poll(), "the run ended before it could be interrupted")
            time.sleep(0.005)
        process.send_signal(number)
        with process:
            _, stderr = process.communicate(timeout=PATIENCE)
        return process.returncode, stderr

    def assert_unfinished(self):
        self.assertIsNone(read_run(self.out)["finished"])
        self.assertIsNone(read_run(self.out)["exit_status"])

    def test_interrupt_and_polite_kill(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number):
                self.out = self.folder / number.name
                status, stderr = self.start_and_signal(number)
                self.assertEqual(status, 130)
                self.assertIn(f"{self.out}", stderr.splitlines()[-1])
                self.assertIn("the same command continues", stderr.splitlines()[-1])
                self.assert_unfinished()
                kept = (self.out / "records.csv").read_bytes()
                self.assertTrue(kept.endswith(b"\n"))
                self.continue_run()
                self.assertTrue((self.out / "records.csv").read_bytes().startswith(kept))
                self.assertEqual(self.assert_complete(), 6)

    def test_interrupted_three_times(self):
        for rows in (2, 6, 11):
            status, _ = self.start_and_signal(signal.SIGINT, rows)
            self.assertEqual(status, 130)
        self.continue_run()
        self.assertEqual(self.assert_complete(), 6)

    def test_hard_kill(self):
        for rows in (2, 7):
            status, _ = self.start_and_signal(signal.SIGKILL, rows)
            self.assertEqual(status, -signal.SIGKILL)
            self.assert_unfinished()
        self.continue_run()
        self.assertEqual(self.assert_complete(), 6)

    def test_another_command_does_not_continue_it(self):
        self.start_and_signal(signal.SIGINT)
        self.assert_refused(*COMMAND, "--seed=2", f"--out={self.out}",
                            says=[str(self.out), "another run"])


class CutOff(RunTest):
    """States that a kill can leave behind, made on purpose from a finished run."""

    def setUp(self):
        super().setUp()
        self.continue_run(TINY)
        self.assertEqual(self.assert_complete(TINY), 4)
        self.whole = {name: (self.out / name).read_bytes() for name in CSV_FILES}
        self.mark_unfinished()

    def mark_unfinished(self):
        description = read_run(self.out)
        description["finished"] = description["exit_status"] = None
        (self.out / "run.json").write_text(json.dumps(description))

    def cut(self, name, to):
        """Negative: so many bytes fewer."""
        file = self.out / name
        os.truncate(file, to if to >= 0 else file.stat().st_size + to)

    def assert_continues(self):
        self.continue_run(TINY)
        self.assertEqual(self.assert_complete(TINY), 4)

    def restore(self):
        for name, content in self.whole.items():
            (self.out / name).write_bytes(content)
        self.mark_unfinished()

    def drop_completed_lines(self, lines):
        kept = self.whole["completed.csv"].splitlines(keepends=True)[:-lines]
        (self.out / "completed.csv").write_bytes(b"".join(kept))

    def test_nothing_was_missing(self):
        self.assert_continues()
        for name, content in self.whole.items():
            self.assertEqual((self.out / name).read_bytes(), content, name)

    def test_killed_within_a_row(self):
        self.drop_completed_lines(1)
        self.cut("records.csv", -7)
        self.assert_continues()

    def test_killed_within_a_sample(self):
        self.drop_completed_lines(1)
        self.cut("samples.csv", -3)
        self.assert_continues()

    def test_killed_before_it_was_noted(self):
        self.drop_completed_lines(2)
        self.assert_continues()

    def test_killed_within_the_note(self):
        for cut in (-1, -5, -45):
            with self.subTest(cut):
                self.restore()
                self.cut("completed.csv", cut)
                self.assert_continues()
                # And once more: what was repaired must read well.
                self.mark_unfinished()
                self.assert_continues()

    def test_killed_before_the_first_note(self):
        self.cut("completed.csv", self.whole["completed.csv"].index(b"\n") + 1)
        self.assert_continues()

    def test_killed_within_a_header(self):
        for name in CSV_FILES:
            for to in (0, 3):
                with self.subTest(name, to=to):
                    for other in CSV_FILES:
                        self.cut(other, self.whole[other].index(b"\n") + 1)
                    self.cut(name, to)
                    self.mark_unfinished()
                    self.assert_continues()

    def test_killed_before_the_description_was_written(self):
        """The lock is there, rows are not: nothing was lost."""
        for name in CSV_FILES:
            (self.out / name).unlink()
        (self.out / "completed.csv").write_text("")
        (self.out / "run.json").unlink()
        (self.out / "run.json.new").write_text('{"schema"')
        self.assert_continues()

    def test_lost_ends(self):
        """A power cut may leave a file shorter than noted: rows are measured again or refused."""
        for name in ("records.csv", "samples.csv"):
            with self.subTest(name):
                self.restore()
                self.cut(name, -40)
                result = run(*TINY, f"--out={self.out}")
                if result.returncode == 2:
                    self.assertIn(name, result.stderr)
                else:
                    self.assert_complete(TINY)

    def test_table_shows_all_repetitions(self):
        self.drop_completed_lines(1)
        stdout = self.continue_run(TINY).stdout
        self.assertNotIn("not measured", stdout)


class CutOffProfile(ProgramTest):
    COMMAND = ("network", "--implementations=cpu_xnor_swar", "--quick", "--profile")

    def test_killed_between_the_last_repetition_and_its_layers(self):
        out = self.folder / "run"
        self.assert_good(run(*self.COMMAND, f"--out={out}"))
        layers = sum(row["kind"] == "layer" for row in read_rows(out / "records.csv"))
        self.assertGreater(layers, 0)
        lines = (out / "completed.csv").read_bytes().splitlines(keepends=True)
        # three of them were written
        (out / "completed.csv").write_bytes(b"".join(lines[:3 - layers]))
        description = read_run(out)
        description["finished"] = None
        (out / "run.json").write_text(json.dumps(description))
        self.assert_good(run(*self.COMMAND, f"--out={out}"))
        rows = read_rows(out / "records.csv")
        self.assertEqual(len(rows), len({(row["case"], row["repetition"]) for row in rows}))
        self.assertEqual(sum(row["kind"] == "layer" for row in rows), layers)


class CutOffUntimed(RunTest):
    def test_unsupported_is_written_once(self):
        command = ("conv", "--shapes=ic16777217", "--implementations=cpu_f32_*,cpu_xnor_swar",
                   "--repetitions=1",
                   "--min-time=0")
        self.continue_run(command)
        lines = (self.out / "completed.csv").read_bytes().splitlines(keepends=True)
        (self.out / "completed.csv").write_bytes(b"".join(lines[:2]))
        description = read_run(self.out)
        description["finished"] = None
        (self.out / "run.json").write_text(json.dumps(description))
        self.continue_run(command)
        self.assertEqual(self.assert_complete(command), 4)


class Status(ProgramTest):
    def test_wrong_before_the_interruption_is_wrong_after_it(self):
        """Exit status and summary are of the whole run, not of its last part."""
        out = self.folder / "run"
        command = ("conv", "--shapes=ic1", "--implementations=cpu_xnor_swar", "--repetitions=1",
                   "--min-time=0")
        self.assert_good(run(*command, f"--out={out}"))
        header, row = (out / "records.csv").read_text().splitlines()
        names, fields = header.split(","), row.split(",")
        fields[names.index("status")] = "wrong"
        fields[names.index("time_median_ns")] = ""
        (out / "records.csv").write_text(header + "\n" + ",".join(fields) + "\n")
        lines = (out / "completed.csv").read_text().splitlines()
        case, repetition, _, _, _, _, *others = lines[-1].split(",")
        size = (out / "records.csv").stat().st_size
        last = [case, repetition, "wrong", "0.0", "0.0", str(size), *others]
        (out / "completed.csv").write_text(f"{lines[0]}\n{','.join(last)}\n")
        description = read_run(out)
        description["finished"] = None
        (out / "run.json").write_text(json.dumps(description))
        self.assertEqual(run(*command, f"--out={out}").returncode, 1)
        self.assertEqual(read_run(out)["exit_status"], 1)


if __name__ == "__main__":
    unittest.main()
