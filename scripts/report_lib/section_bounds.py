"""Bounds: what the instructions of this machine allow, and how near each implementation comes."""

from . import formatting as fmt
from .drawing import plot
from .medians import median
from .plots_bounds import bounds as draw
from .tables import Cell, Table, num
from .theme import implementation_legend

BOUND = "bound_"


def bounds(peaks, shown, styles):
    """A part for each setting with peak rates; peaks has a column `setting`."""
    result = [_of_setting(setting, rows, shown[shown.setting == setting], styles, index)
              for index, (setting, rows) in enumerate(peaks.groupby("setting", sort=False))]
    return [part for part in result if part]


def _of_setting(setting, peaks, shown, styles, index):
    # Runs of one machine measure them anew; of equal ones the largest, since others on the machine
    # only make a rate smaller.
    best = peaks.groupby(["quantity", "isa", "unit"], sort=False).value.max().reset_index()
    of = {row.quantity.removeprefix(BOUND): row.value for row in best.itertuples()
          if row.quantity.startswith(BOUND)}
    rates = best[~best.quantity.str.startswith(BOUND)]
    single = shown[shown.kind.isin(["conv", "gemm"]) & (shown.status == "ok")
                   & (shown.threads == "1") & shown.macs_per_cycle.notna()]
    lines = [(name, bound, list(single[single.implementation == name].macs_per_cycle))
             for name, bound in of.items()]
    if not lines and not len(rates):
        return None
    drawing = plot(draw(lines, styles), f"bounds-{index}",
                   "Bound of each implementation and what it reaches on single layers",
                   "One thread. The line is the bound that the instructions set; each mark is a "
                   "single layer or a matrix product.",
                   implementation_legend(styles, {name for name, _, cases in lines if cases})
                   ) if lines else None
    return {"title": setting, "plot": drawing, "table": _table(lines, shown) if lines else None,
            "rates": _rates(rates)}


def _table(lines, shown):
    passes = shown[(shown.kind == "network") & shown.bound_share.notna() & (shown.status == "ok")
                   & (shown.threads == "1")]
    headers = ["implementation", "bound, MAC per cycle"]
    cases, whole = any(line[2] for line in lines), len(passes) > 0
    table = Table(headers + ["best single layer", "median single layer"] * cases
                  + ["best whole network", "median whole network"] * whole)
    for name, bound, values in lines:
        row = [Cell(name), num(fmt.number(bound))]
        if cases:
            best = max(values, default=float("nan"))
            middle = sorted(values)[len(values) // 2] if values else float("nan")
            row += [_share(best, bound), _share(middle, bound)]
        if whole:
            mine = passes[passes.implementation == name].bound_share
            row += [num(fmt.percent(mine.max() if len(mine) else float("nan"))),
                    num(fmt.percent(median(mine)))]
        table.rows.append(row)
    return table


def _share(value, bound):
    return num(f"{fmt.number(value)} ({fmt.percent(value / bound)})" if value == value
               else fmt.NONE)


def _rates(rates):
    table = Table(["quantity", "instruction set", "rate", "unit"])
    for row in rates.itertuples():
        table.rows.append([Cell(row.quantity), Cell(row.isa), num(fmt.number(row.value)),
                           Cell(row.unit)])
    return table
