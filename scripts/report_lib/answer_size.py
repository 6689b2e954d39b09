"""The first screen's answer to "how small": memory of a pass and its weights, float over bits."""

import pandas

from . import formatting as fmt
from .answer_speed import BITS
from .drawing import plot
from .medians import FLOAT_ARITHMETIC
from .plots_answers import bars
from .tables import TWIN_SUFFIX, families
from .theme import COLOURS

CONDITIONS = ["setting", "network", "batch", "threads"]
PASS_COLOUR, WEIGHTS_COLOUR = COLOURS[2], COLOURS[1]
COLUMNS = [*CONDITIONS, "implementation", "arithmetic", "weights", "peak"]


def answer(shown, totals, listed, baseline):
    """None where no pass has a size. listed: implementation -> its arithmetic."""
    sizes = _sizes(shown, totals, listed)
    parts = [(conditions, rows) for conditions, rows, _ in families(sizes, CONDITIONS)
             if not conditions["network"].endswith(TWIN_SUFFIX)]
    pairs = [(conditions, *_pair(rows, baseline)) for conditions, rows in parts]
    pairs = [pair for pair in pairs if pair[1] is not None and pair[2] is not None]
    if len(pairs) > 1:
        return {"headline": _headline(*pairs[0][1:]),
                "text": _pair_text(*pairs[0]) + _range_text(pairs), "plot": _ratio_plot(pairs)}
    if not parts:
        return None
    conditions, rows = next(((conditions, rows) for conditions, rows in parts if pairs
                             and conditions == pairs[0][0]), parts[0])
    text = _pair_text(*pairs[0]) if pairs else _single_text(conditions, rows)
    return {"headline": _headline(*pairs[0][1:]) if pairs else "", "text": text,
            "plot": _bytes_plot(conditions, rows)}


def _sizes(shown, totals, listed):
    """Of arenas: as memory.csv has them, as the records have where it has none."""
    planned = totals[(totals.policy == "arena") & (totals.planned_bytes > 0)]
    rows = [[*(getattr(row, name) for name in CONDITIONS), row.implementation,
             listed.get(row.implementation, ""), row.weights_bytes,
             row.measured_bytes if row.measured_bytes == row.measured_bytes
             else row.planned_bytes] for row in planned.itertuples()]
    known = shown[(shown.kind == "network") & shown.peak_bytes.notna()]
    rows += [[*(getattr(row, name) for name in CONDITIONS), row.implementation, row.arithmetic,
              row.weights_bytes, row.peak_bytes] for row in known.itertuples()]
    sizes = pandas.DataFrame(rows, columns=COLUMNS)
    return sizes.drop_duplicates([*CONDITIONS, "implementation"])


def _pair(rows, baseline):
    """(float, bits): the baseline or else the smallest float library, and the smallest in bits."""
    bits = rows[rows.arithmetic.isin(BITS)]
    real = rows[rows.arithmetic.isin(FLOAT_ARITHMETIC)]
    if (real.implementation == baseline).any():
        real = real[real.implementation == baseline]
    return (real.loc[real.peak.idxmin()] if len(real) else None,
            bits.loc[bits.peak.idxmin()] if len(bits) else None)


def _mib(count):
    return f"{fmt.mib(count)}{fmt.SPACE}MiB"


def _pair_text(conditions, real, bits):
    text = (f"A pass of {conditions['network']} takes {_mib(bits.peak)} in bits "
            f"({bits.implementation}) and {_mib(real.peak)} in float")
    if bits.weights > 0 and real.weights > 0:
        text += (f". Its weights alone: {_mib(bits.weights)} and {_mib(real.weights)}, "
                 f"{fmt.ratio(real.weights / bits.weights)}")
    return text + "."


def _headline(real, bits):
    return f"{fmt.ratio(real.peak / bits.peak)} less memory than float"


def _range_text(pairs):
    ratios = [real.peak / bits.peak for _, real, bits in pairs]
    return (f" Over {len(pairs)} networks, a pass: {fmt.ratio(min(ratios))} to "
            f"{fmt.ratio(max(ratios))}.")


def _single_text(conditions, rows):
    """The smallest and the largest, where there are two."""
    small, large = rows.loc[rows.peak.idxmin()], rows.loc[rows.peak.idxmax()]
    text = f"A forward pass of {conditions['network']} takes {_mib(small.peak)} on " \
           f"{small.implementation}"
    return text + (f" and {_mib(large.peak)} on {large.implementation}." if len(rows) > 1 else ".")


def _ratio_plot(pairs):
    lines = [(conditions["network"] + (f" ({conditions['setting']})" if conditions["setting"]
                                       else ""),
              real.peak / bits.peak,
              real.weights / bits.weights if bits.weights > 0 else None)
             for conditions, real, bits in pairs]
    names = ", ".join(dict.fromkeys(real.implementation for _, real, _ in pairs))
    return plot(bars(lines, [PASS_COLOUR, WEIGHTS_COLOUR], f"times smaller than {names}",
                     "float library"),
                "how-small", "Memory of each network in bits: how many times smaller than in float",
                "",
                [("■", PASS_COLOUR, "a whole pass"), ("◆", WEIGHTS_COLOUR, "its weights")])


def _bytes_plot(conditions, rows):
    lines = [(row.implementation, row.peak / fmt.MIB,
              row.weights / fmt.MIB if row.weights == row.weights else None)
             for row in rows.itertuples()]
    return plot(bars(lines, [PASS_COLOUR, WEIGHTS_COLOUR], "MiB",
                     text=fmt.number),
                "how-small", f"Memory of a pass of {conditions['network']} by implementation", "",
                [("■", PASS_COLOUR, "a whole pass"), ("◆", WEIGHTS_COLOUR, "its weights")])
