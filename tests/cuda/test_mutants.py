"""Faults planted in the kernels as they are.

Each is built in place of the right one, and running the kernels on the host must notice it: by a
wrong result in some order of threads, by an error of the host's scheduler, or under
AddressSanitizer. A fault that nothing notices fails the test. So does a fault whose text is no
longer in the source.
"""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import simulated

ROOT = pathlib.Path(__file__).resolve().parents[2]
CXX = os.environ.get("CXX", "g++")
# Tails of channels and pixels, each padding value, a fused and a separate epilogue, one and two
# steps of K.
SHAPES = (
    "ic70_ih5_oc70_kh3_ph1_pad-1_srcf32_dstf32sign,ic64_ih9_oc130_kh3_ph1,"
    "ic128_ih9_iw8_oc64_kh3_ph1_pad1_dstsign,"
    "ic66_ih5_oc66_kh3_ph1_g2_dstf32sign_srcf32,ic1000_ih3_oc3_srcf32")

CONVOLUTION, SIGN_PASS = "xnor_convolution.cu", "sign_pass.cu"
EPILOGUE, DIRECT = "epilogue.cu", "direct_convolution.cu"
SYNC_AFTER_FIRST_STORE = "  store(0);\n  __syncthreads();\n"
SYNC_AFTER_STEP = "    if (!last) store(1 - buffer);\n    __syncthreads();\n"
# What is planted: (file, right text, wrong text).
FAULTS = {
    "no barrier after the first store": (CONVOLUTION, SYNC_AFTER_FIRST_STORE, "  store(0);\n"),
    "no barrier after a step": (CONVOLUTION, SYNC_AFTER_STEP,
                                "    if (!last) store(1 - buffer);\n"),
    "stores into the buffer that is read": (CONVOLUTION, "store(1 - buffer)", "store(buffer)"),
    "a barrier that some threads do not reach": (CONVOLUTION, SYNC_AFTER_STEP,
                                                 "    if (!last) store(1 - buffer);\n"
                                                 "    if (thread % 32 < 31) __syncthreads();\n"),
    "a row beyond the tensor": (
        CONVOLUTION,
        "y >= 0 && y < w.in_height && x >= 0 && x < w.in_width;\n    if (!inside)",
        "y >= 0 && y <= w.in_height && x >= 0 && x < w.in_width;\n    if (!inside)"),
    "pixels beyond the output are read": (CONVOLUTION, "inside_output = pixel < w.out_pixels;",
                                          "inside_output = true;"),
    "padding without the tail's mask": (
        CONVOLUTION,
        "return of_word == c.words - 1 ? c.pad_last_word : c.pad_word;",
        "return of_word < 0 ? c.pad_last_word : c.pad_word;"),
    "zero padding is not taken back": (CONVOLUTION, "if (c.correction && pixel_exists)",
                                       "if (c.correction && pixel_exists && pixel < 0)"),
    "channels beyond the last are written": (CONVOLUTION, "pixel_exists && of_tile < existing;",
                                             "pixel_exists;"),
    "pixels beyond the last are written": (CONVOLUTION, "pixel_exists && of_tile < existing;",
                                           "of_tile < existing;"),
    "a ballot that half of the warp does not know of": (CONVOLUTION,
                                                        "__ballot_sync(0xffffffffU, exists",
                                                        "__ballot_sync(0xffffU, exists"),
    "lanes leave before the ballot": (
        CONVOLUTION,
        "  std::uint64_t word = 0;\n  for (int j",
        "  if (!pixel_exists) return;\n  std::uint64_t word = 0;\n  for (int j"),
    "a shared tile one row short": (CONVOLUTION, "left_tile, [2][pixel_tile][row_vectors]",
                                    "left_tile, [2][pixel_tile - 1][row_vectors]"),
    "signs beyond the channels": (SIGN_PASS, "__ballot_sync(0xffffffffU, high < end && source",
                                  "__ballot_sync(0xffffffffU, source"),
    "words beyond the last": (SIGN_PASS, "if (word >= words) return;", "if (word > words) return;"),
    "a ballot in a branch": (
        SIGN_PASS,
        "const unsigned high_bits = __ballot_sync(",
        "unsigned high_bits = 0;\n  if (high < end) high_bits = __ballot_sync("),
    "thresholds beyond the channels": (EPILOGUE,
                                       "return channel < end &&\n           sum_is_negative(",
                                       "return sum_is_negative("),
    "a lane's channel is one off": (EPILOGUE, "negative(first + 32 + lane)",
                                    "negative(first + 31 + lane)"),
    "the plain loop reads a row beyond the tensor": (DIRECT, "y >= 0 && y < w.in_height &&",
                                                     "y >= 0 && y <= w.in_height &&"),
    "the plain loop pads with 0": (DIRECT, ": arguments.pad,", ": 0.0F,"),
    "the plain loop of every group reads the first": (DIRECT,
                                                      "* arguments.in_channels + first_channel\n",
                                                      "* arguments.in_channels\n"),
    "the plain loop writes beyond the last output": (DIRECT, "if (index >= count) return;",
                                                     "if (index > count) return;"),
    "the plain loop skips weights outside the tensor": (
        DIRECT,
        "c < arguments.group_in_channels; ++c, ++k)",
        "c < arguments.group_in_channels; ++c, k += inside)"),
}
# Found by AddressSanitizer alone: what is read beyond the buffer is not used.
ONLY_BY_SANITIZER = {"pixels beyond the output are read"}


