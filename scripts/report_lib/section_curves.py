"""How time goes with memory, batch and threads; the numbers are those of whole forward passes."""

import pandas

from . import formatting as fmt
from .drawing import plot
from .plots_curves import curves
from .plots_scatter import latency_memory
from .theme import implementation_legend


# What a curve's points share, but for batch or threads.
SAME = ["float_backend", "source", "destination", "cache", "seed", "input"]


def memory_scatter(rows, styles, network, identity):
    """None unless two implementations have both a time and a peak."""
    rows = rows[(rows.status == "ok") & rows.peak_bytes.notna() & rows.weights_bytes.notna()]
    if len(rows) < 2:
        return None
    unit = fmt.time_unit(rows.time_median_ns)
    marks = [(row.implementation, (row.peak_bytes - row.weights_bytes) / fmt.MIB,
              row.time_median_ns / unit[1]) for row in rows.itertuples()]
    return plot(latency_memory(marks, styles, unit), identity,
                f"Time of one forward pass of {network} against its memory beyond weights",
                "Time against memory: better is lower and further left.")


def sweeps(rows, first, styles, network, identity):
    """Plots over batch and over threads, the other held as in the conditions `first`."""
    rows = rows[rows.status == "ok"]
    result = []
    same = [name for name in SAME if name in first]
    for name, other, upward, per_image in [("batch", "threads", "time per image", True),
                                           ("threads", "batch", "time of one call", False)]:
        line = rows[(rows[[other, *same]] == [first[column] for column in (other, *same)])
                    .all(axis=1)]
        # One implementation at one batch and another at the next are no curve.
        line = line[line.groupby("implementation")[name].transform("nunique") > 1]
        if not len(line):
            continue
        images = pandas.to_numeric(line.batch) if per_image else 1
        times = line.time_median_ns / images
        unit = fmt.time_unit(times)
        lines = {}
        counts = pandas.to_numeric(line[name])
        for implementation, count, time in zip(line.implementation, counts, times):
            lines.setdefault(implementation, []).append((count, time / unit[1]))
        held = f"{first['threads']} thread" + "s" * (first["threads"] != "1") if per_image \
            else f"batch {first['batch']}"
        across = "images per call (batch)" if per_image else "threads"
        result.append(plot(
            curves(lines, styles, across, f"{upward}, {unit[0]}"), f"{identity}-{name}",
            f"{upward} of {network} against {name}",
            f"{upward.capitalize()} against {name}, {held}.",
            implementation_legend(styles, lines)))
    return result


def thread_notes(runs, tidy):
    """What the logical CPUs are that networks ran on with several thread counts, once for each
    machine."""
    networks = tidy[tidy.kind == "network"]
    notes = []
    for run in runs:
        if networks[networks.run == run.label].threads.nunique() < 2:
            continue
        cpus, per_core = (run.info["machine"].get(name)
                          for name in ("logical_cpus", "threads_per_core"))
        if not isinstance(cpus, int):
            continue
        text = fmt.plural(cpus, "logical CPU")
        if isinstance(per_core, int) and per_core > 1:
            text += (f", {per_core} of them on each core: two hardware threads of one core "
                     "give little")
        elif per_core == 1:
            text += ", one for each core as the system reports it"
        notes.append(text)
    return "; ".join(dict.fromkeys(notes))
