"""Single layers and matrix products: speed-up by problem, and the numbers of every case."""

from . import formatting as fmt
from . import plots
from .drawing import plot
from .problem_text import labels_of
from .tables import (CONV_CONDITIONS, Cell, Table, conditions_text, groups, hash_classes, name, num,
                     repetitions_cell, without_a_time)
from .theme import implementation_legend

KINDS = {"conv": "Layers", "gemm": "Matrix products"}


def conv_comparisons(shown, styles, baseline):
    result = []
    single = shown[shown.kind.isin(list(KINDS))]
    for index, (conditions, rows) in enumerate(groups(single, CONV_CONDITIONS)):
        labels = labels_of(dict.fromkeys(rows.problem))
        compared = rows[rows.speedup.notna()]
        drawing = None
        # With the baseline alone there is nothing to compare: every mark would stand at 1.
        if (compared.implementation != baseline).any():
            figure = plots.speedups([labels[problem] for problem in
                                     dict.fromkeys(compared.problem)],
                                    [(labels[row.problem], row.implementation, row.speedup)
                                     for row in compared.itertuples()], styles, baseline)
            drawing = plot(figure, f"{conditions['kind']}-speed-{index}",
                           f"Speed-up over {baseline} by problem and implementation",
                           f"Speed-up over {baseline} on the same problem. The largest and the "
                           "smallest value of each line are written out.",
                           implementation_legend(styles, set(compared.implementation)))
        what = KINDS[conditions["kind"]]
        absent, ran = without_a_time(rows)
        result.append({
            "title": f"{what} from source {conditions['source']} "
                     f"to destination {conditions['destination']}",
            "conditions": conditions_text({**conditions, "source": "", "destination": ""}),
            "count": len(labels), "plot": drawing, "absent": absent,
            "matrix": _matrix(compared, labels, baseline) if drawing else None,
            "table": _details(ran, labels, baseline),
            "disagreements": _disagreements(rows, labels)})
    return result


def _matrix(compared, labels, baseline):
    left_out = len(labels) - compared.problem.nunique()
    names = [other for other in dict.fromkeys(compared.implementation) if other != baseline]
    values = {(row.problem, row.implementation): row.speedup for row in compared.itertuples()}
    table = Table(["problem"] + names,
                  note=f"Speed-up over {baseline}; the largest of a line is bold."
                  + (f" {fmt.plural(left_out, 'problem')} without a baseline time: "
                     "among the cases below." if left_out else ""))
    for problem in dict.fromkeys(compared.problem):
        line = [values.get((problem, other), float("nan")) for other in names]
        best = max((value for value in line if value == value), default=None)
        table.rows.append([name(labels[problem])]
                          + [num(fmt.ratio(value), strong=value == best) for value in line])
    return table


def _details(rows, labels, baseline):
    """A line for each problem, then one for each of its implementations."""
    also = (rows.also != "").any()
    table = Table(["implementation", "time", "quartiles",
                   f"speed-up over {baseline}" if baseline else "speed-up (no baseline)", "GMAC/s",
                   "MAC per cycle", "of the bound", "workspace, MiB", "preparation", "verified",
                   "repetitions", "library kernel"] + ["other runs"] * also)
    for problem, block in rows.groupby("problem", sort=False):
        unit = fmt.time_unit(block.time_median_ns)
        first = " ".join(filter(None, [block.network.iloc[0], block.layer.iloc[0]]))
        heading = labels[problem] + (f" · first in {first}" if first else "")
        heading += f" · {problem}" if problem != labels[problem] else ""
        table.rows.append([Cell(heading, "group", len(table.headers))])
        for row in block.itertuples():
            known = row.time_p25_ns == row.time_p25_ns
            quartiles = (f"{fmt.number(row.time_p25_ns / unit[1])} to "
                         f"{fmt.time_in(unit, row.time_p75_ns)}")
            table.rows.append([
                Cell(row.implementation), num(fmt.time_in(unit, row.time_median_ns)),
                Cell(quartiles if known else fmt.NONE, "num narrow"),
                num(fmt.ratio(row.speedup)), num(fmt.number(row.gmac_per_s)),
                num(fmt.number(row.macs_per_cycle)), num(fmt.percent(row.bound_share)),
                num(fmt.mib(row.workspace_bytes)), num(fmt.time(row.prepare_time_ns)),
                Cell(row.verified or fmt.NONE), repetitions_cell(row),
                Cell(row.library_kernel or fmt.NONE, "narrow")]
                + [Cell(row.also or fmt.NONE, "narrow")] * also)
    return table


def _disagreements(rows, labels):
    """One sentence for each problem on which implementations gave different outputs."""
    result = []
    for problem, block in rows.groupby("problem", sort=False):
        classes = hash_classes(block)
        if len(classes) > 1:
            listed = "; ".join(f"{', '.join(names)}: {value}" for value, names in classes)
            result.append(f"{labels[problem]}: {listed}")
    return result
