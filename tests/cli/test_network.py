"""Whole forward passes: rows, layers, memory, and tensors in and out."""
import array
import math
import shutil
import struct
import subprocess
import unittest

from program import PROGRAM, ProgramTest, instruction_sets, npy, png, read_rows, read_run, run

ONE = ("network", "--networks=face_alignment", "--implementations=cpu_xnor_popcnt", "--quick")
TIMED = ("ok", "throttled")
POPCNT = PROGRAM and "cpu_xnor_popcnt    ok" in run("list").stdout


def read_npy(file):
    """Shape and values, by hand."""
    content = file.read_bytes()
    assert content[:8] == b"\x93NUMPY\x01\x00"
    length, = struct.unpack("<H", content[8:10])
    assert (10 + length) % 64 == 0 and content[9 + length:10 + length] == b"\n"
    header = eval(content[10:10 + length], {"__builtins__": {}})  # a dictionary of constants
    assert header["descr"] == "<f4" and header["fortran_order"] is False and set(header) == {
        "descr", "fortran_order", "shape"}
    values = array.array("f", content[10 + length:])
    return header["shape"], values


@unittest.skipUnless(POPCNT, "cpu_xnor_popcnt does not run here")
class Network(ProgramTest):
    def network(self, *arguments):
        out = self.folder / f"run {len(list(self.folder.glob('run *')))}"
        result = run(*ONE, f"--out={out}", *arguments)
        self.assert_good(result)
        return out, read_rows(out / "records.csv")

    def output_of(self, source, *arguments):
        """The output hash for an --input, and the tensor."""
        file = self.folder / "output.npy"
        _, rows = self.network(f"--input={source}", f"--output={file}", "--time-limit=0.001",
                               *arguments)
        shape, values = read_npy(file)
        self.assertEqual(shape, (int(rows[0]["batch"]), 68, 64, 64))
        self.assertTrue(all(map(math.isfinite, values)))
        return values

    def test_profiled_run(self):
        file = self.folder / "x.npy"
        out, rows = self.network("--profile", f"--output={file}", "--input=portrait")
        passes = [row for row in rows if row["kind"] == "network"]
        layers = [row for row in rows if row["kind"] == "layer"]
        self.assertEqual([row["repetition"] for row in passes], ["0", "1"])
        for row in passes:
            self.assertIn(row["status"], TIMED)
            self.assertEqual(row["verified"], "yes")
            self.assertEqual(row["input"], "portrait")
            self.assertTrue(row["float_backend"])
        self.assertEqual(len({row["output_hash"] for row in passes}), 1)
        self.assertEqual(len({row["case"] for row in layers}), len(layers))
        self.assertEqual({row["part"] for row in layers},
                         {"convolution", "real_layer", "pool", "elementwise"})
        self.assertEqual(sum(int(row["macs"] or 0) for row in layers), int(passes[0]["macs"]))
        for row in layers:
            self.assertTrue(row["layer"])
            self.assertGreater(float(row["time_median_ns"]), 0)
            self.assertEqual(row["verified"], "no")
            if row["part"] == "convolution":
                self.assertTrue(row["problem"])
        self.assert_memory(out)
        shape, values = read_npy(file)
        self.assertEqual(shape, (1, 68, 64, 64))
        self.assertEqual(len(values), 68 * 64 * 64)
        self.assertEqual(read_run(out)["exit_status"], 0)
        self.assertEqual([path.name for path in self.folder.iterdir()
                          if path.name.endswith(".new")], [])

    def assert_memory(self, out):
        rows = read_rows(out / "memory.csv")
        planned = {row["category"]: row["planned_bytes"] for row in rows}
        measured = {row["category"]: int(row["measured_bytes"]) for row in rows
                    if row["measured_bytes"]}
        self.assertEqual(list(planned)[-6:],
                         ["unattributed", "total", "outside", "outside_peak", "arena",
                          "arena_lower_bound"])
        owned = list(planned)[:-6]
        self.assertEqual(sum(int(planned[name]) for name in owned), int(planned["total"]))
        self.assertEqual(sum(measured[name] for name in owned), measured["total"])
        self.assertEqual(measured["total"] + measured["unattributed"], measured["outside"])
        self.assertEqual(int(planned["total"]), measured["total"])  # the plan is what was taken
        self.assertEqual((planned["unattributed"], planned["outside"]), ("", ""))
        self.assertLessEqual(int(planned["arena_lower_bound"]), int(planned["arena"]))
        # The timeline's fullest step is what the plan charged to the arena.
        alive = {}
        for row in read_rows(out / "timeline.csv"):
            alive[row["step"]] = alive.get(row["step"], 0) + int(row["bytes"])
        self.assertEqual(max(alive.values()), int(planned["arena"]) - int(planned["arena_gaps"]))

    def test_growth_of_the_process_is_what_the_ledger_says(self):
        """Within a tenth or 2 MiB. (oneDNN's generated kernels are 5 MB that nobody can own.)"""
        out = self.folder / "run"
        self.assert_good(run("network", "--implementations=cpu_xnor_*,cpu_f32_openblas", "--quick",
                             f"--out={out}"))
        views = {}
        for row in read_rows(out / "memory.csv"):
            views.setdefault(row["implementation"],
                             {})[row["category"]] = int(row["measured_bytes"] or 0)
        self.assertGreaterEqual(len(views), 2)
        for implementation, view in views.items():
            with self.subTest(implementation):
                allowed = max(0.1 * view["total"], 2 * 2**20)
                self.assertLess(abs(view["outside"] - view["total"]), allowed)

    def test_every_kind_of_network_agrees_at_every_batch_and_number_of_threads(self):
        out = self.folder / "run"
        self.assert_good(run("network",
                             "--networks=binarynet_cifar10,bireal_resnet18,yolov3_tiny_xnor",
                             "--batch=1,3",
                             "--threads=1,2", "--implementations=cpu_xnor_*,cpu_i8_*,cpu_f32_o*",
                             "--input=random",
                             "--time-limit=0.001", f"--out={out}"))
        hashes = {}
        for row in read_rows(out / "records.csv"):
            self.assertIn(row["status"], ("skipped", "unavailable"))  # for time alone
            if row["status"] == "skipped":
                self.assertEqual(row["verified"], "yes")
                hashes.setdefault((row["network"], row["batch"], row["threads"]),
                                  set()).add(row["output_hash"])
        self.assertEqual(len(hashes), 3 * 2 * 2)
        for key, different in hashes.items():
            with self.subTest(key):
                self.assertEqual(len(different), 1)
        planned = {}
        for row in read_rows(out / "memory.csv"):
            key = (row["network"], row["implementation"], row["batch"], row["threads"])
            planned.setdefault(key, {})[row["category"]] = int(row["planned_bytes"] or 0)
        for key, bytes_of in planned.items():
            with self.subTest(key):
                self.assertLessEqual(bytes_of["arena"], 1.05 * bytes_of["arena_lower_bound"])

    def test_every_instruction_set_has_rows_of_its_own(self):
        isas = instruction_sets()
        out = self.folder / "run"
        self.assert_good(run("network", "--networks=binarynet_cifar10",
                             "--implementations=cpu_xnor_swar", "--quick",
                             "--isa=" + ",".join(isas), f"--out={out}"))
        expected = set(isas[:-1]) | {""}
        records = read_rows(out / "records.csv")
        self.assertEqual({row["limited_to"] for row in records}, expected)
        self.assertEqual(len({row["output_hash"] for row in records}), 1)
        for file in ("memory.csv", "timeline.csv"):
            self.assertEqual({row["limited_to"] for row in read_rows(out / file)}, expected, file)

    def test_output_is_of_the_instruction_set_asked_for(self):
        result = run("network", "--networks=binarynet_cifar10", "--implementations=cpu_xnor_simd",
                     "--quick", "--isa=sse2",
                     f"--output={self.folder / 'y.npy'}")
        if "no instruction set of this machine" in result.stderr:
            self.skipTest("not an x86-64 machine")
        self.assertEqual(result.returncode, 2)
        self.assertIn("none of the implementations runs", result.stderr)
        self.assertFalse((self.folder / "y.npy").exists())

    def test_pictures_and_numpy_files(self):
        # A flat picture has no layout and resizing keeps it.
        small = self.output_of(self.write("small picture.png", png(31, 7, (200, 120, 40))))
        planes = [array.array("f", [level / 255]).tobytes() * 65536 for level in (200, 120, 40)]
        flat = self.output_of(self.write("flat.npy",
                                         npy((3, 256, 256), b"".join(planes), version=2)))
        self.assertEqual(small, flat)
        two = npy((2, 3, 256, 256), b"".join(planes + planes[::-1]))
        self.assertEqual(self.output_of(self.write("two.npy", two), "--batch=2")[:len(flat)], flat)

    def test_jpeg(self):
        file = self.folder / "picture.jpg"
        source = self.write("picture.png", png(64, 48))
        for command in (["convert", source, file], ["magick", source, file],
                        ["ffmpeg", "-i", source, file],
                        ["/usr/bin/python3", "-I", "-c", "import sys; from PIL import Image; "
                         "Image.open(sys.argv[1]).save(sys.argv[2])", source, file]):
            if not file.exists() and shutil.which(command[0]):
                subprocess.run(list(map(str, command)), capture_output=True, timeout=1200)
        if not file.exists():
            self.skipTest("nothing here makes a JPEG file")
        self.output_of(file)

    def test_random_input_and_threads(self):
        _, rows = self.network("--threads=1,2", "--time-limit=0.001", "--float-backend=direct",
                               "--input=random")
        self.assertEqual([row["threads"] for row in rows], ["1", "2"])
        for row in rows:
            self.assertEqual((row["float_backend"], row["input"]), ("direct", "random"))
        self.assertEqual(len({row["output_hash"] for row in rows}), 1)


if __name__ == "__main__":
    unittest.main()
