"""Who owns the bytes: the buffers of a forward pass by the kind of layer that they belong to."""

import pandas

from . import formatting as fmt
from .tables import Cell, Table, num

SETTING = ["implementation", "label"]
NAMED = 3  # buffers that a sentence names
SMALL = 0.005  # owners with less everywhere share a row: a dozen of them would hide the others


def owner_of(buffer):
    """The kind of layer and what the buffer is to it."""
    if buffer.kind == "tensor":
        return buffer.module if buffer.module == "input" else f"{buffer.module} outputs"
    if buffer.kind == "packed_input":
        return f"{buffer.module} packed input"
    if buffer.kind == "prepared":
        ones = buffer.category == "workspace_columns"
        return f"{buffer.module} " + ("vectors of ones" if ones else buffer.category)
    if buffer.category == "activations_bits":
        return f"{buffer.module} packed im2col buffer"
    library = buffer.category == "workspace_library"
    return f"{buffer.module} " + ("library scratchpad" if library else "im2col buffer")


def with_owners(buffers):
    return buffers.assign(owner=[owner_of(row) for row in buffers.itertuples()])


def owned_at_peak(buffers):
    """Owners x (implementation, policy's label), of the buffers alive in the fullest step."""
    alive = buffers[(buffers.at_peak == "yes") & (buffers.bytes > 0)]
    return with_owners(alive).pivot_table(index="owner", columns=SETTING, values="bytes",
                                          aggfunc="sum", sort=False)


def owner_tables(owned):
    """[(implementation, table)]: a column for each policy, the largest owner first."""
    result = []
    for name in dict.fromkeys(implementation for implementation, _ in owned.columns):
        mine = owned[name].dropna(how="all")
        mine = mine.loc[mine.max(axis=1).sort_values(ascending=False, kind="stable").index]
        totals = mine.sum()
        small = (mine.fillna(0) / totals < SMALL).all(axis=1)
        if small.sum() > 1:
            rest = mine[small].sum(min_count=1).rename(
                f"{small.sum()} others, each below {SMALL * 100:g}{fmt.SPACE}%")
            mine = pandas.concat([mine[~small], rest.to_frame().T])
        table = Table(["MiB at the peak"] + list(mine.columns))
        for owner, counts in mine.iterrows():
            table.rows.append([Cell(owner)] + [_share(counts[policy], totals[policy])
                                               for policy in mine.columns])
        table.rows.append([Cell("together", "strong")]
                          + [num(fmt.mib(totals[policy]), strong=True) for policy in mine.columns])
        result.append((name, table))
    return result


def _share(count, total):
    return num(f"{fmt.mib(count)} ({fmt.percent(count / total)})" if count == count else fmt.NONE)


def largest_buffers(buffers, step, categories):
    """The largest that are alive in one step, in words; of the timeline's categories."""
    alive = buffers[(buffers.birth_step <= step) & (buffers.death_step >= step)
                    & (buffers.kind != "prepared") & buffers.category.isin(categories)]
    named = with_owners(alive).sort_values("bytes", ascending=False, kind="stable").head(NAMED)
    words = [f"{row.owner} of {row.layer} ({fmt.mib(row.bytes)}{fmt.SPACE}MiB)"
             for row in named.itertuples()]
    return ", ".join(words)
