"""Who owns the bytes: planned, measured, and what the operating system saw."""

from . import formatting as fmt
from . import plots
from .drawing import plot
from .memory_totals import ARENA_VIEW, OUTSIDE_VIEW
from .section_timeline import timeline_of
from .tables import Cell, Table, conditions_text, families, num
from .theme import part_colours, part_legend

CATEGORIES = ["weights_packed", "weights_real", "parameters", "input_output", "activations_real",
              "activations_bits", "workspace_columns", "workspace_library", "arena_gaps"]
CONDITIONS = ["setting", "network", "policy", "batch", "threads", "float_backend"]
KEY = ("setting", "network", "policy", "float_backend")


def memory_comparisons(memory, timeline, shown, baseline, by_policy):
    """Plots for one batch and thread count of each network and policy; tables for the others.
    `by_policy`: the (setting, network) pairs whose policies stand side by side, so that each
    policy's own categories are only for those who ask."""
    result = []
    for index, (conditions, rows, others) in enumerate(families(memory, CONDITIONS, KEY)):
        names, owners, cells = _contents(rows)
        network, policy = conditions["network"], conditions["policy"]
        identity = f"{network}-{policy}-categories-{index}"
        result.append({
            "title": network, "plot": _plot(network, rows, names, owners, cells, identity),
            "by_policy": (conditions["setting"], network) in by_policy,
            "conditions": conditions_text(conditions), "table": _table(names, owners, cells),
            "timeline": timeline_of(conditions, timeline, shown, _arenas(names, cells), baseline,
                                    CATEGORIES, f"{network}-{policy}-timeline-{index}"),
            "others": [(conditions_text({name: more[name] for name in ("batch", "threads")}),
                        _table(*_contents(part))) for more, part in others]})
    return result


def _plot(network, rows, names, owners, cells, identity):
    # Categories in which nobody has a byte would only lengthen the legend.
    sizes = rows[["planned_bytes", "measured_bytes"]]
    drawn = [owner for owner in owners if (sizes[rows.category == owner] > 0).any(axis=None)]
    colours = part_colours(drawn, CATEGORIES)
    views = {name: _views(name, drawn, cells) for name in names}
    if not any(views.values()):
        return None
    figure = plots.memory_stacks([name for name in names if views[name]], colours, views)
    return plot(figure, identity, f"Memory of {network} by category and implementation",
                _caption(rows), part_legend(drawn, colours))


def _caption(rows):
    text = "Planned: computed without running."
    if rows.measured_bytes.notna().any():
        text += (" Measured: the ledger at its peak. Both: the two are equal. Outside: growth of "
                 "the process as the operating system saw it.")
    return text


def _contents(rows):
    """Implementations, the categories that own bytes, and the rows by category and implementation.
    """
    cells = {(row.category, row.implementation): row for row in rows.itertuples()}
    owners = [name for name in dict.fromkeys(rows.category)
              if name not in OUTSIDE_VIEW + ARENA_VIEW]
    return list(dict.fromkeys(rows.implementation)), owners, cells


def _arenas(names, cells):
    """implementation -> planned bytes of the arena and of its lower bound."""
    return {name: tuple(getattr(cells.get((view, name)), "planned_bytes", float("nan"))
                        for view in ARENA_VIEW) for name in names}


def _views(name, drawn, cells):
    """The bars of one implementation; a view without any number has none."""
    result = []
    for view in ["planned", "measured"]:
        counts = [getattr(cells.get((owner, name)), f"{view}_bytes", float("nan"))
                  for owner in drawn]
        known = [0.0 if count != count else max(count, 0.0) for count in counts]
        if any(count == count for count in counts):
            total = getattr(cells.get(("total", name)), f"{view}_bytes", float("nan"))
            bar = known, total if total == total else sum(known)
            if result and result[0][1:] == bar:
                result = [("both", *bar)]  # one bar says it
            else:
                result.append((view, *bar))
    outside = getattr(cells.get(("outside", name)), "measured_bytes", float("nan"))
    if outside == outside:
        result.append(("outside", None, max(outside, 0.0)))
    return result


def _table(names, owners, cells):
    measured = any(row.measured_bytes == row.measured_bytes for row in cells.values())
    table = Table(["MiB"] + names, note="Planned / measured where they differ, once where they are "
                  "equal." if measured else "Planned only: nothing was run.")
    # Older runs have no rows of the arena, planned ones none of what the system saw.
    views = [view for view in OUTSIDE_VIEW + ARENA_VIEW
             if any((view, name) in cells for name in names)]
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
