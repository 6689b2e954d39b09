"""The separate pass that times a network's steps."""

from . import formatting as fmt
from . import plots
from .drawing import plot
from .problem_text import labels_of
from .tables import NETWORK_CONDITIONS, Cell, Table, conditions_text, families, num
from .theme import part_colours, part_legend

PARTS = ["sign_pass", "convolution", "real_layer", "pool", "elementwise"]
LONGEST = 12
# A step has a source and a destination of its own.
CONDITIONS = [name for name in NETWORK_CONDITIONS if name not in ("source", "destination")]


def layer_profiles(shown):
    layers = shown[(shown.kind == "layer") & shown.time_median_ns.notna()]
    result = []
    for index, (conditions, rows, others) in enumerate(families(layers, CONDITIONS)):
        network = conditions["network"]
        by_part = _by_part(rows)
        parts = list(by_part.columns)
        colours = part_colours(parts, PARTS)
        shares = _shares(by_part)
        figure = plots.layer_shares(list(by_part.index), colours, shares.values, by_part.values)
        result.append({
            "title": network, "conditions": conditions_text(conditions),
            "plot": plot(figure, f"{network}-steps-{index}",
                         f"Shares of the profiled pass of {network} by part and implementation",
                         "Each bar is one implementation's profiled pass, split by what its steps "
                         "do.", part_legend(parts, colours)),
            "parts": _parts_table(by_part), "longest": _longest_table(rows),
            "others": [(conditions_text({**more, "network": ""}), _parts_table(_by_part(steps)))
                       for more, steps in others],
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
        cells = zip(by_part.loc[implementation], shares.loc[implementation])
        table.rows.append([Cell(implementation)] + [
            num(f"{fmt.time(time)} ({fmt.percent(share)})" if time else fmt.NONE)
            for time, share in cells])
    return table


def _longest_table(rows):
    fastest = rows.groupby("implementation", sort=False).time_median_ns.sum().idxmin()
    steps = rows.pivot_table(index=["layer", "part", "problem"], columns="implementation",
                             values="time_median_ns", aggfunc="sum", sort=False)
    names = list(dict.fromkeys(rows.implementation))
    steps = steps.sort_values(fastest, ascending=False, kind="stable").head(LONGEST)
    labels = labels_of(dict.fromkeys(problem for _, _, problem in steps.index))
    shares = {(row.layer, row.part, row.problem, row.implementation): row.bound_share
              for row in rows.itertuples() if row.bound_share == row.bound_share}
    count = len(rows[["layer", "part", "problem"]].drop_duplicates())
    table = Table(["layer", "part", "problem"] + names,
                  note=f"The {fmt.plural(len(steps), 'step')} that took {fastest} longest, of "
                       f"{count}." + (" In brackets: share of the bound." if shares else ""))

    def cell(key, other, time):
        share = shares.get((*key, other))
        bracket = f" ({fmt.percent(share)})" if share is not None else ""
        return Cell(fmt.time(time) + bracket, "num narrow")

    for key, times in steps.iterrows():
        table.rows.append([Cell(key[0], "narrow"), Cell(key[1]),
                           Cell(labels[key[2]] or fmt.NONE, "narrow")]
                          + [cell(key, other, times[other]) for other in names])
    return table
