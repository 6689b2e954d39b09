"""Cold over hot: the same case in two states of the cache, and the only ratio across regions."""

from . import formatting as fmt
from .medians import REGION, region_of
from .problem_text import labels_of
from .tables import Cell, Table, conditions_text, groups, name, num

APART = ["setting", "float_backend", "source", "destination", "batch", "threads", "seed", "input"]
SAME = ["setting"] + [column for column in REGION if column not in ("run", "cache")] + [
    "implementation"]


def cache_comparison(shown):
    """[(conditions, table)] of the cases that ran both ways; empty where there are none."""
    good = shown[(shown.status == "ok") & (shown.kind != "layer")
                 & shown.cache.isin(["hot", "cold"])]
    good = good.assign(**region_of(good))
    times = good.pivot(index=SAME, columns="cache", values="time_median_ns")
    times = times.reindex(columns=["hot", "cold"])
    both = times.dropna()
    # In the order of the records, which pivot does not keep.
    order = list(dict.fromkeys(good[SAME].itertuples(index=False, name=None)))
    both = both.loc[[key for key in order if key in both.index]].reset_index()
    both["ratio"] = both.cold / both.hot
    labels = labels_of(dict.fromkeys(both.problem))
    result = []
    for conditions, rows in groups(both, APART):
        names = list(dict.fromkeys(rows.implementation))
        table = Table(["case"] + names)
        for (network, problem), cases in rows.groupby(["network", "problem"], sort=False):
            cell = {row.implementation: row for row in cases.itertuples()}
            table.rows.append([name(labels[problem] or network)]
                              + [_cell(cell.get(other)) for other in names])
        result.append((conditions_text(conditions), table))
    return result


def _cell(row):
    if row is None:
        return num(fmt.NONE)
    return Cell(f"{fmt.ratio(row.ratio)} ({fmt.time(row.hot)} → {fmt.time(row.cold)})", "num")
