"""Files and folders that cannot be used: status 2 and one line, before anything is measured."""
import json
import unittest

from program import ProgramTest, npy, png, run

TINY = ("conv", "--shapes=ic1", "--quick", "--implementations=cpu_xnor_swar")
NETWORK = ("network", "--implementations=cpu_xnor_swar", "--quick")


class ShapeFiles(ProgramTest):
    def refused(self, file, *says):
        for command in ("conv", "check"):
            self.assert_refused(command, f"--shapes={file}", says=says)

    def test_missing_or_no_file(self):
        self.refused(self.folder / "none.txt", "none.txt", "no such file")
        self.refused(self.folder, str(self.folder), "no such file")
        self.refused("/dev/null", "/dev/null")

    def test_empty(self):
        self.refused(self.write("empty.txt", ""), "empty.txt", "ic64_ih56_oc64_kh3_ph1")
        self.refused(self.write("comments.txt", "# nothing\n\n  \n"), "comments.txt", "no shapes")

    def test_bad_line_is_named(self):
        self.refused(self.write("bad.txt", "ic1\n# fine\n\nic0\nic2\n"), "bad.txt:4: ", "ic is 0")
        self.refused(self.write("two.txt", "ic1 ic2\n"), "two.txt:1: ", "'ic1 ic2'")
        self.refused(self.write("commas.txt", "ic1,ic2\n"), "commas.txt:1: ")

    def test_binary(self):
        self.refused(self.write("binary.txt", bytes(range(256)) * 4), "binary.txt:1: ")


class Pictures(ProgramTest):
    def refused(self, file, *says):
        return self.assert_refused(*NETWORK, f"--input={file}", f"--out={self.folder}/run",
                                   says=says)

    def test_no_picture(self):
        self.refused(self.folder / "none.png", "none.png", "cannot open")
        self.refused(self.folder, str(self.folder), "PNG, JPEG or .npy")
        self.refused(self.write("empty.png", ""), "empty.png", "not a picture")
        self.refused(self.write("text.png", "this is no picture\n" * 100), "text.png",
                     "not a picture")
        self.refused(self.write("start.png", b"\x89PNG\r\n\x1a\n"), "start.png", "not a picture")
        self.refused(self.write("start.jpg", b"\xff\xd8\xff\xe0" + bytes(100)), "start.jpg",
                     "not a picture")
        self.refused("a" * 300 + ".png", "a" * 300)

    def test_cut_off(self):
        whole = png(64, 64)
        for length in (9, 20, 40, len(whole) // 2, len(whole) - 20):
            self.refused(self.write("cut.png", whole[:length]), "cut.png", "not a picture")

    def test_enormous(self):
        header = bytearray(png(1, 1))
        header[16:24] = b"\0\xff\xff\xff" * 2
        self.refused(self.write("huge.png", bytes(header)), "huge.png", "not a picture")


class NumpyFiles(ProgramTest):
    SHAPE = (3, 256, 256)

    def refused(self, content, *says):
        file = self.write("tensor.npy", content)
        self.assert_refused(*NETWORK, f"--input={file}", f"--out={self.folder}/run",
                            says=["tensor.npy", *says])

    def test_missing(self):
        self.assert_refused(*NETWORK, f"--input={self.folder}/none.npy",
                            says=["none.npy", "cannot open"])
        (self.folder / "folder.npy").mkdir()
        self.assert_refused(*NETWORK, f"--input={self.folder}/folder.npy", says=["folder.npy"])

    def test_no_npy(self):
        self.refused("", "not an .npy file")
        self.refused("just text\n" * 50, "not an .npy file")
        self.refused(png(4, 4), "not an .npy file")

    def test_header(self):
        whole = npy(self.SHAPE)
        for length in (6, 7, 8, 9, 10, 30, 60):
            self.refused(whole[:length], "float32 in C order")
        self.refused(npy(self.SHAPE, version=9), "version 9")
        self.refused(npy(self.SHAPE, version=255), "version")
        self.refused(b"\x93NUMPY\x02\0\xff\xff\xff\xff" + whole[10:], "header")
        self.refused(b"\x93NUMPY\x01\0\x0a\0" + b"{'x': 1}\n\n", "'descr'")
        # As long as a header may be: the search in it must not run out of stack.
        self.refused(npy((), type_name="f" * 60000, data=b""), "float32 in C order")
        header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (" + b"1," * 30000 + b"), }\n"
        self.refused(b"\x93NUMPY\x01\0" + len(header).to_bytes(2, "little") + header + bytes(4),
                     "float32 in C order")

    def test_content(self):
        self.refused(npy(self.SHAPE)[:-1], "fewer than its shape")
        self.refused(npy(self.SHAPE, data=b""), "fewer than its shape")
        self.refused(npy(self.SHAPE, type_name="<f8"), "'<f8'")
        self.refused(npy(self.SHAPE, type_name=">f4"), "'>f4'")
        self.refused(npy(self.SHAPE, type_name="|u1"), "'|u1'")
        self.refused(npy(self.SHAPE, fortran="True"), "Fortran")

    def test_shape(self):
        for shape in ((), (1,), (256, 256, 3), (3, 256, 255), (2, 3, 256, 256), (1, 1, 3, 256, 256),
                      (0, 3, 256, 256)):
            self.refused(npy(shape), "its shape is", "1, 3, 256, 256")
        for shape in ((10**9, 10**9, 10**9), (2**32, 2**32, 4), (10**30, 1, 1)):
            self.refused(npy(shape, data=bytes(64)), "tensor.npy")
        self.assert_refused(*NETWORK, "--batch=2",
                            f"--input={self.write('three.npy', npy((3, *self.SHAPE)))}",
                            says=["three.npy", "its shape is", "batch of 2"])


