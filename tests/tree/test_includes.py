"""Folders depend on the folders before them, never on those behind them (docs/architecture.md)."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = (".h", ".cpp", ".cu", ".cuh")

# Each folder may include itself and what stands before it.
FLOORS = ["core", "cpu", "kernels", "reference", "networks", "bench"]
# The subfolders of bench, in the same way; "" is bench itself: the commands.
BENCH = ["records", "measure", "cases", "memory", "cli", "claims", ""]
# The subfolders of networks know what is in networks itself, and not each other.
NETWORKS = {"models", "json", "torch7", "compile"}


def includes(folder):
    """(file, included path) for each include of this project's own below a folder."""
    for source in sorted((ROOT / folder).rglob("*")):
        if source.suffix in SOURCES:
            for included in re.findall(r'^\s*#\s*include "([^"]+)"', source.read_text(),
                                       re.MULTILINE):
                if included.split("/")[0] in FLOORS:
                    yield source.relative_to(ROOT), Path(included)


def subfolder(path):
    return path.parts[1] if len(path.parts) > 2 else ""


class Includes(unittest.TestCase):
    def assert_none(self, wrong):
        lines = [f"{source} includes {included}" for source, included in wrong]
        self.assertEqual(lines, [], "an include points against the order of docs/architecture.md")

    def test_folders_include_only_those_before_them(self):
        for place, folder in enumerate(FLOORS):
            found = list(includes(folder))
            self.assertGreater(len(found), 5, f"no includes were read in {folder}")
            self.assert_none([(source, included) for source, included in found
                              if FLOORS.index(included.parts[0]) > place])

    def test_the_subfolders_of_bench_include_only_those_before_them(self):
        self.assert_none([(source, included) for source, included in includes("bench")
                          if included.parts[0] == "bench"
                          and BENCH.index(subfolder(included)) > BENCH.index(subfolder(source))])

    def test_the_subfolders_of_networks_do_not_know_each_other(self):
        wrong = []
        for source, included in includes("networks"):
            here, there = subfolder(source), subfolder(included)
            if included.parts[0] == "networks" and there in NETWORKS and here != there:
                wrong.append((source, included))
        self.assert_none(wrong)

    def test_every_included_file_is_there(self):
        self.assert_none([(source, included) for folder in FLOORS
                          for source, included in includes(folder) if
                          not (ROOT / included).is_file()])


if __name__ == "__main__":
    unittest.main()
