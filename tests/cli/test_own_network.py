"""A user's own network.

The page's examples as they stand, one layer against plain Python, and broken files.
"""
import array
import copy
import importlib.util
import json
import pathlib
import random
import re
import subprocess
import sys
import unittest

from program import ProgramTest, npy, read_rows, run
from test_network import TIMED, read_npy

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "own_network.md"
XNOR, FLOAT = "cpu_xnor_swar", "cpu_f32_direct"
# What the page's Python writes.
SHAPES = {"conv1.npy": (64, 3, 3, 3), "conv2.npy": (64, 64, 3, 3), "bn1_gamma.npy": (64,),
          "bn1_beta.npy": (64,),
          "bn1_mean.npy": (64,), "bn1_variance.npy": (64,), "fc.npy": (10, 128), "fc_bias.npy": (10,
          )}


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def floats(shape, values):
    return npy(shape, array.array("f", values).tobytes())


class OwnNetwork(ProgramTest):
    def write_small(self):
        for name, shape in SHAPES.items():
            self.write(name, npy(shape))
        return self.write("small.json", blocks("json")[0])

    def python(self, code):
        return subprocess.run([sys.executable, "-I", "-c", code], cwd=self.folder,
                              capture_output=True, text=True, check=True,
                              timeout=1200).stdout

    def test_example_of_the_page_is_timed_and_shows_its_memory(self):
        file = self.write_small()
        if importlib.util.find_spec("numpy"):
            self.python(blocks("python")[0])
            self.assertEqual({path.name for path in self.folder.glob("*.npy")}, set(SHAPES))
        out = self.folder / "run"
        result = run("network", f"--networks={file}", f"--implementations={XNOR},{FLOAT}",
                     "--quick", f"--out={out}")
        self.assert_good(result)
        rows = read_rows(out / "records.csv")
        self.assertEqual({row["implementation"] for row in rows}, {XNOR, FLOAT})
        self.assertEqual(len({row["output_hash"] for row in rows}), 1)
        for row in rows:
            self.assertEqual((row["network"], row["verified"]), ("small", "yes"))
            self.assertIn(row["status"], TIMED)
            self.assertGreater(float(row["time_median_ns"]), 0)
        for row in read_rows(out / "memory.csv"):
            self.assertEqual(row["network"], "small")
        for word in ("small", XNOR, FLOAT, "weights"):
            self.assertIn(word, result.stdout)
        layers = run("conv", f"--networks={file}", f"--implementations={XNOR}", "--quick")
        self.assert_good(layers)
        self.assertIn("ic64_ih16_oc64_kh3_ph1_pad-1", layers.stdout)

    def test_example_of_the_readme_runs_as_it_stands(self):
        readme = PAGE.parents[1] / "README.md"
        example, = re.findall(r"```json\n(.*?)```", readme.read_text(encoding="utf-8"), re.DOTALL)
        self.write("small.json", example.encode())
        result = run("network", "--networks=small.json", f"--implementations={XNOR},{FLOAT}",
                     "--quick", "--out=run",
                     cwd=self.folder)
        self.assert_good(result)
        rows = read_rows(self.folder / "run" / "records.csv")
        self.assertEqual({row["implementation"] for row in rows}, {XNOR, FLOAT})
        self.assertEqual({row["verified"] for row in rows}, {"yes"})

    def test_one_layer_against_plain_python(self):
        file = self.write("one.json", blocks("json")[1])
        numbers = random.Random(5)
        channels, size, out_channels = 70, 14, 32
        x = [numbers.choice((-1.5, -0.0, 0.0, 0.25)) for _ in range(channels * size * size)]
        w = [numbers.choice((-2.0, -0.0, 0.0, 3.0)) for _ in range(out_channels * channels * 9)]
        self.write("x.npy", floats((channels, size, size), x))
        self.write("w.npy", floats((out_channels, channels, 3, 3), w))
        self.write("ones.npy", floats((out_channels,), [1.0] * out_channels))
        output = self.folder / "y.npy"
        self.assert_good(run("network", f"--networks={file}", f"--input={self.folder}/x.npy",
                             f"--output={output}",
                             f"--implementations={XNOR}", "--quick"))
        shape, y = read_npy(output)
        self.assertEqual(shape, (1, out_channels, size, size))

        def signs(values):
            return [1 if value >= 0 else -1 for value in values]

        x, w = signs(x), signs(w)
        for o in (0, 13, 31):
            for row in range(size):
                for column in range(size):
                    total = 0
                    for c in range(channels):
                        for i in range(3):
                            for j in range(3):
                                r, k = row + i - 1, column + j - 1
                                inside = 0 <= r < size and 0 <= k < size
                                value = x[(c * size + r) * size + k] if inside else -1
                                total += value * w[((o * channels + c) * 3 + i) * 3 + j]
                    self.assertEqual(y[(o * size + row) * size + column], total, (o, row, column))
        if importlib.util.find_spec("numpy"):
            self.assertEqual(self.python(blocks("python")[1]), "equal\n")

    def test_dumped_network_gives_the_same_output(self):
        file = self.folder / "dump.json"
        result = run("network", "--networks=binarynet_cifar10", f"--dump={file}")
        self.assert_good(result)
        self.assertEqual((result.stdout, [path.name for path in self.folder.iterdir()]),
                         ("", ["dump.json"]))
        hashes = set()
        for index, network in enumerate(("binarynet_cifar10", file)):
            out = self.folder / f"run{index}"
            self.assert_good(run("network", f"--networks={network}", "--input=random", "--seed=3",
                                 "--quick",
                                 f"--implementations={XNOR}", f"--out={out}"))
            hashes |= {row["output_hash"] for row in read_rows(out / "records.csv")}
        self.assertEqual(len(hashes), 1)
        again = self.folder / "again.json"
        self.assert_good(run("network", f"--networks={file}", f"--dump={again}"))
        self.assertEqual(again.read_bytes(), file.read_bytes())

    def test_layer_table(self):
        for network in (self.write_small(), "face_alignment", "xnor_alexnet", "xnor_resnet18"):
            result = run("network", f"--networks={network}", "--summary")
            self.assert_good(result)
            self.assertLessEqual(max(map(len, result.stdout.splitlines())), 100)
        table = run("network", "--networks=face_alignment", "--summary").stdout
        self.assertRegex(table, r"(?m)^stem +real conv +128x128x64 +7x7/2 +154\.141 +9408 +37632$")
        self.assertRegex(table,
                         r"(?m)^block1\.conv1 +binary conv +128x128x64 +3x3 +603\.980 +36864 "
                         r"+4608$")
        self.assertIn("1276432 bytes", table)

    def test_options_that_do_not_fit(self):
        file = self.write_small()
        (self.folder / "folder.json").mkdir()
        self.assert_refused("network", f"--networks={file}", "--dump=/nowhere/x.json",
                            says=["cannot write", "/nowhere"])
        self.assert_refused("network", f"--networks={file}", f"--dump={self.folder}/folder.json",
                            says=["cannot write"])
        self.assert_refused("network", f"--networks={file}", f"--dump={self.folder}/x.txt",
                            says=["x.txt", ".json"])
        self.assert_refused("network", f"--networks={file},face_alignment",
                            f"--dump={self.folder}/x.json",
                            says=["--dump", "one network"])
        self.assert_refused("network", f"--networks={file}", f"--dump={self.folder}/./small.json",
                            says=["own file"])
        self.assert_refused("network", f"--networks={file},{file}", says=["small.json", "'small'"])
        self.assert_refused("network", f"--networks={file}", "--summary",
                            f"--out={self.folder}/run",
                            says=["--summary", "--out"])
        self.assert_refused("network", f"--networks={self.folder}/none.json",
                            says=["none.json", "cannot open"])
        self.assert_refused("conv", f"--networks={self.folder}/folder.json",
                            says=["folder.json", "cannot open"])


