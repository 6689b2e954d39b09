"""Whole forward passes: one part for each network."""

import pandas

from . import formatting as fmt
from . import plots
from .drawing import plot
from .section_curves import memory_scatter, sweeps
from .tables import (NETWORK_CONDITIONS, TWIN_SUFFIX, Cell, Table, code, conditions_text, differing,
                     families, hash_classes, num, repetitions_cell, without_a_time)

VARYING = [name for name in NETWORK_CONDITIONS if name not in ("setting", "network")]
GPU_NOTE = ("A GPU's float backend rounds differently from the CPU's: its bits were compared with "
            "the reference's outputs in place of those layers'. Flipped signs, largest difference "
            "of the output and moved peaks (landmarks, classes) are those of a pass on its own, "
            "compared with the CPU's.")


def networks_of(shown):
    """The rows of whole passes. A network without binary layers is run whole by each library, so
    that the float backend is no condition that tells its comparisons apart."""
    rows = shown[shown.kind == "network"].copy()
    rows.loc[rows.network.str.endswith(TWIN_SUFFIX), "float_backend"] = ""
    return rows


def network_comparisons(shown, styles, baseline):
    """Plots for one batch and thread count of each network; the others as curves and in one table.
    """
    result = []
    for index, (conditions, rows, others) in enumerate(families(networks_of(shown),
                                                                NETWORK_CONDITIONS)):
        network = conditions["network"]
        twin = network.endswith(TWIN_SUFFIX)
        swept = pandas.concat([rows] + [more for _, more in others])
        absent, ran = without_a_time(rows, "network")
        varying = differing([(conditions, rows), *others], VARYING)
        more_rows = pandas.concat([more for _, more in others]) if others else None
        result.append({
            "title": network, "conditions": conditions_text(conditions),
            "summary": _summary(rows, baseline), "absent": absent,
            "agreement": agreement(rows, twin),
            "plot": _time_plot(network, rows, styles, baseline, f"{network}-time-{index}"),
            "scatter": memory_scatter(rows, styles, network, f"{network}-memory-time-{index}"),
            "table": _network_table(ran, baseline), "how": _how_table(ran),
            "gpu": _gpu_table(ran),
            "sweeps": sweeps(swept, conditions, styles, network, f"{network}-sweep-{index}"),
            "disagreements": _disagreements(others, twin, varying),
            "others": _network_table(more_rows, baseline, varying) if others else None})
    return result


def _summary(rows, baseline):
    timed = rows[rows.status == "ok"]
    if not len(timed):
        return "no time"
    best = timed.loc[timed.time_median_ns.idxmin()]
    text = f"{fmt.time(best.time_median_ns)} with {best.implementation}"
    if best.implementation != baseline and best.speedup == best.speedup:
        text += f", {fmt.ratio(best.speedup)} as fast as {baseline}"
    return text


def _time_plot(network, rows, styles, baseline, identity):
    timed = rows[rows.time_median_ns.notna()]
    if not len(timed):
        return None
    over = f" Factors are over {baseline}." if timed.speedup.notna().any() else ""
    return plot(plots.network_time(timed, styles, baseline), identity,
                f"Time of one forward pass of {network} by implementation",
                "Median over repetitions; the dark line spans the middle half of the samples."
                + over)


def _disagreements(others, twin, varying):
    """What the collapsed table must not hide."""
    found = [(conditions, agreement(rows, twin)) for conditions, rows in others]
    return [f"{conditions_text({name: conditions[name] for name in varying})}: {verdict['text']}"
            for conditions, verdict in found if verdict and not verdict["good"]]


