"""One kernel source, two compilers: both accept the whole language and give the same symbols.

CXX and NVCC in the environment name the compilers. Default: g++, and nvcc or
/usr/local/cuda/bin/nvcc.
"""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "tests" / "simt" / "language.cu"
CXX = os.environ.get("CXX", "g++")
NVCC = os.environ.get("NVCC") or shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")


class Language(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)

    def run_quietly(self, *words):
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True,
                              check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def functions(self, name, *words):
        """Symbols of the functions that host code calls."""
        compiled = self.folder / name
        self.run_quietly(*words, f"-I{ROOT}", "-c", "-o", compiled)
        symbols = self.run_quietly("nm", "--defined-only", "--format=posix", compiled).splitlines()
        return sorted(symbol.split()[0] for symbol in symbols if "enqueue" in symbol)

    def host_functions(self, standard):
        return self.functions("host.o", CXX, f"-std={standard}", "-Wall", "-Wextra", "-Wpedantic",
                              "-Wconversion",
                              "-Werror", "-x", "c++", SOURCE)

    def test_host_compiler(self):
        self.assertEqual(len(self.host_functions("c++17")), 2)
        self.assertEqual(len(self.host_functions("c++20")), 2)

    @unittest.skipUnless(NVCC, "no nvcc")
    def test_nvcc(self):
        device = self.functions("device.o", NVCC, "-std=c++17", "-arch=sm_80", SOURCE)
        self.assertEqual(device, self.host_functions("c++17"))


if __name__ == "__main__":
    unittest.main()
