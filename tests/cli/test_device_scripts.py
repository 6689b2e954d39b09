"""device_bundle and device_check, with scripts in place of the program and of others' tools."""
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"
PATIENCE = 1200  # seconds: far above any run here, so that only a hang is called one

# Writes down its arguments and the loader's path; WHEN_... say what it does in a test.
PROGRAM = """#!/bin/sh
echo "$*" >>"$ARGUMENTS"
echo "$LD_LIBRARY_PATH" >"$ARGUMENTS.libraries"
case $1 in
  list) %s ;;
  --version) echo "1.2.3 (abc)" ;;
esac
case "$*" in
  %s
esac
echo "records of $1"
"""
RUNS_ON_GPU = "echo '  cpu_xnor_swar      ok'; echo '  cuda_xnor_popc     ok'"
HANGS = "trap 'exit 130' TERM; sleep 60 & wait"


def unavailable(reason):
    return f"echo '  cpu_xnor_swar      ok'; echo '  cuda_xnor_popc     unavailable: {reason}'"


NO_LIBRARY = unavailable(
    "libcublas.so.13: cannot open shared object file: No such file or directory")


class ScriptTest(unittest.TestCase):
    """A folder with copies of the scripts, and one with tools that come before the machine's."""

    def setUp(self):
        temporary = pathlib.Path(tempfile.mkdtemp(prefix="xnorbench_device_"))
        self.addCleanup(shutil.rmtree, temporary, ignore_errors=True)
        self.root = temporary / "a (new) folder"
        self.tools = temporary / "tools"
        self.tools.mkdir()
        self.arguments = temporary / "arguments"
        (self.root / "scripts").mkdir(parents=True)
        for name in ("build", "device_bundle", "device_check", "device_program.sh"):
            shutil.copy(SCRIPTS / name, self.root / "scripts")
        # Also hides the machine's own.
        self.write_tool("nvidia-smi", "exit 9")
        self.write_tool("python3", "exit 1")
        self.write_tool("cmake", "exit 1")

    def write_script(self, path, text):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    def write_tool(self, name, text):
        self.write_script(self.tools / name, f"#!/bin/sh\n{text}\n")

    def environment(self):
        return {"PATH": f"{self.tools}:/usr/bin:/bin", "ARGUMENTS": str(self.arguments),
                "TOOLS": str(self.tools)}

    def run_script(self, name, *words):
        return subprocess.run([self.root / "scripts" / name, *words], stdin=subprocess.DEVNULL,
                              capture_output=True,
                              text=True, timeout=PATIENCE, env=self.environment(), cwd=self.tools)

    def assert_refused(self, result, *says):
        self.assertEqual(result.returncode, 2, f"{result.stdout}\n{result.stderr}")
        lines = result.stderr.splitlines()
        self.assertEqual(len(lines), 1, result.stderr)
        for words in says:
            self.assertIn(words, lines[0])


class CheckTest(ScriptTest):
    def setUp(self):
        super().setUp()
        (self.root / "VERSION").write_text("commit: 0123abc\nneeds glibc: 2.17\n"
                                           "needs of NVIDIA: libcublas.so.13 libcudnn.so.9\n",
                                           encoding="utf-8")
        (self.root / "lib").mkdir()
        self.out = self.root / "out"

    def write_program(self, lists=RUNS_ON_GPU, when="none) ;;", path="xnorbench"):
        self.write_script(self.root / path, PROGRAM % (lists, when))

    def add_gpu(self):
        self.write_tool("nvidia-smi", 'case $1 in --query-gpu=name) echo "NVIDIA Fast 9" ;; '
                                      '--query-gpu=compute_cap) echo 9.0 ;; *) echo some ;; esac')
        self.write_tool("compute-sanitizer",
                        'while [ "${1#--}" != "$1" ]; do shift; done; exec "$@"')

    def check(self, *words):
        return self.run_script("device_check", *words)

    def calls(self):
        return self.arguments.read_text(
            encoding="utf-8").splitlines() if self.arguments.exists() else []

    def device_text(self):
        return (self.out / "device.txt").read_text(encoding="utf-8")

    def results(self):
        """What device.txt says of each step."""
        table = self.device_text().split("step  ")[1].split("\n\n")[0].splitlines()[1:]
        return {line.split()[0]: line[18:42].strip() for line in table}


