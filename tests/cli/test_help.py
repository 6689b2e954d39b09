"""Help and the list: what a newcomer types first."""
import re
import shlex
import unittest

from program import ProgramTest, run

MEASURING = ["--implementations", "--isa", "--threads", "--cache", "--repetitions", "--min-time",
             "--quick",
             "--time-limit", "--seed", "--workspace-limit", "--out"]
# A command that is added needs no line here.
FLAGS = {
    "list": ["--filter"],
    "check": ["--implementations", "--shapes", "--fuzz", "--seed", "--threads", "--isa"],
    "conv": ["--shapes", "--networks", "--source", "--destination", "--batch", *MEASURING],
    "gemm": ["--shapes", "--source", "--destination", *MEASURING],
    "memory": ["--implementations", "--networks", "--policy", "--plan", "--detail", "--budget",
               "--reserved",
               "--batch", "--float-backend", "--input", "--isa", "--threads", "--seed", "--out"],
    "reproduce": ["--claims", "--repetitions", "--min-time", "--quick", "--seed", "--out"],
    "peak": ["--isa", "--out"],
    "network": ["--networks", "--input", "--output", "--float-backend", "--profile", "--summary",
                "--dump", "--batch",
                *MEASURING],
}


def commands():
    return re.findall(r"^  (\w+) +[A-Z]", run("--help").stdout.split("Commands:\n")[1],
                      re.MULTILINE)


class Help(ProgramTest):
    def assert_readable(self, result):
        self.assert_good(result)
        self.assertEqual(result.stderr, "")
        for line in result.stdout.splitlines():
            self.assertLessEqual(len(line), 80, line)
            self.assertEqual(line, line.rstrip())

    def test_program(self):
        for flag in ("--help", "-h"):
            result = run(flag)
            self.assert_readable(result)
            self.assertIn("130 interrupted", result.stdout)
            self.assertIn("Start with:\n  xnorbench list", result.stdout)
        self.assertLessEqual(set(FLAGS), set(commands()))

    def test_each_command(self):
        for command in commands():
            result = run(command, "--help")
            self.assert_readable(result)
            flags = re.findall(r"^  (--[a-z-]+)", result.stdout, re.MULTILINE)
            self.assertTrue(flags, command)
            if command in FLAGS:
                self.assertEqual(sorted(set(flags) - {"--benchmark_", "--benchmark"}),
                                 sorted(FLAGS[command]), command)
            self.assertEqual(run(command, "-h").stdout, result.stdout)

    def test_the_example_of_each_command_runs(self):
        for command in commands():
            text = run(command, "--help").stdout
            example = shlex.split(re.search(r"\nExample:\n  xnorbench (.+)\n", text)[1])
            self.assertEqual(example[0], command)
            self.assert_good(run(*example, cwd=self.folder))

    def test_the_steps_of_the_first_page_are_command_lines(self):
        for line in re.findall(r"^  xnorbench (.+?)   ", run("--help").stdout, re.MULTILINE):
            words = line.split()
            if words[0] != "list":
                words += ["--benchmark_list_tests"]
            self.assert_good(run(*words))

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
        result = run("check", "--shapes=ic65_ih4_oc3_kh3_ph1_pad-1,ic16777217_oc1", "--seed=5",
                     "--threads=1,2")
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
        # longer than a file name may be
        shapes = ",".join(f"ic{channels}_ih2_oc2" for channels in range(1, 41))
        result = run("check", "--shapes=" + shapes)
        self.assert_good(result)
        self.assertIn("40 problems, 0 wrong", result.stdout)

    def test_shapes_from_a_file(self):
        file = self.write("my shapes.txt",
                          "# layers\r\n\r\n  ic3_ih4_oc2_kh3  # the first\r\nic64_oc2\n")
        result = run("check", f"--shapes={file}")
        self.assert_good(result)
        self.assertIn("2 problems, 0 wrong", result.stdout)


if __name__ == "__main__":
    unittest.main()
