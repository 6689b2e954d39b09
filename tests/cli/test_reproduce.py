"""The table of published claims: every claim has rows, their numbers are those of the records, their commands work."""
import shlex
import statistics
import unittest

from program import ProgramTest, read_columns, read_rows, read_run, run

CLAIMS = {"ops_32x", "gemm_cublas_3_5x", "gemm_binarynet", "mlp_binarynet_7x", "conv_cpu_58x", "memory_32x_xnornet",
          "forward_0_67s", "realtime", "compression_39x", "model_size", "memory_700MB", "espresso_memory"}
RECALLED = {"conv_cpu_58x", "memory_32x_xnornet", "espresso_memory"}
VERDICTS = {"reproduced", "partly", "not_reproduced", "needs_device", "theory"}
PATIENCE = 900  # plain loops are slow, and so is a busy machine


class Reproduce(ProgramTest):
    def test_every_claim(self):
        out = self.folder / "run"
        result = run("reproduce", "--quick", f"--out={out}", timeout=PATIENCE)
        self.assert_good(result)
        self.assertEqual(read_run(out)["exit_status"], 0)
        self.assertEqual(read_columns(out / "claims.csv"),
                         ["id", "source", "reported_value", "unit", "conditions", "definition", "baseline",
                          "measured_value", "verdict", "command", "note"])
        rows = read_rows(out / "claims.csv")
        self.assertEqual({row["id"] for row in rows}, CLAIMS)
        for row in rows:
            self.assertIn(row["verdict"], VERDICTS)
            self.assertTrue(row["definition"] and row["note"] and row["source"], row)
            self.assertEqual(row["source"].endswith("(recalled)"), row["id"] in RECALLED, row)
            if row["verdict"] != "needs_device":
                self.assertGreater(float(row["measured_value"]), 0)
        self.check_printed(rows, result.stdout)
        self.check_against_records(rows, read_rows(out / "records.csv"))
        self.check_memory(rows, read_rows(out / "memory.csv"))
        self.check_without_fma(rows, out / "without_fma")
        self.check_commands(rows)

    def check_printed(self, rows, stdout):
        for claim in CLAIMS:
            self.assertIn(f"\n{claim}: ", stdout)
        self.assertIn(f"\n{len(rows)} rows:", stdout)

    def check_against_records(self, rows, records):
        """A ratio is that of the medians of the repetitions."""
        medians = {}
        for record in records:
            if record["status"] == "ok":
                what = record["problem"] or f"{record['network']}/n{record['batch']}"
                medians.setdefault((what, record["implementation"]), []).append(float(record["time_median_ns"]))
        ns = {key: statistics.median(values) for key, values in medians.items()}
        layer = "ic256_ih64_oc128_kh3_ph1_pad-1"
        checked = 0
        for row in rows:
            if row["id"] == "conv_cpu_58x" and row["definition"] == f"layer {layer}, signs in, sums out":
                baseline = row["baseline"].rsplit("(", 1)[1].rstrip(")")
                self.assertAlmostEqual(float(row["measured_value"]) * ns[layer, "cpu_xnor_simd"] / ns[layer, baseline], 1,
                                       delta=1e-3)
                checked += 1
            if row["id"] == "realtime" and row["unit"] == "ms":
                self.assertAlmostEqual(float(row["measured_value"]) * 1e6 / ns["face_alignment/n1", "cpu_xnor_simd"], 1,
                                       delta=1e-3)
                checked += 1
        self.assertEqual(checked, 5)

    def check_memory(self, rows, memory):
        total, = [row for row in memory if row["category"] == "total" and row["policy"] == "per_module"]
        self.assertEqual(total["implementation"], "cpu_xnor_bnntorch")
        planned, = [row for row in rows if row["definition"] == "the network's own buffers, planned"]
        self.assertAlmostEqual(float(planned["measured_value"]), int(total["planned_bytes"]) / 1e6, delta=0.1)

    def check_without_fma(self, rows, folder):
        if not folder.exists():
            self.skipTest("a CPU without FMA")
        kernels = " ".join(row["library_kernel"] for row in read_rows(folder / "records.csv")).lower()
        self.assertIn("sandybridge", kernels)
        for later in ("avx2", "avx512", "fma"):
            self.assertNotIn(later, kernels)
        self.assertEqual(len([row for row in rows if "without FMA" in row["definition"]]), 2)

    def check_commands(self, rows):
        for command in sorted({row["command"] for row in rows}):
            words = [word for word in shlex.split(command) if not word.startswith(("OPENBLAS_", "ONEDNN_"))]
            self.assertEqual(words[0], "xnorbench", command)
            if words[1] in ("conv", "gemm", "network"):
                self.assert_good(run(*words[1:], "--benchmark_list_tests"))
            elif words[1] == "memory":
                self.assert_good(run(*words[1:], *(() if "--budget" in command else ("--plan",))))
            else:
                self.assertIn(words[1:], [["reproduce"], ["peak"]])

    def test_refused(self):
        self.assert_refused("reproduce", "--threads=2", says=["--threads", "reproduce --help"])
        self.assert_refused("reproduce", "--quick", "--repetitions=3", says=["--quick"])


if __name__ == "__main__":
    unittest.main()
