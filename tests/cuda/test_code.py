"""What can be known of the CUDA kernels without a GPU: nvcc's machine code for each architecture.

    python3 tests/cuda/test_code.py                        the checks
    python3 tests/cuda/test_code.py --table [FILE.cu...]   a table in markdown: registers, shared
                                                           memory and instruction counts

Without nvcc (the environment variable NVCC names one) there is nothing to check.
"""

import re
import sys
import tempfile
import unittest
from collections import Counter
from pathlib import Path

from cubin import short_name
from nvcc import ROOT, build, find_nvcc, no_nvcc

ARCHITECTURES = [75, 80, 86, 89, 90, 100, 120]
PTX_ARCHITECTURE = 120

# Never in a kernel: local memory is what does not fit into registers; a call is an operation that
# the architecture does not have, or a function that was not inlined; a fused product and sum is
# rounded once where docs/method.md says twice.
LOCAL_MEMORY = {"LDL", "STL"}
FUSED = {"FFMA", "FFMA2", "UFFMA", "DFMA"}
FORBIDDEN = LOCAL_MEMORY | FUSED | {"CALL"}
# Exceptions, by the kernel's name without template arguments: {"name": {"FFMA", "CALL"}}, each with
# its reason. Division and square root, correctly rounded, are a CALL and several FFMA. "fma" is a
# fused operation in PTX. The plain float baseline's products of signs are exact, and so are its
# sums, however often they are rounded.
DIRECT_KERNEL = "direct_convolution"
ALLOWED = {DIRECT_KERNEL: {"FFMA", "fma"}}

# The inner loop of xnor_convolution: 64 POPC for two 64-bit words and 4x4 outputs, each with one
# LOP3; a sum of three terms adds two of them. Counted per POPC, from the first to the last: this
# leaves out what the compiler put before and behind, but also what computes addresses, pads and the
# epilogue.
XNOR_KERNEL = "xnor_convolution"
XNOR_POPC_AT_LEAST = 64
XNOR_PER_POPC = {"LOP3": (0.85, 1.05), "IADD3": (0.2, 0.55)}

# In PTX a fused operation has its name; a product or sum without a rounding may be fused by whoever
# compiles it on.
PTX_FUSED = re.compile(
    r"\bfma\.[\w.]+|\bmad\.[\w.]*f\d\w*|\b(?:add|sub|mul)(?:\.ftz|\.sat)*\.f\d\w*")


def sources():
    return sorted((ROOT / "kernels").glob("*.cu"))


def allowed(kernel):
    return ALLOWED.get(short_name(kernel.name).split("<")[0], set())


def faults(kernel, usage):
    """What is wrong with a kernel's machine code, as short lines."""
    found = [f"{kernel.counts[name]} {name}"
             + (f" of {', '.join(kernel.functions)}" if name == "CALL" else "")
             for name in sorted(FORBIDDEN - allowed(kernel)) if kernel.counts[name]]
    if usage.spill_bytes:
        found.append(f"{usage.spill_bytes} bytes of spills")
    if usage.stack_bytes:
        found.append(f"{usage.stack_bytes} bytes of stack")
    if XNOR_KERNEL in kernel.name:
        counts = kernel.span("POPC")
        if counts["POPC"] < XNOR_POPC_AT_LEAST:
            return [*found, f"{counts['POPC']} POPC, expected at least {XNOR_POPC_AT_LEAST}"]
        for name, (low, high) in XNOR_PER_POPC.items():
            ratio = counts[name] / counts["POPC"]
            if not low <= ratio <= high:
                found.append(f"{ratio:.2f} {name} per POPC, expected {low} to {high}")
    return found


def ptx_faults(ptx, kernel):
    parts = ptx.split(f".entry {kernel.symbol}(")
    if len(parts) != 2:
        return ["not in the PTX"]
    body = parts[1].split(".entry ")[0]
    return [] if "fma" in allowed(kernel) else [f"PTX has {name}"
                                                for name in sorted(set(PTX_FUSED.findall(body)))]


