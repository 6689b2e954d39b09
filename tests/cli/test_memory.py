"""Who owns the bytes of a forward pass: the question that the project began with."""
import collections
import json
import os
import re
import unittest

from program import PROGRAM, ProgramTest, documented, read_columns, read_rows, read_run, run

MIB = 2 ** 20
MODULES = ("memory", "--networks=face_alignment", "--implementations=cpu_xnor_bnntorch",
           "--policy=per_module")
HAS_TORCH = PROGRAM and run("memory", "--plan", "--networks=binarynet_mnist",
                            "--implementations=cpu_xnor_bnntorch",
                          "--float-backend=torch").returncode == 0

# As found in Torch7 with bnn.torch, MiB.
OWNERS = {
    "binary_convolution im2col buffer": "361.254",
    "binary_convolution packed im2col buffer": "11.289",
    "binary_convolution outputs": "37.984",
    "batch_norm outputs": "53.473",
    "convolution outputs": "9.063",
    "concat outputs": "25.984",
    "add outputs": "25.984",
    "add_upsampled outputs": "5.313",
    "average_pool outputs": "3.328",
    "upsample outputs": "5.313",
    "relu outputs": "8.000",
    "convolution im2col buffer": "17.188",
    "convolution vectors of ones": "0.094",
    "weights and parameters (in the total)": "1.217",
    "input": "0.750",
}


def table(stdout):
    """Lines of numbers by name: planned, measured."""
    return {match[1].strip(): (match[2], match[3])
            for match in re.finditer(r"^  (\S.*?) +(\d+\.\d{3}) +(\d+\.\d{3})$", stdout,
                                     re.MULTILINE)}


