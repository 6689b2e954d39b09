"""GPUs and CPUs on one page: rows that belong together meet, and what differs is said."""
import pathlib
import sys
import unittest

import pandas

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
from report_lib.devices import stand_together  # noqa: E402
from report_lib.section_network import agreement  # noqa: E402


def records(*rows):
    columns = ["kind", "network", "implementation", "device", "float_backend", "output_hash",
               "status"]
    return pandas.DataFrame([dict(zip(columns, row)) for row in rows])


class Devices(unittest.TestCase):
    def test_a_gpus_rows_stand_beside_the_cpus(self):
        table = records(("network", "small", "cpu_xnor_simd", "cpu", "onednn", "a", "ok"),
                        ("network", "small", "cuda_xnor_popc", "cuda", "cublas", "b", "ok"),
                        ("network", "small", "cuda_f32_cudnn", "cuda", "cudnn", "c", "ok"),
                        ("conv", "", "cuda_f32_cudnn", "cuda", "", "d", "ok"))
        stand_together(table)
        self.assertEqual(list(table.float_backend), ["onednn", "onednn", "onednn", ""])
        self.assertEqual(list(table.float_backend_ran), ["onednn", "cublas", "cudnn", ""])

    def test_gpus_alone_share_a_name_and_twins_keep_theirs(self):
        table = records(("network", "small", "cuda_xnor_popc", "cuda", "cublas", "a", "ok"),
                        ("network", "small", "cuda_f32_cudnn", "cuda", "cudnn", "b", "ok"),
                        ("network", "small_real", "cpu_f32_onednn", "cpu", "onednn", "c", "ok"),
                        ("network", "small_real", "cpu_f32_direct", "cpu", "direct", "d", "ok"),
                        ("network", "small_real", "cuda_f32_cublas", "cuda", "cublas", "e", "ok"))
        stand_together(table)
        self.assertEqual(list(table.float_backend), ["cublas, cudnn", "cublas, cudnn", "onednn",
                                                     "direct", "cublas"])

    def test_outputs_are_only_asked_to_be_equal_for_equal_float_backend(self):
        table = records(("network", "small", "cpu_xnor_simd", "cpu", "onednn", "a", "ok"),
                        ("network", "small", "cpu_xnor_swar", "cpu", "onednn", "a", "ok"),
                        ("network", "small", "cuda_xnor_popc", "cuda", "cublas", "b", "ok"),
                        ("network", "small", "cuda_f32_cublas", "cuda", "cublas", "b", "ok"))
        stand_together(table)
        verdict = agreement(table)
        self.assertTrue(verdict["good"])
        self.assertIn("Float backend cublas: All 2 implementations", verdict["text"])
        table.loc[3, "output_hash"] = "c"
        self.assertFalse(agreement(table)["good"])

    def test_a_wrong_row_is_never_in_a_green_box(self):
        table = records(("network", "small", "cpu_xnor_simd", "cpu", "onednn", "a", "ok"),
                        ("network", "small", "cpu_xnor_swar", "cpu", "onednn", "a", "wrong"))
        stand_together(table)
        verdict = agreement(table)
        self.assertFalse(verdict["good"])
        self.assertIn("cpu_xnor_swar", verdict["text"])


if __name__ == "__main__":
    unittest.main()
