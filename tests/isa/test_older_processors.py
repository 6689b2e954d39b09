"""The program on x86-64 processors that have less than this one, under qemu.

What runs is chosen by what there is. It says why when something is not there, computes what is
right, and meets no instruction that the processor does not know.
"""
import os
import re
import shutil
import subprocess
import unittest

PROGRAM = os.path.abspath(os.environ["XNORBENCH"])
QEMU = shutil.which("qemu-x86_64")
OBJECTS = list(filter(None, os.environ.get("XNORBENCH_ISA_OBJECTS", "").split(":")))

AVAILABLE = "ok"
NO_POPCNT = "unavailable: this processor has no popcnt"
NO_KERNEL = "unavailable: no kernel for sse2, only for avx2, avx512bw, avx512bitalg"


@unittest.skipUnless(QEMU, "no qemu-x86_64 (Debian: qemu-user)")
class OlderProcessors(unittest.TestCase):
    def run_on(self, processor, *arguments):
        result = subprocess.run([QEMU, "-cpu", processor, PROGRAM, *arguments],
                                stdin=subprocess.DEVNULL,
                                capture_output=True, text=True, timeout=1200)
        self.assertEqual(result.returncode, 0, f"{result.args}\n{result.stdout}\n{result.stderr}")
        return result.stdout

    def expect(self, processor, isas, **states):
        listed = self.run_on(processor, "list", "--filter=xnor")
        for name, state in states.items():
            self.assertIn(f"{name} {state}",
                          [re.sub(" +", " ", line.strip()) for line in listed.splitlines()])
        names = ",".join(states)
        # Known traps, then random problems, on every instruction set that the processor is said to
        # have.
        for problems in (), ("--fuzz=100", "--seed=7"):
            checked = self.run_on(processor, "check", f"--implementations={names}", f"--isa={isas}",
                                  *problems)
            for name, state in states.items():
                ok, wrong, unsupported, unavailable = map(int,
                                                          re.search(rf"^{name}((?: +\d+){{4}})$",
                                                                    checked, re.M)[1].split())
                self.assertEqual(wrong + unsupported, 0, checked)
                self.assertGreater(ok if state == AVAILABLE else unavailable, 0, checked)
                self.assertEqual(unavailable if state == AVAILABLE else ok, 0, checked)
        # All else that runs in a network: the smallest, its real layers without libraries, in one
        # sample.
        self.run_on(processor, "network", "--networks=binarynet_cifar10",
                    f"--implementations={names}", f"--isa={isas}",
                    "--float-backend=direct", "--repetitions=1", "--min-time=0.001")
        # Loops for every instruction set that it is said to have.
        self.assertIn(f"bound_{next(iter(states))}", self.run_on(processor, "peak"))

    def test_without_popcnt(self):
        self.expect("core2duo", "sse2", cpu_xnor_swar=AVAILABLE, cpu_xnor_popcnt=NO_POPCNT,
                    cpu_xnor_simd=NO_KERNEL)

    def test_without_avx(self):
        self.expect("Nehalem", "sse2", cpu_xnor_swar=AVAILABLE, cpu_xnor_popcnt=AVAILABLE,
                    cpu_xnor_simd=NO_KERNEL)

    def test_without_avx2(self):
        self.expect("IvyBridge", "sse2", cpu_xnor_swar=AVAILABLE, cpu_xnor_popcnt=AVAILABLE,
                    cpu_xnor_simd=NO_KERNEL)

    def test_without_avx512(self):
        self.expect("Haswell", "avx2", cpu_xnor_swar=AVAILABLE, cpu_xnor_popcnt=AVAILABLE,
                    cpu_xnor_simd=AVAILABLE)


@unittest.skipUnless(OBJECTS, "not optimised: inline functions are not inlined")
class ObjectsForOneInstructionSet(unittest.TestCase):
    def test_define_nothing_that_another_file_might_take(self):
        for file in OBJECTS:
            symbols = subprocess.run([os.environ["NM"], "--demangle", "--defined-only",
                                      "--extern-only", file],
                                     stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                     check=True).stdout
            code = [line for line in symbols.splitlines() if line.split(maxsplit=2)[1] in "TWui"]
            self.assertEqual(code, [], file)


if __name__ == "__main__":
    unittest.main()