def field(layer, name, value):
    def change(network):
        network["layers"][layer][name] = value
    return change


def top(name, value):
    def change(network):
        network[name] = value
    return change


def without(name, layer=None):
    def change(network):
        del (network if layer is None else network["layers"][layer])[name]
    return change


def insert(index, layer):
    return lambda network: network["layers"].insert(index, layer)


# A change to the example, and what the message must hold.
BROKEN = (
    (without("name"), ('"name"', "missing")),
    (top("name", "a/b"), ('"name"', "a/b", "letters")),
    (top("pad", 2), ('"pad"', "-1, 0 or 1")),
    (top("zero", "both"), ('"zero"', '"plus" or "minus"')),
    (top("bias", 1), ("unknown field", '"bias"', "name, pad, zero, input, layers")),
    (top("input", {"height": 16, "width": 16}), ("input", '"channels"', "missing")),
    (top("input", [3, 16, 16]), ('"input"', "height, width and channels")),
    (top("input", {"height": 16, "width": -4, "channels": 3}), ('"width"', "-4", "from 1 to")),
    (top("layers", []), ('"layers"', "list of 1")),
    (insert(1, "relu"), ("layers[1]", "no object")),
    (without("name", 2), ("layers[2]", '"name"', "missing")),
    (without("type", 2), ("layers[2] 'conv2'", '"type"', "missing")),
    (field(0, "type", "conv2d"), ("layers[0] 'conv1'", '"type"', "conv2d", "binary_convolution")),
    (field(0, "groups", 2), ("layers[0] 'conv1'", '"groups"', "known here", "kernel")),
    (field(5, "out_channels", 0), ("layers[5] 'conv3'", '"out_channels"', "0")),
    (field(5, "out_channels", 10**15),
     ("layers[5] 'conv3'", '"out_channels"', str(10**15), "1000000")),
    (field(5, "kernel", [3, 3]), ("layers[5] 'conv3'", '"kernel"', "[3,3]", "square")),
    (field(5, "kernel", "3"), ("layers[5] 'conv3'", '"kernel"', '"3"', "whole number")),
    (field(5, "kernel", 19), ("layers[5] 'conv3'", '"kernel"', "19", "16x16")),
    (field(5, "stride", 1.5), ("layers[5] 'conv3'", '"stride"', "1.5")),
    (field(5, "pad", -1), ("layers[5] 'conv3'", '"pad"', "from 0")),
    (without("kernel", 5), ("layers[5] 'conv3'", '"kernel"', "missing")),
    (field(4, "name", "bn1"), ("layers[4] 'bn1'", '"name"', "taken")),
    (field(4, "input", "nobody"), ("layers[4] 'bn2'", '"input"', "'nobody'", "no layer")),
    (field(4, "input", "conv3"), ("layers[4] 'bn2'", '"input"', "'conv3'", "does not come before")),
    (field(3, "inputs", ["conv2"]), ("layers[3] 'shortcut'", '"inputs"', "1 layers", "needs 2")),
    (field(3, "inputs", "conv2"), ("layers[3] 'shortcut'", '"inputs"', "list")),
    (field(3, "inputs", ["conv2", "input"]),
     ("layers[3] 'shortcut'", '"inputs"', "64 (conv2)", "3 (input)")),
    (field(2, "stride", 2), ("layers[3] 'shortcut'", '"inputs"', "8x8 (conv2)", "16x16 (bn1)")),
    (field(4, "input", "conv2"), ("layers[3] 'shortcut'", "read by no later layer")),
    (field(7, "slope", 2), ("layers[7] 'relu3'", '"slope"', "2")),
    (field(8, "size", 9), ("layers[8] 'pool'", '"size"', "9", "8x8")),
    (field(1, "epsilon", 0), ("layers[1] 'bn1'", '"epsilon"', "0", "above 0")),
    (field(0, "weights", "none.npy"),
     ("layers[0] 'conv1'", '"weights"', "none.npy", "cannot open")),
    (field(0, "weights", 5), ("layers[0] 'conv1'", '"weights"', "5", "text")),
    (field(0, "weights", "fc.npy"),
     ("layers[0] 'conv1'", '"weights"', "(10, 128)", "(64, 3, 3, 3)")),
    (field(9, "weights", "conv2.npy"),
     ("layers[9] 'fc'", '"weights"', "(10, 128, 1, 1) or (10, 128)")),
    (field(0, "weights", "double.npy"), ("layers[0] 'conv1'", '"weights"', "'<f8'")),
    (field(2, "weights", "nan.npy"), ("layers[2] 'conv2'", '"weights"', "number 7", "nan")),
    (field(1, "mean", "infinite.npy"), ("layers[1] 'bn1'", '"mean"', "number 3", "inf")),
    (field(1, "variance", "negative.npy"), ("layers[1] 'bn1'", '"variance"', "channel 1", "-1")),
    (field(2, "alpha", "fc_bias.npy"), ("layers[2] 'conv2'", '"alpha"', "(10)", "(64)")),
)