class Folders(ProgramTest):
    def test_out_is_a_file_or_below_one(self):
        file = self.write("file", "mine")
        self.assert_refused(*TINY, f"--out={file}", says=[str(file), "--out=DIR"])
        self.assert_refused(*TINY, f"--out={file}/run", says=[str(file), "--out=DIR"])
        self.assert_refused(*TINY, f"--out={self.folder}/{'x' * 300}", says=["--out=DIR"])

    def test_out_holds_a_finished_run(self):
        out = self.folder / "run"
        self.assert_good(run(*TINY, f"--out={out}"))
        self.assert_refused(*TINY, f"--out={out}", says=[str(out), "another run", "--out=DIR"])

    def test_out_holds_an_interrupted_run_of_another_command(self):
        out = self.folder / "run"
        out.mkdir()
        for command in (["xnorbench", "conv", "--shapes=ic2"], [], [1, 2], "xnorbench", None, {}):
            (out / "run.json").write_text(json.dumps({"command": command, "finished": None}))
            self.assert_refused(*TINY, f"--out={out}", says=[str(out), "--out=DIR"])

    def test_out_holds_a_broken_description(self):
        out = self.folder / "run"
        out.mkdir()
        for text in ("", "{", "[]", "3", "null", "\0\0\0", '{"finished": 1}', '"finished"'):
            (out / "run.json").write_text(text)
            self.assert_refused(*TINY, f"--out={out}", says=[str(out), "--out=DIR"])

    def test_out_holds_rows_of_unknown_origin(self):
        out = self.folder / "run"
        out.mkdir()
        (out / "records.csv").write_text("case,repetition\nmine,0\n")
        self.assert_refused(*TINY, f"--out={out}", says=[str(out), "--out=DIR"])

    def test_output_cannot_be_written(self):
        out = f"--out={self.folder}/run"
        file = self.write("file", "mine")
        for output in (self.folder / "none/x.npy", self.folder, file / "x.npy"):
            self.assert_refused(*NETWORK, f"--output={output}", out, says=[str(output)])


class NoMemory(ProgramTest):
    def test_layer(self):
        # 1 TiB of input, weights, output
        for shape in ("ic1048576_ih512", "ic1048576_oc262144", "ih1048576_oc8"):
            for command in ("conv", "check"):
                self.assert_refused(command, f"--shapes={shape}", starts_work=True,
                                    says=[shape, "MiB", "smaller"])

    def test_nothing_is_written(self):
        self.assert_refused(*TINY[:1], "--shapes=ic1048576_ih512", f"--out={self.folder}/run",
                            starts_work=True)

    def test_network(self):
        self.assert_refused(*NETWORK, "--batch=60000", f"--out={self.folder}/run",
                            says=["face_alignment", "batch"])


if __name__ == "__main__":
    unittest.main()
