"""Bytes alive step by step: where the peak is, what it is made of, how near the arena is to its
lower bound."""

from . import formatting as fmt
from .drawing import plot
from .plots_timeline import timeline
from .section_owners import largest_buffers
from .theme import part_colours, part_legend

SAME = ["setting", "network", "policy", "float_backend", "batch", "threads"]


def timeline_of(conditions, timeline_rows, shown, arenas, baseline, order, identity):
    """{"plot", "texts"} of the fastest XNOR implementation and the baseline, or None. arenas holds
    (arena's bytes, lower bound's bytes) by implementation; order is the categories'."""
    rows = timeline_rows[_equal(timeline_rows, conditions, SAME)]
    names = _chosen(rows, shown, conditions, baseline)
    if not names:
        return None
    rows = rows[rows.implementation.isin(names)]
    known = [category for category in order if (rows.category == category).any()]
    categories = list(dict.fromkeys(known + list(rows.category)))
    alive = {name: _by_step(rows[rows.implementation == name], categories) for name in names}
    colours = part_colours(categories, order)
    panels = [(name, alive[name].values, _known(arenas.get(name))) for name in names]
    dashed = " The dashed line is the arena." if any(panel[2] for panel in panels) else ""
    drawing = plot(timeline(panels, colours), identity,
                   f"Bytes alive in each step of {conditions['network']} by category",
                   f"Bytes alive in the arena, step by step; both to one scale.{dashed}"
                   if len(names) > 1 else f"Bytes alive in the arena, step by step.{dashed}",
                   part_legend(categories, colours))
    layers = {name: rows[rows.implementation == name].groupby("step").layer.first()
              for name in names}
    return {"plot": drawing,
            "texts": [peak_text(name, alive[name], layers[name], arenas.get(name))
                      for name in names]}


def policy_timelines(network, rows, buffers, order, identity):
    """[{"title", "plot", "texts"}], one for each implementation of which buffers are known or that
    has another policy than the arena; a panel for each policy. Rows and buffers are of one
    comparison, with labels."""
    names = [name for name, mine in rows.groupby("implementation", sort=False)
             if (mine.policy != "arena").any() or (buffers.implementation == name).any()]
    result = []
    for name in names:
        mine = rows[rows.implementation == name]
        known = [category for category in order if (mine.category == category).any()]
        categories = list(dict.fromkeys(known + list(mine.category)))
        colours = part_colours(categories, order)
        panels, texts = [], []
        for policy, steps in mine.groupby("label", sort=False):
            alive = _by_step(steps, categories)
            panels.append((policy, alive.values, None))
            owned = buffers[(buffers.implementation == name) & (buffers.label == policy)]
            texts.append((policy, step_text(alive, steps.groupby("step").layer.first(), owned)))
        own = ", each policy to a scale of its own." if len(panels) > 1 else "."
        result.append({"title": name, "texts": texts, "plot": plot(
            timeline(panels, colours, one_scale=False), f"{identity}-{name}",
            f"Bytes alive in each step of {network} on {name} by category, for each buffer policy",
            "Bytes alive step by step" + own, part_legend(categories, colours))})
    return result


def step_text(alive, layers, buffers):
    """One sentence about the fullest step."""
    total = alive.sum()
    step = int(total.idxmax())
    text = (f"is fullest at step {step} ({layers.get(step, 'no layer')}), "
            f"with {_mib(total[step])} alive")
    largest = largest_buffers(buffers, step, alive.index[alive[step] > 0])
    text += f", the largest: {largest}" if largest else ""
    others = int((total == total.max()).sum()) - 1
    return text + (f"; {fmt.plural(others, 'other step')} as full." if others else ".")


def _known(arena):
    return arena[0] if arena and arena[0] == arena[0] else None


def _equal(table, conditions, columns):
    same = table[columns[0]] == conditions[columns[0]]
    for column in columns[1:]:
        same &= table[column] == conditions[column]
    return same


def _chosen(rows, shown, conditions, baseline):
    """The fastest XNOR implementation that has a timeline, then the baseline."""
    names = list(dict.fromkeys(rows.implementation))
    times = shown[(shown.kind == "network") & (shown.status == "ok")
                  & shown.implementation.isin(names)]
    times = times[_equal(times, conditions, [column for column in SAME if column != "policy"])]
    times = times[times.seed.isin(rows.seed) & times.input.isin(rows.input)]
    xnor = [name for name in names if "_xnor_" in name]
    timed = times[times.implementation.isin(xnor)]
    if len(timed):
        xnor = [timed.implementation[timed.time_median_ns.idxmin()]]
    chosen = xnor[:1] + [name for name in names if name == baseline]
    return list(dict.fromkeys(chosen or names[:1]))


def _by_step(rows, categories):
    """Categories x steps; a step without a row has nothing alive."""
    table = rows.pivot_table(index="category", columns="step", values="bytes", aggfunc="sum",
                             fill_value=0)
    steps = range(int(rows.step.max()) + 1)
    return table.reindex(index=categories, columns=steps, fill_value=0).fillna(0)


def peak_text(name, alive, layers, arena):
    total = alive.sum()
    step = int(total.idxmax())
    parts = alive[step][alive[step] > 0].sort_values(ascending=False, kind="stable")
    large, small = parts[parts >= total[step] / 100], parts[parts < total[step] / 100]
    made_of = ", ".join(f"{category} {fmt.mib(count)}" for category, count in large.items())
    made_of += f"; under 1{fmt.SPACE}%: {', '.join(small.index)}" if len(small) else ""
    others = int((total == total.max()).sum()) - 1
    text = (f"is fullest at step {step} ({layers.get(step, 'no layer')}): {_mib(total[step])} alive"
            + (f" ({made_of})." if len(parts) > 1
               else f", all {parts.index[0]}." if len(parts) else "."))
    text += f" {fmt.plural(others, 'other step')} as full." if others else ""
    if _known(arena) is not None:
        text += f" {arena_text(*arena)}"
    return name, text


def arena_text(size, bound):
    text = f"Arena {_mib(size)}"
    if bound == bound and bound > 0:
        text += f", lower bound {_mib(bound)}, {(size / bound - 1) * 100:.1f}{fmt.SPACE}% above"
    return text + "."


def _mib(count):
    return f"{fmt.mib(count)}{fmt.SPACE}MiB"
