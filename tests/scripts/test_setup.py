"""scripts/setup without root, without a network, and for packages that do not exist."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SETUP = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "setup"
NOBODY = 65534
PATIENCE = 1200  # seconds: far above any run here, so that only a hang is called one

# Only what WITHOUT names is not installed.
DPKG_QUERY = """for word; do :; done
[ "$word" != "${WITHOUT:-}" ] || exit 1
echo installed"""
APT_GET = """echo "$*" >>"$CALLS"
case "$*" in
  *" update"*) [ -z "${OFFLINE:-}" ] || echo "W: Failed to fetch a list: no network" ;;
  *" --simulate "*)
    [ -z "${UNKNOWN:-}" ] || { echo "E: Unable to locate package $UNKNOWN"; exit 100; } ;;
  *) [ -z "${OFFLINE:-}" ] || { echo "E: Unable to fetch some archives"; exit 100; } ;;
esac"""


class Setup(unittest.TestCase):
    """Runs it with stand-ins for the tools that install, and with nothing else that does."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="xnorbench_setup_"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.folder.chmod(0o755)
        self.script = shutil.copy(SETUP, self.folder)
        self.tools = self.folder / "tools"
        self.tools.mkdir()
        for tool in ("bash", "cat", "env", "head", "id", "mktemp", "rm", "sed", "true"):
            (self.tools / tool).symlink_to(shutil.which(tool))
        self.write_tool("dpkg-query", DPKG_QUERY)
        self.write_tool("apt-get", APT_GET)
        self.calls_file = self.folder / "calls"
        self.calls_file.touch()
        self.calls_file.chmod(0o666)

    def write_tool(self, name, text):
        (self.tools / name).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        (self.tools / name).chmod(0o755)

    def run_setup(self, *words, root=True, **environment):
        if root and os.geteuid() != 0:
            self.skipTest("only root can see what root gets")
        as_user = []
        if not root and os.geteuid() == 0:
            as_user = [shutil.which("setpriv"), f"--reuid={NOBODY}", "--clear-groups"]
        return subprocess.run([*as_user, self.script, *words], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=PATIENCE, cwd=self.folder,
                              env={"PATH": str(self.tools), "CALLS": str(self.calls_file),
                                   "TMPDIR": "/tmp", **environment})

    def calls(self):
        return self.calls_file.read_text(encoding="utf-8").splitlines()

    def assert_refused(self, result, *says):
        self.assertEqual(result.returncode, 2, f"{result.stdout}\n{result.stderr}")
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.assertTrue(result.stderr.startswith("setup: "), result.stderr)
        for words in says:
            self.assertIn(words, result.stderr)

    def assert_good(self, result, says=""):
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
        self.assertIn(says, result.stdout)

    def test_nothing_missing(self):
        self.write_tool("sudo", "exit 9")
        result = self.run_setup("ccache", "--optional", "qemu-user", root=False)
        self.assert_good(result)
        self.assertEqual((result.stdout, self.calls()), ("", []))

    def test_root(self):
        self.assert_good(self.run_setup(WITHOUT="libfmt-dev"), "Installing: libfmt-dev\n")
        self.assertIn("--no-install-recommends libfmt-dev", self.calls()[-1])

    def test_not_root_without_sudo(self):
        self.assert_refused(self.run_setup(root=False, WITHOUT="libfmt-dev"),
                            "root or sudo is needed", "libfmt-dev")
        self.assertEqual(self.calls(), [])

    def test_not_root_and_sudo_refuses(self):
        self.write_tool("sudo", "echo 'sudo: a password is required' >&2; exit 1")
        self.assert_refused(self.run_setup(root=False, WITHOUT="libfmt-dev"),
                            "sudo refuses", "libfmt-dev")
        self.assertEqual(self.calls(), [])

    def test_not_root_with_sudo(self):
        self.write_tool("sudo", 'export BY_SUDO=yes; exec "$@"')
        self.write_tool("apt-get", f'[ "$BY_SUDO" = yes ] || exit 1\n{APT_GET}')
        self.assert_good(self.run_setup(root=False, WITHOUT="libfmt-dev"),
                         "Installing: libfmt-dev\n")

    def test_no_network(self):
        self.assert_refused(self.run_setup(WITHOUT="libfmt-dev", OFFLINE="yes"),
                            "cannot install packages (Failed to fetch a list: no network)",
                            "missing: libfmt-dev")

    def test_without_apt(self):
        (self.tools / "apt-get").unlink()
        self.assert_refused(self.run_setup(WITHOUT="libfmt-dev"),
                            "no apt-get", "missing: libfmt-dev")

    def test_optional_packages_stop_nothing(self):
        optional = ("--optional", "qemu-user")
        unknown = self.run_setup(*optional, WITHOUT="qemu-user", UNKNOWN="qemu-user")
        self.assert_good(unknown,
                         "Going on without qemu-user: Unable to locate package qemu-user\n")
        self.assertNotIn("Installing", unknown.stdout)
        self.assert_good(self.run_setup(*optional, WITHOUT="qemu-user", OFFLINE="yes"),
                         "Going on without qemu-user: ")
        self.assert_good(self.run_setup(*optional, root=False, WITHOUT="qemu-user"),
                         "Going on without qemu-user: root or sudo is needed")
        self.assert_good(self.run_setup(*optional, WITHOUT="qemu-user"),
                         "Installing: qemu-user\n")


if __name__ == "__main__":
    unittest.main()
