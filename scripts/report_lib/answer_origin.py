"""The first screen's answer to "where does the memory come from": bytes by owner, as a framework
that frees nothing keeps them, and as they are when buffers share."""

from . import formatting as fmt
from .drawing import plot
from .memory_totals import of_comparison, with_labels
from .plots_answers import paired_bars
from .section_owners import owned_at_peak
from .section_policies import by_category
from .theme import PART_COLOURS

OWNERS = 5  # that have a line of their own
COLOURS = [PART_COLOURS[6], PART_COLOURS[1]]
KEEPS, SHARES = "per_module", "arena"
WORDS = {KEEPS: "no module frees its buffers", SHARES: "buffers share memory",
         "shared_columns": "all layers share one im2col buffer"}


def answer(memory, totals, buffers):
    """None where no pass has planned bytes."""
    known = totals[totals.planned_bytes > 0]
    kept = known[known.policy == KEEPS]
    if not len(known):
        return None
    large = (kept if len(kept) else known).loc[lambda rows: rows.planned_bytes.idxmax()]
    mine = of_comparison(known, large)
    mine, owned_rows = with_labels(mine, of_comparison(buffers, large))
    mine = mine[mine.implementation == large.implementation]
    large = mine.loc[large.name]
    small = mine[(mine.policy == SHARES) & (mine.index != large.name)]
    small = small.loc[(small.float_backend != large.float_backend).sort_values(
        kind="stable").index]  # of the same float backend, if there is one
    passes = [large] + [row for _, row in small.head(1).iterrows()]
    counts = _by_owner(passes, owned_rows, memory, mine)
    return {"megabytes": f"{fmt.number(large.planned_bytes / 1e6)}{fmt.SPACE}MB", "headline": "",
            "text": _text(passes, counts), "plot": _plot(passes, counts)}


def _by_owner(passes, buffers, memory, rows):
    """Owners x passes: of every buffer alive at the peak, or by category where none is known."""
    keys = [(row.implementation, row.label) for row in passes]
    owned = owned_at_peak(buffers) if len(buffers) else None
    if owned is not None and all(key in owned.columns for key in keys):
        table = owned[keys]
    else:
        table = by_category(memory, rows)[[row.name for row in passes]]
    table = table.fillna(0).set_axis(range(len(passes)), axis=1)
    table = table[(table > 0).any(axis=1)].sort_values(0, ascending=False, kind="stable")
    if len(table) <= OWNERS + 1:
        return table
    rest = table.iloc[OWNERS:].sum().rename(f"{len(table) - OWNERS} others")
    result = table.iloc[:OWNERS].copy()
    result.loc[rest.name] = rest
    return result


def _mib(count):
    return f"{fmt.mib(count)}{fmt.SPACE}MiB"


def _text(passes, counts):
    large = passes[0]
    text = (f"A pass of {large.network} (batch {large.batch}) on {large.implementation} takes "
            f"{_mib(large.planned_bytes)}" + (" by plan" if large.measured_bytes
                                              != large.measured_bytes else ""))
    text += f" when {WORDS[large.policy]} ({large.policy})" if large.policy in WORDS else ""
    if len(counts):
        owner, most = counts.index[0], counts[0].iloc[0]
        text += f"; {fmt.percent(most / large.planned_bytes)} of it is {owner}"
    if len(passes) > 1:
        small = passes[1]
        text += (f". It takes {_mib(small.planned_bytes)} when {WORDS[SHARES]} ({SHARES}): "
                 f"{fmt.ratio(large.planned_bytes / small.planned_bytes)} less")
    return text + "."


def _plot(passes, counts):
    if not len(counts):
        return None
    legend = [("■", colour, f"{row.policy}: {_mib(row.planned_bytes)}")
              for row, colour in zip(passes, COLOURS)]
    names = [name.replace("binary_convolution", "binary conv") for name in counts.index]
    return plot(paired_bars(names, [list(counts[index]) for index in counts.columns], COLOURS),
                "where-the-bytes-are", f"Bytes of a pass of {passes[0].network} by owner",
                "", legend)