class Steps(CheckTest):
    def setUp(self):
        super().setUp()
        self.add_gpu()

    def test_all_good(self):
        self.write_program()
        result = self.check(str(self.out))
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        results = self.results()
        self.assertEqual(list(results),
                         ["list", "check", "fuzz", "memcheck", "memcheck_network", "racecheck",
                          "layers",
                                         "network", "networks", "layers_batch", "networks_batch",
                          "report"])
        self.assertEqual({name: text for name, text in results.items() if text != "good"},
                         {"report": "not made"})
        for name in ("check", "fuzz", "racecheck", "network"):
            self.assertIn("records of", (self.out / f"{name}.log").read_text(encoding="utf-8"))
        for words in ("commit: 0123abc", "gpu: NVIDIA Fast 9, compute capability 9.0",
                      "(1.2.3 (abc))", "glibc",
                      "exit status 0 after"):
            self.assertIn(words, self.device_text())
        self.assertNotIn(str(self.tools), self.device_text().split("step  ")[1])

    def test_what_is_run(self):
        self.write_program()
        self.check(str(self.out))
        commands = [call for call in self.calls()
                    if call.split()[0] in ("check", "conv", "network")]
        self.assertEqual(len(commands), 10)
        for command in commands:
            self.assertIn("cuda_", command)
            if "--out=" in command:
                # as seen from the bundle: no path of this machine
                self.assertIn("--out=out/", command)
                self.assertRegex(command, r"--time-limit=[1-9]")
        self.assertIn("--fuzz=", commands[1])
        self.assertTrue(any("--input=data/portrait_256.png" in c and "--profile" in c
                            and "cpu_xnor_simd" in c
                            for c in commands))
        self.assertTrue(any("--networks=* " in c and "--batch=8" in c for c in commands))
        self.assertTrue(any(c.startswith("conv") and "--batch=32" in c and "cpu_f32_onednn" in c
                            for c in commands))

    def test_a_failure_is_shown_and_the_others_go_on(self):
        self.write_program(when="conv*) echo 'wrong: cuda_xnor_popc'; exit 1 ;;")
        result = self.check(str(self.out))
        self.assertEqual(result.returncode, 1)
        results = self.results()
        self.assertEqual([name for name, text in results.items() if text == "failed (1)"],
                         ["layers", "layers_batch"])
        self.assertEqual(results["networks_batch"], "good")
        self.assertIn("    wrong: cuda_xnor_popc", result.stdout)
        self.assertIn("exit status 1 after", self.device_text())

    def test_time(self):
        self.write_program(when=f"*--fuzz*) {HANGS} ;; *--profile*) {HANGS} ;;")
        begin = time.monotonic()
        result = self.check("--seconds=5", str(self.out))
        self.assertLess(time.monotonic() - begin, 20)
        self.assertEqual(result.returncode, 1)
        results = self.results()
        self.assertEqual(results["fuzz"], "good")  # it goes on until its time is over
        self.assertRegex(results["network"], r"stopped after \d s \(130\)")
        self.assertEqual(results["networks"], "good")

    def test_a_fuzz_that_finds_something(self):
        self.write_program(when="*--fuzz*) trap 'exit 1' TERM; sleep 60 & wait ;;")
        self.assertEqual(self.check("--seconds=2", str(self.out)).returncode, 1)
        self.assertEqual(self.results()["fuzz"], "failed (1)")

    def test_a_sanitizer_that_does_not_know_the_device(self):
        self.write_program()
        self.write_tool("compute-sanitizer", "echo '========= Error: Device not supported'; exit 1")
        self.assertEqual(self.check(str(self.out)).returncode, 0)
        self.assertEqual(self.results()["racecheck"], "the tool cannot, here")

    def test_report(self):
        self.write_program(
            when="*--out=*) for o; do :; done; o=${o#--out=}; "
                 'mkdir -p "$o"; touch "$o/records.csv" ;;')
        without = self.check(str(self.out))
        self.assertIn("No Python here has pandas" if self.results()["report"] == "not made"
                      else "good", without.stdout)
        shutil.rmtree(self.out)
        self.write_tool("python3",
                        'case "$2" in *sys.path*) exit 1 ;; esac; echo "$0 $*" >>"$ARGUMENTS"')
        self.assertEqual(self.check(str(self.out)).returncode, 0)
        self.assertEqual(self.results()["report"], "good")
        self.assertIn(
            "-I scripts/report out/network out/layers out/networks out/layers_batch "
            "out/networks_batch --out=out/report.html", self.calls()[-1])

    def test_default_folder(self):
        self.write_program()
        self.assertEqual(self.check().returncode, 0)
        self.assertEqual(len(list((self.root / "results" / "nvidia-fast-9").glob("*/device.txt"))),
                         1)

    def test_interrupted(self):
        self.write_program(when=f"*--fuzz*) {HANGS} ;;")
        run = subprocess.Popen([self.root / "scripts" / "device_check", self.out],
                               stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, env=self.environment())
        while not any("--fuzz" in call for call in self.calls()):
            time.sleep(0.05)
        begin = time.monotonic()
        run.send_signal(signal.SIGINT)
        _, errors = run.communicate(timeout=PATIENCE)
        self.assertLess(time.monotonic() - begin, 5)
        self.assertEqual(run.returncode, 130)
        self.assertEqual(errors, "device_check: interrupted\n")
        self.assertNotIn("conv", " ".join(self.calls()))

    def test_a_checkout(self):
        (self.root / "VERSION").unlink()
        (self.root / "lib").rmdir()
        self.write_program(path="build/xnorbench")
        self.assertEqual(self.check(str(self.out)).returncode, 0)
        self.assertIn("program: build/xnorbench", self.device_text())


