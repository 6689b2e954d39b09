"""One row for each forward pass: what memory.csv says of it category by category, put together."""

import pandas

from .tables import groups

SETTING = ["run", "network", "implementation", "limited_to", "float_backend", "float_backend_ran",
           "policy", "batch", "threads", "seed", "input"]
# Within these, passes are compared; a larger batch takes more, whatever the policy.
COMPARED = ["setting", "network", "batch", "threads"]
NUMBERS = ["planned_bytes", "measured_bytes", "outside_bytes", "outside_peak_bytes",
           "unattributed_bytes", "weights_bytes", "largest_over_planned"]

# Rows of memory.csv that are no owner of bytes.
OUTSIDE_VIEW = ["total", "outside", "outside_peak", "unattributed"]
# The block that holds tensors and workspaces, which the categories count already, and the least
# that it could be.
ARENA_VIEW = ["arena", "arena_lower_bound"]
WEIGHTS = ["weights_packed", "weights_real", "parameters"]


def of_comparison(table, conditions):
    """The rows of one comparison (COMPARED)."""
    same = table.network == conditions["network"]
    for column in COMPARED:
        same &= table[column] == conditions[column]
    return table[same]


def with_labels(totals, *tables):
    """Each with a column `label`: the policy, and the float backend where one implementation stands
    with several. All tables are of one comparison."""
    backends = totals.groupby("implementation").float_backend.nunique()
    several = set(backends.index[backends > 1])
    return [table.assign(label=[
        row.policy + (f", {row.float_backend_ran}" if row.implementation in several else "")
        for row in table.itertuples()]) for table in (totals, *tables)]


def memory_totals(memory):
    """largest_over_planned: how many times more the largest pass of the same run, network, batch,
    threads and input plans. weights_bytes: planned, of the categories of weights."""
    rows = []
    for setting, part in groups(memory, SETTING):
        owners = part[~part.category.isin(OUTSIDE_VIEW + ARENA_VIEW)]

        def told(category, column):
            found = part[part.category == category][column]
            return found.iloc[0] if len(found) else float("nan")

        def together(column):
            total = told("total", column)
            return total if total == total else owners[column].sum(min_count=1)

        weights = owners[owners.category.isin(WEIGHTS)].planned_bytes
        rows.append({**setting, "planned_bytes": together("planned_bytes"),
                     "measured_bytes": together("measured_bytes"),
                     "outside_bytes": told("outside", "measured_bytes"),
                     "outside_peak_bytes": told("outside_peak", "measured_bytes"),
                     "unattributed_bytes": told("unattributed", "measured_bytes"),
                     "weights_bytes": weights.sum(min_count=1)})
    totals = pandas.DataFrame(rows, columns=SETTING + NUMBERS)
    same = ["run", "network", "batch", "threads", "seed", "input"]
    largest = totals.groupby(same).planned_bytes.transform("max")
    planned = totals.planned_bytes.where(totals.planned_bytes > 0)
    totals["largest_over_planned"] = (largest / planned).astype(float)
    return totals
