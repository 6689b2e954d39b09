"""Every wrong word of a command line: status 2, and one line that says what would be right."""
import unittest

from program import ProgramTest


class BadCommandLine(ProgramTest):
    def test_subcommands(self):
        self.assert_refused(says=["no command", "--help"])
        self.assert_refused("convolve", says=["convolve", "--help"])
        self.assert_refused("netwrok", "--quick",
                            says=["netwrok", "did you mean network?", "--help"])
        self.assert_refused("conv", "list", says=["list", "conv --help"])
        self.assert_refused("--shapes=ic1", says=["--shapes", "--help"])

    def test_unknown_flags(self):
        for command in ("list", "check", "conv", "network"):
            self.assert_refused(command, "--bogus", says=["--bogus", f"xnorbench {command} --help"])
            self.assert_refused(command, "--bogus=1",
                                says=["--bogus", f"xnorbench {command} --help"])
        self.assert_refused("conv", "--shape=ic1",
                            says=["--shape;", "did you mean --shapes?", "conv --help"])
        self.assert_refused("network", "--network=x", says=["did you mean --networks?"])
        self.assert_refused("list", "--shapes=ic1", says=["--shapes"])
        self.assert_refused("check", "--out=x", says=["--out"])
        self.assert_refused("conv", "--profile", says=["--profile"])
        self.assert_refused("conv", "ic64", says=["ic64"])

    def test_flags_without_value_or_given_twice(self):
        for flag in ("--batch", "--threads=", "--cache=", "--out", "--out=", "--shapes=",
                     "--implementations="):
            self.assert_refused("conv", flag, says=[flag.rstrip("=")])
        self.assert_refused("conv", "--batch=1", "--batch=2", says=["--batch"])
        # Not the next word for a value.
        self.assert_refused("peak", "--out=", "--isa=avx2", says=["--out= has no value"])
        self.assert_refused("check", "--isa=", "--implementations=cpu_xnor_swar",
                            says=["--isa= has no value"])

    def test_unknown_names_list_the_known_ones(self):
        self.assert_refused("conv", "--implementations=cpu_magic",
                            says=["cpu_magic", "cpu_xnor_swar"])
        self.assert_refused("check", "--implementations=cpu_xnor_swar,x*",
                            says=["'x*'", "cpu_xnor_swar"])
        self.assert_refused("network", "--networks=alexnet", says=["alexnet", "face_alignment"])
        self.assert_refused("conv", "--networks=alexnet", says=["alexnet", "face_alignment"])
        self.assert_refused("conv", "--networks=face_alignment_real",
                            says=["face_alignment_real", "no binary layers"])
        self.assert_refused("conv", "--source=bits", says=["bits", "sign, f32"])
        self.assert_refused("conv", "--destination=bits", says=["bits", "acc, f32, sign, f32_sign"])
        self.assert_refused("conv", "--cache=warm", says=["warm", "hot, cold"])
        self.assert_refused("network", "--float-backend=mkl", says=["mkl", "onednn"])

    def test_whole_numbers(self):
        bad = ("x", "0", "-1", "1.5", "1e3", " 1", "1 ", "0x10", "+1", "99999999999999999999",
               "4294967297")
        for command in ("conv", "network"):
            for flag in ("--batch", "--threads", "--repetitions"):
                for value in bad:
                    self.assert_refused(command, f"{flag}={value}",
                                        says=[flag, f"'{value}'", "whole number from 1 to"])
        for value in bad:
            self.assert_refused("check", f"--threads={value}", says=["--threads"])
        for value in ("x", "-1", "1.5", "9223372036854775808"):
            self.assert_refused("conv", f"--seed={value}", says=["--seed", f"'{value}'"])
            self.assert_refused("check", f"--seed={value}", says=["--seed", f"'{value}'"])
            self.assert_refused("check", f"--fuzz={value}", says=["--fuzz", f"'{value}'"])

    def test_seconds(self):
        for flag in ("--min-time", "--time-limit"):
            for value in ("x", "-1", "nan", "inf", "1e300", "1s", "1,5"):
                self.assert_refused("conv", f"{flag}={value}", says=[flag, f"'{value}'", "seconds"])

    def test_lists(self):
        for flag, value in (("--batch", "1,,2"), ("--threads", "1,,2"), ("--batch", "1,"),
                            ("--batch", ",1"),
                            ("--cache", "hot,,cold"), ("--source", "sign,,f32"),
                            ("--shapes", "ic1,,ic2"),
                            ("--implementations", "cpu_xnor_swar,"),
                            ("--networks", "face_alignment,")):
            self.assert_refused("conv", f"{flag}={value}", says=[value, "empty part"])
        for flag, value in (("--batch", "1,1"), ("--threads", "2,1,2"), ("--cache", "hot,hot"),
                            ("--source", "sign,sign"), ("--destination", "acc,acc")):
            self.assert_refused("conv", f"{flag}={value}", says=[flag, "twice"])

    def test_shape_texts(self):
        for text, says in (
                ("ic64_foo", "'foo' is not a field"), ("ih3_ic", "'ic' is not a field"),
                ("ic3x", "'ic3x'"), ("IC3", "'IC3'"),
                ("ic3__oc2", "''"), ("ic1_ic2", "'ic' is given twice"),
                ("pad0_pad1", "'pad' is given twice"),
                ("pad2", "'pad2'"), ("ic1_zeroboth", "'zeroboth'"), ("ic1_srcu8", "'srcu8'"),
                ("ic1_dstu8", "'dstu8'"),
                ("ic0", "ic is 0"), ("ic-1", "ic is -1"), ("n0", "n is 0"), ("oc0", "oc is 0"),
                ("kh0", "kh is 0"),
                ("ih0", "ih is 0"), ("sh0", "sh is 0"), ("dh0", "dh is 0"), ("g0", "g is 0"),
                ("ph-1", "ph is -1"),
                ("ic99999999999999999999", "does not fit 64 bits"),
                ("ic2000000000000", "ic is 2000000000000"),
                ("ic1099511627776_ih1099511627776", "larger than 2^56"),
                ("ic2147483647", "at most 2^31-2"),
                ("kh1099511627776_dh1099511627776", "larger than 2^56"),
                ("kh5_ih4", "kernel covers 5 but the padded input is 4 along h"),
                ("kh3_dh4_ih8", "kernel covers 9 but the padded input is 8"),
                ("kw3_ih4_iw2", "along w"), ("ic6_oc4_g4", "must be multiples of g"),
                ("ic4_oc6_g4", "must be multiples of g")):
            for command in ("conv", "check"):
                self.assert_refused(command, f"--shapes={text}", says=[f"problem '", says])
        self.assert_refused("conv", "--shapes=ic1,ic0", says=["problem 'ic0'"])

    def test_flags_that_exclude_each_other(self):
        self.assert_refused("conv", "--shapes=ic1", "--networks=face_alignment",
                            says=["--shapes", "--networks"])
        self.assert_refused("check", "--shapes=ic1", "--fuzz=3", says=["--shapes", "--fuzz"])
        for extra in ("--networks=face_alignment,face_alignment_real", "--networks=*",
                      "--batch=1,2"):
            self.assert_refused("network", f"--output={self.folder}/x.npy", extra,
                                says=["--output", "one network"])

    def test_flags_of_google_benchmark(self):
        out = f"--out={self.folder}/run"
        tiny = ("conv", "--shapes=ic1", "--quick", "--implementations=cpu_xnor_swar")
        self.assert_refused(*tiny, "--benchmark_min_time=1", out,
                            says=["--benchmark_min_time", "--min-time"])
        self.assert_refused(*tiny, "--benchmark_repetitions=3", out,
                            says=["--benchmark_repetitions", "--repetitions"])
        self.assert_refused(*tiny, "--benchmark_bogus=3", out, says=["--benchmark_bogus"])
        self.assert_refused(*tiny, "--benchmark_filter=(", out, says=["--benchmark_filter", "'('"])
        self.assert_refused(*tiny, "--benchmark_filter=nothing_like_it", out,
                            says=["--benchmark_filter"])
        self.assert_refused("list", "--benchmark_filter=x", says=["--benchmark_filter"])
        self.assert_refused("check", "--benchmark_filter=x", says=["--benchmark_filter"])

    def test_regular_expression(self):
        for pattern in ("(", "[", "*", "a{2"):
            self.assert_refused("list", f"--filter={pattern}",
                                says=["--filter", f"'{pattern}'", "regular expression"])


if __name__ == "__main__":
    unittest.main()
