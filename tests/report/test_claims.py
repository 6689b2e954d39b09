"""Published claims: each row as claims.csv has it, verdicts in words and colour, ratios beside
the published figure."""

import csv
import html
import re
import unittest

from run_folder import (claim, network_record, report, ReportTest, sections_of, table_cells,
                        write_run)

SPEED = {"definition": "layer a, signs in", "source": "arXiv 1603.05279 (recalled)"}


def speed(reported, measured, verdict, baseline, **fields):
    return claim("conv_58x", reported, measured, verdict, **{
        **SPEED, "baseline": f"loops ({baseline})",
        "command": f"xnorbench conv --implementations={baseline}", **fields})


class Claims(ReportTest):
    def page(self, claims, records=()):
        write_run(self.folder, records, claims=claims)
        self.text = self.page_of(self.folder)
        return sections_of(self.text)["claims"]

    def rows(self, section):
        """(id, reported, source and conditions, cells by header) of every row on the page."""
        found = []
        for part in section.split("<h3>")[1:]:
            identity = part.split("</h3>")[0]
            for figure in part.split('<p class="published">')[1:]:
                reported, rest = re.match(r"Reported: <strong>(.*?)</strong> · (.*?)</p>",
                                          figure).groups()
                headers = re.findall(r"<th [^>]*>(.*?)</th>", figure)
                for row in re.findall(r"<tr>(<td.*?)</tr>", figure, flags=re.S):
                    cells = [html.unescape(re.sub(r"<[^>]+>", "", cell)) for cell in
                             re.findall(r"<td[^>]*>(.*?)</td>", row, flags=re.S)]
                    found.append((identity, html.unescape(reported), html.unescape(rest),
                                  dict(zip(headers, cells))))
        return found

    def everything(self):
        return [claim("size", 39, 39.2165, "reproduced", baseline="the float <model>",
                      definition="all tensors"),
                claim("size", 39, 19.63, "partly", baseline="", definition="a file", note="",
                      command="xnorbench reproduce"),
                claim("size", 1.4, 1.39483, "reproduced", unit="MiB", source="authors' page"),
                claim("size", 1.4, 1.27643, "partly", unit="MB", source="authors' page"),
                claim("time", 0.67, 0.174502, "not_reproduced", unit="s"),
                claim("time", 700, "", "needs_device", unit="MB", conditions="GPU; about"),
                claim("theory", 62.27, 62.2703, "theory", source="arXiv 1603.05279 (recalled)")]

    def test_rows_are_those_of_the_csv(self):
        claims = self.everything()
        shown = self.rows(self.page(claims))
        self.assertEqual(len(shown), len(claims))
        for row, (identity, reported, where, cells) in zip(claims, shown):
            self.assertEqual(identity, row["id"])
            self.assertTrue(reported.startswith(f"{row['reported_value']:g}"), reported)
            self.assertEqual(where, f"{row['source']}: {row['conditions']}")
            self.assertEqual(cells["definition"], row["definition"])
            self.assertEqual(cells.get("over", ""), row["baseline"])
            self.assertEqual(cells["verdict"], row["verdict"].replace("_", " "))
            self.assertEqual(cells["what it means"], row["note"])
            self.assertEqual(cells["command"], row["command"])
            if row["measured_value"] == "":
                self.assertEqual(cells["measured"], "not measured")
            else:
                number, unit = re.match(r"([\d.]+)(?:×|\u00a0(.*))", cells["measured"]).groups()
                self.assertEqual(float(number), float(f"{row['measured_value']:.4g}"))
                self.assertEqual(unit or "x", row["unit"])

    def test_both_readings_of_a_published_unit_stand_together(self):
        section = re.sub("<summary>.*?</summary>", "", self.page(self.everything()))
        self.assertIn("<strong>1.4\u00a0MiB or 1.4\u00a0MB</strong>", section)
        self.assertEqual(section.count("1.4\u00a0MiB"), 1)

    def test_verdicts_are_counted_and_told_in_words(self):
        section = self.page(self.everything())
        top = section.split("<h3>")[0]
        counts = re.findall(r'<li>(\d+) <span class="box (\w+)">(.*?)</span>', top)
        self.assertEqual(counts, [("2", "good", "reproduced"), ("2", "middle", "partly"),
                                  ("1", "bad", "not reproduced"),
                                  ("1", "open", "needs device"), ("1", "theory", "theory")])
        of_time = section.split("<h3>time</h3>")[1].split("<p")[0]
        self.assertEqual(re.findall(r"<li>(\d+) ", of_time), ["1", "1"])

    def test_every_verdict_has_a_colour(self):
        section = self.page(self.everything())
        styles = self.text.split("<style>")[1].split("</style>")[0]
        for kind in set(re.findall(r'class="box (\w+)"', section)):
            self.assertRegex(styles, rf"\.box\.{kind} \{{ background: var\(--{kind}-back\); "
                                     rf"border-color: var\(--{kind}\)")
            self.assertEqual(len(re.findall(rf"--{kind}-back: #\w+", styles)), 2)  # light, dark

    def plotted(self, claims):
        from report_lib import section_claims  # the script put it on the path
        seen = []
        original, section_claims.claim_ratios = section_claims.claim_ratios, \
            lambda lines, styles, theory: (seen.append((lines, theory))
                                           or original(lines, styles, theory))
        self.addCleanup(setattr, section_claims, "claim_ratios", original)
        self.page(claims)
        return seen

    def test_ratios_beside_the_published_figure(self):
        seen = self.plotted([
            claim("conv_58x", 62.27, 62.2703, "theory", baseline="one operation"),
            claim("conv_58x", 19, 18.98, "theory", baseline="one operation"),
            speed(58, 1254.5, "reproduced", "cpu_f32_direct"), speed(58, 18.06, "not_reproduced",
                                                                     "cpu_f32_onednn"),
            speed(58, 16.8, "not_reproduced", "cpu_f32_onednn", definition="layer a, floats in"),
            speed(58, "", "needs_device", "cuda_f32_direct"),
            claim("conv_58x", 58, 25.5, "not_reproduced", baseline="the bound of cpu_f32_onednn",
                  definition="what the instructions allow", command="xnorbench peak")])
        self.assertEqual(len(seen), 1)
        lines, theory = seen[0]
        self.assertEqual([(line.baseline, line.reported, line.bound, line.marks) for line in lines],
                         [("cpu_f32_direct", 58, None, [(0, 1254.5)]),
                          ("cpu_f32_onednn", 58, 25.5, [(0, 18.06), (1, 16.8)])])
        self.assertEqual(theory, 62.2703)
        plot = self.text.split('aria-label="Measured ratios of conv_58x')[1].split("</svg>")[0]
        for text in ["cpu_f32_direct", "1,254×".replace(",", "\u202f"), "16.8 to 18.1×"]:
            self.assertIn(f">{text}<", plot)
        for text in ["published: 58×", "theory: up to 62.27×",
                     "the most that this machine's instructions allow"]:
            self.assertIn(text, html.unescape(self.text))

    def test_two_published_figures_of_one_id_are_two_lines(self):
        lines, theory = self.plotted([speed(23, 1370, "reproduced", "cpu_f32_direct"),
                                      speed(3.4, 36, "reproduced", "cpu_f32_openblas")])[0]
        self.assertEqual([line.reported for line in lines], [23, 3.4])
        self.assertIsNone(theory)
        self.assertIn("published: 23×, 3.4×", self.text)
        self.assertNotIn("theory: up to", self.text)

    def figures(self, claims):
        """The first screen's rows: claim, published, best, worst, verdict."""
        self.page(claims)
        return table_cells(sections_of(self.text)["answers"])[1:]

    def test_one_row_for_each_claim_with_best_and_worst(self):
        rows = self.figures([
            claim("conv_58x", 62.27, 62.2703, "theory", baseline="one operation"),
            speed(58, 18.06, "not_reproduced", "cpu_f32_onednn"),
            speed(58, 1254.5, "reproduced", "cpu_f32_direct"),
            speed(58, 33, "partly", "cpu_f32_openblas"),
            speed(58, "", "needs_device", "cuda_f32_direct"),
            *self.everything()])
        self.assertEqual([row[0] for row in rows], ["conv 58x", "size", "time", "theory"])
        self.assertEqual(rows[0][1:], ["58× +1", "1254× over cpu_f32_direct",
                                       "18.06× over cpu_f32_onednn",
                                       "reproduced in 1 of 3 ways"])
        self.assertEqual(rows[1][1:], ["39× +1", "39.22× over the float &lt;model&gt;",
                                       "19.63× a file", "reproduced in 1 of 2 ways"])
        self.assertEqual(rows[2][1:], ["0.67\u00a0s +1", "0.1745\u00a0s what was counted", "–",
                                       "not reproduced"])
        self.assertEqual(rows[3][1:], ["62.27×", "–", "–", "theory"])

    def test_of_sizes_the_nearest_is_best_and_a_verdict_outweighs_a_number(self):
        rows = self.figures([claim("bytes", 10, value, verdict, unit="MB", definition=name)
                             for name, value, verdict in [("above", 12, "partly"),
                                                          ("near", 9, "partly"),
                                                          ("below", 2, "not_reproduced")]]
                            + [claim("speed", 2, 9, "partly"), claim("speed", 2, 3, "reproduced")])
        self.assertEqual(rows[0][2:], ["9\u00a0MB near", "2\u00a0MB below", "partly at best"])
        self.assertEqual(rows[1][2:4], ["3× what was counted", "9× what was counted"])

    def test_sizes_have_no_plot_of_speed(self):
        self.assertEqual(self.plotted(self.everything()), [])

    def test_tidy_claims(self):
        self.page(self.everything())
        with open(self.folder / "tidy_claims.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["id"] for row in rows], [row["id"] for row in self.everything()])
        self.assertEqual(rows[0]["run"], "run")
        self.assertAlmostEqual(float(rows[0]["measured_over_reported"]), 39.2165 / 39)
        self.assertEqual(rows[5]["measured_over_reported"], "")

    def test_runs_without_claims_have_no_section(self):
        write_run(self.folder, [network_record("cpu_xnor_swar", 1000)])
        self.assertEqual(report(self.folder).returncode, 0)
        self.assertNotIn("claims",
                         sections_of((self.folder / "report.html").read_text(encoding="utf-8")))
        self.assertFalse((self.folder / "tidy_claims.csv").exists())


if __name__ == "__main__":
    unittest.main()
