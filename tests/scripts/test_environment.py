"""Neither a user's environment nor the name of a folder changes the report or the build."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PATIENCE = 1800  # seconds: far above any run here, so that only a hang is called one
# As matplotlib built for NumPy 1 does it beside NumPy 2.
OTHER_NUMPY = 'raise ImportError("compiled using NumPy 1.x, cannot be run in NumPy 2")\n'


class ScriptTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="xnorbench_scripts_"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def run_script(self, *words, **environment):
        result = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                timeout=PATIENCE, cwd=self.folder,
                                env={**os.environ, **environment})
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
        return result.stdout


class Report(ScriptTest):
    """scripts/report on a run of this repository, with a NumPy that fails where a user has one."""

    def setUp(self):
        super().setUp()
        runs = sorted(file.parent for file in ROOT.glob("results/*/*/*/run.json"))
        if not runs:
            self.skipTest("there is no run in results/")
        self.words = (ROOT / "scripts" / "report", runs[0], f"--out={self.folder}/report.html")

    def write_numpy(self, folder):
        (folder / "numpy").mkdir(parents=True)
        (folder / "numpy" / "__init__.py").write_text(OTHER_NUMPY, encoding="utf-8")
        return folder

    def report(self, **environment):
        self.run_script(*self.words, **environment)
        self.assertIn("<svg", (self.folder / "report.html").read_text(encoding="utf-8"))

    def test_on_the_path_of_python(self):
        self.report(PYTHONPATH=str(self.write_numpy(self.folder / "modules")))

    def test_in_the_users_site(self):
        version = f"python{sys.version_info.major}.{sys.version_info.minor}"
        self.write_numpy(self.folder / ".local" / "lib" / version / "site-packages")
        self.report(HOME=str(self.folder))

    def test_in_the_folder_that_one_is_in(self):
        self.write_numpy(self.folder)
        self.report()

    def test_another_python_comes_first(self):
        tools = self.folder / "tools"
        tools.mkdir()
        for name in ("python", "python3"):
            (tools / name).write_text("#!/bin/sh\nexit 9\n", encoding="utf-8")
            (tools / name).chmod(0o755)
        self.report(PATH=f"{tools}:{os.environ['PATH']}")


class NameOfTheFolder(ScriptTest):
    """The repository in a folder whose name the shell and CMake could take for more than a name."""

    def setUp(self):
        super().setUp()
        self.root = self.folder / "a (b) c"
        self.root.mkdir()
        for name in ("CMakeLists.txt", "CMakePresets.json", "bench", "cmake", "core", "cpu", "data",
                     "kernels", "networks", "reference", "scripts", "tests"):
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            copy(ROOT / name, self.root / name)

    def test_configure_and_build(self):
        """What is quickly built: a file that CMake writes, and a program with its tests."""
        self.run_script(self.root / "scripts" / "build", "build/test",
                        "-DXNORBENCH_CUDA=OFF",
                        f"-DCMAKE_CXX_COMPILER={os.environ.get('CXX', 'g++')}",
                        "-DCMAKE_BUILD_TYPE=Debug",
                        TARGETS="xnorbench_build_info xnorbench_simt_tests")
        build = self.root / "build" / "test"
        self.assertTrue((build / "build_info.cpp").is_file())
        self.assertTrue((build / "data").samefile(self.root / "data"))
        listed = self.run_script("ctest", "--test-dir", build, "-R", "^(Warp|simt_language)")
        self.assertIn("100% tests passed", listed)


if __name__ == "__main__":
    unittest.main()
