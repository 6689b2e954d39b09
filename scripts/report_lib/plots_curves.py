"""Lines over batch or threads: one for each implementation."""

from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from .plots import styled
from .plots_basic import axes_of, name_vertical, scale
from .theme import PAPER

HEIGHT = 320


@styled
def curves(lines, styles, across, upward):
    """lines[name] holds (batch or threads, time); across and upward name the axes."""
    figure, (axes,) = axes_of(HEIGHT)
    counts = sorted({count for line in lines.values() for count, _ in line})
    words = scale(axes.yaxis, [time for line in lines.values() for _, time in line],
                  axes.set_yscale, axes.set_ylim)
    axes.set_xscale("log", base=2)
    axes.set_xlim(counts[0] / 1.12, counts[-1] * 1.12)
    axes.xaxis.set_major_locator(FixedLocator(counts))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    for name, line in lines.items():
        colour, marker, _ = styles[name]
        axes.plot(*zip(*sorted(line)), marker=marker, color=colour, markersize=9, linewidth=2,
                  markeredgecolor=PAPER, markeredgewidth=0.8, clip_on=False)
    axes.set_xlabel(across)
    name_vertical(axes, upward + words)
    return figure
