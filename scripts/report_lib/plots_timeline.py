"""Bytes alive in each step of a forward pass, by category."""

from matplotlib.ticker import MaxNLocator

from . import formatting as fmt
from .plots import styled
from .plots_basic import ABOVE, BELOW, axes_of, name_vertical, text_width
from .theme import BLANK, INK, PAPER

PANEL, GAP = 180, 64


@styled
def timeline(panels, colours, one_scale=True):
    """panels holds (implementation or policy, bytes by category and step, arena's bytes or None);
    to one scale, or each to its own where the largest would leave nothing of the others to see."""
    height = BELOW + ABOVE + PANEL * len(panels) + GAP * (len(panels) - 1)
    figure, panel_axes = axes_of(height, len(panels), GAP)
    tops = [max([column.sum() for column in counts.T] + [arena or 0])
            for _, counts, arena in panels]
    for axes, (name, counts, arena), own_top in zip(panel_axes, panels, tops):
        top = (max(tops) if one_scale else own_top) / fmt.MIB or 1
        steps = counts.shape[1]
        edges = [step - 0.5 for step in range(steps + 1)]
        below = counts[0] * 0
        for colour, bytes_alive in zip(colours, counts):
            if bytes_alive.any():
                axes.stairs((below + bytes_alive) / fmt.MIB, edges, baseline=below / fmt.MIB,
                            fill=True, color=colour, linewidth=0)
            below = below + bytes_alive
        if arena:
            axes.axhline(arena / fmt.MIB, color=INK, linewidth=1, linestyle=(0, (4, 3)))
        axes.set_xlim(-0.5, steps - 0.5)
        axes.set_ylim(0, top * 1.3)
        axes.xaxis.set_major_locator(MaxNLocator(6, integer=True, steps=[1, 2, 5, 10]))
        axes.yaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 2.5, 5, 10]))
        _mark_peak(axes, int(below.argmax()), below.max(), steps)
        name_vertical(axes, f"{name}: alive, MiB")
    panel_axes[-1].set_xlabel("step of the forward pass")
    return figure


def _mark_peak(axes, step, peak, steps):
    text = f"{fmt.mib(peak)}{fmt.SPACE}MiB at step {step}"
    axes.plot([step], [peak / fmt.MIB], "v", color=INK, markersize=9, markeredgecolor=PAPER,
              clip_on=False)
    fits = axes.transData.transform((step, 0))[0] + text_width(text) + 16 < axes.bbox.x1
    axes.annotate(text, (step, peak / fmt.MIB), (10 if fits else -10, 10),
                  textcoords="offset points", ha="left" if fits else "right", va="center",
                  bbox=BLANK)
