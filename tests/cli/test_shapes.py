"""--shapes: files that come with the program, files of one's own, and shapes as text."""
import unittest

from program import ProgramTest, run

CONV = ("conv", "--implementations=cpu_xnor_swar", "--benchmark_list_tests")


class Shapes(ProgramTest):
    def shapes(self, value, command=CONV, **settings):
        """The shapes that a command would time."""
        result = run(*command, f"--shapes={value}", **settings)
        self.assert_good(result)
        return [line.split("/")[1] for line in result.stdout.splitlines()]

    def test_a_file_of_the_program_is_found_from_any_folder(self):
        self.assertEqual(self.shapes("alexnet", cwd="/"), self.shapes("alexnet"))
        self.assertEqual(len(self.shapes("resnet18,alexnet")), 16)
        self.assertEqual(len(self.shapes("resnet18, ic3_oc2")), 11)

    def test_list_names_the_files(self):
        listed = run("list").stdout.split("Shape files\n")[1]
        for name in ("alexnet", "conv", "gemm", "hourglass", "resnet18", "vgg16", "yolo_tiny"):
            self.assertRegex(listed, rf"(?m)^  {name} +\S")
        self.assertIn("hourglass", run("list", "--filter=hour").stdout)
        self.assertNotIn("resnet18 ", run("list", "--filter=hour").stdout)

    def test_the_defaults_are_files(self):
        for command in ("conv", "gemm"):
            words = (command, *CONV[1:])
            result = run(*words)
            self.assert_good(result)
            self.assertEqual([line.split("/")[1] for line in result.stdout.splitlines()],
                             self.shapes(command, words))
        self.assertEqual(len(self.shapes("conv")), 6)

    def test_no_file_takes_the_place_of_a_shape_or_a_name(self):
        for name in ("ic64", "alexnet"):
            self.write(name, "ic3_oc7\n")
        self.assertEqual(self.shapes("ic64", cwd=self.folder), ["ic64"])
        self.assertEqual(self.shapes("alexnet", cwd=self.folder), self.shapes("alexnet"))
        self.assertEqual(self.shapes("./ic64", cwd=self.folder), ["ic3_oc7"])

    def test_a_file_of_ones_own(self):
        self.write("mine.txt", "ic3_oc7\nic5_oc7\n")
        self.assertEqual(self.shapes("mine.txt", cwd=self.folder), ["ic3_oc7", "ic5_oc7"])
        self.assertEqual(self.shapes(f"{self.folder}/mine.txt,ic9"), ["ic3_oc7", "ic5_oc7", "ic9"])
        self.assertEqual(self.shapes(self.write("a, b.txt", "ic3_oc7\n")), ["ic3_oc7"])

    def test_what_editors_write(self):
        for content in (b"\xef\xbb\xbfic3_oc7\r\n\r\nic5_oc7\r\n",
                        b"\xef\xbb\xbf# mine\nic3_oc7\nic5_oc7",
                        b"# layers\r\n  ic3_oc7\t# the first\r\n\tic5_oc7 \r\n"):
            self.assertEqual(self.shapes(self.write("mine.txt", content)), ["ic3_oc7", "ic5_oc7"])

    def test_unknown_names(self):
        line = self.assert_refused("conv", "--shapes=resnet81",
                                   says=["'resnet81'", "did you mean resnet18?", "data/shapes",
                                         "yolo_tiny", "./resnet81"])
        self.assertNotIn("fields", line)
        self.assert_refused("conv", "--shapes=gemm", says=["gemm.txt:", "m1024_n1024_k1024"])
        self.assert_refused("gemm", "--shapes=alexnet", says=["alexnet.txt:", "m1024_n512_k256"])
        self.assert_refused("conv", "--shapes=ic0", says=["ic is 0"])


if __name__ == "__main__":
    unittest.main()
