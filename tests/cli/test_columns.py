"""The program writes the columns that docs/schema.md has and that the report reads."""

import sys
import unittest

from program import SCHEMA, ProgramTest, documented, read_columns, read_rows, run

sys.path.insert(0, str(SCHEMA.parents[1] / "scripts" / "report_lib"))
import columns  # noqa: E402

# Runs that together write every file.
RUNS = {
    "conv": ("conv", "--shapes=ic1", "--implementations=cpu_xnor_swar", "--quick"),
    "budget": ("memory", "--networks=binarynet_mnist", "--implementations=cpu_xnor_swar",
               "--budget=1MiB"),
    "claims": ("reproduce", "--claims=model_size"),
    "peak": ("peak",),
}


class Columns(ProgramTest):
    def setUp(self):
        super().setUp()
        for name, command in RUNS.items():
            self.assert_good(run(*command, f"--out={self.folder / name}"))
        self.files = sorted(self.folder.glob("*/*.csv"))

    def test_of_all_files(self):
        for file in self.files:
            with self.subTest(file.name):
                self.assertEqual(read_columns(file), documented(file.name))
        self.assertLessEqual(set(columns.FILES), {file.name for file in self.files})
        for name, read in columns.FILES.items():
            with self.subTest(f"the report reads {name}"):
                self.assertLessEqual(set(read.names), set(documented(name)))
        for file in self.files:
            numbers = getattr(columns.FILES.get(file.name), "numbers", ())
            for row in read_rows(file):
                for name in numbers:
                    float(row[name] or 0)


if __name__ == "__main__":
    unittest.main()
