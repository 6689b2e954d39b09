"""Published claims: each has rows, with numbers from the records and commands that work."""
import pathlib
import re
import shlex
import shutil
import signal
import statistics
import subprocess
import tempfile
import time
import unittest

from program import PROGRAM, ProgramTest, documented, read_columns, read_rows, read_run, run

CLAIMS = {"ops_32x", "gemm_cublas_3_5x", "gemm_binarynet", "mlp_binarynet_7x", "conv_cpu_58x",
          "memory_32x_xnornet",
          "forward_0_67s", "realtime", "compression_39x", "model_size", "memory_700MB",
          "espresso_memory"}
RECALLED = {"conv_cpu_58x", "memory_32x_xnornet", "espresso_memory"}
VERDICTS = {"reproduced", "partly", "not_reproduced", "needs_device", "theory"}
PATIENCE = 1200  # plain loops are slow, and so is a busy machine


def words_of(command):
    """Words of each of the commands of a row, without settings of the environment."""
    for part in command.split("; "):
        yield [word for word in shlex.split(part) if not word.startswith(("OPENBLAS_", "ONEDNN_"))]


class Reproduce(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = pathlib.Path(tempfile.mkdtemp(prefix="xnorbench_reproduce_"))
        cls.addClassCleanup(shutil.rmtree, folder, ignore_errors=True)
        cls.out = folder / "run"
        cls.result = run("reproduce", "--quick", f"--out={cls.out}", timeout=PATIENCE)
        cls.rows = read_rows(cls.out / "claims.csv") if cls.result.returncode == 0 else []
        cls.records = read_rows(cls.out / "records.csv") if cls.result.returncode == 0 else []

    def test_every_claim_has_rows(self):
        self.assert_good(self.result)
        self.assertEqual(read_run(self.out)["exit_status"], 0)
        self.assertEqual(read_columns(self.out / "claims.csv"), documented("claims.csv"))
        self.assertEqual({row["id"] for row in self.rows}, CLAIMS)
        for row in self.rows:
            self.assertIn(row["verdict"], VERDICTS)
            self.assertTrue(row["definition"] and row["note"] and row["source"] and row["command"],
                            row)
            self.assertEqual(row["source"].endswith("(recalled)"), row["id"] in RECALLED, row)
            if row["verdict"] != "needs_device":
                self.assertGreater(float(row["measured_value"]), 0)
        available = re.findall(r"^(cpu_\w+) +ok", run("list").stdout, re.MULTILINE)
        for row in self.rows:
            if row["verdict"] == "needs_device" and "cuda_" not in row["command"] and row[
                "id"] != "memory_700MB":
                self.assertFalse(all(name in available
                                     for name in re.findall(r"cpu_\w+", row["command"])), row)

    def test_what_is_printed(self):
        for claim in CLAIMS:
            self.assertIn(f"\n{claim}: ", self.result.stdout)
        self.assertIn(f"\n{len(self.rows)} rows:", self.result.stdout)
        self.assertIn("2 repetitions are enough for a look", self.result.stdout)

    def test_ratios_are_those_of_the_medians(self):
        medians = {}
        for record in self.records:
            if record["status"] == "ok":
                what = record["problem"] or f"{record['network']}/n{record['batch']}"
                medians.setdefault((what, record["implementation"]),
                                   []).append(float(record["time_median_ns"]))
        ns = {key: statistics.median(values) for key, values in medians.items()}
        checked = set()
        for row in self.rows:
            words = list(words_of(row["command"]))
            if row["measured_value"] == "" or row["unit"] != "x" or len(words) > 1 or words[0][
                1] not in ("conv", "gemm", "network"):
                continue
            flags = dict(word.lstrip("-").split("=", 1) for word in words[0][2:])
            slow, fast = flags["implementations"].split(",")
            what = flags.get("shapes") or f"{flags['networks']}/n{flags.get('batch', 1)}"
            self.assertAlmostEqual(float(row["measured_value"]) * ns[what, fast] / ns[what, slow],
                                   1, delta=1e-3, msg=row)
            self.assertIn(slow, row["baseline"])
            checked.add(row["id"])
        self.assertEqual(checked,
                         {"conv_cpu_58x", "gemm_cublas_3_5x", "gemm_binarynet", "mlp_binarynet_7x",
                          "realtime"})
        for row in self.rows:
            if row["id"] == "realtime" and row["unit"] == "ms":
                self.assertAlmostEqual(float(row["measured_value"]) * 1e6
                                       / ns["face_alignment/n1", "cpu_xnor_simd"], 1, delta=1e-3)
            if row["id"] == "forward_0_67s" and "best instructions" in row["definition"]:
                name = "cpu_f32_openblas" if "OpenBLAS" in row["definition"] else "cpu_f32_onednn"
                self.assertAlmostEqual(float(row["measured_value"]) * 1e9
                                       / ns["face_alignment_real/n1", name], 1, delta=1e-3)

    def test_memory_is_the_modules(self):
        total, = [row for row in read_rows(self.out / "memory.csv")
                  if row["category"] == "total" and row["policy"] == "per_module"]
        self.assertEqual(total["implementation"], "cpu_xnor_bnntorch")
        planned, = [row for row in self.rows if row["definition"]
                    == "the network's own buffers, planned"]
        self.assertAlmostEqual(float(planned["measured_value"]), int(total["planned_bytes"]) / 1e6,
                               delta=0.1)

    def test_without_fma(self):
        if not (self.out / "without_fma").exists():
            self.skipTest("a CPU without FMA")
        kernels = " ".join(row["library_kernel"]
                           for row in read_rows(self.out / "without_fma" / "records.csv")).lower()
        self.assertIn("sandybridge", kernels)
        for later in ("avx2", "avx512", "fma"):
            self.assertNotIn(later, kernels)
        self.assertEqual(len([row for row in self.rows if "without FMA" in row["definition"]]), 2)

    def test_commands_repeat_the_cases_of_their_rows(self):
        cases = {record["case"] for record in self.records}
        for command in sorted({row["command"] for row in self.rows}):
            for words in words_of(command):
                self.assertEqual(words[0], "xnorbench", command)
                if words[1] in ("conv", "gemm", "network"):
                    result = run(*words[1:], "--benchmark_list_tests")
                    self.assert_good(result)
                    named = {name for name in result.stdout.split() if "/cuda_" not in name}
                    if "--isa=" not in command:  # those are of a process of their own
                        self.assertLessEqual(named, cases, command)
                elif words[1] == "memory":
                    self.assert_good(run(*words[1:],
                                         *(() if "--budget" in command else ("--plan",))))
                elif words[1] == "reproduce":
                    self.assertIn(words[2].removeprefix("--claims="), CLAIMS)
                else:
                    self.assertEqual(words[1:], ["peak"])


class SomeClaims(ProgramTest):
    def test_sizes_alone_measure_nothing(self):
        out = self.folder / "run"
        result = run("reproduce", "--claims=compression_39x,model*", f"--out={out}")
        self.assert_good(result)
        rows = read_rows(out / "claims.csv")
        self.assertEqual({row["id"] for row in rows}, {"compression_39x", "model_size"})
        self.assertEqual(read_rows(out / "records.csv"), [])
        self.assertNotIn("enough for a look", result.stdout)

    def start(self, out):
        """A run that is in its process without FMA."""
        process = subprocess.Popen([PROGRAM, "reproduce", "--claims=forward_0_67s",
                                    "--repetitions=200", f"--out={out}"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        self.addCleanup(process.stderr.close)
        for line in process.stderr:
            if "process without FMA" in line:
                break
        deadline = time.monotonic() + 60
        while not (out / "without_fma" / "run.json").exists():
            if time.monotonic() > deadline or process.poll() is not None:
                self.skipTest("a CPU without FMA")
            time.sleep(0.05)
        return process

    def children_of(self, folder):
        found = []
        for path in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if f"--out={folder}".encode() in (path / "cmdline").read_bytes():
                    found.append(path)
            except OSError:  # it ended meanwhile
                pass
        return found

    def test_asked_to_end_both_processes_end(self):
        for signal_number, status in ((signal.SIGTERM, 130), (signal.SIGKILL, -signal.SIGKILL)):
            out = self.folder / f"run {status}"
            process = self.start(out)
            process.send_signal(signal_number)
            self.assertEqual(process.wait(60), status)
            deadline = time.monotonic() + 60
            while time.monotonic() < deadline and self.children_of(out / "without_fma"):
                time.sleep(0.05)
            self.assertEqual(self.children_of(out / "without_fma"), [])
            self.assertIsNone(read_run(out)["finished"])
            self.assert_refused("reproduce", "--claims=forward_0_67s", "--seed=77", f"--out={out}",
                                says=["another run"])

    def test_a_failed_process_without_fma_is_not_taken_for_a_good_one(self):
        out = self.folder / "run"
        process = self.start(out)
        process.send_signal(signal.SIGTERM)
        process.wait(60)
        (out / "without_fma"
         / "run.json").write_text('{"finished": "2026-01-01T00:00:00Z", "exit_status": 1}')
        result = run("reproduce", "--claims=forward_0_67s", "--repetitions=200", f"--out={out}",
                     timeout=PATIENCE)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("wrong result without FMA", result.stderr)

    def test_a_full_disk_for_the_table(self):
        with open("/dev/full", "w") as full:
            result = subprocess.run([PROGRAM, "reproduce", "--claims=model_size"], stdout=full,
                                    stderr=subprocess.PIPE, text=True)
        self.assertEqual(result.returncode, 2)
        self.assertEqual(result.stderr, "xnorbench: cannot write to standard output\n")

    def test_refused(self):
        self.assert_refused("reproduce", "--threads=2", says=["--threads", "reproduce --help"])
        self.assert_refused("reproduce", "--quick", "--repetitions=3", says=["--quick"])
        self.assert_refused("reproduce", "--claims=model_size,model_size",
                            says=["--claims", "model_size", "twice"])
        self.assert_refused("reproduce", "--claims=58x", says=["58x", "conv_cpu_58x"])


if __name__ == "__main__":
    unittest.main()