class BrokenNetworks(ProgramTest):
    def setUp(self):
        super().setUp()
        for name, shape in SHAPES.items():
            self.write(name, npy(shape))
        self.write("double.npy", npy((64, 3, 3, 3), bytes(8 * 64 * 27), type_name="<f8"))
        self.write("nan.npy",
                   floats((64, 64, 3, 3), [0.5] * 7 + [float("nan")] * (64 * 64 * 9 - 7)))
        self.write("infinite.npy", floats((64,), [0.0] * 3 + [float("inf")] * 61))
        self.write("negative.npy", floats((64,), [1.0, -1.0] * 32))
        self.small = json.loads(blocks("json")[0])

    def refused(self, text, *says):
        file = self.write("net.json", text)
        return self.assert_refused("network", f"--networks={file}", f"--implementations={XNOR}",
                                   "--quick",
                                   f"--out={self.folder}/run", says=["net.json", *says])

    def test_every_mistake_has_its_own_line(self):
        messages = set()
        for change, says in BROKEN:
            network = copy.deepcopy(self.small)
            change(network)
            messages.add(self.refused(json.dumps(network), *says))
        self.assertEqual(len(messages), len(BROKEN))

    def test_no_json(self):
        text = blocks("json")[0]
        self.refused(text.replace('"pad": -1,', '"pad": -1'), "not JSON", "line 4, column")
        self.refused(text[:-20], "not JSON", "line")
        self.refused("", "not JSON", "line 1")
        self.refused(bytes(range(256)), "not JSON")
        self.refused("[1]", "array", "object")
        self.refused(text.replace('"pad": -1,', '"pad": -1, "pad": 1,'), '"pad"', "twice")
        self.refused("[" * 100000, "nested")
        self.refused(text.replace("16,", "1e999,", 1), "not JSON")


if __name__ == "__main__":
    unittest.main()
