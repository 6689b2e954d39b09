"""The installed program: moved, and called from another folder."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

BUILD = os.environ.get("XNORBENCH_BUILD")
SOURCE = pathlib.Path(__file__).resolve().parents[2]
QUICK = ("--networks=binarynet_cifar10", "--implementations=cpu_xnor_swar", "--quick")


def run(*words, **settings):
    return subprocess.run([str(word) for word in words], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=1200, **settings)


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not BUILD:
            raise unittest.SkipTest("XNORBENCH_BUILD does not name a build folder")
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="xnorbench_install_"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        first = cls.folder / "first"
        installed = run(os.environ.get("CMAKE", "cmake"), "--install", BUILD, f"--prefix={first}")
        if installed.returncode:
            raise AssertionError(installed.stdout + installed.stderr)
        cls.prefix = cls.folder / "a prefix (moved)"
        first.rename(cls.prefix)
        cls.program = cls.prefix / "bin" / "xnorbench"
        cls.elsewhere = cls.folder / "elsewhere"
        cls.elsewhere.mkdir()

    def call(self, program, *words, status=0, **settings):
        result = run(program, *words, cwd=self.elsewhere, **settings)
        self.assertEqual(result.returncode, status, f"{result.stdout}\n{result.stderr}")
        return result

    def test_a_network_and_its_report(self):
        run_folder = self.elsewhere / "run"
        self.call(self.program, "network", *QUICK, "--input=portrait", f"--out={run_folder}")
        report = self.call(self.prefix / "bin" / "xnorbench-report", run_folder)
        self.assertTrue(pathlib.Path(report.stdout.strip()).is_file())

    def test_the_picture_is_the_one_of_the_prefix(self):
        picture = self.prefix / "share" / "xnorbench" / "portrait_256.png"
        hidden = picture.rename(picture.with_suffix(".hidden"))
        self.addCleanup(hidden.rename, picture)
        result = self.call(self.program, "network", *QUICK, "--input=portrait", status=2)
        self.assertIn(str(picture), result.stderr)

    def test_all_data_are_there(self):
        def files(folder):
            return {str(path.relative_to(folder)) for path in folder.rglob("*")}
        self.assertLessEqual(files(SOURCE / "data"), files(self.prefix / "share" / "xnorbench"))

    def test_no_library_is_looked_for_in_the_trees(self):
        if not shutil.which("readelf"):
            self.skipTest("there is no readelf")
        for path in self.prefix.rglob("*"):
            if path.is_file() and path.read_bytes()[:4] == b"\x7fELF":
                for line in run("readelf", "--dynamic", path).stdout.splitlines():
                    if "RPATH" in line or "RUNPATH" in line:
                        self.assertNotIn(str(SOURCE), line)

    def test_the_module_is_found_in_the_prefix(self):
        simulated = os.environ.get("XNORBENCH_SIMULATED")
        if not simulated:
            self.skipTest("XNORBENCH_SIMULATED does not name a program beside a simulated module")
        module = self.prefix / "lib" / "xnorbench" / "libxnorbench_cuda.so"
        self.assertTrue(module.is_file())
        shutil.copy(pathlib.Path(simulated).with_name(module.name), module)
        environment = {**os.environ, "LD_LIBRARY_PATH": str(pathlib.Path(simulated).parent)}
        listed = self.call(self.program, "list", env=environment)
        self.assertRegex(listed.stdout, r"cuda_xnor_popc +ok")

    def commands(self):
        text = self.call(self.program, "--help").stdout
        return re.findall(r"^ {1,4}([a-z]+)  +\S", text, re.MULTILINE)

    def flags(self, command):
        """The flags that a command's help lists."""
        text = self.call(self.program, command, "--help").stdout
        return set(re.findall(r"^ +(--[a-z-]+)(?:=| |$)", text, re.MULTILINE))

    def complete(self, line):
        """The words that bash offers behind `line`, as the installed file has them."""
        script = r"""
            complete() { :; }
            compopt() { :; }
            source "$1"
            COMP_LINE=$2 COMP_POINT=${#2}
            read -ra COMP_WORDS <<<"$2."  # a last word, even if it is empty
            COMP_WORDS[0]=$3 COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _xnorbench
            printf '%s\n' "${COMPREPLY[@]}" """
        file = self.prefix / "share" / "bash-completion" / "completions" / "xnorbench"
        return self.call("bash", "-c", script, "bash", file, line, self.program).stdout.split()

    def test_completion(self):
        commands = self.commands()
        self.assertIn("network", commands)
        self.assertLessEqual(set(commands), set(self.complete("xnorbench ")))
        self.assertEqual(self.complete("xnorbench netw"), ["network"])
        for command in commands:
            offered = {word.rstrip("=") for word in self.complete(f"xnorbench {command} ")}
            self.assertEqual(offered, self.flags(command) | {"--help"})
        self.assertEqual(self.complete("xnorbench network --netw"), ["--networks="])
        self.assertEqual(self.complete("xnorbench network --qui"), ["--quick"])
        self.assertEqual(self.complete("xnorbench network --networks=binarynet_m"),
                         ["binarynet_mnist"])
        self.assertEqual(
            self.complete("xnorbench conv --implementations=cpu_xnor_swar,cpu_xnor_pop"),
                         ["cpu_xnor_swar,cpu_xnor_popcnt"])
        self.assertEqual(self.complete("xnorbench conv --shapes=resn"), ["resnet18"])

    def test_man_page(self):
        page = self.prefix / "share" / "man" / "man1" / "xnorbench.1"
        text = page.read_text(encoding="utf-8").replace("\\-", "-")
        for command in self.commands():
            section = text.split(f"\n.SS xnorbench {command}\n")[1].split("\n.SS ")[0]
            for flag in self.flags(command):
                self.assertIn(flag, section)
        if shutil.which("groff"):
            formatted = run("groff", "-man", "-Tutf8", "-ww", page)
            self.assertEqual((formatted.returncode, formatted.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
