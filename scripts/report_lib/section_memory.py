"""Who owns the bytes: planned, measured, and what the operating system saw."""

from . import formatting as fmt
from . import plots
from .tables import Cell, Table, conditions_text, groups, num

CATEGORIES = ["weights_packed", "weights_real", "parameters", "input_output", "activations_real",
              "activations_bits", "workspace_columns", "workspace_library", "arena_gaps"]
# Rows of memory.csv that are no owner of bytes.
OUTSIDE_VIEW = ["total", "outside", "unattributed"]


def memory_comparisons(memory, several_runs):
    result = []
    for index, (conditions, rows) in enumerate(
            groups(memory, ["run", "network", "policy", "batch", "threads", "real_layers", "seed", "input"])):
        cells = {(row.category, row.implementation): row for row in rows.itertuples()}
        names = list(dict.fromkeys(rows.implementation))
        owners = [name for name in dict.fromkeys(rows.category) if name not in OUTSIDE_VIEW]
        # Categories in which nobody has a byte would only lengthen the legend.
        drawn = [owner for owner in owners
                 if (rows[rows.category == owner][["planned_bytes", "measured_bytes"]] > 0).any(axis=None)]
        colours = plots.part_colours(drawn, CATEGORIES)
        plot = None
        views = {name: _views(name, drawn, cells) for name in names}
        if any(views.values()):
            plot = plots.Plot(
                plots.memory_stacks([name for name in names if views[name]], colours, views,
                                    f"memory{index}"),
                f"Memory of {conditions['network']} by category and implementation",
                "Planned: computed without running. Measured: the ledger at its peak. Outside: growth "
                "of the process as the operating system saw it.", plots.part_legend(drawn, colours))
        result.append({"title": conditions["network"], "plot": plot,
                       "conditions": conditions_text(conditions, several_runs),
                       "table": _table(names, owners, cells)})
    return result


def _views(name, drawn, cells):
    """The bars of one implementation; a view without any number has none."""
    result = []
    for view in ["planned", "measured"]:
        counts = [getattr(cells.get((owner, name)), f"{view}_bytes", float("nan")) for owner in drawn]
        known = [0.0 if count != count else max(count, 0.0) for count in counts]
        if any(count == count for count in counts):
            total = getattr(cells.get(("total", name)), f"{view}_bytes", float("nan"))
            result.append((view, known, total if total == total else sum(known)))
    outside = getattr(cells.get(("outside", name)), "measured_bytes", float("nan"))
    if outside == outside:
        result.append(("outside", None, max(outside, 0.0)))
    return result


def _table(names, owners, cells):
    table = Table(["MiB"] + names, note="Planned / measured where they differ, once where they are equal.")
    for category in owners + OUTSIDE_VIEW:
        line = [_pair(cells.get((category, name))) for name in names]
        table.rows.append([Cell(category, "strong" if category == "total" else "")]
                          + [num(text, strong=category == "total") for text in line])
    return table


def _pair(row):
    if row is None:
        return fmt.NONE
    planned, measured = fmt.mib(row.planned_bytes), fmt.mib(row.measured_bytes)
    if row.planned_bytes == row.measured_bytes or row.planned_bytes != row.planned_bytes:
        return measured
    return f"{planned} / {measured}"
