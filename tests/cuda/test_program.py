"""The program's own part of a GPU run, with a module that runs on the host.

Rows, columns, profiles and verdicts.
"""
import csv
import json
import pathlib
import tempfile
import unittest

import simulated


class Program(unittest.TestCase):
    def setUp(self):
        simulated.program()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = pathlib.Path(folder.name) / "run"

    def rows(self, file="records.csv"):
        with open(self.out / file, newline="", encoding="utf-8") as stream:
            return list(csv.DictReader(stream))

    def run_program(self, *words):
        result = simulated.run(*words, "--quick", f"--out={self.out}")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result

    def test_layers_have_both_clocks_and_the_device(self):
        self.run_program("conv", "--shapes=ic64_ih5_oc64_kh3_ph1",
                         "--implementations=cuda_*,cpu_xnor_swar",
                         "--threads=1,2", "--cache=hot,cold")
        rows = self.rows()
        self.assertEqual(len({row["output_hash"] for row in rows}), 1)
        for row in rows:
            # On a busy machine the clock may seem to have dropped.
            self.assertIn(row["status"], ("ok", "throttled"), row)
            self.assertEqual(row["verified"], "yes", row)
            on_device = row["device"] == "cuda"
            self.assertEqual(bool(row["host_time_median_ns"]), on_device, row)
            if on_device:
                self.assertEqual(row["threads"], "1", "a device has no use for the CPU's threads")
                self.assertGreaterEqual(float(row["host_time_median_ns"]),
                                        float(row["time_median_ns"]))
        self.assertEqual({row["threads"] for row in rows if row["device"] == "cpu"}, {"1", "2"})
        kernels = {row["implementation"]: row["library_kernel"] for row in rows}
        self.assertTrue(kernels["cuda_f32_cudnn"].startswith("IMPLICIT_GEMM:cudnn-"), kernels)
        self.assertTrue(kernels["cuda_f32_cublas"].startswith("sgemm:cublas-"), kernels)
        with open(self.out / "run.json", encoding="utf-8") as stream:
            gpu = json.load(stream)["gpu"]
        self.assertEqual(gpu["name"], "the host")
        for field in ("compute_capability", "memory_bytes", "driver_cuda", "runtime_cuda", "cublas",
                      "cudnn"):
            self.assertTrue(gpu[field], field)

    def test_a_network_says_how_far_it_is_from_the_cpu(self):
        self.run_program("network", "--networks=binarynet_mnist",
                         "--implementations=cuda_f32_direct,cuda_xnor_popc,cpu_xnor_swar",
                         "--profile",
                         "--float-backend=direct")
        rows = self.rows()
        device = [row for row in rows if row["kind"] == "network" and row["device"] == "cuda"]
        self.assertEqual({row["implementation"] for row in device},
                         {"cuda_f32_direct", "cuda_xnor_popc"})
        for row in device:
            self.assertEqual((row["float_backend"], row["verified"]), ("cublas", "yes"))
            self.assertEqual((row["flipped_signs"], row["moved_peaks"]), ("0", "0"))
            self.assertLess(float(row["largest_difference"]), 1e-3)
        host = [row for row in rows if row["kind"] == "network" and row["device"] == "cpu"]
        self.assertEqual({row["flipped_signs"] for row in host}, {""})
        steps = [row for row in rows if row["kind"] == "layer" and row["device"] == "cuda"]
        self.assertEqual({row["part"] for row in steps},
                         {"real_layer", "sign_pass", "convolution"} |
                         ({row["part"] for row in steps} & {"elementwise"}))
        planned = {row["category"]: (row["planned_bytes"], row["measured_bytes"])
                   for row in self.rows("memory.csv")
                   if row["implementation"] == "cuda_xnor_popc" and row["category"] not
                   in ("outside", "arena_lower_bound")}
        self.assertIn("weights_packed", planned)
        for category in ("weights_packed", "weights_real", "parameters", "input_output", "total"):
            self.assertEqual(planned[category][0], planned[category][1], category)
            self.assertGreater(int(planned[category][0]), 0, category)

    def test_a_run_without_the_device_does_not_describe_it(self):
        self.run_program("conv", "--shapes=ic64_oc64", "--implementations=cpu_xnor_swar")
        with open(self.out / "run.json", encoding="utf-8") as stream:
            description = json.load(stream)
        self.assertIsNone(description["gpu"])
        self.assertEqual([entry["name"] for entry in description["implementations"]],
                         ["cpu_xnor_swar"])

    def test_the_scratchpad_limit_reaches_cudnn(self):
        words = ("conv", "--shapes=ic64_ih5_oc64_kh3_ph1", "--implementations=cuda_f32_cudnn",
                 "--quick")
        result = simulated.run(*words, "--workspace-limit=512")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("skipped: cuDNN has no exact algorithm", result.stdout)
        self.assertIn("--workspace-limit", result.stdout)
        self.assertNotIn("skipped", simulated.run(*words, "--workspace-limit=4KiB").stdout)
        for wrong in ("4kb", "-1", "", "1.5MiB", "99999999999GiB"):
            result = simulated.run(*words, f"--workspace-limit={wrong}")
            self.assertEqual(result.returncode, 2, wrong)
            self.assertEqual(result.stderr.count("\n"), 1, result.stderr)


if __name__ == "__main__":
    unittest.main()