@unittest.skipUnless(find_nvcc(), no_nvcc())
class MachineCode(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not sources():
            raise AssertionError(f"{ROOT / 'kernels'}: no *.cu, expected the project's kernels")
        with tempfile.TemporaryDirectory() as folder:
            cls.builds = {path.name: build(path, ARCHITECTURES, folder, ptx=PTX_ARCHITECTURE)
                          for path in sources()}

    def test_kernels(self):
        for file, built in self.builds.items():
            for architecture, kernels in built.cubins.items():
                for kernel in kernels:
                    with self.subTest(f"{file}: {short_name(kernel.name)} on sm_{architecture}"):
                        self.assertEqual(faults(kernel, built.usage[kernel.symbol, architecture]),
                                         [])

    def test_the_xnor_kernel_is_there(self):
        names = [kernel.name for built in self.builds.values()
                 for kernel in built.cubins[PTX_ARCHITECTURE]]
        self.assertTrue(any(XNOR_KERNEL in name for name in names), names)

    def test_the_direct_kernel_is_the_plain_loop(self):
        """One FFMA a product, both factors read from global memory, nothing shared."""
        for architecture, kernels in self.builds[f"{DIRECT_KERNEL}.cu"].cubins.items():
            with self.subTest(f"sm_{architecture}"):
                kernel, = kernels
                usage = self.builds[f"{DIRECT_KERNEL}.cu"].usage[kernel.symbol, architecture]
                self.assertGreater(kernel.counts["FFMA"], 0)
                self.assertEqual(kernel.counts["LDG"], 2 * kernel.counts["FFMA"])
                self.assertEqual([kernel.counts[name]
                                  for name in ("FMUL", "FADD", "LDS", "STS", "BAR")], [0] * 5)
                self.assertEqual(usage.shared_bytes, 0)

    def test_same_kernels_on_every_architecture(self):
        for file, built in self.builds.items():
            names = {number: sorted(kernel.symbol for kernel in kernels)
                     for number, kernels in built.cubins.items()}
            for architecture in ARCHITECTURES:
                with self.subTest(f"{file} on sm_{architecture}"):
                    self.assertEqual(names[architecture], names[ARCHITECTURES[0]])

    def test_ptx(self):
        for file, built in self.builds.items():
            self.assertRegex(built.ptx, rf"(?m)^\.target sm_{PTX_ARCHITECTURE}\b", file)
            for kernel in built.cubins[PTX_ARCHITECTURE]:
                with self.subTest(f"{file}: {short_name(kernel.name)}"):
                    self.assertEqual(ptx_faults(built.ptx, kernel), [])

    def test_exceptions_are_needed(self):
        instructions = {}
        for built in self.builds.values():
            for kernel in (kernel for kernels in built.cubins.values() for kernel in kernels):
                instructions.setdefault(short_name(kernel.name).split("<")[0],
                                        Counter()).update(kernel.counts)
        for name, exceptions in ALLOWED.items():
            for mnemonic in exceptions - {"fma"}:
                with self.subTest(f"{name}: {mnemonic}"):
                    self.assertGreater(instructions.get(name, {}).get(mnemonic, 0), 0,
                                       "ALLOWED but not there")


def print_table(files):
    print("| kernel | sm | registers | shared bytes | POPC | LOP3 | IADD3 "
          "| from the first to the last POPC |")
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for file in files:
            built = build(file, ARCHITECTURES, folder)
            rows = [(short_name(kernel.name), architecture, kernel)
                    for architecture, kernels in built.cubins.items()
                    for kernel in kernels]
            for name, architecture, kernel in sorted(rows, key=lambda row: row[:2]):
                counts, usage = kernel.counts, built.usage[kernel.symbol, architecture]
                span = ", ".join(f"{count} {mnemonic}"
                                 for mnemonic, count in kernel.span("POPC").most_common())
                # sm_120 adds two numbers by IADD.
                cells = [f"`{name}`", architecture, usage.registers, usage.shared_bytes,
                         counts["POPC"], counts["LOP3"],
                         counts["IADD3"] + counts["IADD"], span]
                print("| " + " | ".join(map(str, cells)) + " |")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--table"]:
        if not find_nvcc():
            sys.exit(no_nvcc())
        print_table([Path(name) for name in sys.argv[2:]] or sources())
    else:
        unittest.main()
