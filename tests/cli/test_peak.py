"""Peak rates and bounds as a user sees them: the table, peaks.csv, run.json and all rows."""
import collections
import unittest

from program import ProgramTest, instruction_sets, read_rows, read_run, run

RATE_ON_ANY_MACHINE = {("scalar", "integer_add")}


class Peak(ProgramTest):
    def peak(self, *arguments):
        out = self.folder / "peaks"
        result = run("peak", f"--out={out}", *arguments)
        self.assert_good(result)
        self.assertEqual(result.stderr, "")
        return result.stdout, read_rows(out / "peaks.csv"), read_run(out)

    def test_table_csv_and_description_say_the_same(self):
        table, rows, description = self.peak()
        self.assertEqual(list(rows[0]), ["isa", "quantity", "value", "unit"])
        keys = [(row["isa"], row["quantity"], row["unit"]) for row in rows]
        self.assertEqual(len(keys), len(set(keys)))
        self.assertLessEqual(RATE_ON_ANY_MACHINE, {key[:2] for key in keys})
        for row in rows:
            value = float(row["value"])
            self.assertGreater(value, 0, row)
            if row["unit"] == "operations/cycle":
                self.assertLess(value, 20, row)  # no core issues that many
        self.assertEqual(description["exit_status"], 0)
        self.assertEqual([(peak["isa"], peak["quantity"], peak["unit"], f"{peak['value']:.6g}")
                          for peak in description["peaks"]],
                         [(*key, row["value"]) for key, row in zip(keys, rows)])
        printed = collections.Counter()
        for line in table.splitlines():
            words = line.split()
            if line.startswith("  ") and words:
                printed[words[0]] += len(words) - 1
        expected = collections.Counter(row["quantity"] for row in rows)
        for quantity, count in expected.items():
            self.assertEqual(printed[quantity], count, quantity)

    def test_limits_follow_from_the_rates(self):
        _, rows, _ = self.peak()
        value = {(row["isa"], row["quantity"]): float(row["value"]) for row in rows}
        words = 64 * min(value.get(("scalar", "popcnt"), 0), value["scalar", "integer_add"] / 3)
        bounds = [row for row in rows if row["quantity"].startswith("bound_")]
        self.assertTrue(bounds)
        for row in bounds:
            self.assertEqual(row["unit"], "MAC/cycle")
            if row["quantity"] == "bound_cpu_xnor_popcnt":
                self.assertAlmostEqual(float(row["value"]), words, delta=words * 1e-4)
            if row["quantity"] == "bound_cpu_xnor_simd" and row["isa"] == "avx2":
                self.assertAlmostEqual(float(row["value"]), 96 * value["avx2", "cpu_xnor_simd_mix"],
                                       delta=0.1)

    def test_only_the_instruction_set_asked_for(self):
        every = instruction_sets()
        table, rows, _ = self.peak(f"--isa={every[0]}")
        self.assertEqual({row["isa"] for row in rows}, {"scalar", every[0]})
        for other in every[1:]:
            self.assertNotIn(other, table)

    def test_without_a_folder_nothing_is_written(self):
        result = run("peak", f"--isa={instruction_sets()[0]}", cwd=self.folder)
        self.assert_good(result)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_file_that_is_there_stays(self):
        out = self.folder / "mine"
        out.mkdir()
        (out / "peaks.csv").write_text("mine\n")
        self.assert_refused("peak", f"--out={out}", says=["peaks.csv", "not this run's"])
        self.assertEqual((out / "peaks.csv").read_text(), "mine\n")
        (self.folder / "link").symlink_to(self.folder / "nothing")
        self.assert_refused("peak", f"--out={self.folder / 'link'}", says=["link to nothing"])

    def test_bad_command_lines(self):
        self.assert_refused("peak", "--shapes=ic1", says=["--shapes", "peak --help"])
        self.assert_refused("peak", "--benchmark_filter=x",
                            says=["--benchmark_filter", "network, conv, gemm"])
        self.assert_refused("peak", "--isa=mmx", says=["--isa", "mmx"])
        self.write("run.json", "{}")
        self.assert_refused("peak", f"--out={self.folder}", says=["another run", "--out=DIR"])


