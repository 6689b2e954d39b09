"""Single layers and matrix products: speed-up by problem, and how near to the machine's limit."""

from . import formatting as fmt
from . import plots
from .problem_text import labels_of
from .tables import (CONV_CONDITIONS, Cell, Table, code, conditions_text, groups, hash_classes, name, num,
                     repetitions_cell)


def conv_comparisons(tidy, styles, baseline, several_runs):
    result = []
    for index, (conditions, rows) in enumerate(groups(tidy[tidy.kind.isin(["conv", "gemm"])],
                                                      CONV_CONDITIONS)):
        labels = labels_of(dict.fromkeys(rows.problem))
        compared = rows[rows.speedup.notna()]
        plot = None
        # With the baseline alone there is nothing to compare: every mark would stand at 1.
        if (compared.implementation != baseline).any():
            plot = plots.Plot(
                plots.speedups([labels[problem] for problem in dict.fromkeys(compared.problem)],
                               [(labels[row.problem], row.implementation, row.speedup)
                                for row in compared.itertuples()],
                               styles, baseline, f"conv{index}"),
                f"Speed-up over {baseline} by problem and implementation",
                f"Speed-up over {baseline} on the same problem. The largest and the smallest value "
                "of each line are written out; the table below has them all.",
                [(styles[mark][2], styles[mark][0], mark)
                 for mark in styles if mark in set(compared.implementation)])
        what = "Matrix products" if conditions["kind"] == "gemm" else "Layers"
        source, destination = conditions.pop("source"), conditions.pop("destination")
        result.append({"title": f"{what} from source {source} to destination {destination}",
                       "conditions": conditions_text(conditions, several_runs), "plot": plot,
                       "matrix": _matrix(compared, labels, baseline) if plot else None,
                       "table": _details(rows, labels, baseline),
                       "disagreements": _disagreements(rows, labels)})
    return result


def _matrix(compared, labels, baseline):
    left_out = len(labels) - compared.problem.nunique()
    names = [other for other in dict.fromkeys(compared.implementation) if other != baseline]
    values = {(row.problem, row.implementation): row.speedup for row in compared.itertuples()}
    table = Table(["problem"] + names, note=f"Speed-up over {baseline}; the largest of a line is bold."
                  + (f" {fmt.plural(left_out, 'problem')} without a baseline time: among the cases below."
                     if left_out else ""))
    for problem in dict.fromkeys(compared.problem):
        line = [values.get((problem, other), float("nan")) for other in names]
        best = max((value for value in line if value == value), default=None)
        table.rows.append([name(labels[problem])]
                          + [num(fmt.ratio(value), strong=value == best) for value in line])
    return table


def _details(rows, labels, baseline):
    table = Table(["problem", "implementation", "time", "quartiles",
                   f"speed-up over {baseline}" if baseline else "speed-up (no baseline)", "GMAC/s",
                   "MAC per cycle", "of the limit", "workspace, MiB", "preparation", "verified", "repetitions",
                   "library kernel", "first layer with this shape", "text form"])
    for problem, block in rows.groupby("problem", sort=False):
        unit = fmt.time_unit(block.time_median_ns)
        for row in block.itertuples():
            quartiles = f"{fmt.number(row.time_p25_ns / unit[1])} to {fmt.time_in(unit, row.time_p75_ns)}"
            table.rows.append([
                name(labels[problem]), Cell(row.implementation),
                num(fmt.time_in(unit, row.time_median_ns)),
                num(quartiles if row.time_p25_ns == row.time_p25_ns else fmt.NONE),
                num(fmt.ratio(row.speedup)), num(fmt.number(row.gmac_per_s)),
                num(fmt.number(row.macs_per_cycle)), num(fmt.percent(row.limit_share)), num(fmt.mib(row.workspace_bytes)),
                num(fmt.time(row.prepare_time_ns)),
                Cell(row.verified or fmt.NONE), repetitions_cell(row),
                Cell(row.library_kernel or fmt.NONE),
                Cell(" ".join(filter(None, [row.network, row.layer])) or fmt.NONE), code(problem)])
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
