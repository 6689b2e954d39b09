"""One row for each setting of a forward pass's memory: what memory.csv says of it category by category, put together."""

import pandas

from .tables import groups

SETTING = ["run", "network", "implementation", "limited_to", "real_layers", "real_layers_ran", "policy", "batch", "threads",
           "seed", "input"]
# Within these, settings are compared; a larger batch takes more, whatever the policy.
COMPARED = ["run", "network", "batch", "threads", "seed", "input"]
NUMBERS = ["planned_bytes", "measured_bytes", "outside_bytes", "outside_peak_bytes", "unattributed_bytes",
           "largest_over_planned"]

# Rows of memory.csv that are no owner of bytes.
OUTSIDE_VIEW = ["total", "outside", "outside_peak", "unattributed"]
# The block that holds maps and workspaces, which the categories count already, and the least that it could be.
ARENA_VIEW = ["arena", "arena_lower_bound"]


def of_setting(table, conditions):
    """The rows of one comparison (COMPARED)."""
    same = table.run == conditions["run"]
    for column in COMPARED[1:]:
        same &= table[column] == conditions[column]
    return table[same]


def with_labels(totals, *tables):
    """Each with a column `label`: the policy, and who computed the real layers where one implementation stands with
    several. All tables are of one comparison."""
    real = totals.groupby("implementation").real_layers.nunique()
    several = set(real.index[real > 1])
    return [table.assign(label=[row.policy + (f", {row.real_layers_ran}" if row.implementation in several else "")
                                for row in table.itertuples()]) for table in (totals, *tables)]


def memory_totals(memory):
    """largest_over_planned: how many times more the largest setting of the same network, batch and threads plans."""
    rows = []
    for setting, part in groups(memory, SETTING):
        owners = part[~part.category.isin(OUTSIDE_VIEW + ARENA_VIEW)]

        def told(category, column):
            found = part[part.category == category][column]
            return found.iloc[0] if len(found) else float("nan")

        def together(column):
            total = told("total", column)
            return total if total == total else owners[column].sum(min_count=1)

        rows.append({**setting, "planned_bytes": together("planned_bytes"), "measured_bytes": together("measured_bytes"),
                     "outside_bytes": told("outside", "measured_bytes"),
                     "outside_peak_bytes": told("outside_peak", "measured_bytes"),
                     "unattributed_bytes": told("unattributed", "measured_bytes")})
    totals = pandas.DataFrame(rows, columns=SETTING + NUMBERS)
    largest = totals.groupby(COMPARED).planned_bytes.transform("max")
    totals["largest_over_planned"] = (largest / totals.planned_bytes.where(totals.planned_bytes > 0)).astype(float)
    return totals