def agreement(rows, twin=False):
    """{"good": bool, "text": str} about output_hash, or None where there is none to compare.
    Outputs are asked to be equal for equal float backends; a GPU's, which round differently, were
    compared otherwise."""
    wrong = list(dict.fromkeys(rows.implementation[rows.status == "wrong"]))
    if wrong:
        return {"good": False, "text": f"WRONG RESULT: {', '.join(wrong)}."}
    parts = [(library, _agreement_of(same, twin))
             for library, same in rows.groupby("float_backend_ran", sort=False)]
    parts = [(library, verdict) for library, verdict in parts if verdict]
    if not parts:
        return None
    if len(parts) == 1:
        return parts[0][1]
    return {"good": all(verdict["good"] for _, verdict in parts),
            "text": " ".join(f"Float backend {library}: {verdict['text']}"
                             for library, verdict in parts)}


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
        return {"good": True, "text": "A real-valued twin: its outputs are compared within a "
                                      f"tolerance and need not be equal bit for bit. {listed}"}
    if len(classes[0][1]) > len(classes[1][1]):
        odd = list(dict.fromkeys(name for _, names in classes[1:] for name in names))
        verb = "differs" if len(odd) == 1 else "differ"
        lead = f"{', '.join(odd)} {verb} from the majority of {len(classes[0][1])}."
    else:
        lead = "no output has a majority."
    return {"good": False,
            "text": f"OUTPUTS DIFFER: {lead} output_hash by implementation: {listed}"}


def _network_table(rows, baseline, columns=()):
    """columns: conditions in which the rows differ."""
    unit = fmt.time_unit(rows.time_median_ns)
    times = rows.time_median_ns.where(rows.status == "ok")
    fastest = times.groupby([rows[name] for name in VARYING]).transform("min")
    also = (rows.also != "").any()
    table = Table(["implementation", *(column.replace("_", " ") for column in columns),
                   f"time, {unit[0]}", f"quartiles, {unit[0]}",
                   f"speed-up over {baseline}" if baseline else "speed-up (no baseline)",
                   "MAC per cycle", "of the bound", "weights, MiB", "memory beyond weights, MiB",
                   "peak, MiB", "repetitions"] + ["other runs"] * also)
    for row, best in zip(rows.itertuples(), fastest):
        known = row.time_p25_ns == row.time_p25_ns
        table.rows.append([
            Cell(row.implementation), *[num(getattr(row, column)) for column in columns],
            num(fmt.number(row.time_median_ns / unit[1]), strong=row.time_median_ns == best),
            num(f"{fmt.number(row.time_p25_ns / unit[1])} to "
                f"{fmt.number(row.time_p75_ns / unit[1])}" if known else fmt.NONE),
            num(fmt.ratio(row.speedup)),
            num(fmt.number(row.macs_per_cycle)), num(fmt.percent(row.bound_share)),
            num(fmt.mib(row.weights_bytes)), num(fmt.mib(row.peak_bytes - row.weights_bytes)),
            num(fmt.mib(row.peak_bytes)), repetitions_cell(row)]
            + [Cell(row.also or fmt.NONE, "wrap")] * also)
    return table


def _how_table(rows):
    table = Table(["implementation", "verified", "output_hash", "isa", "float backend",
                   "library kernel"])
    for row in rows.itertuples():
        table.rows.append([
            Cell(row.implementation),
            Cell(row.verified or fmt.NONE, "" if row.verified == "yes" else "bad"),
            code(row.output_hash), Cell(row.isa or fmt.NONE),
            Cell(row.float_backend_ran or fmt.NONE), Cell(row.library_kernel or fmt.NONE, "wrap")])
    return table


def _gpu_table(rows):
    """What only rows of a GPU have; None without any."""
    rows = rows[rows.host_time_median_ns.notna() | rows.flipped_signs.notna()]
    if not len(rows):
        return None
    unit = fmt.time_unit(rows.host_time_median_ns)
    table = Table(["implementation", f"time on the host's clock, {unit[0]}", "flipped signs",
                   "largest difference", "moved peaks"], note=GPU_NOTE)
    for row in rows.itertuples():
        table.rows.append([Cell(row.implementation), num(fmt.number(row.host_time_median_ns
                                                                    / unit[1]))]
                          + [num(fmt.number(value)) for value in
                             (row.flipped_signs, row.largest_difference, row.moved_peaks)])
    return table
