"""cubin.py counts what is there, and each check of test_code.py can fail.

The kernels in probes.cu are made for that.
"""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from collections import Counter
from pathlib import Path
from unittest import mock

import test_code
from cubin import Usage, operations, read_cubin, resource_usage, short_name
from nvcc import build, find_nvcc, no_nvcc
from test_code import ARCHITECTURES, faults, ptx_faults

PROBES = Path(__file__).with_name("probes.cu")
NVDISASM = shutil.which(os.environ.get("NVDISASM") or "nvdisasm")


class Files(unittest.TestCase):
    def test_not_a_cubin(self):
        with tempfile.TemporaryDirectory() as folder:
            for content in [b"", b"\x7fELF\x02", Path("/usr/bin/env").read_bytes()]:
                path = Path(folder) / "some.cubin"
                path.write_bytes(content)
                with self.assertRaisesRegex(ValueError, r"some\.cubin: expected a cubin .*\)$"):
                    read_cubin(path)

    def test_short_name(self):
        for name, short in [("_Z1kPi", "_Z1kPi"), ("k(int*)", "k"),
                            ("void a::b::k<4, (c::d)1>(int*, f<1>)", "k<4, (c::d)1>"),
                            ("void a::(anonymous namespace)::k<true>((anonymous namespace)::t)",
                             "k<true>")]:
            self.assertEqual(short_name(name), short)

    def test_resource_usage(self):
        # A called function follows the kernel that it belongs to.
        log = """\
ptxas info    : Overriding maximum register limit 256 for '_Z1bPi' with  24 of maxrregcount option
ptxas info    : Compiling entry function '_Z1aPi' for 'sm_90a'
ptxas info    : Function properties for _Z1aPi
    96 bytes stack frame, 4 bytes spill stores, 8 bytes spill loads
ptxas info    : Used 24 registers, used 1 barriers, 96 bytes cumulative stack size, \
2048 bytes smem, 360 bytes cmem[0]
ptxas info    : Function properties for _Z6calleeiPi
    16 bytes stack frame, 20 bytes spill stores, 40 bytes spill loads
ptxas info    : Compiling entry function '_Z1bPi' for 'sm_120'
ptxas info    : Used 10 registers, used 0 barriers
"""
        self.assertEqual(resource_usage(log), {("_Z1aPi", 90): Usage(24, 2048, 112, 72),
                                               ("_Z1bPi", 120): Usage(10, 0, 0, 0)})


