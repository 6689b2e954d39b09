"""The columns that the report reads from each file of a run: text as it stands, and numbers."""

TEXT_COLUMNS = [
    "case", "kind", "network", "layer", "part", "problem", "implementation", "device",
    "arithmetic", "isa", "library_kernel", "real_layers", "source", "destination", "batch",
    "threads", "cache", "seed", "input", "status", "reason", "verified", "output_hash",
]
NUMBER_COLUMNS = [
    "repetition", "samples", "calls_per_sample", "time_median_ns", "time_min_ns", "time_p25_ns",
    "time_p75_ns", "time_mean_ns", "time_stddev_ns", "prepare_time_ns", "macs", "weights_bytes",
    "activation_bytes", "workspace_bytes", "peak_bytes", "unattributed_bytes", "clock_hz",
]
# Not in runs of earlier versions.
OPTIONAL_TEXT = ["limited_to"]
OPTIONAL_COLUMNS = ["host_time_median_ns", "flipped_signs", "largest_difference", "moved_peaks", "limit_share"]
MEMORY_TEXT = ["network", "implementation", "real_layers", "policy", "batch", "threads", "seed", "input",
               "category"]
MEMORY_NUMBERS = ["planned_bytes", "measured_bytes"]
TIMELINE_TEXT = MEMORY_TEXT[:-1] + ["layer", "category"]
TIMELINE_NUMBERS = ["step", "bytes"]
# Which setting a row of a memory file belongs to.
SETTING_TEXT = MEMORY_TEXT[:-1] + OPTIONAL_TEXT
BUFFER_TEXT = SETTING_TEXT + ["layer", "module", "kind", "form", "category", "at_peak"]
BUFFER_NUMBERS = ["bytes", "birth_step", "death_step"]
BUDGET_TEXT = SETTING_TEXT + ["fits", "size_bound_layer"]
BUDGET_NUMBERS = ["budget_bytes", "reserved_bytes", "needed_bytes", "largest_batch", "largest_input_height",
                  "largest_input_width"]
REMEDY_TEXT = SETTING_TEXT + ["remedy"]
REMEDY_NUMBERS = ["total_bytes"]
CLAIM_TEXT = ["id", "source", "unit", "conditions", "definition", "baseline", "verdict", "command", "note"]
CLAIM_NUMBERS = ["reported_value", "measured_value"]
