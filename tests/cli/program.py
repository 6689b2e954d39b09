"""Calls the program named by the environment variable XNORBENCH and reads what it writes."""
import csv
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import tempfile
import unittest
import zlib

PROGRAM = os.path.abspath(os.environ.get("XNORBENCH", ""))
PATIENCE = 1200  # seconds: far above any run here, so that only a hang is called one
CSV_FILES = ("records.csv", "samples.csv", "memory.csv", "timeline.csv", "completed.csv")

SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "docs" / "schema.md"
_PROGRESS = re.compile(r"\w+: \d+ (steps|of \d+)")


def is_progress(line):
    return _PROGRESS.match(line) is not None


def run(*arguments, timeout=PATIENCE, **settings):
    return subprocess.run([PROGRAM, *map(str, arguments)], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=timeout, **settings)


def instruction_sets():
    """Those of this machine, the least capable first."""
    return re.search(r"--isa.*?\(default:\s+([^)]*)\)", run("peak", "--help").stdout,
                     re.DOTALL)[1].split(",")


def read_rows(file):
    with open(file, newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def read_columns(file):
    with open(file, newline="", encoding="utf-8") as stream:
        return next(csv.reader(stream))


def documented(file):
    """The columns of a run's file as docs/schema.md has them."""
    text = SCHEMA.read_text(encoding="utf-8").split(f"\n## {file}\n")[1].split("\n## ")[0]
    if "| column |" in text or "| key |" in text:
        rows = [line for line in text.splitlines() if line.startswith("| `")]
        return re.findall(r"`(\w+)`", " ".join(row.split("|")[1] for row in rows))
    listed = next(line for line in text.splitlines() if line.startswith("`"))
    return re.findall(r"`(\w+)`", re.sub(r"\([^)]*\)", "", listed))


def read_run(folder):
    return json.loads((folder / "run.json").read_text(encoding="utf-8"))


def png(width, height, rgb=(200, 120, 40)):
    """The bytes of a one-coloured PNG picture."""
    def chunk(name, data):
        return (struct.pack(">I", len(data)) + name + data
                + struct.pack(">I", zlib.crc32(name + data)))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = (b"\0" + bytes(rgb) * width) * height
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows))
            + chunk(b"IEND", b""))


def npy(shape, data=None, type_name="<f4", fortran="False", version=1):
    """The bytes of an .npy file; `data` defaults to zeros of that shape."""
    count = 1
    for side in shape:
        count *= side
    if data is None:
        data = bytes(4 * count)
    sides = "".join(f"{side}, " for side in shape)
    fields = f"'descr': '{type_name}', 'fortran_order': {fortran}, 'shape': ({sides}), "
    header = f"{{{fields}}}\n".encode()
    length = struct.pack("<H" if version == 1 else "<I", len(header))
    return b"\x93NUMPY" + bytes([version, 0]) + length + header + data


class ProgramTest(unittest.TestCase):
    """Gives each test an empty folder."""

    @classmethod
    def setUpClass(cls):
        if not PROGRAM:
            raise unittest.SkipTest("set XNORBENCH to the program")

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="xnorbench_cli_"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def write(self, name, content):
        file = self.folder / name
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return file

    def everything_in_folder(self):
        return {str(path.relative_to(self.folder)): path.read_bytes() if path.is_file() else None
                for path in self.folder.rglob("*")}

    def assert_good(self, result):
        self.assertEqual(result.returncode, 0, f"{result.args}\n{result.stdout}\n{result.stderr}")

    def assert_refused(self, *arguments, says=(), starts_work=False, **settings):
        """Exit status 2 and one line on stderr that holds all of `says`.

        Nothing is on stdout, and nothing is written. `starts_work`: it can only be found out after
        checking has begun, so progress lines are allowed.
        """
        before = self.everything_in_folder()
        result = run(*arguments, **settings)
        self.assertEqual(result.returncode, 2, f"{result.args}\n{result.stdout}\n{result.stderr}")
        lines = result.stderr.splitlines()
        if starts_work:
            lines = [line for line in lines if not is_progress(line)]
        self.assertEqual(len(lines), 1, f"{result.args}\n{result.stderr}")
        self.assertTrue(lines[0].startswith("xnorbench: "), lines[0])
        self.assertEqual(result.stdout, "")
        for words in says:
            self.assertIn(words, lines[0])
        self.assertEqual(self.everything_in_folder(), before, f"{result.args} wrote something")
        return lines[0]