def compile_file(source, target, *flags):
    subprocess.run([CXX, "-std=c++17", "-O1", "-g", "-fPIC", "-ffp-contract=off", f"-I{ROOT}",
                    *flags, "-c", source,
                    "-o", target], check=True)


class Mutants(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        simulated.program()
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        # What the module has beside the kernels, and keeps to itself.
        stub = cls.path / "check_launch.cpp"
        stub.write_text("namespace xnorbench::cuda { void check_launch(const char*) {} }\n")
        cls.scheduler = [cls.path / "check_launch.o"]
        compile_file(stub, cls.scheduler[0])
        for source in sorted((ROOT / "kernels/simt").glob("*.cpp")):
            cls.scheduler.append(cls.path / f"{source.stem}.o")
            compile_file(source, cls.scheduler[-1])
        cls.sanitizer = subprocess.run([CXX, "-print-file-name=libasan.so"], capture_output=True,
                                       text=True,
                                       check=True).stdout.strip()

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def build(self, file, text, sanitized):
        """A library whose kernels go before those of the module."""
        source = self.path / f"mutant_{file}"
        source.write_text(text)
        flags = ["-fsanitize=address"] if sanitized else []
        compile_file(source, self.path / "mutant.o", "-xc++", *flags)
        library = self.path / ("sanitized.so" if sanitized else "plain.so")
        subprocess.run([CXX, "-shared", "-o", library, self.path / "mutant.o", *self.scheduler,
                        *flags], check=True)
        return library

    def check(self, library, order, sanitized):
        preload = f"{self.sanitizer} {library}" if sanitized else str(library)
        return simulated.run("check", "--implementations=cuda_f32_direct,cuda_xnor_popc",
                             f"--shapes={SHAPES}", "--seed=3",
                             "--threads=1", order=order,
                             environment={"LD_PRELOAD": preload, "ASAN_OPTIONS": "detect_leaks=0"})

    def outcomes(self, file, text):
        """Exit status and what was said, by order of threads, and under AddressSanitizer."""
        plain = self.build(file, text, sanitized=False)
        results = {order: self.check(plain, order, False) for order in simulated.ORDERS}
        results["AddressSanitizer"] = self.check(self.build(file, text, sanitized=True), "forward",
                                                 True)
        return results

    def test_kernels_as_they_are_pass(self):
        for file in (CONVOLUTION, SIGN_PASS, EPILOGUE, DIRECT):
            for how, result in self.outcomes(file, (ROOT / "kernels" / file).read_text()).items():
                self.assertEqual(result.returncode, 0,
                                 f"{file}, {how}: {result.stdout} {result.stderr}")

    def test_every_planted_fault_is_found(self):
        for name, (file, right, wrong) in FAULTS.items():
            with self.subTest(name):
                text = (ROOT / "kernels" / file).read_text()
                self.assertEqual(text.count(right), 1,
                                 f"the text of this fault is not once in {file}: {right}")
                results = self.outcomes(file, text.replace(right, wrong))
                found = [how for how, result in results.items() if result.returncode != 0]
                self.assertTrue(found, "nothing noticed it")
                if name not in ONLY_BY_SANITIZER:
                    self.assertNotEqual(found, ["AddressSanitizer"],
                                        "no order of threads noticed it")
                if os.environ.get("XNORBENCH_SHOW_FAULTS"):
                    said = [line
                            for line in (results[found[0]].stdout
                                         + results[found[0]].stderr).splitlines()
                            if re.search("wrong:|kernels/|ERROR|past the end", line)]
                    what = said[0] if said else results[found[0]].returncode
                    print(f"{name}: {', '.join(found)}: {what}")


if __name__ == "__main__":
    unittest.main()
