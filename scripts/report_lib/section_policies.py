"""Buffer policies side by side: the bytes of a forward pass by implementation and policy, and who
owns them."""

import pandas

from . import formatting as fmt
from . import plots
from .drawing import plot
from .memory_totals import (ARENA_VIEW, COMPARED, OUTSIDE_VIEW, SETTING, of_comparison, with_labels)
from .section_owners import owned_at_peak, owner_tables
from .section_timeline import policy_timelines
from .tables import Cell, Table, conditions_text, families, num
from .theme import part_colours, part_legend

SEEN = {"measured": "measured", "outside": "outside", "outside_peak": "outside peak",
        "unattributed": "unattributed"}
SHARE = 0.05  # owners with less of the largest setting are not named in the sentence


def policy_comparisons(memory, totals, timeline, buffers, known_categories):
    """For networks with several policies, with another one than the arena, or with an owner for
    every buffer."""
    result = []
    for index, (conditions, rows, others) in enumerate(families(totals, COMPARED)):
        everything = pandas.concat([rows] + [more for _, more in others])
        rows, mine, steps = with_labels(rows, of_comparison(buffers, conditions),
                                        of_comparison(timeline, conditions))
        if not (len(mine) or (everything.policy != "arena").any()):
            continue
        owned = owned_at_peak(mine) if len(mine) else None
        categories = by_category(memory, rows)
        network = conditions["network"]
        result.append({
            "title": network, "conditions": conditions_text(conditions),
            "largest": _largest(rows, owned, categories), "table": _table(everything),
            "plot": _plot(network, rows, categories, known_categories,
                          f"{network}-policies-{index}"),
            "owners": owner_tables(owned) if owned is not None else [],
            "timelines": policy_timelines(network, steps, mine, known_categories,
                                          f"{network}-alive-{index}")})
    return result


def shown_by_policy(totals, buffers):
    """The (setting, network) pairs whose policies stand side by side."""
    columns = ["setting", "network"]
    pairs = [*totals[totals.policy != "arena"][columns].itertuples(index=False, name=None),
             *buffers[columns].itertuples(index=False, name=None)]
    return set(pairs)


def by_category(memory, rows):
    """Planned bytes, categories x passes; a pass is a row of the totals."""
    owners = memory[~memory.category.isin(OUTSIDE_VIEW + ARENA_VIEW)]
    merged = rows[SETTING].reset_index().merge(owners, on=SETTING)
    table = merged.pivot_table(index="category", columns="index", values="planned_bytes",
                               aggfunc="sum", sort=False)
    return table.fillna(0).clip(lower=0).reindex(columns=rows.index, fill_value=0)


def _largest(rows, owned, categories):
    """What most of the bytes of the largest pass are."""
    row = rows.loc[rows.planned_bytes.idxmax()] if rows.planned_bytes.notna().any() else None
    if row is None or row.planned_bytes == 0:
        return ""
    key = (row.implementation, row.label)
    parts = (owned[key].dropna() if owned is not None and key in owned.columns
             else categories[row.name])
    parts = parts.sort_values(ascending=False, kind="stable")
    named = ", ".join(f"{fmt.percent(count / row.planned_bytes)} {part}"
                      for part, count in parts.items() if count / row.planned_bytes >= SHARE)
    text = (f"{row.implementation} with policy {row.policy} takes most: "
            f"{fmt.mib(row.planned_bytes)}{fmt.SPACE}MiB")
    return f"{text}, of these {named}." if named else f"{text}."


def _table(rows):
    # What was not measured has no column: all of it where a run is planned only, the highest
    # moment in older runs.
    measured = [name for name in SEEN if rows[f"{name}_bytes"].notna().any()]
    varying = [name for name in ("batch", "threads") if rows[name].nunique() > 1]
    table = Table(["implementation", "policy", *varying, "planned, MiB"]
                  + [f"{SEEN[name]}, MiB" for name in measured]
                  + ["largest over this", "float backend"],
                  note="" if measured else "Planned only: nothing was run.")
    for row in rows.itertuples():
        seen = [getattr(row, f"{name}_bytes") for name in measured]
        table.rows.append([Cell(row.implementation), Cell(row.policy)]
                          + [num(getattr(row, name)) for name in varying]
                          + [num(fmt.mib(count)) for count in [row.planned_bytes, *seen]]
                          + [num(fmt.ratio(row.largest_over_planned)),
                             Cell(row.float_backend_ran or fmt.NONE)])
    return table


def _plot(network, rows, categories, known_categories, identity):
    """A bar for each policy below its implementation's name."""
    unknown = [name for name in categories.index if name not in known_categories]
    drawn = [name for name in known_categories + unknown
             if name in categories.index and categories.loc[name].any()]
    if not drawn:
        return None
    colours = part_colours(drawn, known_categories)
    bars = {}
    for row in rows[rows.planned_bytes > 0].itertuples():
        bars.setdefault(row.implementation, []).append(
            (row.label, list(categories.loc[drawn, row.Index]), row.planned_bytes))
    return plot(plots.memory_stacks(list(bars), colours, bars, shares=True), identity,
                f"Bytes of a forward pass of {network} by category, for each implementation and "
                "buffer policy",
                "Planned bytes by category, a bar for each buffer policy; the share of the bar "
                "where there is room for it.", part_legend(drawn, colours))
