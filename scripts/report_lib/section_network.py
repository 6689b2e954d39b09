"""Whole forward passes, and the separate pass that times their steps."""

import pandas

from . import formatting as fmt
from . import plots
from .problem_text import labels_of
from .section_curves import memory_scatter, sweeps
from .tables import (NETWORK_CONDITIONS, Cell, Table, code, conditions_text, families, hash_classes,
                     name, num, repetitions_cell)

PARTS = ["sign_pass", "convolution", "real_layer", "pool", "elementwise"]
LONGEST = 12
# The real-valued twins are compared within a tolerance: their outputs need not be equal.
TWIN_SUFFIX = "_real"
GPU_HEADERS = ["time on the host's clock", "real layers", "flipped signs", "largest difference", "moved peaks"]
GPU_NOTE = ("A GPU's real layers round differently from the CPU's: its bits were compared with the reference's outputs in "
            "place of those layers'. Flipped signs, largest difference of the output and moved peaks (landmarks, classes) "
            "are those of a pass on its own, compared with the CPU's.")


def network_comparisons(tidy, styles, baseline, several_runs):
    """Plots for one batch and thread count of each network; the others as curves and in one table."""
    result = []
    for index, (conditions, rows, others) in enumerate(families(tidy[tidy.kind == "network"],
                                                                NETWORK_CONDITIONS)):
        twin = conditions["network"].endswith(TWIN_SUFFIX)
        swept = pandas.concat([rows] + [more for _, more in others])
        timed = rows[rows.time_median_ns.notna()]
        plot = None
        if len(timed):
            plot = plots.Plot(
                plots.network_time(timed, styles, baseline, f"network{index}"),
                f"Time of one forward pass of {conditions['network']} by implementation",
                "Median over repetitions; the dark line spans the middle half of the samples."
                + (f" Factors are speed-ups over {baseline}." if timed.speedup.notna().any() else ""),
                legend=[])
        result.append({"title": conditions["network"], "plot": plot,
                       "conditions": conditions_text(conditions, several_runs),
                       "agreement": agreement(rows, twin),
                       "scatter": memory_scatter(rows, styles, conditions["network"], f"scatter{index}"),
                       "table": _network_table(rows, baseline),
                       "sweeps": sweeps(swept, conditions, styles, conditions["network"], f"sweep{index}"),
                       "disagreements": _disagreements(others, twin),
                       "others": _network_table(pandas.concat([more for _, more in others]), baseline,
                                                ["batch", "threads"]) if others else None})
    return result


def _disagreements(others, twin):
    """What the collapsed table must not hide."""
    found = [(conditions, agreement(rows, twin)) for conditions, rows in others]
    return [f"{conditions_text({name: conditions[name] for name in ('batch', 'threads')}, False)}: "
            f"{verdict['text']}" for conditions, verdict in found if verdict and not verdict["good"]]


def agreement(rows, twin=False):
    """{"good": bool, "text": str} about output_hash, or None where there is none to compare. Outputs are asked to be
    equal for equal real layers; a GPU's, which round differently, were compared otherwise."""
    wrong = list(dict.fromkeys(rows.implementation[rows.status == "wrong"]))
    if wrong:
        return {"good": False, "text": f"WRONG RESULT: {', '.join(wrong)}."}
    parts = [(library, _agreement_of(same, twin)) for library, same in rows.groupby("real_layers_ran", sort=False)]
    parts = [(library, verdict) for library, verdict in parts if verdict]
    if not parts:
        return None
    if len(parts) == 1:
        return parts[0][1]
    return {"good": all(verdict["good"] for _, verdict in parts),
            "text": " ".join(f"Real layers by {library}: {verdict['text']}" for library, verdict in parts)}


def _agreement_of(rows, twin):
    classes = hash_classes(rows)
    if not classes:
        return None
    if len(classes) == 1:
        count = len(classes[0][1])
        text = f"All {count} implementations gave the same output." if count > 1 else \
            "One implementation only: there is no other output to compare with."
        return {"good": True, "text": f"{text} (output_hash {classes[0][0]})"}
    listed = "; ".join(f"{', '.join(names)}: {value}" for value, names in classes)
    if twin:
        return {"good": True, "text": "A real-valued twin: its outputs are compared within a tolerance "
                                      f"and need not be equal bit for bit. {listed}"}
    if len(classes[0][1]) > len(classes[1][1]):
        odd = list(dict.fromkeys(name for _, names in classes[1:] for name in names))
        verb = "differs" if len(odd) == 1 else "differ"
        lead = f"{', '.join(odd)} {verb} from the majority of {len(classes[0][1])}."
    else:
        lead = "no output has a majority."
    return {"good": False, "text": f"OUTPUTS DIFFER: {lead} output_hash by implementation: {listed}"}