class WhatIsMissing(CheckTest):
    def test_no_gpu(self):
        self.write_program(unavailable("no CUDA device"))
        result = self.check(str(self.out))
        self.assert_refused(result, "no GPU here")
        self.assertIn("cpu_xnor_swar", result.stdout)
        self.assertEqual(set(self.calls()), {"list"})
        self.assertFalse(self.out.exists())

    def test_nothing_runs_on_the_gpu(self):
        self.add_gpu()
        self.write_program(unavailable("no CUDA device (no NVIDIA driver is running)"))
        self.assert_refused(self.check(str(self.out)), "NVIDIA Fast 9",
                            "no NVIDIA driver is running")
        self.assertFalse(self.out.exists())

    def test_words(self):
        self.write_program()
        self.assert_refused(self.check("--second=1"), "device_check: '--second=1'", "--seconds=N")
        self.assert_refused(self.check("--seconds=soon"), "--seconds=soon")
        self.assert_refused(self.check("a", "b"), "b: ")
        self.assert_refused(self.check(str(self.root)), "not empty")
        self.assertEqual(self.calls(), [])
        result = self.check("--help")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("scripts/device_check [--seconds=N] [OUT]", result.stdout)
        self.assertNotIn("set -e", result.stdout)

    def test_python_packages(self):
        self.add_gpu()
        self.write_program()
        for library in ("old/lib/libcublas.so.12", "cu13/lib/libcublas.so.13",
                        "cudnn/lib/libcudnn.so.9",
                        "none/lib/libz.so.1"):
            self.write_script(self.tools / "site" / "nvidia" / library, "")
        self.write_tool("python3",
                        'case "$2" in *sys.path*) echo "$TOOLS/site" ;; *) exit 1 ;; esac')
        self.assertEqual(self.check(str(self.out)).returncode, 0)
        folders = pathlib.Path(f"{self.arguments}.libraries").read_text(
            encoding="utf-8").strip().split(":")
        self.assertEqual(folders[0], str(self.root / "lib"))
        packages = [pathlib.Path(folder).parts[-2] for folder in folders if "site/nvidia" in folder]
        # what the module was linked with comes first
        self.assertEqual(packages, ["cu13", "cudnn", "old"])


