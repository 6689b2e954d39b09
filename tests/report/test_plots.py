"""Every plot can be saved: as SVG and PNG, with its legend; in the page with the page's colours."""

import base64
import re
import unittest
import xml.dom.minidom

import run_folder
from run_folder import network_record, ReportTest, write_run


class Plots(ReportTest):
    def setUp(self):
        super().setUp()
        stub, run_folder.drawing.png = run_folder.drawing.png, run_folder.make_png
        self.addCleanup(setattr, run_folder.drawing, "png", stub)
        times = [("cpu_f32_onednn", 8e6), ("cpu_i8_onednn", 3e6), ("cpu_xnor_simd", 1e6)]
        write_run(self.folder, [network_record(name, time, network=network)
                                for network in ("one", "two") for name, time in times])
        self.page = self.page_of(self.folder)

    def saved(self):
        return {name: base64.b64decode(data) for name, data in
                re.findall(r'download="([^"]+)" href="data:[^;]+;base64,([^"]+)"', self.page)}

    def test_each_plot_has_both_files(self):
        saved, count = self.saved(), self.page.count("<svg")
        self.assertGreater(count, 4)
        self.assertEqual(len(saved), 2 * count)
        for name, content in saved.items():
            if name.endswith(".svg"):
                xml.dom.minidom.parseString(content)
            else:
                self.assertTrue(content.startswith(b"\x89PNG"), name)

    def test_a_saved_plot_stands_alone(self):
        text = self.saved()["how-fast.svg"].decode("utf-8")
        for name in ["bits (cpu_xnor_simd)", "8-bit integers (cpu_i8_onednn)"]:
            self.assertIn(f">{name}<", text)
        self.assertNotIn("var(", text)
        self.assertIn('xmlns="http://www.w3.org/2000/svg"', text)

    def test_in_the_page_it_has_the_pages_colours_and_legend(self):
        for svg in re.findall("<svg.*?</svg>", self.page, flags=re.S):
            self.assertNotIn("bits (cpu_xnor_simd)", svg)
            self.assertNotIn("#ffffff", svg)
            self.assertNotIn(": #222222", svg)
            self.assertIn("currentColor", svg)
            self.assertNotRegex(svg, r'^<svg[^>]*(width|height)=')
        for name in set(re.findall(r"var\((--[\w-]+)", self.page)):
            self.assertIn(f"{name}: ", self.page)

    def test_the_page_has_a_dark_mode_and_prints_on_white(self):
        style = self.page.split("<style>")[1].split("</style>")[0]
        self.assertEqual(style.count("@media screen and (prefers-color-scheme: dark)"), 2)
        self.assertIn("@media print", style)


if __name__ == "__main__":
    unittest.main()