def _network_table(rows, baseline, columns=()):
    """columns: conditions in which the rows differ."""
    unit = fmt.time_unit(rows.time_median_ns)
    fastest = rows.time_median_ns.where(rows.status == "ok").groupby([rows.batch, rows.threads]).transform("min")
    gpu = rows.host_time_median_ns.notna().any() or rows.flipped_signs.notna().any()
    table = Table(["implementation", *columns, f"time, {unit[0]}", f"quartiles, {unit[0]}",
                   f"speed-up over {baseline}" if baseline else "speed-up (no baseline)",
                   "MAC per cycle", "of the limit", "memory beyond weights, MiB", "weights, MiB", "peak, MiB", "verified", "repetitions",
                   "output_hash", "isa", "library kernel"]
                  + (GPU_HEADERS if gpu else []),
                  note=GPU_NOTE if gpu else "")
    for row, best in zip(rows.itertuples(), fastest):
        table.rows.append([
            Cell(row.implementation), *[num(getattr(row, column)) for column in columns],
            num(fmt.number(row.time_median_ns / unit[1]), strong=row.time_median_ns == best),
            num(f"{fmt.number(row.time_p25_ns / unit[1])} to {fmt.number(row.time_p75_ns / unit[1])}"
                if row.time_p25_ns == row.time_p25_ns else fmt.NONE),
            num(fmt.ratio(row.speedup)),
            num(fmt.number(row.macs_per_cycle)), num(fmt.percent(row.limit_share)),
            num(fmt.mib(row.peak_bytes - row.weights_bytes)), num(fmt.mib(row.weights_bytes)),
            num(fmt.mib(row.peak_bytes)),
            Cell(row.verified or fmt.NONE, "" if row.verified == "yes" else "bad"),
            repetitions_cell(row), code(row.output_hash),
            Cell(row.isa or fmt.NONE), Cell(row.library_kernel or fmt.NONE)]
            + (_gpu_cells(row, unit) if gpu else []))
    return table


def _gpu_cells(row, unit):
    def number(value, scale=1):
        return num(fmt.number(value / scale) if value == value else fmt.NONE)
    return [number(row.host_time_median_ns, unit[1]), Cell(row.real_layers_ran or fmt.NONE), number(row.flipped_signs),
            number(row.largest_difference), number(row.moved_peaks)]


def layer_profiles(tidy, several_runs):
    layers = tidy[(tidy.kind == "layer") & tidy.time_median_ns.notna()]
    conditions_columns = [name for name in NETWORK_CONDITIONS if name not in ("source", "destination")]
    result = []
    for index, (conditions, rows, others) in enumerate(families(layers, conditions_columns)):
        by_part = _by_part(rows)
        parts = list(by_part.columns)
        colours = plots.part_colours(parts, PARTS)
        shares = _shares(by_part)
        plot = plots.Plot(
            plots.layer_shares(list(by_part.index), colours, shares.values, by_part.values,
                               f"layers{index}"),
            f"Shares of the profiled pass of {conditions['network']} by part and implementation",
            "Each bar is one implementation's profiled pass, split by what its steps do.",
            plots.part_legend(parts, colours))
        result.append({"title": conditions["network"], "plot": plot,
                       "conditions": conditions_text(conditions, several_runs),
                       "parts": _parts_table(by_part), "longest": _longest_table(rows),
                       "others": [(conditions_text({"batch": more["batch"], "threads": more["threads"]}, False),
                                   _parts_table(_by_part(steps))) for more, steps in others],
                       "throttled": int((rows.status == "throttled").sum())})
    return result


def _by_part(rows):
    """Implementations x parts. A part that the schema does not know is shown after the others."""
    by_part = rows.pivot_table(index="implementation", columns="part", values="time_median_ns",
                               aggfunc="sum", fill_value=0, sort=False)
    parts = [part for part in PARTS + list(by_part.columns) if part in by_part.columns]
    return by_part[list(dict.fromkeys(parts))]


def _shares(by_part):
    return by_part.div(by_part.sum(axis=1), axis=0)


def _parts_table(by_part):
    shares = _shares(by_part)
    table = Table(["implementation"] + [str(part) for part in by_part.columns])
    for implementation in by_part.index:
        table.rows.append([Cell(implementation)] + [
            num(f"{fmt.time(time)} ({fmt.percent(share)})" if time else fmt.NONE)
            for time, share in zip(by_part.loc[implementation], shares.loc[implementation])])
    return table


def _longest_table(rows):
    fastest = rows.groupby("implementation", sort=False).time_median_ns.sum().idxmin()
    steps = rows.pivot_table(index=["layer", "part", "problem"], columns="implementation",
                             values="time_median_ns", aggfunc="sum", sort=False)
    names = list(dict.fromkeys(rows.implementation))
    steps = steps.sort_values(fastest, ascending=False, kind="stable").head(LONGEST)
    labels = labels_of(dict.fromkeys(problem for _, _, problem in steps.index))
    shares = {(row.layer, row.part, row.problem, row.implementation): row.limit_share for row in rows.itertuples()
              if row.limit_share == row.limit_share}
    table = Table(["layer", "part", "problem"] + names,
                  note=f"The {fmt.plural(len(steps), 'step')} that took {fastest} longest, of "
                       f"{rows[['layer', 'part', 'problem']].drop_duplicates().shape[0]}."
                       + (" In brackets: share of the limit." if shares else ""))

    def cell(key, other, time):
        share = shares.get((*key, other))
        return num(fmt.time(time) + (f" ({fmt.percent(share)})" if share is not None else ""))

    for key, times in steps.iterrows():
        table.rows.append([name(key[0]), Cell(key[1]), Cell(labels[key[2]] or fmt.NONE)]
                          + [cell(key, other, times[other]) for other in names])
    return table
