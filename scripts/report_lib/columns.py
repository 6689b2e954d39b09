"""The files of a run and their columns, in their order, by the names of schema 2.

`name` is text and stays as it is written; `name#` is a number; `?` behind either: earlier runs
lack it.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Columns:
    names: tuple     # in the order of the file
    numbers: frozenset
    optional: frozenset

    @staticmethod
    def of(*lines):
        words = " ".join(lines).split()
        bare = {word: word.rstrip("#?") for word in words}
        return Columns(tuple(bare.values()),
                       frozenset(bare[word] for word in words if "#" in word),
                       frozenset(bare[word] for word in words if "?" in word))


_FORWARD_PASS = "network implementation limited_to? float_backend policy batch threads seed input"

FILES = {
    "records.csv": Columns.of(
        "case kind network layer part problem implementation device arithmetic isa limited_to?",
        "library_kernel float_backend source destination batch threads cache seed input",
        "repetition# status reason verified output_hash",
        "flipped_signs#? largest_difference#? moved_peaks#? samples# calls_per_sample#",
        "time_median_ns# time_min_ns# time_p25_ns# time_p75_ns# time_mean_ns# time_stddev_ns#",
        "host_time_median_ns#? prepare_time_ns# macs# weights_bytes# activation_bytes#",
        "workspace_bytes# peak_bytes# unattributed_bytes# clock_hz#",
        "macs_per_cycle#? bound_share#?"),
    "samples.csv": Columns.of("case repetition# sample# time_ns#"),
    "memory.csv": Columns.of(_FORWARD_PASS, "category planned_bytes# measured_bytes#"),
    "timeline.csv": Columns.of(_FORWARD_PASS, "step# layer category bytes#"),
    "buffers.csv": Columns.of(_FORWARD_PASS, "layer module kind form category bytes# birth_step#",
                              "death_step# at_peak"),
    "budget.csv": Columns.of(_FORWARD_PASS, "budget_bytes# reserved_bytes# needed_bytes# fits",
                             "largest_batch# largest_input_height# largest_input_width#",
                             "size_bound_layer"),
    "savings.csv": Columns.of(_FORWARD_PASS, "saving total_bytes#"),
    "claims.csv": Columns.of("id source reported_value# unit conditions definition baseline",
                             "measured_value# verdict command note"),
    "peaks.csv": Columns.of("isa quantity value# unit"),
}

# Which forward pass a row of a memory file is about.
SETTING = _FORWARD_PASS.replace("?", "").split()
