"""Plots with two numeric axes: what they share."""

import matplotlib
from matplotlib.figure import Figure
from matplotlib.textpath import TextPath
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator

from .drawing import canvas, size
from .theme import FONT, WIDTH

# Margins in user units: fixed, so that labels can be placed.
LEFT, RIGHT, BELOW, ABOVE = 58, 10, 46, 30


def axes_of(height, panels=1, panel_gap=0):
    """A figure and its panels from top to bottom, at fixed places."""
    figure = canvas(Figure(figsize=size(height), dpi=72))
    each = (height - BELOW - ABOVE - panel_gap * (panels - 1)) / panels
    result = []
    for index in range(panels):
        bottom = BELOW + (panels - 1 - index) * (each + panel_gap)
        axes = figure.add_axes([LEFT / WIDTH, bottom / height, (WIDTH - LEFT - RIGHT) / WIDTH,
                                each / height])
        axes.tick_params(length=0)
        axes.grid(True)
        result.append(axes)
    return figure, result


def name_vertical(axes, text):
    """Above the axis and level: easier to read, and the width stays with the data."""
    axes.annotate(text, (0, 1), (8 - LEFT, 10), xycoords="axes fraction",
                  textcoords="offset points")


def scale(axis, values, set_scale, set_limits):
    """From zero, or logarithmic where most marks would else lie on the axis."""
    low, high = min(values), max(values)
    if low > 0 and high > 20 * low:
        set_scale("log")
        set_limits(low / 1.6, high * 1.6)
        round_ticks(axis, low / 1.6, high * 1.6)
        return " (logarithmic)"
    set_limits(0, high * 1.12 or 1)
    axis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.9g}"))
    return ""


def round_ticks(axis, low, high):
    for steps in [(1, 2, 5), (1, 3), (1,)]:
        ticks = [step * 10.0 ** power for power in range(-9, 13) for step in steps
                 if low <= step * 10.0 ** power <= high]
        if len(ticks) <= 6:
            break
    axis.set_major_locator(FixedLocator(ticks))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.9g}"))


def text_width(text):
    with matplotlib.rc_context({"text.parse_math": False}):
        return TextPath((0, 0), text, size=FONT).get_extents().width
