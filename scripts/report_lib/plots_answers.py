"""The plots of the first screen: few lines, a bar each, readable without knowing the project."""

from matplotlib.figure import Figure

from . import formatting as fmt
from .drawing import canvas, size
from .plots import styled
from .theme import BLANK, FAINT, FONT, INK, PAPER

LINE, AXIS = 25, 40
SMALL = FONT - 1


@styled
def bars(lines, colours, axis, one="", text=fmt.ratio):
    """lines holds (name, bar's value, mark's value or None), whose numbers stand at the right;
    colours: of the bar and of the mark.
    `one` names the line at 1, which the bars are ratios over."""
    figure = canvas(Figure(figsize=size(AXIS + 22 * bool(one) + LINE * max(len(lines), 3)),
                           layout="constrained"))
    axes = figure.add_subplot()
    _plain(axes, [name for name, _, _ in lines])
    known = [value for _, *values in lines for value in values if value and value == value]
    high = max(known + [1 if one else 0])
    for index, (_, bar, mark) in enumerate(lines):
        axes.barh(index, bar, 0.62, color=colours[0], zorder=2)
        words = text(bar)
        if mark is not None and mark == mark:
            axes.plot([mark], [index], "D", color=colours[1], markersize=8, markeredgecolor=PAPER,
                      markeredgewidth=1, zorder=4)
            words += f" · {text(mark)}"
        axes.text(1, index, words, transform=axes.get_yaxis_transform(), va="center", ha="right",
                  fontsize=SMALL, bbox=BLANK, zorder=3)
    marked = any(mark is not None and mark == mark for _, _, mark in lines)
    axes.set_xlim(0, high * (1.65 if marked else 1.3))
    axes.set_xlabel(axis, fontsize=SMALL)
    if one:
        axes.axvline(1, color=INK, linewidth=1.4, zorder=3)
        axes.annotate(one, (1, 1), (0, 3), xycoords=("data", "axes fraction"), fontsize=SMALL,
                      textcoords="offset points", va="bottom", ha="left")
    return figure


@styled
def paired_bars(names, groups, colours):
    """Bytes by owner: names of the owners, and for each group of bars (its bytes by owner)."""
    figure = canvas(Figure(figsize=size(AXIS + 36 * len(names)), layout="constrained"))
    axes = figure.add_subplot()
    _plain(axes, names)
    each = 0.76 / len(groups)
    top = max(max(counts) for counts in groups) / fmt.MIB or 1
    for number, (counts, colour) in enumerate(zip(groups, colours)):
        for index, count in enumerate(counts):
            line = index - 0.38 + each * (number + 0.5)
            axes.barh(line, count / fmt.MIB, each * 0.94, color=colour, zorder=2)
            axes.annotate(fmt.mib(count), (count / fmt.MIB, line), (6, 0), va="center",
                          textcoords="offset points", fontsize=SMALL - 1, bbox=BLANK)
    axes.set_xlim(0, top * 1.16)
    axes.set_xlabel("MiB", fontsize=SMALL)
    return figure


def _plain(axes, names):
    axes.tick_params(length=0, labelsize=SMALL)
    axes.grid(axis="x", color=FAINT)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.45, -0.55)
    axes.spines["left"].set_visible(False)