@unittest.skipUnless(find_nvcc(), no_nvcc())
class Probes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = Path(temporary.name)
        cls.built = build(PROBES, ARCHITECTURES, cls.folder, ptx=120)

    def kernel(self, name, architecture, built=None):
        built = built or self.built
        found, = [kernel for kernel in built.cubins[architecture]
                  if name in (short_name(kernel.name), short_name(kernel.name).split("<")[0])]
        return found, built.usage[found.symbol, architecture]

    def assert_faults(self, name, *patterns, architectures=ARCHITECTURES, built=None):
        """One pattern for each fault, in their order."""
        for architecture in architectures:
            with self.subTest(f"{name} on sm_{architecture}"):
                found = faults(*self.kernel(name, architecture, built))
                self.assertEqual(len(found), len(patterns), found)
                for fault, pattern in zip(found, patterns):
                    self.assertRegex(fault, f"^{pattern}$")

    def test_good_kernels(self):
        for name in ["eight_popc", "rounded_twice", "many_registers", "xnor_convolution<4, false>"]:
            self.assert_faults(name)

    def test_counts(self):
        for name, expected in [("eight_popc", {"POPC": 8, "LDG": 8, "STG": 1}),
                               ("rounded_once", {"FFMA": 1, "FMUL": 0}),
                               ("rounded_twice",
                                {"FMUL": 1, "FADD": 1, "LDG": 1, "STG": 1, "FFMA": 0}),
                               ("rounded_once_double", {"DFMA": 1, "DMUL": 0}),
                               ("calls", {"CALL": 2}),
                               ("many_registers", {"LDG": 64, "BAR": 1}),
                               ("xnor_convolution<4, true>", {"POPC": 64})]:
            for architecture in ARCHITECTURES:
                with self.subTest(f"{name} on sm_{architecture}"):
                    counts = self.kernel(name, architecture)[0].counts
                    self.assertEqual({mnemonic: counts[mnemonic] for mnemonic in expected},
                                     expected)

    def test_forbidden_instructions(self):
        self.assert_faults("rounded_once", "1 FFMA")
        self.assert_faults("rounded_once_double", "1 DFMA")
        self.assert_faults("divides", "1 CALL of __cuda_.*div.*", r"\d+ FFMA")
        self.assert_faults("calls", "2 CALL of .*not_inlined.*")
        self.assert_faults("local_array", r"\d+ LDL", r"\d+ STL", "128 bytes of stack")

    def test_exceptions(self):
        with mock.patch.dict(test_code.ALLOWED, divides={"FFMA", "CALL"}, rounded_once={"fma"}):
            self.assert_faults("divides")
            self.assert_faults("rounded_once", "1 FFMA")

    def test_spills(self):
        few = build(PROBES, ARCHITECTURES, self.folder / "few", ["-maxrregcount=32"])
        self.assert_faults("many_registers", r"\d+ LDL", r"\d+ STL", r"\d+ bytes of spills",
                           r"\d+ bytes of stack",
                           built=few)

    def test_xnor_limits(self):
        self.assert_faults("xnor_convolution<2, false>", "16 POPC, expected at least 64")
        self.assert_faults("xnor_convolution<4, true>",
                           r"[12]\.\d\d LOP3 per POPC, expected .* to .*")

    def test_binary_tensor_cores(self):
        def counted(name, architecture):
            return tuple(self.kernel(name, architecture)[0].counts[mnemonic]
                         for mnemonic in ["BMMA", "CALL"])
        for architecture in [75, 80, 86, 89]:
            self.assertEqual(counted("binary_mma_xor", architecture), (1, 0))
        for architecture in [80, 86, 89, 90]:
            self.assertEqual(counted("binary_mma_and", architecture), (1, 0))
        self.assertEqual(counted("binary_mma_xor", 90), (2, 1))  # out of two AND, in a function
        for architecture in [100, 120]:
            self.assertEqual(counted("binary_mma_and", architecture)[0], 0)
        self.assert_faults("binary_mma_xor", r"\d CALL of __cuda_sm.*mma.*",
                           architectures=[90, 100, 120])

    def test_ptx(self):
        def found(name):
            return ptx_faults(self.built.ptx, self.kernel(name, 120)[0])
        self.assertEqual((found("rounded_twice"), found("divides")), ([], []))
        self.assertEqual(found("rounded_once"), ["PTX has fma.rn.f32"])
        loose = self.built.ptx.replace("mul.rn.f32", "mul.f32")
        self.assertEqual(ptx_faults(loose, self.kernel("rounded_twice", 120)[0]),
                         ["PTX has mul.f32"])
        self.assertEqual(ptx_faults("", self.kernel("rounded_twice", 120)[0]), ["not in the PTX"])

    @unittest.skipUnless(NVDISASM, "nvdisasm is not in PATH; NVDISASM=PATH names it")
    def test_counts_are_those_of_nvdisasm(self):
        for path in self.folder.glob("**/*.cubin"):
            self.compare(path)

    def compare(self, path):
        cubin = read_cubin(path)
        # Variants that share a number. IADD and IMUL leave out a zero, but on sm_120 IADD is an
        # instruction of its own.
        same = {"FHADD": "FADD", "FHFMA": "FFMA", "UFHADD": "UFADD", "UFHFMA": "UFFMA",
                "IMUL": "IMAD",
                **({} if cubin.architecture >= 120 else {"IADD": "IADD3"})}
        jump = re.compile(r"CALL(?=\.REL\.NOINC `\(\.L_)")
        named = set(operations(cubin.architecture).values())
        text = subprocess.run([NVDISASM, "-c", "-ndf", path], capture_output=True, text=True,
                              check=True).stdout
        listed = re.findall(r"(?ms)^\.text\.(\S+):\n(.*?)(?=^\t\.section|\Z)", text)
        listed = {symbol: Counter(same.get(name, name) for name in re.findall(
            r"(?m)^\s*/\*[0-9a-f]{4,}\*/\s+(?:\{\s*)?(?:@!?U?P\w+\s+)?([A-Z]\w*)",
            jump.sub("BRA", body)))
                  for symbol, body in listed}
        self.assertEqual(sorted(listed), sorted(kernel.symbol for kernel in cubin.kernels))
        for kernel in cubin.kernels:
            with self.subTest(f"{path.name}: {kernel.name}"):
                theirs, ours = [{name: count for name, count in counts.items() if name in named}
                                for counts in [listed[kernel.symbol], kernel.counts]]
                self.assertEqual(ours, theirs)


if __name__ == "__main__":
    unittest.main()
