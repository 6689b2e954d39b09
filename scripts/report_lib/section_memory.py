"""Who owns the bytes: planned, measured, and what the operating system saw."""

from . import formatting as fmt
from . import plots
from .memory_totals import ARENA_VIEW, OUTSIDE_VIEW
from .section_timeline import timeline_of
from .tables import Cell, Table, conditions_text, families, num

CATEGORIES = ["weights_packed", "weights_real", "parameters", "input_output", "activations_real",
              "activations_bits", "workspace_columns", "workspace_library", "arena_gaps"]


def memory_comparisons(memory, timeline, tidy, baseline, folded, several_runs):
    """Plots for one batch and thread count of each network and policy; tables for the others. `folded`: the (run, network)
    pairs whose policies stand side by side above, so that each policy's own categories are only for those who ask."""
    result = []
    for index, (conditions, rows, others) in enumerate(families(
            memory, ["run", "network", "policy", "batch", "threads", "real_layers", "seed", "input"])):
        names, owners, cells = _contents(rows)
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
                _caption(rows), plots.part_legend(drawn, colours))
        result.append({"title": conditions["network"], "plot": plot,
                       "folded": (conditions["run"], conditions["network"]) in folded,
                       "conditions": conditions_text(conditions, several_runs),
                       "table": _table(names, owners, cells),
                       "timeline": timeline_of(conditions, timeline, tidy, _arenas(names, cells), baseline,
                                               CATEGORIES, f"timeline{index}"),
                       "others": [(conditions_text({"batch": more["batch"], "threads": more["threads"]}, False),
                                   _table(*_contents(part))) for more, part in others]})
    return result


def _caption(rows):
    text = "Planned: computed without running."
    if rows.measured_bytes.notna().any():
        text += (" Measured: the ledger at its peak. Outside: growth of the process as the operating system "
                 "saw it.")
    return text


def _contents(rows):
    """Implementations, the categories that own bytes, and the rows by category and implementation."""
    cells = {(row.category, row.implementation): row for row in rows.itertuples()}
    owners = [name for name in dict.fromkeys(rows.category) if name not in OUTSIDE_VIEW + ARENA_VIEW]
    return list(dict.fromkeys(rows.implementation)), owners, cells


def _arenas(names, cells):
    """implementation -> planned bytes of the arena and of its lower bound."""
    return {name: tuple(getattr(cells.get((view, name)), "planned_bytes", float("nan")) for view in ARENA_VIEW)
            for name in names}


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
    measured = any(row.measured_bytes == row.measured_bytes for row in cells.values())
    table = Table(["MiB"] + names, note="Planned / measured where they differ, once where they are equal." if measured
                  else "Planned only: nothing was run.")
    # Older runs have no rows of the arena, planned ones none of what the system saw.
    views = [view for view in OUTSIDE_VIEW + ARENA_VIEW if any((view, name) in cells for name in names)]
    for category in owners + views:
        line = [_pair(cells.get((category, name))) for name in names]
        table.rows.append([Cell(category, "strong" if category == "total" else "")]
                          + [num(text, strong=category == "total") for text in line])
    return table


def _pair(row):
    if row is None:
        return fmt.NONE
    planned, measured = fmt.mib(row.planned_bytes), fmt.mib(row.measured_bytes)
    if row.measured_bytes != row.measured_bytes:
        return planned
    if row.planned_bytes == row.measured_bytes or row.planned_bytes != row.planned_bytes:
        return measured
    return f"{planned} / {measured}"
