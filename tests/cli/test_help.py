"""Help and the list: what a newcomer types first."""
import unittest

from program import ProgramTest, run

COMMANDS = ("list", "check", "gemm", "conv", "network", "memory", "reproduce", "peak")


class Help(ProgramTest):
    def test_program(self):
        for flag in ("--help", "-h"):
            result = run(flag)
            self.assert_good(result)
            self.assertEqual(result.stderr, "")
            for command in COMMANDS:
                self.assertIn(command, result.stdout)
            self.assertIn("130 interrupted", result.stdout)

    def test_each_command(self):
        flags = {
            "list": ["--filter"],
            "check": ["--implementations", "--shapes", "--fuzz", "--seed", "--threads"],
            "conv": ["--implementations", "--shapes", "--networks", "--source", "--destination", "--out", "--quick",
                     "--repetitions", "--min-time", "--time-limit", "--cache", "--batch", "--threads", "--seed"],
            "gemm": ["--implementations", "--shapes", "--source", "--destination", "--out", "--isa"],
            "memory": ["--implementations", "--networks", "--policy", "--plan", "--detail", "--budget", "--reserved", "--batch",
                       "--float-backend", "--out"],
            "reproduce": ["--repetitions", "--min-time", "--quick", "--seed", "--out"],
            "peak": ["--isa", "--out"],
            "network": ["--implementations", "--networks", "--input", "--output", "--float-backend", "--profile", "--out",
                        "--quick", "--repetitions", "--min-time", "--time-limit", "--cache", "--batch", "--threads"],
        }
        for command in COMMANDS:
            result = run(command, "--help")
            self.assert_good(result)
            self.assertEqual(result.stderr, "")
            for flag in flags[command]:
                self.assertIn(flag, result.stdout)

    def test_version(self):
        result = run("--version")
        self.assert_good(result)
        self.assertRegex(result.stdout, r"^\d+\.\d+\.\d+ \(\S+\)\n$")


class List(ProgramTest):
    def test_everything(self):
        result = run("list")
        self.assert_good(result)
        self.assertIn("cpu_xnor_swar      ok", result.stdout)
        self.assertIn("face_alignment", result.stdout)

    def test_filter(self):
        result = run("list", "--filter=^cpu_xnor")
        self.assert_good(result)
        self.assertIn("cpu_xnor_swar", result.stdout)
        self.assertNotIn("cpu_f32", result.stdout)
        self.assertNotIn("face_alignment", result.stdout)


class Check(ProgramTest):
    def test_reports_what_was_covered_and_how_to_repeat_it(self):
        result = run("check", "--shapes=ic65_ih4_oc3_kh3_ph1_pad-1,ic16777217_oc1", "--seed=5", "--threads=1,2")
        self.assert_good(result)
        self.assertIn("seed 5: 2 problems, 0 wrong results", result.stdout)
        self.assertRegex(result.stdout, r"cpu_xnor_swar +2 +0 +0 +0\n")
        self.assertRegex(result.stdout, r"cpu_f32_direct +1 +0 +1 +0\n")  # K above 2^24
        self.assertIn("pad -1 1", result.stdout)

    def test_fuzz_repeats_exactly(self):
        first, second = (run("check", "--fuzz=10", "--seed=3") for _ in range(2))
        self.assert_good(first)
        self.assertEqual(first.stdout, second.stdout)

    def test_many_shapes_in_one_text(self):
        shapes = ",".join(f"ic{channels}_ih2_oc2" for channels in range(1, 41))  # longer than a file name may be
        result = run("check", "--shapes=" + shapes)
        self.assert_good(result)
        self.assertIn("40 problems, 0 wrong", result.stdout)

    def test_shapes_from_a_file(self):
        file = self.write("my shapes.txt", "# layers\r\n\r\n  ic3_ih4_oc2_kh3  # the first\r\nic64_oc2\n")
        result = run("check", f"--shapes={file}")
        self.assert_good(result)
        self.assertIn("2 problems, 0 wrong", result.stdout)


if __name__ == "__main__":
    unittest.main()