class Building(CheckTest):
    def setUp(self):
        super().setUp()
        self.write_tool("nvcc", "echo 'Cuda compilation tools, release 13.0, V13.0.88'")
        self.write_tool("cmake", 'echo "$*" >>"$ARGUMENTS.cmake"\n'
                                 'case $1 in --build) cp "$TOOLS/built" "$2/xnorbench" ;; esac')
        self.write_script(self.tools / "built", PROGRAM % (RUNS_ON_GPU, "none) ;;"))
        self.write_script(self.root / "prefix" / "packages.cmake", "")

    def cmake_calls(self):
        file = pathlib.Path(f"{self.arguments}.cmake")
        return file.read_text(encoding="utf-8").splitlines() if file.exists() else []

    def test_where_the_program_does_not_start(self):
        self.add_gpu()
        self.write_program("echo 'version GLIBC_9.99 not found' >&2; exit 1")
        result = self.check(str(self.out))
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("Building here", result.stdout)
        self.assertIn("version GLIBC_9.99 not found", result.stdout)
        self.assertIn("-C prefix/packages.cmake", self.cmake_calls()[0])
        self.assertIn("-DXNORBENCH_CUDA=ON", self.cmake_calls()[0])
        self.assertIn("-DXNORBENCH_CUDA_ARCHITECTURES=90", self.cmake_calls()[0])
        self.assertIn("build/device_check/xnorbench (1.2.3", self.device_text())

    def test_where_the_module_does_not_load(self):
        self.add_gpu()
        self.write_program(NO_LIBRARY)
        self.assertEqual(self.check(str(self.out)).returncode, 0)
        self.assertEqual(len(self.cmake_calls()), 2)

    def test_where_that_does_not_help(self):
        self.add_gpu()
        self.write_program(NO_LIBRARY)
        self.write_script(self.tools / "built", PROGRAM % (NO_LIBRARY, "none) ;;"))
        self.assert_refused(self.check(str(self.out)), "libcublas.so.13: cannot open",
                            "nvidia-cublas", "CUDA_HOME")

    def test_where_it_fails(self):
        self.write_program("exit 1")
        self.write_tool("cmake", "echo 'CMake Error: no compiler'; exit 1")
        result = self.check(str(self.out))
        self.assertEqual(result.returncode, 2)
        self.assertIn("CMake Error: no compiler", result.stderr)
        self.assertIn("device_check: building it here failed too", result.stderr)

    def test_without_a_gpu(self):
        self.write_program("exit 1")
        self.write_script(self.tools / "built",
                          PROGRAM % (unavailable("built without CUDA"), "none) ;;"))
        self.assert_refused(self.check(str(self.out)), "no GPU here")
        self.assertIn("-DXNORBENCH_CUDA=OFF", self.cmake_calls()[0])

    def test_where_the_c_library_is_too_old_for_the_libraries(self):
        self.write_program("exit 1")
        (self.root / "VERSION").write_text("needs glibc: 9.99\n", encoding="utf-8")
        self.assert_refused(self.check(str(self.out)), "glibc", "9.99")
        self.assertEqual(self.cmake_calls(), [])


class Bundle(ScriptTest):
    def make_checkout(self):
        self.write_script(self.root / "scripts" / "setup", "#!/bin/sh\n")
        for words in (["init", "-q"], ["add", "."],
                      ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "all"]):
            subprocess.run(["git", "-C", self.root, *words], check=True)

    def test_names(self):
        for words in (["bundle"], [""], ["bundle.zip"]):
            self.assert_refused(self.run_script("device_bundle", *words), "device_bundle: ",
                                "does not name an archive")
        self.assert_refused(self.run_script("device_bundle", str(self.root / "no" / "b.tar.xz")),
                            "there is no folder")

    def test_outside_a_checkout(self):
        self.assert_refused(self.run_script("device_bundle"), "not a git checkout")

    def test_without_nvcc(self):
        self.make_checkout()
        self.write_tool("cmake", "echo '  XNORBENCH_CUDA=ON, but not found: nvcc'; exit 1")
        self.assert_refused(self.run_script("device_bundle"),
                            "device_bundle: the CUDA module cannot be built; not found: nvcc")

    def test_a_build_that_fails(self):
        self.make_checkout()
        self.write_tool("cmake", "echo 'a.cu: error'; exit 1")
        result = self.run_script("device_bundle")
        self.assertEqual(result.returncode, 1)
        self.assertIn("a.cu: error", result.stderr)


if __name__ == "__main__":
    unittest.main()
