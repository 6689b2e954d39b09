"""The arena: its timeline, its lower bound, and older runs that have neither."""

import re
import unittest

from run_folder import (memory_row, MIB, network_record, report, ReportTest, sections_of,
                        table_cells, timeline_row,
                        write_run)

XNOR, OTHER, FLOAT = "cpu_xnor_popcnt", "cpu_xnor_swar", "cpu_f32_onednn"


class Timeline(ReportTest):
    def memory(self, records=None, memory=None, timeline=None):
        write_run(self.folder, records, memory, timeline=timeline)
        self.text = self.page_of(self.folder)
        return sections_of(self.text)["memory"]

    def rows(self, name, factor=1):
        memory = [memory_row(name, "activations_real", 10 * MIB, 10 * MIB),
                  memory_row(name, "arena", 12.5 * MIB * factor, ""),
                  memory_row(name, "arena_lower_bound", 12 * MIB * factor, "")]
        timeline = [timeline_row(name, 0, "stem", "activations_real", 3 * MIB * factor),
                    timeline_row(name, 2, "block1", "activations_real", 8 * MIB * factor),
                    timeline_row(name, 2, "block1", "workspace_columns", 4 * MIB * factor)]
        return memory, timeline

    def all_rows(self, **changed):
        parts = [self.rows(name, factor) for name, factor in [(OTHER, 1), (XNOR, 1), (FLOAT, 2)]]
        timed = [network_record(name, time, seed=1, input="portrait", **changed)
                 for name, time in [(OTHER, 3e6), (XNOR, 2e6), (FLOAT, 9e6)]]
        return timed, sum((part[0] for part in parts), []), sum((part[1] for part in parts), [])

    def notes(self, section):
        return dict(re.findall(r'<p class="note"><strong>(.*?)</strong> (.*?)</p>', section))

    def test_peak_and_arena_in_words(self):
        notes = self.notes(self.memory(*self.all_rows()))
        self.assertEqual(list(notes), [XNOR, FLOAT])  # the fastest XNOR and the baseline
        self.assertEqual(notes[XNOR],
                         "is fullest at step 2 (block1): 12.0\u00a0MiB alive "
                         "(activations_real 8.00, "
                                      "workspace_columns 4.00). Arena 12.5\u00a0MiB, lower bound "
                                      "12.0\u00a0MiB, 4.2\u00a0% above.")
        self.assertIn("24.0\u00a0MiB at step 2", self.text)  # the mark in the plot

    def test_arena_is_in_the_table_and_owns_nothing(self):
        section = self.memory(*self.all_rows())
        cells = {row[0]: row[1:] for row in table_cells(section)}
        self.assertEqual(cells["arena"], ["12.5", "12.5", "25.0"])
        self.assertEqual(cells["arena_lower_bound"], ["12.0", "12.0", "24.0"])
        self.assertNotIn("</span> arena<", section)  # no legend entry: not stacked

    def test_without_timeline_and_arena(self):
        section = self.memory(memory=[memory_row(XNOR, "activations_real", MIB, MIB)])
        self.assertNotIn("is fullest", section)
        self.assertNotIn("arena", [row[0] for row in table_cells(section)])

    def test_timeline_without_times_or_arena(self):
        timed, memory, timeline = self.all_rows()
        memory = [row for row in memory if not row["category"].startswith("arena")]
        notes = self.notes(self.memory(memory=memory, timeline=timeline))
        self.assertEqual(list(notes), [OTHER])
        self.assertNotIn("Arena", notes[OTHER])

    def test_times_of_other_conditions_do_not_choose(self):
        timed, memory, timeline = self.all_rows()
        timed += [network_record(OTHER, 1000, **{"seed": 1, "input": "portrait", **change})
                  for change in [{"batch": 4}, {"threads": 2}, {"seed": 2},
                                 {"float_backend": "openblas"}]]
        self.assertEqual(list(self.notes(self.memory(timed, memory, timeline))), [XNOR, FLOAT])

    def test_other_batches_are_collapsed(self):
        timed, memory, timeline = self.all_rows()
        memory += [dict(row, batch=4) for row in memory]
        timeline += [dict(row, batch=4, bytes=99 * MIB) for row in timeline]
        section = self.memory(timed, memory, timeline)
        self.assertEqual(section.count("is fullest"), 2)
        self.assertNotIn("99.0", section)
        self.assertIn("Memory under other conditions (1)", section)

    def test_small_parts_and_equal_steps(self):
        timeline = [timeline_row(XNOR, step, f"layer{step}", category, count) for step in range(3)
                    for category, count in [("activations_real", 10 * MIB),
                                            ("activations_bits", 1000)]]
        note = self.notes(self.memory(memory=self.rows(XNOR)[0], timeline=timeline))[XNOR]
        self.assertIn("(activations_real 10.0; under 1\u00a0%: activations_bits). "
                      "2 other steps as full.", note)

    def test_interrupted_in_the_middle_of_a_row(self):
        timed, memory, timeline = self.all_rows()
        write_run(self.folder, timed, memory, timeline=timeline, finished=None)
        with open(self.folder / "timeline.csv", "a", encoding="utf-8") as file:
            file.write("face_al")
        self.assertEqual(report(self.folder).returncode, 0)
        self.assertIn("unfinished last line of timeline.csv",
                      (self.folder / "report.html").read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
