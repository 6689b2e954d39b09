"""Sanitizers on kernels that run on the host: silent on right ones, and planted faults get a line.

CXX in the environment says which compiler (default: g++)."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KERNELS = ROOT / "tests" / "simt" / "kernels.h"
CXX = os.environ.get("CXX", "g++")
FLAGS = ["-std=c++17", "-g", "-ffp-contract=off", f"-I{ROOT}"]


def lines_of(fault):
    """The lines of kernels.h that are marked with its name, or with how the name starts."""
    lines = KERNELS.read_text(encoding="utf-8").splitlines()
    return [number for number, line in enumerate(lines, 1)
            if any(fault.startswith(mark) for mark in line.partition("// fault:")[2].split())]


def run(*words, **options):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True,
                          check=False, **options)


def without_randomised_addresses():
    """g++ 12's ThreadSanitizer does not start if a system randomises more bits than it knows."""
    prefix = ["setarch", "--addr-no-randomize"]
    return prefix if shutil.which("setarch") and run(*prefix, "true").returncode == 0 else []


class Sanitized:
    """What both sanitizers have in common: the program, and runs of it."""
    sanitizers = ""
    environment = {}

    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        folder = Path(temporary.name)
        cls.program = folder / "fault"
        # kernels/simt itself is never sanitised.
        cls.build("-O2", "-c", *sorted((ROOT / "kernels" / "simt").glob("*.cpp")), cwd=folder)
        cls.build("-O1", "-fno-omit-frame-pointer", f"-fsanitize={cls.sanitizers}",
                  ROOT / "tests" / "simt" / "fault.cpp", *sorted(folder.glob("*.o")), "-o",
                  cls.program)
        cls.prefix = without_randomised_addresses()

    @staticmethod
    def build(*words, **options):
        done = run(CXX, *FLAGS, *words, **options)
        if done.returncode != 0:
            raise AssertionError(done.stderr)

    def run_fault(self, name):
        return run(*self.prefix, self.program, name, env={**os.environ, **self.environment})

    def reported(self, fault, kind):
        """The report is of this kind, and its access is on one of the marked lines."""
        done = self.run_fault(fault)
        self.assertNotEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stderr, kind)
        self.assertIn(int(re.search(r"kernels\.h:(\d+)", done.stderr)[1]), lines_of(fault),
                      done.stderr)

    def test_right_kernels(self):
        done = self.run_fault("none")
        # A remark of AddressSanitizer where kernels/simt changes stacks by ucontext.
        report = re.sub(r".*WARNING: ASan doesn't fully support makecontext/swapcontext.*\n", "",
                        done.stderr)
        self.assertEqual((done.returncode, done.stdout, report), (0, "right\n", ""))


class AddressAndUndefinedBehaviour(Sanitized, unittest.TestCase):
    sanitizers = "address,undefined"
    environment = {"UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=0"}

    def test_read_past_the_end_of_a_buffer(self):
        self.reported("global_overread",
                      "AddressSanitizer: heap-buffer-overflow[^$]*READ of size 4")

    def test_tile_read_past_the_end_of_a_buffer(self):
        self.reported("tile_guard", "AddressSanitizer: heap-buffer-overflow[^$]*READ of size 4")

    def test_write_past_the_end_of_a_buffer(self):
        self.reported("store_guard", "AddressSanitizer: heap-buffer-overflow[^$]*WRITE of size 4")

    def test_write_past_the_end_of_a_shared_array(self):
        self.reported("shared_overrun", "AddressSanitizer: use-after-poison[^$]*WRITE of size 4")

    def test_read_past_the_end_of_a_row_of_a_shared_array(self):
        self.reported("shared_row", r"runtime error: index 5 out of bounds for type '.*\[5\]'")


class Thread(Sanitized, unittest.TestCase):
    sanitizers = "thread"
    environment = {"TSAN_OPTIONS": "halt_on_error=1:history_size=7"}

    def test_missing_barriers(self):
        self.reported("missing_barrier_after_load", "ThreadSanitizer: data race")
        self.reported("missing_barrier_after_use", "ThreadSanitizer: data race")

    def test_missing_syncwarp(self):
        self.reported("missing_syncwarp", "ThreadSanitizer: data race")

    def test_vote_is_no_syncwarp(self):
        """The result is right in every order: only ThreadSanitizer sees it."""
        self.reported("vote_as_syncwarp", "ThreadSanitizer: data race")


if __name__ == "__main__":
    unittest.main()
