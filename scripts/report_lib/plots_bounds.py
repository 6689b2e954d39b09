"""MAC per cycle of every single layer beside the bound of its implementation."""

from . import formatting as fmt
from .plots import line_axes, name_lines, round_ticks, styled
from .theme import FAINT, INK, PAPER


@styled
def bounds(lines, styles):
    """lines holds (implementation, bound, values), all in MAC per cycle."""
    figure, axes = line_axes(62 + 50 * len(lines))
    name_lines(axes, [name for name, _, _ in lines],
               [f"bound {fmt.number(bound)}" for _, bound, _ in lines])
    everything = [bound for _, bound, _ in lines] + [value for *_, values in lines
                                                     for value in values]
    low, high = min(everything) / 1.5, max(everything) * 1.5
    axes.set_xscale("log")
    axes.set_xlim(low, high)
    round_ticks(axes, low, high)
    for index, (name, bound, values) in enumerate(lines):
        colour, marker, _ = styles[name]
        axes.barh(index, bound - low, 0.34, low, color=FAINT, zorder=1)
        axes.vlines(bound, index - 0.24, index + 0.24, color=INK, linewidth=2.5, zorder=2)
        axes.plot(values, [index] * len(values), marker, color=colour, markersize=8,
                  markeredgecolor=PAPER, markeredgewidth=0.8, zorder=3)
    axes.set_xlabel("MAC per cycle of one thread (logarithmic)")
    return figure