class Memory(ProgramTest):
    def memory(self, *arguments):
        out = self.folder / f"run {len(list(self.folder.glob('run *')))}"
        result = run("memory", f"--out={out}", *arguments)
        self.assert_good(result)
        return out, result.stdout

    @unittest.skipUnless(HAS_TORCH, "built without OpenBLAS")
    def test_modules_keep_what_torch7_keeps(self):
        out, stdout = self.memory(*MODULES[1:])
        rows = table(stdout)
        for owner, mib in OWNERS.items():
            self.assertEqual(rows[owner], (mib, mib), owner)
        parts = re.search(r"MiB by owner.*?\n(.*?)\n  total ", stdout, re.DOTALL)[1].splitlines()
        self.assertAlmostEqual(sum(float(line.split()[-1]) for line in parts),
                               float(rows["total"][0]), delta=0.01)
        planned, measured = rows["total"]
        self.assertEqual(planned, measured)
        self.assertTrue(560 < float(planned) < 570, planned)
        by_category = {row["category"]: row for row in read_rows(out / "memory.csv")}
        for category, row in by_category.items():
            if category not in ("unattributed", "outside", "outside_peak", "arena",
                                "arena_lower_bound"):
                self.assertEqual(row["planned_bytes"], row["measured_bytes"], category)
        total, outside = (int(by_category[name]["measured_bytes"]) for name in ("total", "outside"))
        self.assertAlmostEqual(outside / total, 1, delta=0.05)
        peak = int(by_category["outside_peak"]["measured_bytes"])
        self.assertAlmostEqual(peak / total, 1, delta=0.1)
        self.assertGreater(peak, 0.98 * outside)

    @unittest.skipUnless(HAS_TORCH, "built without OpenBLAS")
    def test_the_arena_of_bits_is_thirty_times_smaller(self):
        out, _ = self.memory("--implementations=cpu_xnor_bnntorch,cpu_xnor_simd",
                             "--policy=arena,per_module", "--plan")
        planned = {(row["implementation"], row["policy"]): int(row["planned_bytes"])
                   for row in read_rows(out / "memory.csv") if row["category"] == "total"}
        self.assertGreater(planned["cpu_xnor_bnntorch", "per_module"]
                           / planned["cpu_xnor_simd", "arena"], 30)

    def test_every_policy_is_measured_as_planned(self):
        out, stdout = self.memory("--networks=binarynet_cifar10", "--batch=1,2",
                                  "--implementations=cpu_xnor_swar,cpu_xnor_bnntorch")
        rows = read_rows(out / "memory.csv")
        totals = [row for row in rows if row["category"] == "total"]
        self.assertEqual(len(totals), 2 * 2 * 3)
        for row in totals:
            self.assertEqual(row["planned_bytes"], row["measured_bytes"])
            self.assertIn(row["policy"], ("arena", "per_module", "shared_columns"))
        self.assertEqual(stdout.count("\n  binarynet_cifar10"), len(totals),
                         "an overview of a line each")

    def test_buffers_add_up_to_the_plan(self):
        out, stdout = self.memory("--networks=binarynet_cifar10",
                                  "--implementations=cpu_xnor_bnntorch", "--detail")
        self.assertEqual(read_columns(out / "buffers.csv"),
                         ["network", "implementation", "limited_to", "float_backend", "policy",
                          "batch", "threads", "seed",
                          "input", "layer", "module", "kind", "form", "category", "bytes",
                          "birth_step", "death_step",
                          "at_peak"])
        sums = collections.Counter()
        for row in read_rows(out / "buffers.csv"):
            self.assertLessEqual(int(row["birth_step"]), int(row["death_step"]))
            if row["at_peak"] == "yes":
                sums[row["policy"], row["category"]] += int(row["bytes"])
        for row in read_rows(out / "memory.csv"):
            if row["category"] in ("arena_gaps", "unattributed", "total", "outside", "outside_peak",
                                   "arena",
                                   "arena_lower_bound"):
                continue
            self.assertEqual(sums[row["policy"], row["category"]], int(row["planned_bytes"]), row)
        self.assertIn("1x16x16x256 float32", stdout)

    def test_a_plan_runs_nothing(self):
        out, stdout = self.memory("--plan", "--networks=face_alignment",
                                  "--implementations=cpu_xnor_simd",
                                  "--policy=per_module", "--batch=4000")
        rows = {row["category"]: row for row in read_rows(out / "memory.csv")}
        self.assertGreater(int(rows["total"]["planned_bytes"]), 400 << 30,
                           "more than a machine that tests has")
        self.assertEqual({row["measured_bytes"] for row in rows.values()}, {""})
        self.assertNotIn("outside", rows)
        self.assertNotIn("measured", stdout)
        self.assertEqual(read_run(out)["exit_status"], 0)

    @unittest.skipUnless(HAS_TORCH, "built without OpenBLAS")
    def test_budget(self):
        out, stdout = self.memory("--implementations=cpu_xnor_bnntorch,cpu_xnor_simd",
                                  "--budget=900MiB",
                                  "--reserved=250MiB")
        self.assertIn("in 650.000 MiB (900.000 less 250.000 reserved)", stdout)
        for file in ("memory.csv", "buffers.csv", "budget.csv", "savings.csv"):
            self.assertEqual(read_columns(out / file), documented(file))
        rows = {(row["implementation"], row["policy"]): row
                for row in read_rows(out / "budget.csv")}
        self.assertEqual(len(rows), 6)
        modules = rows["cpu_xnor_bnntorch", "per_module"]
        self.assertEqual((modules["fits"], modules["largest_batch"],
                          modules["largest_input_height"]), ("yes", "1", "256"))
        planned = {(row["implementation"], row["policy"]): row["planned_bytes"]
                   for row in read_rows(out / "memory.csv") if row["category"] == "total"}
        for key, row in rows.items():
            self.assertEqual(row["needed_bytes"], planned[key])
            self.assertEqual((row["budget_bytes"], row["reserved_bytes"]),
                             (str(900 * MIB), str(250 * MIB)))
        savings = [int(row["total_bytes"]) for row in read_rows(out / "savings.csv")
                    if row["implementation"] == "cpu_xnor_bnntorch"]
        self.assertEqual(savings[0], int(modules["needed_bytes"]))
        self.assertEqual(savings, sorted(savings, reverse=True))
        self.assertIn("one column buffer for all layers", stdout)

    def test_a_budget_too_small(self):
        _, stdout = self.memory("--networks=binarynet_cifar10", "--implementations=cpu_xnor_swar",
                                "--budget=1MiB")
        self.assertIn("too much by", stdout)
        self.assertNotIn("fits", stdout)

    def test_an_answer_is_only_as_far_as_was_looked(self):
        _, stdout = self.memory("--networks=binarynet_cifar10", "--implementations=cpu_xnor_swar",
                                "--policy=arena",
                                "--budget=1024GiB")
        self.assertIn("65536 or more", stdout)

    def test_settings_are_told_apart(self):
        threads = "1,2" if os.cpu_count() > 1 else "1"
        _, stdout = self.memory("--networks=binarynet_cifar10",
                                "--implementations=cpu_xnor_swar,cpu_xnor_bnntorch",
                                "--policy=arena,per_module", f"--threads={threads}",
                                "--budget=64MiB")
        lines = [line.split("  ")[1] for line in stdout.splitlines()
                 if line.startswith("  cpu_xnor_")]
        self.assertEqual("cpu_xnor_swar t2" in lines, threads == "1,2")
        self.assertEqual(stdout.count("What saves how much with cpu_xnor_swar:"), 1)

    def test_what_is_too_large_for_a_library_is_no_crash(self):
        result = run("memory", "--plan", "--networks=face_alignment",
                     "--implementations=cpu_f32_onednn,cpu_xnor_bnntorch",
                     "--policy=arena", "--batch=32768,65536")
        self.assert_good(result)
        self.assertIn("too large for oneDNN", result.stderr)
        _, stdout = self.memory("--networks=face_alignment", "--implementations=cpu_xnor_swar",
                                "--policy=arena",
                                "--budget=1023GiB")
        self.assertRegex(stdout, r"cpu_xnor_swar +arena +\d+\.\d+  fits")

    def test_a_continued_run_measures_only_what_is_missing(self):
        words = ("--networks=binarynet_cifar10,binarynet_mnist", "--implementations=cpu_xnor_swar")
        out, _ = self.memory(*words)
        whole = (out / "memory.csv").read_bytes()
        # As a kill would have left it after two settings.
        lines = (out / "completed.csv").read_text().splitlines(keepends=True)
        (out / "completed.csv").write_text("".join(lines[:3]))
        description = read_run(out)
        description.update(finished=None, exit_status=None)
        (out / "run.json").write_text(json.dumps(description))
        result = run("memory", f"--out={out}", *words)
        self.assert_good(result)
        self.assertIn("2 settings were measured by an earlier part", result.stderr)
        kept = int(lines[2].rstrip().split(",")[7])  # memory_bytes after the second
        self.assertEqual((out / "memory.csv").read_bytes()[:kept], whole[:kept])
        self.assertEqual(len(read_rows(out / "memory.csv")), whole.count(b"\n") - 1)

    def test_files_of_others_are_left_alone(self):
        for name, words in (("budget.csv", ("memory", "--budget=1MiB")),
                            ("claims.csv", ("reproduce", "--claims=model_size")),
                            ("without_fma", ("reproduce", "--claims=model_size"))):
            out = self.folder / f"with {name}"
            out.mkdir()
            (out / name).write_text("mine")
            self.assert_refused(*words, f"--out={out}", says=[name, "not this run's"])

    def test_what_does_not_run_is_told_once(self):
        result = run("memory", "--plan", "--networks=face_alignment_real",
                     "--implementations=cpu_xnor_swar,cpu_f32_direct")
        self.assert_good(result)
        self.assertEqual(result.stderr.count("cpu_xnor_swar: unsupported"), 1)

    def test_refused(self):
        self.assert_refused("memory", "--policy=per_layer",
                            says=["per_layer", "arena, per_module, shared_columns"])
        self.assert_refused("memory", "--policy=arena,arena", says=["--policy", "arena", "twice"])
        self.assert_refused("memory", "--budget=0", says=["--budget=0", "900MiB"])
        self.assert_refused("memory", "--reserved=250MiB", says=["--reserved", "--budget"])
        self.assert_refused("memory", "--budget=250MiB", "--reserved=250MiB",
                            says=["--reserved=250MiB", "nothing"])
        self.assert_refused("memory", "--budget=900MB", says=["--budget", "900MB", "256MiB"])
        self.assert_refused("memory", "--budget=1GiB", "--plan", says=["--budget", "--plan"])
        for flag in ("--plan", "--budget=1GiB"):
            self.assert_refused("memory", "--input=nowhere.png", flag,
                                says=["--input", "run nothing"])
        self.assert_refused("memory", "--networks=nothing", says=["nothing", "face_alignment"])
        self.assert_refused("memory", "--repetitions=3", says=["--repetitions", "memory --help"])


if __name__ == "__main__":
    unittest.main()
