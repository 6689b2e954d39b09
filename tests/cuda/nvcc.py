"""Runs nvcc for the tests of machine code: one call builds a file for all architectures."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

from cubin import read_cubin, resource_usage

ROOT = Path(__file__).resolve().parents[2]
# As the project is built: float products and sums are rounded one by one.
FLAGS = ["-std=c++17", "-O3", "--fmad=false", f"-I{ROOT}"]


class Build(NamedTuple):
    cubins: dict  # of lists of kernels, by architecture
    usage: dict  # of cubin.Usage, by (symbol, architecture)
    ptx: str  # empty unless asked for


def find_nvcc():
    """Path of the compiler, or None; the environment variable NVCC overrides."""
    return shutil.which(os.environ.get("NVCC") or "nvcc") or (
        None if os.environ.get("NVCC") else shutil.which("/usr/local/cuda/bin/nvcc"))


def no_nvcc():
    return (f"NVCC={os.environ['NVCC']}: no such program" if os.environ.get("NVCC")
            else "nvcc is neither in PATH nor in /usr/local/cuda/bin; NVCC=PATH names it")


def build(source, architectures, folder, flags=(), ptx=None):
    """ptx: the architecture to make PTX for. The folder is filled with intermediate files."""
    folder = Path(folder) / Path(source).stem
    folder.mkdir(parents=True)
    targets = [f"-gencode=arch=compute_{number},code=sm_{number}" for number in architectures]
    if ptx:
        targets.append(f"-gencode=arch=compute_{ptx},code=compute_{ptx}")
    # --keep leaves a cubin for each architecture; two threads take 0.6 of the time of one.
    done = subprocess.run([find_nvcc(), *FLAGS, *flags, *targets, "--threads=2", "-Xptxas=-v",
                           "-fatbin", "--keep",
                           f"--keep-dir={folder}", "-o", str(folder / "all.fatbin"), str(source)],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if "ptxas info" not in line]
        raise RuntimeError(f"{source}: nvcc failed: " + "\n".join(errors or [done.stdout]))
    # The names of these files differ between toolkits, so each cubin is asked for its architecture.
    cubins = dict(read_cubin(path) for path in folder.glob("*.cubin"))
    if sorted(cubins) != sorted(architectures):
        raise RuntimeError(
            f"{source}: nvcc left cubins for {sorted(cubins)}, expected {sorted(architectures)}")
    text = next(folder.glob(f"*compute_{ptx}.ptx")).read_text(encoding="utf-8") if ptx else ""
    return Build(cubins, resource_usage(done.stderr), text)
