"""Buffer policies side by side: the bytes of a forward pass by implementation and policy, and who owns them."""

import pandas

from . import formatting as fmt
from . import plots
from .memory_totals import ARENA_VIEW, COMPARED, OUTSIDE_VIEW, of_setting, with_labels
from .section_owners import owned_at_peak, owner_tables
from .section_timeline import policy_timelines
from .tables import Cell, Table, conditions_text, families, num

SEEN = {"measured": "measured", "outside": "outside", "outside_peak": "outside peak",
        "unattributed": "unattributed"}
SHARE = 0.05  # owners with less of the largest setting are not named in the sentence above the table


def policy_comparisons(memory, totals, timeline, buffers, known_categories, several_runs):
    """For networks with several policies, with another one than the arena, or with an owner for every buffer."""
    result = []
    for index, (conditions, rows, others) in enumerate(families(totals, COMPARED)):
        everything = pandas.concat([rows] + [more for _, more in others])
        rows, mine, steps = with_labels(rows, of_setting(buffers, conditions), of_setting(timeline, conditions))
        if not (len(mine) or (everything.policy != "arena").any()):
            continue
        owned = owned_at_peak(mine) if len(mine) else None
        categories = _by_category(memory, rows)
        result.append({
            "title": conditions["network"],
            "conditions": conditions_text(conditions, several_runs),
            "largest": _largest(rows, owned, categories),
            "table": _table(everything),
            "plot": _plot(conditions, rows, categories, known_categories, f"policies{index}"),
            "owners": owner_tables(owned) if owned is not None else [],
            "timelines": policy_timelines(conditions["network"], steps, mine, known_categories, f"alive{index}")})
    return result


def shown_by_policy(totals, buffers):
    """The (run, network) pairs whose policies stand side by side above the tables of categories."""
    shown = pandas.concat([totals[totals.policy != "arena"][["run", "network"]], buffers[["run", "network"]]])
    return set(shown.itertuples(index=False, name=None))


def _by_category(memory, rows):
    """Planned bytes, categories x settings; a setting is a row of the totals."""
    owners = memory[~memory.category.isin(OUTSIDE_VIEW + ARENA_VIEW)]
    keys = [name for name in rows.columns if name in owners.columns and not name.endswith("_bytes")]
    merged = rows[keys].reset_index().merge(owners, on=keys)
    table = merged.pivot_table(index="category", columns="index", values="planned_bytes", aggfunc="sum", sort=False)
    return table.fillna(0).clip(lower=0).reindex(columns=rows.index, fill_value=0)


def _largest(rows, owned, categories):
    """What most of the bytes of the largest setting are."""
    row = rows.loc[rows.planned_bytes.idxmax()] if rows.planned_bytes.notna().any() else None
    if row is None or row.planned_bytes == 0:
        return ""
    key = (row.implementation, row.label)
    parts = owned[key].dropna() if owned is not None and key in owned.columns else categories[row.name]
    parts = parts.sort_values(ascending=False, kind="stable")
    shares = parts / row.planned_bytes
    named = ", ".join(f"{fmt.percent(share)} {part}" for part, share in shares.items() if share >= SHARE)
    if not named:
        return f"{_setting(row)} takes most: {_mib(row.planned_bytes)}."
    return f"{_setting(row)} takes most: {_mib(row.planned_bytes)}, of which {named}."


def _setting(row):
    return f"{row.implementation} with policy {row.policy}"


def _mib(count):
    return f"{fmt.mib(count)}{fmt.SPACE}MiB"


def _table(rows):
    # What was not measured has no column: all of it where a run is planned only, the highest moment in older runs.
    measured = [name for name in SEEN if rows[f"{name}_bytes"].notna().any()]
    varying = [name for name in ("batch", "threads") if rows[name].nunique() > 1]
    table = Table(["implementation", "policy", *varying, "planned, MiB"]
                  + [f"{SEEN[name]}, MiB" for name in measured]
                  + ["largest over this", "real layers"],
                  note="" if measured else "Planned only: nothing was run.")
    for row in rows.itertuples():
        seen = [getattr(row, f"{name}_bytes") for name in measured]
        table.rows.append([Cell(row.implementation), Cell(row.policy)]
                          + [num(getattr(row, name)) for name in varying]
                          + [num(fmt.mib(count)) for count in [row.planned_bytes, *seen]]
                          + [num(fmt.ratio(row.largest_over_planned)), Cell(row.real_layers_ran or fmt.NONE)])
    return table


def _plot(conditions, rows, categories, known_categories, identity):
    """A bar for each policy below its implementation's name."""
    drawn = [name for name in known_categories + [name for name in categories.index if name not in known_categories]
             if name in categories.index and categories.loc[name].any()]
    if not drawn:
        return None
    colours = plots.part_colours(drawn, known_categories)
    bars = {}
    for row in rows[rows.planned_bytes > 0].itertuples():
        bars.setdefault(row.implementation, []).append(
            (row.label, list(categories.loc[drawn, row.Index]), row.planned_bytes))
    return plots.Plot(
        plots.memory_stacks(list(bars), colours, bars, identity, shares=True),
        f"Bytes of a forward pass of {conditions['network']} by category, for each implementation and buffer policy",
        "Planned bytes by category, a bar for each buffer policy; the share of the bar where there is room for it.",
        plots.part_legend(drawn, colours))
