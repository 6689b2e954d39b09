"""The program beside a CUDA module that runs on the host (tests/simulated)."""
import os
import pathlib
import subprocess
import unittest

ORDERS = ("forward", "reverse", "shuffled")


def program():
    """Path of the program; skips where the build did not make one."""
    path = os.environ.get("XNORBENCH_SIMULATED")
    if not path:
        raise unittest.SkipTest(
            "XNORBENCH_SIMULATED does not name the program beside a simulated module")
    return pathlib.Path(path)


def run(*words, order="forward", environment=None):
    """Runs it with the stand-in for a driver that lies beside it."""
    folder = program().parent
    return subprocess.run([program(), *words], capture_output=True, text=True, timeout=1200,
                          env={**os.environ, "LD_LIBRARY_PATH": str(folder),
                               "XNORBENCH_SIMULATED_ORDER": order,
                               "OMP_WAIT_POLICY": "passive", **(environment or {})})
