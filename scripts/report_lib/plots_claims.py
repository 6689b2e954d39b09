"""Measured ratios over several baselines beside a published one."""

from dataclasses import dataclass

from . import formatting as fmt
from .plots import line_axes, name_lines, round_ticks, styled
from .theme import FAINT, INK, PAPER

SPREAD = 0.36  # of a line: marks of equal value lie below one another, not on each other


@dataclass
class Line:
    baseline: str
    reported: float
    bound: float  # or None
    marks: list   # (definition's index, ratio)


@styled
def claim_ratios(lines, styles, theory):
    """styles: colour, marker and symbol of each definition; theory: a ratio or None."""
    figure, axes = line_axes(66 + 62 * len(lines))
    name_lines(axes, [line.baseline for line in lines],
               [_range([ratio for _, ratio in line.marks]) for line in lines])
    axes.set_xscale("log")
    values = [ratio for line in lines for _, ratio in line.marks]
    values += [line.reported for line in lines]
    values += [line.bound for line in lines if line.bound] + ([theory] if theory else [])
    low, high = min(values + [1]) / 1.4, max(values) * 1.5
    axes.set_xlim(low, high)
    round_ticks(axes, low, high)
    if theory:
        axes.axvline(theory, color=INK, linewidth=1.2, linestyle=(0, (3, 3)), zorder=1)
    for index, line in enumerate(lines):
        middle = index + 0.05
        axes.axhline(middle, color=FAINT, linewidth=1, zorder=0)
        axes.vlines(line.reported, middle - 0.28, middle + 0.34, color=INK, linewidth=3, zorder=2)
        if line.bound:
            axes.plot([line.bound], [middle], "<", color=PAPER, markeredgecolor=INK,
                      markersize=12, zorder=2)
        for mark, (definition, ratio) in enumerate(line.marks):
            colour, marker, _ = styles[definition]
            offset = SPREAD * (mark / (len(line.marks) - 1) - 0.5) if len(line.marks) > 1 else 0
            axes.plot([ratio], [middle + offset], marker, color=colour, markersize=10,
                      markeredgecolor=PAPER, markeredgewidth=0.8, zorder=3)
    axes.set_xlabel("times faster than the baseline (logarithmic)")
    return figure


def _range(ratios):
    low, high = fmt.number(min(ratios)), fmt.ratio(max(ratios))
    return high if low + "×" == high else f"{low} to {high}"