class Share(ProgramTest):
    def test_rows_of_a_layer(self):
        out = self.folder / "run"
        self.assert_good(run("conv", "--quick", "--shapes=ic256_ih14_oc256_kh3_ph1_pad-1",
                             "--threads=1,2", f"--out={out}"))
        bounds = self.bounds(out)
        timed = [row for row in read_rows(out / "records.csv")
                 if row["status"] in ("ok", "throttled")]
        self.assertTrue(timed)
        for row in timed:
            with self.subTest(case=row["case"]):
                cycles = float(row["time_median_ns"]) * 1e-9 * float(row["clock_hz"])
                self.assertAlmostEqual(float(row["macs_per_cycle"]) * cycles / int(row["macs"]), 1,
                                       delta=1e-4)
                bound = bounds["bound_" + row["implementation"]] * int(row["threads"])
                self.assertAlmostEqual(float(row["bound_share"]) * bound
                                       / float(row["macs_per_cycle"]), 1, delta=1e-3)
                self.assertGreater(float(row["bound_share"]), 0)
                # Far from their bounds: a busy neighbour while these were measured does not matter.
                if row["implementation"] in ("cpu_f32_direct", "cpu_xnor_swar", "cpu_xnor_popcnt"):
                    self.assertLess(float(row["bound_share"]), 1.2)

    def test_rows_of_a_network(self):
        out = self.folder / "run"
        self.assert_good(run("network", "--networks=binarynet_mnist",
                             "--implementations=cpu_xnor_swar", "--profile", "--quick",
                             f"--out={out}"))
        bounds = self.bounds(out)
        layers = [row for row in read_rows(out / "records.csv") if row["kind"] == "layer"]
        bound_of = {"convolution": bounds["bound_cpu_xnor_swar"],
                    "real_layer": bounds["bound_cpu_f32_direct"]}
        parts = set()
        ideal = 0
        for row in layers:
            with self.subTest(layer=row["layer"]):
                bound = bound_of.get(row["part"])
                self.assertEqual(row["macs_per_cycle"] == "", int(row["macs"]) == 0)
                self.assertEqual(row["bound_share"] == "", int(row["macs"]) == 0)
                if int(row["macs"]) > 0:
                    parts.add(row["part"])
                    ideal += int(row["macs"]) / bound
                    self.assertAlmostEqual(float(row["bound_share"]) * bound
                                           / float(row["macs_per_cycle"]), 1, delta=1e-3)
        self.assertIn("convolution", parts)
        whole = next(row for row in read_rows(out / "records.csv") if row["kind"] == "network")
        cycles = float(whole["time_median_ns"]) * 1e-9 * float(whole["clock_hz"])
        self.assertAlmostEqual(float(whole["bound_share"]) * cycles / ideal, 1, delta=1e-3)

    def bounds(self, out):
        peaks = read_run(out)["peaks"]
        bounds = [peak for peak in peaks if peak["unit"] == "MAC/cycle"]
        # one instruction set was measured
        self.assertEqual(len({peak["isa"] for peak in bounds}), 1)
        return {peak["quantity"]: peak["value"] for peak in bounds}

    def test_the_printed_table_has_the_share(self):
        result = run("conv", "--quick", "--shapes=ic64_ih8_oc64", "--implementations=cpu_xnor_swar")
        self.assert_good(result)
        header = next(line for line in result.stdout.splitlines() if "MAC/cycle" in line)
        self.assertRegex(header, r"MAC/cycle +bound +weights")
        row = next(line for line in result.stdout.splitlines()
                   if line.startswith("  cpu_xnor_swar"))
        self.assertRegex(row, r" \d+\.\d +\d+% +\d")


if __name__ == "__main__":
    unittest.main()
