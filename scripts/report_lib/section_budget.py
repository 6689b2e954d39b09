"""What fits into a budget, and what would save how much."""

from . import formatting as fmt
from .memory_totals import COMPARED, of_comparison
from .tables import Cell, Table, box, conditions_text, groups, num


def budgets(budget, savings):
    """Both with a column `setting`."""
    result = []
    for conditions, rows in groups(budget, COMPARED + ["budget_bytes", "reserved_bytes"]):
        left = conditions["budget_bytes"] - conditions["reserved_bytes"]
        mine = of_comparison(savings, conditions)
        total, reserved = (_mib(conditions[name]) for name in ("budget_bytes", "reserved_bytes"))
        others = (f"{total} less {reserved} that others hold."
                  if conditions["reserved_bytes"] else "")
        result.append({"title": f"{conditions['network']} in {_mib(left)}",
                       "conditions": conditions_text(conditions), "sum": others,
                       "table": _table(rows, left),
                       "savings": [(name, _savings(steps, left)) for name, steps
                                   in mine.groupby("implementation", sort=False)]})
    return result


def _mib(count):
    return f"{fmt.mib(count)}{fmt.SPACE}MiB"


def _table(rows, left):
    table = Table(["implementation", "policy", "needs, MiB", "fits?", "largest batch",
                   "largest input", "float backend"])
    for row in rows.itertuples():
        beyond = row.needed_bytes - left
        verdict = box(f"fits, {_mib(-beyond)} left", "good") if row.fits == "yes" else \
            box(f"too much by {_mib(beyond)}", "bad")
        table.rows.append([Cell(row.implementation), Cell(row.policy),
                           num(fmt.mib(row.needed_bytes)), verdict,
                           num(f"{row.largest_batch:.0f}" if row.largest_batch else "none"),
                           num(_input(row)), Cell(row.float_backend or fmt.NONE)])
    return table


def _input(row):
    if row.largest_input_height == row.largest_input_height:
        return f"{row.largest_input_height:.0f}×{row.largest_input_width:.0f}"
    return f"fixed by {row.size_bound_layer}" if row.size_bound_layer else "none"


def _savings(steps, left):
    """Each step stands on the ones before it."""
    table = Table(["what is done", "needs, MiB", "saves, MiB", "fits?"])
    before = float("nan")
    for row in steps.itertuples():
        table.rows.append([Cell(row.saving, "wrap"), num(fmt.mib(row.total_bytes)),
                           num(fmt.mib(before - row.total_bytes)),
                           box("fits", "good") if row.total_bytes <= left else
                           box(f"too much by {_mib(row.total_bytes - left)}", "bad")])
        before = row.total_bytes
    first, last = steps.total_bytes.iloc[0], steps.total_bytes.iloc[-1]
    table.rows.append([Cell("together", "strong"), num(""), num(fmt.mib(first - last), strong=True),
                       Cell(f"{fmt.ratio(first / last)} less" if last > 0 else fmt.NONE)])
    return table
