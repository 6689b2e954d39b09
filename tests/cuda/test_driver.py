"""The program with the real CUDA module where there is no device.

What it says, and that a run on the CPU carries nothing of CUDA.
"""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

CUDA = ("cuda_f32_direct", "cuda_f32_cublas", "cuda_f32_cudnn", "cuda_xnor_popc")


def reasons(text):
    """Implementation -> what `list` says of it."""
    words = (line.split(maxsplit=1) for line in text.splitlines())
    return {word[0]: word[1].strip() for word in words if len(word) == 2 and word[0] in CUDA}


@unittest.skipUnless(os.environ.get("XNORBENCH_CUDA_PROGRAM"), "built without the CUDA module")
@unittest.skipIf(os.path.exists("/dev/nvidiactl"), "this machine has a driver")
class WithoutADevice(unittest.TestCase):
    def setUp(self):
        self.program = pathlib.Path(os.environ["XNORBENCH_CUDA_PROGRAM"])
        self.driver = pathlib.Path(os.environ["XNORBENCH_SIMULATED"]).parent / "libcuda.so.1"
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def list(self, program=None, **environment):
        result = subprocess.run([program or self.program, "list"], capture_output=True, text=True,
                                env={**os.environ, **environment})
        self.assertEqual(result.returncode, 0, result.stderr)
        found = reasons(result.stdout)
        self.assertEqual(set(found), set(CUDA))
        return found

    def with_driver(self, **environment):
        shutil.copy(self.driver, self.folder)
        libraries = f"{self.folder}:{os.environ.get('LD_LIBRARY_PATH', '')}"
        return {"LD_LIBRARY_PATH": libraries, **environment}

    def expect(self, found, text):
        for name, reason in found.items():
            self.assertTrue(reason.startswith("unavailable: "), f"{name}: {reason}")
            self.assertIn(text, reason)

    def test_without_a_driver_the_loader_says_so(self):
        self.expect(self.list(), "no CUDA device (libcuda.so.1: cannot open shared object file")

    def test_an_old_driver_is_named_with_both_versions(self):
        found = self.list(**self.with_driver(XNORBENCH_FAKE_DRIVER_VERSION="10010"))
        self.expect(found, "no CUDA device (the driver is for CUDA 10.1, this build needs ")

    def test_a_driver_without_a_device(self):
        found = self.list(**self.with_driver(XNORBENCH_FAKE_DRIVER_VERSION="99000"))
        self.expect(found, "no CUDA device (no CUDA-capable device is detected)")

    def test_a_missing_or_broken_module_is_named(self):
        program = self.folder / "xnorbench"
        shutil.copy(self.program, program)
        self.expect(self.list(program, **self.with_driver()),
                    "libxnorbench_cuda.so: cannot open shared object file")
        (self.folder / "libxnorbench_cuda.so").write_text("no library")
        self.expect(self.list(program, **self.with_driver()), "libxnorbench_cuda.so: ")

    def test_asking_for_a_device_that_is_not_there_is_said_once(self):
        result = subprocess.run([self.program, "conv", "--shapes=ic64_oc64", "--quick",
                                 "--implementations=cuda_*"],
                                capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout.count("no CUDA device"), len(CUDA), result.stdout)
        result = subprocess.run([self.program, "network", "--float-backend=cudnn", "--quick"],
                                capture_output=True, text=True)
        self.assertEqual(result.returncode, 2)
        self.assertIn("no CUDA device", result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)

    def test_a_float_backend_of_a_device_that_nothing_runs_on_is_refused(self):
        for float_backend, device, implementations in (("cublas", "cuda", "cpu_xnor_swar"),
                                                       ("direct", "cpu", "cuda_*")):
            result = subprocess.run([self.program, "network", f"--float-backend={float_backend}",
                                     "--quick",
                                     f"--implementations={implementations}"], capture_output=True,
                                    text=True)
            self.assertEqual(result.returncode, 2)
            self.assertIn(f"--float-backend={float_backend} is for {device} implementations",
                          result.stderr)
            self.assertEqual(result.stderr.count("\n"), 1, result.stderr)

    def opened_files(self, *words, **environment):
        """Libraries that the loader opened, by its own account."""
        result = subprocess.run([self.program, *words], capture_output=True, text=True,
                                env={**os.environ, **self.with_driver(), "LD_DEBUG": "files",
                                     **environment})
        self.assertEqual(result.returncode, 0, result.stderr[-500:])
        return [line for line in result.stderr.splitlines() if "file=" in line
                or "calling init" in line]

    def test_a_run_on_the_cpu_opens_nothing_of_cuda(self):
        run = ("conv", "--shapes=ic64_oc64", "--quick", "--implementations=cpu_xnor_popcnt",
               f"--out={self.folder}/run")
        opened = self.opened_files(*run)
        self.assertTrue(opened)
        for line in opened:
            for name in ("libcuda", "xnorbench_cuda", "cublas", "cudnn"):
                self.assertNotIn(name, line)
        # The same look at a run that asks for the device, so that it is one that can fail.
        self.assertTrue(any("cublas" in line for line in self.opened_files("list")))

    def test_without_a_driver_the_module_is_not_loaded_even_when_asked_for(self):
        opened = self.opened_files("list", LD_LIBRARY_PATH=os.environ.get("LD_LIBRARY_PATH", ""))
        self.assertFalse([line for line in opened if "cublas" in line or "xnorbench_cuda" in line])


if __name__ == "__main__":
    unittest.main()
