"""The first screen's answer to "how fast": times over the best float library."""

from . import formatting as fmt
from .drawing import plot
from .medians import FLOAT_ARITHMETIC
from .plots_answers import bars
from .section_network import networks_of
from .tables import NETWORK_CONDITIONS, TWIN_SUFFIX, conditions_text, families
from .theme import COLOURS

# Arithmetics in the words of someone who has not heard of them.
BITS, BYTES = ["xnor", "b1"], ["i8"]
WORDS = {**dict.fromkeys(BITS, "bits"), **dict.fromkeys(BYTES, "8-bit integers"),
         **dict.fromkeys(FLOAT_ARITHMETIC, "float")}
BIT_COLOUR, BYTE_COLOUR = COLOURS[0], COLOURS[5]


def answer(shown, baseline):
    """{"headline", "text", "plot"}, or None where nothing has a time."""
    parts = [(conditions, rows[rows.status == "ok"]) for conditions, rows, _ in
             families(networks_of(shown), NETWORK_CONDITIONS)]
    parts = [(conditions, rows) for conditions, rows in parts
             if len(rows) and not conditions["network"].endswith(TWIN_SUFFIX)]
    if parts:
        compared = [part for part in parts if _best(part[1], BITS, baseline) is not None]
        drawing = (_networks_plot(compared, baseline) if len(compared) > 1
                   else _one_network_plot(*(compared or parts)[0], baseline))
        return {**_network_text(parts, compared, baseline), "plot": drawing}
    single = shown[shown.kind.isin(["conv", "gemm"]) & (shown.status == "ok")]
    if len(single):
        return {**_layers_text(single, baseline), "plot": _layers_plot(single, baseline)}
    if not len(shown):
        return None
    steps = "Only the steps of a network were timed, in a profiled pass."
    return {"headline": "", "plot": None, "text": steps if (shown.status == "ok").any()
            else "Nothing was timed in these runs."}


def best_float(shown, baseline):
    """What the page says of its baseline: whether a faster float library ran."""
    if not (shown[shown.implementation == baseline].arithmetic.isin(FLOAT_ARITHMETIC)).any():
        return ""
    timed = shown[shown.kind.isin(["network", "conv", "gemm"]) & (shown.speedup > 1)
                  & shown.arithmetic.isin(FLOAT_ARITHMETIC) & (shown.implementation != baseline)]
    if not len(timed):
        return "the fastest float implementation in every case"
    names = ", ".join(dict.fromkeys(timed.implementation))
    return f"the float baseline ({names} is faster in {fmt.plural(len(timed), 'case')})"


def _best(rows, arithmetics, baseline):
    """The fastest with a ratio of one of these arithmetics; None without one."""
    rows = rows[rows.arithmetic.isin(arithmetics) & rows.speedup.notna()
                & (rows.implementation != baseline)]
    return rows.loc[rows.speedup.idxmax()] if len(rows) else None


def _network_text(parts, compared, baseline):
    conditions, rows = (compared or parts)[0]
    best = _best(rows, BITS, baseline)
    best = rows.loc[rows.time_median_ns.idxmin()] if best is None else best
    chosen = {name: conditions[name] for name in ("batch", "threads", "cache")}
    word = WORDS.get(best.arithmetic, best.arithmetic)
    text = (f"{conditions['network']} ({conditions_text(chosen)}) takes "
            f"{fmt.time(best.time_median_ns)} a pass in {word} ({best.implementation}")
    text += ", the only implementation timed)" if len(rows) == 1 else ")"
    base = rows[rows.implementation == baseline]
    headline = f"{fmt.time(best.time_median_ns)} a pass"
    if best.implementation != baseline and best.speedup == best.speedup:
        headline = f"{fmt.ratio(best.speedup)} the speed of float"
        text += f" and {fmt.time(base.time_median_ns.iloc[0])} in float" if len(base) else ""
    ratios = [_best(rows, BITS, baseline).speedup for _, rows in compared]
    if len(ratios) > 1:
        text += (f". Over {len(ratios)} networks: {fmt.ratio(min(ratios))} to "
                 f"{fmt.ratio(max(ratios))}")
    return {"headline": headline, "text": text + "."}


def _legend(marks, bars_of):
    named = ", ".join(dict.fromkeys(bars_of))
    legend = [("■", BIT_COLOUR, f"bits ({named})")]
    if marks:
        legend.append(("◆", BYTE_COLOUR, f"8-bit integers ({', '.join(dict.fromkeys(marks))})"))
    return legend


def _networks_plot(compared, baseline):
    lines, names, marks = [], [], []
    for conditions, rows in compared:
        best, byte = _best(rows, BITS, baseline), _best(rows, BYTES, baseline)
        title = conditions["network"] + (f" ({conditions['setting']})" if conditions["setting"]
                                         else "")
        lines.append((title, best.speedup, None if byte is None else byte.speedup))
        names.append(best.implementation)
        marks += [] if byte is None else [byte.implementation]
    return plot(bars(lines, [BIT_COLOUR, BYTE_COLOUR], f"times as fast as {baseline}",
                     "float library"),
                "how-fast", f"Speed of each network in bits over {baseline}", "",
                _legend(marks, names))


def _one_network_plot(conditions, rows, baseline):
    compared = rows[rows.speedup.notna()]
    if (compared.implementation == baseline).all():
        return None
    lines = [(row.implementation, row.speedup, None) for row in compared.itertuples()]
    return plot(bars(lines, [BIT_COLOUR, None], f"times as fast as {baseline}", "float library"),
                "how-fast", f"Speed of each implementation on {conditions['network']}", "")


def _middles(layers, baseline):
    compared = layers[layers.speedup.notna() & (layers.implementation != baseline)]
    return {name: rows.speedup for name, rows in compared.groupby("implementation", sort=False)}


def _layers_text(layers, baseline):
    ratios = _middles(layers, baseline)
    if not ratios:
        return {"headline": "", "text": f"{fmt.plural(len(layers), 'single-layer case')} measured. "
                                        "There is no second implementation to compare with."}
    name = max(ratios, key=lambda name: ratios[name].median())
    mine = ratios[name]
    middle = fmt.ratio(mine.median())
    return {"headline": f"{middle} the speed of float",
            "text": f"On {fmt.plural(len(mine), 'single layer')}, {name} ran at {middle} the speed "
                    f"of {baseline} in the median ({fmt.ratio(mine.min())} to "
                    f"{fmt.ratio(mine.max())})."}


def _layers_plot(layers, baseline):
    ratios = _middles(layers, baseline)
    if not ratios:
        return None
    lines = [(name, mine.median(), mine.max()) for name, mine in ratios.items()]
    return plot(bars(lines, [BIT_COLOUR, BYTE_COLOUR], f"times as fast as {baseline}",
                     "float library"),
                "how-fast", f"Speed of each implementation over {baseline} on single layers", "",
                [("■", BIT_COLOUR, "median of the layers"), ("◆", BYTE_COLOUR, "best layer")])
