"""Medians over repetitions, and ratios over a named baseline.

Law: a ratio is only ever made between rows of one run whose timed region is the same, that is
whose problem or network, source, destination, batch, threads, cache, data and float backend are
equal (a GPU's float backend is its own: devices.py).
"""

import pandas

from .loading import InputError, joined

REGION = ["run", "kind", "network", "layer", "part", "problem", "float_backend", "source",
          "destination", "batch", "threads", "cache", "seed", "input"]
RATIO_KINDS = ["gemm", "conv", "network"]
DEFAULT_BASELINE = "cpu_f32_onednn"
FLOAT_ARITHMETIC = ["f32", "tf32", "f16", "bf16", "f64"]

MEDIAN_COLUMNS = ["prepare_time_ns", "macs", "weights_bytes", "activation_bytes",
                  "workspace_bytes", "peak_bytes", "unattributed_bytes", "clock_hz",
                  "host_time_median_ns", "flipped_signs", "largest_difference", "moved_peaks",
                  "bound_share"]


def choose_baseline(runs, requested):
    """The baseline's name, or None where no float implementation has a time."""
    listed = {entry["name"]: entry.get("arithmetic", "")
              for run in runs for entry in run.info["implementations"]}
    records = joined(runs, "records")
    listed.update(dict(zip(records.implementation, records.arithmetic)))
    if requested is not None:
        if requested not in listed:
            from_list = ", ".join(listed) or "none"
            raise InputError(f"--baseline={requested}: no such implementation in these runs; "
                             f"known: {from_list}")
        return requested
    timed = (records.status == "ok") & records.kind.isin(RATIO_KINDS)
    measured = set(records.implementation[timed])
    candidates = [name for name, arithmetic in listed.items()
                  if name in measured and arithmetic in FLOAT_ARITHMETIC]
    if DEFAULT_BASELINE in measured:
        return DEFAULT_BASELINE
    # A library before plain loops.
    return next(iter(sorted(candidates, key=lambda name: name.endswith("_direct"))), None)


def tidy_table(runs, baseline):
    """One row per timed region and implementation, in the order of the records."""
    records, samples = joined(runs, "records"), joined(runs, "samples")
    samples_of = {key: rows.time_ns for key, rows in samples.groupby(["run", "case", "repetition"])}

    region = region_of(records)
    keys = [region[name] for name in REGION] + [records.implementation]
    rows = [_summary(group, samples_of) for _, group in records.groupby(keys, sort=False)]
    tidy = pandas.DataFrame(rows, columns=REGION + SUMMARY_COLUMNS)
    tidy["baseline"] = ""
    tidy["speedup"] = float("nan")
    return _with_ratios(tidy, baseline) if baseline else tidy


SUMMARY_COLUMNS = [
    "implementation", "device", "arithmetic", "float_backend_ran", "isa", "limited_to",
    "library_kernel", "status", "reason", "verified", "output_hash", "repetitions_used",
    "repetitions_throttled", "samples_used", "time_median_ns", "time_p25_ns", "time_p75_ns",
    "time_min_ns", "gmac_per_s", "macs_per_cycle"] + MEDIAN_COLUMNS


def median(values):
    """Of what is known; without any, numpy's own warns of an empty slice."""
    known = values.dropna()
    return known.median() if len(known) else float("nan")


def _summary(group, samples_of):
    first = group.iloc[0]
    status = _status_of(group.status)
    used = group[group.status == status] if status in ("ok", "throttled") else group.iloc[:0]
    row = {name: first[name] for name in REGION + ["implementation", "device", "arithmetic"]}
    for name in ["float_backend_ran", "isa", "limited_to", "library_kernel", "reason", "verified",
                 "output_hash"]:
        # Different values of one case are all shown: a hash that changes is news.
        row[name] = "; ".join(dict.fromkeys(value for value in group[name] if value))
    row["status"] = status
    row["repetitions_used"] = len(used)
    row["repetitions_throttled"] = int((group.status == "throttled").sum())
    row["time_median_ns"] = median(used.time_median_ns)
    row["time_min_ns"] = used.time_min_ns.min()
    row.update(_quartiles(used, samples_of))
    for name in MEDIAN_COLUMNS:
        row[name] = median((used if len(used) else group)[name])
    row["gmac_per_s"] = row["macs"] / row["time_median_ns"]
    # As in the records, which older ones lack.
    row["macs_per_cycle"] = row["macs"] / (row["time_median_ns"] * 1e-9 * row["clock_hz"])
    # Of the medians, and not a median of its own: it stands beside the other.
    bounds = used.macs / (used.time_median_ns * 1e-9 * used.clock_hz) / used.bound_share
    row["bound_share"] = row["macs_per_cycle"] / median(bounds)
    return row


def _status_of(statuses):
    """One wrong repetition makes the case wrong; throttled ones count where nothing else ran."""
    for status in ["wrong", "ok", "throttled"]:
        if (statuses == status).any():
            return status
    return statuses.iloc[0]


def _quartiles(used, samples_of):
    """Over all samples of the repetitions used; over the repetitions' own where none were kept."""
    kept = [samples_of[key] for key in zip(used.run, used.case, used.repetition)
            if key in samples_of]
    if kept:
        pooled = pandas.concat(kept)
        return {"time_p25_ns": pooled.quantile(0.25), "time_p75_ns": pooled.quantile(0.75),
                "samples_used": len(pooled)}
    return {"time_p25_ns": median(used.time_p25_ns), "time_p75_ns": median(used.time_p75_ns),
            "samples_used": int(used.samples.sum())}


def region_of(table):
    """A conv or gemm row names the network that its shape came from: no part of the region."""
    region = table[REGION].copy()
    single = table.kind.isin(["conv", "gemm"])
    region.loc[single, ["network", "layer", "part", "float_backend"]] = ""
    return region


def _with_ratios(tidy, baseline):
    keys = pandas.Series(list(region_of(tidy).itertuples(index=False, name=None)),
                         index=tidy.index, dtype=object)
    good = (tidy.status == "ok") & tidy.kind.isin(RATIO_KINDS)
    at_baseline = good & (tidy.implementation == baseline)
    base_time = dict(zip(keys[at_baseline], tidy.time_median_ns[at_baseline]))
    base = keys.map(base_time).where(good).astype(float)
    tidy["speedup"] = base / tidy.time_median_ns
    tidy["baseline"] = base.notna().map({True: baseline, False: ""})
    return tidy
