"""One row for a case that several runs measured.

Runs of one machine, commit and build are one setting. A case that several of its runs measured is
shown once, from the run that measured most of its comparison, and names the others. Ratios stay
those of each row's own run: none is made across runs.
"""

import json

from . import formatting as fmt
from .memory_totals import COMPARED

# A comparison: what rows of one plot or table share. The steps of a pass differ in the rest.
COMPARISON = ["setting", "kind", "network", "problem", "float_backend", "source", "destination",
              "batch", "threads", "cache", "seed", "input"]
CASE = COMPARISON + ["layer", "part", "own_problem", "implementation"]
ORDER = {"wrong": 0, "ok": 1, "throttled": 2}  # a wrong row is never hidden behind a good one
ONE_PASS = ["run", "network", "implementation", "float_backend", "policy", "batch", "threads",
            "seed", "input"]


def settings(runs):
    """run label -> setting's label: empty where there is one setting only."""
    members = {}
    for run in runs:
        info = run.info
        same = [info["machine"].get("name"), info["gpu"].get("name"), info["project"],
                info["build"], info["libraries"]]
        members.setdefault(json.dumps(same, sort_keys=True), []).append(run.label)
    if len(members) < 2:
        return {run.label: "" for run in runs}
    return {label: f"run{'s' * (len(labels) > 1)} {', '.join(labels)}"
            for labels in members.values() for label in labels}


def merged(tidy, setting_of):
    """The tidy table with a column `setting`, each case once; `also` says what other runs saw."""
    rows = tidy.assign(setting=tidy.run.map(setting_of).astype(object), also="",
                       own_problem=tidy.problem)
    rows.loc[rows.kind.isin(["network", "layer"]), "problem"] = ""
    steps = rows.kind == "layer"
    ends = rows[["source", "destination"]].copy()
    rows.loc[steps, ["source", "destination"]] = ""
    rank = _rank_of_runs(rows)
    rows["rank"] = [rank[key] for key in zip(*(rows[name] for name in COMPARISON), rows.run)]
    rows["urgency"] = rows.status.map(ORDER).astype(float).fillna(3)
    ordered = rows.sort_values(["urgency", "rank"], kind="stable")
    result = ordered.drop_duplicates(CASE).copy()
    repeated = ordered[ordered.duplicated(CASE, keep=False)]
    for _, same in repeated.groupby(CASE, sort=False):
        first = same.index[0]
        result.loc[first, "output_hash"] = _together(same.output_hash)
        result.loc[first, "also"] = "; ".join(
            f"{fmt.time(row.time_median_ns)} in {row.run}" for row in same.iloc[1:].itertuples()
            if row.time_median_ns == row.time_median_ns)
    # In the order of the records: a case stands where it was first.
    result["place"] = rows.groupby(CASE, sort=False).ngroup()[result.index]  # numbered as they come
    result = result.sort_values("place", kind="stable")
    result[["source", "destination"]] = ends.loc[result.index]
    result["problem"] = result.own_problem
    result = result.drop(columns=["rank", "urgency", "own_problem", "place"])
    return result.reset_index(drop=True)


def _together(hashes):
    return "; ".join(dict.fromkeys(value for text in hashes for value in text.split("; ") if value))


def _rank_of_runs(rows):
    """(comparison, run) -> 0 for the run with most implementations, then most repetitions."""
    good = rows[rows.status == "ok"].groupby(COMPARISON + ["run"]).agg(
        count=("implementation", "size"), repetitions=("repetitions_used", "sum"))
    weights = {key: (row.count_, row.repetitions) for key, row in
               zip(good.index, good.rename(columns={"count": "count_"}).itertuples())}
    runs = {}
    for key in zip(*(rows[name] for name in COMPARISON), rows.run):
        runs.setdefault(key[:-1], {}).setdefault(key[-1])
    return {(*comparison, run): place for comparison, labels in runs.items()
            for place, run in enumerate(sorted(
                labels, key=lambda label: weights.get((*comparison, label), (0, 0)),
                reverse=True))}


def merged_memory(totals, buffers, setting_of):
    """The totals with a column `setting`, each forward pass once: its bytes depend neither on the
    input nor on the seed. The row with an owner for every buffer comes first, then a measured one.
    """
    rows = totals.assign(setting=totals.run.map(setting_of).astype(object))
    owned = set(buffers[ONE_PASS].drop_duplicates().itertuples(index=False, name=None))
    rows["owned"] = [key in owned for key in rows[ONE_PASS].itertuples(index=False, name=None)]
    rows["measured"] = rows.measured_bytes.notna()
    case = COMPARED + ["implementation", "float_backend", "policy", "planned_bytes"]
    order = rows.sort_values(["measured", "owned"], ascending=False, kind="stable")
    kept = order.drop_duplicates(case).index
    result = rows.loc[sorted(kept)].drop(columns=["owned", "measured"])
    largest = result.groupby(COMPARED).planned_bytes.transform("max")
    result["largest_over_planned"] = (
        largest / result.planned_bytes.where(result.planned_bytes > 0)).astype(float)
    return result.reset_index(drop=True)


def of_passes(table, totals):
    """The rows of a memory file that belong to the passes of these totals."""
    setting = {key[:-1]: key[-1] for key in
               totals[ONE_PASS + ["setting"]].itertuples(index=False, name=None)}
    keys = list(table[ONE_PASS].itertuples(index=False, name=None))
    table = table.assign(setting=[setting.get(key) for key in keys])
    kept = [index for index, key in zip(table.index, keys) if key in setting]
    return table.loc[kept].reset_index(drop=True)
