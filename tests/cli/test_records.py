"""What `conv` writes. docs/schema.md is the contract, and numbers must follow from the samples."""
import collections
import os
import statistics
import unittest

from program import CSV_FILES, ProgramTest, documented, read_columns, read_rows, read_run, run

KEY = ("case", "repetition")
TIMES = ("time_median_ns", "time_min_ns", "time_p25_ns", "time_p75_ns", "time_mean_ns",
         "time_stddev_ns")
TIMED = ("ok", "throttled")  # on a shared machine the clock may well fall


def all_implementations():
    lines = run("list").stdout.split("\nNetworks\n")[0].splitlines()[1:]
    return {line.split()[0] for line in lines if not line.startswith("   ")}


class Records(ProgramTest):
    def conv(self, *arguments):
        out = self.folder / f"run {len(list(self.folder.iterdir()))}"
        length = () if any(word.startswith("--repetitions") for word in arguments) else ("--quick",)
        result = run("conv", f"--out={out}", *length, *arguments)
        self.assert_good(result)
        self.assertIn(f"records in {out}", result.stdout)
        rows = read_rows(out / "records.csv")
        self.assert_consistent(out, rows)
        return out, rows

    def assert_consistent(self, out, rows):
        keys = [tuple(row[name] for name in KEY) for row in rows]
        self.assertEqual(len(keys), len(set(keys)), "a key occurs twice")
        samples = collections.defaultdict(list)
        for row in read_rows(out / "samples.csv"):
            values = samples[row["case"], row["repetition"]]
            self.assertEqual(int(row["sample"]), len(values))
            values.append(float(row["time_ns"]))
        self.assertLessEqual(set(samples), set(keys))
        for row, key in zip(rows, keys):
            with self.subTest(key=key):
                self.assert_row(row, samples[key])
        completed = read_rows(out / "completed.csv")
        self.assertEqual(len(completed), len({(row["case"], row["repetition"])
                                              for row in completed}))
        for name in ("records", "samples", "memory"):
            self.assertEqual(int(completed[-1][f"{name}_bytes"]),
                             (out / f"{name}.csv").stat().st_size)

    def assert_row(self, row, samples):
        self.assertNotIn(None, row)  # no more fields than columns
        self.assertNotIn(None, row.values())  # and no fewer
        if row["status"] not in TIMED:
            self.assertTrue(row["reason"])
            self.assertEqual(samples, [])
            for name in TIMES + ("samples", "prepare_time_ns", "clock_hz"):
                self.assertEqual(row[name], "", name)
            return
        self.assertEqual(row["verified"], "yes")
        self.assertRegex(row["output_hash"], "^[0-9a-f]{16}$")
        self.assertEqual(int(row["samples"]), len(samples))
        self.assertGreaterEqual(int(row["calls_per_sample"]), 1)
        quartiles = statistics.quantiles(samples, n=4,
                                         method="inclusive") if len(samples) > 1 else samples * 3
        expected = dict(zip(TIMES, (statistics.median(samples), min(samples), quartiles[0],
                                    quartiles[2],
                                    statistics.fmean(samples),
                                    statistics.stdev(samples) if len(samples) > 1 else 0)))
        for name, value in expected.items():  # both are rounded to 0.1 ns
            self.assertAlmostEqual(float(row[name]), value, delta=0.2, msg=name)
        for name in ("weights_bytes", "activation_bytes", "peak_bytes", "macs"):
            self.assertGreater(int(row[name]), 0, name)
        self.assertGreater(float(row["prepare_time_ns"]), 0)
        self.assertGreater(float(row["clock_hz"]), 1e8)

    def test_columns_are_the_documented_ones(self):
        out, _ = self.conv("--shapes=ic1")
        for file in CSV_FILES:
            self.assertEqual(read_columns(out / file), documented(file))
        self.assertEqual(sorted(path.name for path in out.iterdir()),
                         sorted(CSV_FILES + ("run.json",)))

    def test_description_of_the_run(self):
        out, _ = self.conv("--shapes=ic1")
        description = read_run(out)
        for key in ("schema", "command", "started", "finished", "exit_status", "project", "build",
                    "libraries",
                    "machine", "environment", "implementations"):
            self.assertIn(key, description)
        self.assertEqual(description["schema"], 2)
        self.assertEqual(description["command"], ["xnorbench", "conv", f"--out={out}", "--quick",
                                                  "--shapes=ic1"])
        self.assertEqual(description["exit_status"], 0)
        for moment in ("started", "finished"):
            self.assertRegex(description[moment], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertLessEqual(description["started"], description["finished"])
        for key in ("name", "cpu", "logical_cpus", "threads_per_core", "l1d_bytes", "l2_bytes",
                    "l3_bytes",
                    "memory_bytes", "isa", "os", "kernel"):
            self.assertIn(key, description["machine"])
        self.assertEqual({entry["name"] for entry in description["implementations"]},
                         all_implementations())
        for entry in description["implementations"]:
            self.assertEqual(entry["status"] == "ok", entry["reason"] == "", entry)

    def test_every_implementation_has_a_row_and_all_agree(self):
        _, rows = self.conv("--shapes=n2_ic65_ih5_oc7_kh3_ph1_pad-1")
        self.assertEqual({row["implementation"] for row in rows}, all_implementations())
        hashes = set()
        for row in rows:
            if row["status"] == "unavailable":
                continue
            self.assertIn(row["status"], TIMED)
            hashes.add(row["output_hash"])
            self.assertEqual((row["kind"], row["problem"], row["batch"]),
                             ("conv", "n2_ic65_ih5_oc7_kh3_ph1_pad-1", "2"))
            self.assertEqual(int(row["macs"]), 2 * 5 * 5 * 7 * 65 * 9)
        self.assertEqual(len(hashes), 1)
        repetitions = collections.Counter(row["case"] for row in rows if row["status"] in TIMED)
        self.assertEqual(set(repetitions.values()), {2})

    def test_same_seed_same_output(self):
        hashes = []
        for seed in (4, 4, 5):
            _, rows = self.conv("--shapes=ic65_ih4_oc5", "--implementations=cpu_xnor_swar",
                                f"--seed={seed}")
            self.assertEqual({row["seed"] for row in rows}, {str(seed)})
            hashes.append(rows[0]["output_hash"])
        self.assertEqual(hashes[0], hashes[1])
        self.assertNotEqual(hashes[0], hashes[2])

    def test_sources_and_destinations(self):
        _, rows = self.conv("--shapes=ic33_ih4_oc5_kh3_ph1", "--source=sign,f32", "--batch=1,3",
                            "--destination=acc,f32,sign,f32_sign",
                            "--implementations=cpu_xnor_*,cpu_f32_openblas")
        hashes = collections.defaultdict(set)
        for row in rows:
            if row["status"] in TIMED:
                hashes[row["destination"], row["batch"]].add((row["source"], row["output_hash"]))
        self.assertEqual(len(hashes), 4 * 2)
        for seen in hashes.values():  # a source decides what is timed, not what comes out
            self.assertEqual({source for source, _ in seen}, {"sign", "f32"})
            self.assertEqual(len({output for _, output in seen}), 1)
        self.assertEqual(len({output for seen in hashes.values() for _, output in seen}), 8)

    def test_threads_and_cache(self):
        _, rows = self.conv("--shapes=ic33_ih4_oc5", "--threads=1,2", "--cache=hot,cold",
                            "--implementations=cpu_xnor_*",
                            "--repetitions=2", "--min-time=0.0002")
        timed = [row for row in rows if row["status"] in TIMED]
        self.assertEqual({(row["threads"], row["cache"]) for row in timed},
                         {("1", "hot"), ("1", "cold"), ("2", "hot"), ("2", "cold")})
        self.assertEqual(len({row["output_hash"] for row in timed}), 1)
        for row in timed:
            if row["cache"] == "cold":
                self.assertEqual(row["calls_per_sample"], "1")  # the second call would find it warm

    def test_cold_cache_knows_how_long_it_takes(self):
        # Evicting takes far longer than the call: the estimate and the limit are of both.
        _, rows = self.conv("--shapes=ic1", "--cache=cold", "--implementations=cpu_xnor_swar",
                            "--min-time=1",
                            "--repetitions=3", "--time-limit=0.5")
        self.assertEqual([row["status"] for row in rows], ["skipped"])

    def test_source_includes_the_sign_pass(self):
        for source, has_map in (("sign", False), ("f32", True)):
            _, rows = self.conv("--shapes=ic64_ih8_oc4", "--implementations=cpu_xnor_swar",
                                f"--source={source}")
            self.assertEqual(int(rows[0]["activation_bytes"]),
                             8 * 8 * 8 + 8 * 8 * 4 * 4 + has_map * 8 * 8 * 64 * 4)

    def test_unsupported_keeps_its_reason(self):
        _, rows = self.conv("--shapes=ic16777217_oc1")  # K above 2^24: floats cannot hold every sum
        by_name = {row["implementation"]: row for row in rows}
        self.assertIn(by_name["cpu_xnor_swar"]["status"], TIMED)
        for name in ("cpu_f32_direct", "cpu_f32_openblas", "cpu_f32_onednn"):
            if by_name[name]["status"] != "unavailable":
                self.assertEqual(by_name[name]["status"], "unsupported")
                self.assertIn("2^24", by_name[name]["reason"])
                self.assertEqual(by_name[name]["verified"], "no")

    def test_too_long_is_skipped_and_says_so(self):
        _, rows = self.conv("--shapes=ic64_ih16_oc64_kh3", "--time-limit=0.000001",
                            "--implementations=cpu_xnor_swar")
        self.assertEqual([row["status"] for row in rows], ["skipped"])
        self.assertIn("time limit", rows[0]["reason"])

    def test_layers_of_a_network(self):
        _, rows = self.conv("--networks=face_alignment", "--benchmark_filter=ic64_ih4_",
                            "--implementations=cpu_xnor_swar")
        self.assertTrue(rows)
        for row in rows:
            self.assertEqual(row["network"], "face_alignment")
            self.assertTrue(row["layer"])

    def test_quick_and_its_parts_exclude_each_other(self):
        for flag in ("--min-time=1", "--repetitions=5"):
            self.assert_refused("conv", "--quick", flag, "--shapes=ic1",
                                says=["--quick", flag.split("=")[0]])

    def test_filter_and_random_interleaving(self):
        _, rows = self.conv("--shapes=ic1,ic2,ic3", "--implementations=cpu_xnor_swar",
                            "--benchmark_filter=-ic2/",
                            "--benchmark_enable_random_interleaving=true", "--repetitions=3",
                            "--min-time=0.001")
        self.assertEqual({row["problem"] for row in rows}, {"ic1", "ic3"})

    def test_without_a_folder_nothing_is_written(self):
        result = run("conv", "--quick", "--shapes=ic1", "--implementations=cpu_xnor_swar",
                     cwd=self.folder)
        self.assert_good(result)
        self.assertIn("--out=DIR", result.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_odd_folder_names(self):
        for name in ("with space", "ünïcode 日本", "a,b\"c", "deep/er/est"):
            result = run("conv", "--quick", "--shapes=ic1", "--implementations=cpu_xnor_swar",
                         f"--out={name}",
                         cwd=self.folder)
            self.assert_good(result)
            self.assertEqual(len(read_rows(self.folder / name / "records.csv")), 2)

    def test_folder_name_that_is_not_utf8(self):
        out = os.fsencode(self.folder) + b"/\xff\xfe"
        result = run("conv", "--quick", "--shapes=ic1", "--implementations=cpu_xnor_swar",
                     "--out=" + os.fsdecode(out), errors="replace")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(b"records.csv", os.listdir(out))


if __name__ == "__main__":
    unittest.main()
