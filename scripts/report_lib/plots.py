"""The page's plots with a line for each name. A drawing function returns a figure; drawing.py puts
it into the page. Legends are HTML there (they wrap on a narrow screen), so are captions."""

from functools import wraps

import matplotlib
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from . import formatting as fmt
from .drawing import canvas, size
from .theme import BLANK, FAINT, FONT, INK, PAPER, STYLE, ink_on

LONGEST_NAME = 48  # letters that surely fit into the width; tables give the whole name


def styled(draw):
    """Decorates what draws: with the page's colours and type."""
    @wraps(draw)
    def with_style(*args, **named):
        with matplotlib.rc_context(STYLE):
            return draw(*args, **named)
    return with_style


def line_axes(height):
    figure = canvas(Figure(figsize=size(height), layout="constrained"))
    axes = figure.add_subplot()
    axes.tick_params(length=0)
    axes.grid(axis="x")
    return figure, axes


def name_lines(axes, names, values=None):
    """A line of the plot for each name. The name stands above its line and not beside it, which
    leaves the whole width of a narrow screen to the data; a value may stand at the right end."""
    axes.set_yticks([])
    axes.set_ylim(len(names) - 0.45, -0.75)
    across = axes.get_yaxis_transform()
    for index, name in enumerate(names):
        short = name if len(name) <= LONGEST_NAME else name[:LONGEST_NAME - 1] + "…"
        axes.text(0.005, index - 0.43, short, transform=across, va="center", bbox=BLANK)
        if values:
            axes.text(1, index - 0.43, values[index], transform=across, va="center", ha="right",
                      bbox=BLANK)


@styled
def network_time(rows, styles, baseline):
    """One bar each, or one dot each on a logarithmic axis where bars would be slivers."""
    figure, axes = line_axes(62 + 54 * len(rows))
    unit = fmt.time_unit(rows.time_median_ns)
    values = rows.time_median_ns / unit[1]
    logarithmic = values.max() > 20 * values.min()
    name_lines(axes, rows.implementation,
               [_time_label(row, unit, baseline) for row in rows.itertuples()])
    for index, (row, value) in enumerate(zip(rows.itertuples(), values)):
        colour, marker, _ = styles[row.implementation]
        if logarithmic:
            axes.plot([value], [index], marker, color=colour, markersize=12)
            axes.axhline(index, color=FAINT, linewidth=1, zorder=0)
        else:
            axes.barh(index, value, height=0.5, color=colour)
        axes.hlines(index, row.time_p25_ns / unit[1], row.time_p75_ns / unit[1],
                    color=INK, linewidth=2)
    low, high = values.min(), max(values.max(), rows.time_p75_ns.max() / unit[1])
    if logarithmic:
        axes.set_xscale("log")
        axes.set_xlim(low / 1.4, high * 1.4)
        round_ticks(axes, low / 1.4, high * 1.4)
    else:
        axes.set_xlim(0, high * 1.04)
    axes.set_xlabel(f"time of one call, {unit[0]}" + (" (logarithmic)" if logarithmic else ""))
    return figure


def _time_label(row, unit, baseline):
    time = fmt.time_in(unit, row.time_median_ns)
    if row.status == "throttled":
        return f"{time} (throttled)"
    if row.implementation == baseline:
        return f"{time} (baseline)"
    return time if row.speedup != row.speedup else f"{time} · {fmt.ratio(row.speedup)}"


def round_ticks(axes, low, high):
    """The finest steps within a decade that leave room for the labels."""
    for steps in [(1, 1.2, 1.5, 2, 3, 5, 7), (1, 2, 5), (1, 3), (1,)]:
        ticks = [step * 10.0 ** power for power in range(-9, 13) for step in steps
                 if low <= step * 10.0 ** power <= high]
        if len(ticks) <= 7:
            break
    axes.xaxis.set_major_locator(FixedLocator(ticks))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.9g}"))


@styled
def speedups(labels, rows, styles, baseline):
    """A line for each problem, a mark for each implementation; rows holds (label, implementation,
    ratio)."""
    figure, axes = line_axes(62 + 52 * len(labels))
    name_lines(axes, labels)
    position = {label: index for index, label in enumerate(labels)}
    axes.set_xscale("log")
    axes.axvline(1, color=INK, linewidth=1.2, zorder=1)
    for label, implementation, value in rows:
        colour, marker, _ = styles[implementation]
        axes.plot([value], [position[label]], marker, color=colour, markersize=11,
                  markeredgecolor=PAPER, markeredgewidth=0.8)
    for label, index in position.items():
        axes.axhline(index, color=FAINT, linewidth=1, zorder=0)
        here = sorted(value for name, _, value in rows if name == label)
        ends = [(here[-1], 9, "left")] + [(here[0], -9, "right")] * (len(here) > 1)
        for value, shift, side in ends:
            axes.annotate(fmt.ratio(value), (value, index), (shift, 0), ha=side,
                          textcoords="offset points", va="center",
                          bbox=BLANK)
    low, high = min(1, *(row[2] for row in rows)), max(1, *(row[2] for row in rows))
    margin = max((high / low) ** 0.28, 1.4)
    axes.set_xlim(low / margin, high * margin)
    round_ticks(axes, low / margin, high * margin)
    axes.set_xlabel(f"speed-up over {baseline} (logarithmic; right is faster)")
    return figure


@styled
def layer_shares(names, colours, shares, times):
    """Shares of the profiled pass; shares and times are per implementation."""
    figure, axes = line_axes(62 + 58 * len(names))
    name_lines(axes, names)
    for index in range(len(names)):
        left = 0.0
        for part, colour in enumerate(colours):
            share = shares[index][part] * 100
            axes.barh(index, share, 0.54, left, color=colour, edgecolor=PAPER,
                      linewidth=0.6)
            percent = fmt.percent(share / 100)
            _inside(axes, left, share, index,
                    [f"{percent} · {fmt.time(times[index][part])}", percent], 100, colour)
            left += share
    axes.set_xlim(0, 100)
    axes.set_xlabel("share of the profiled pass, %")
    return figure


@styled
def memory_stacks(names, colours, views, shares=False):
    """views[name] holds (view's name, bytes by category or one number, the label's bytes). In a
    category stands its size, or its share of the bar."""
    bars = sum(len(views[name]) for name in names)
    figure, axes = line_axes(60 + 28 * bars + 28 * len(names))
    ticks, labels, line = [], [], 0.0
    top = max(total for name in names for _, _, total in views[name]) / fmt.MIB or 1
    for name in names:
        axes.annotate(name, (0, line), (2, 0), textcoords="offset points", va="center",
                      fontweight="bold")
        for view, content, total in views[name]:
            line += 1
            ticks.append(line)
            labels.append(view)
            if content is None:
                axes.barh(line, total / fmt.MIB, 0.7, color="none", edgecolor="#777777",
                          linewidth=1)
            left = 0.0
            for colour, count in zip(colours, content or []):
                size = count / fmt.MIB
                axes.barh(line, size, 0.78, left, color=colour, edgecolor=PAPER,
                          linewidth=0.6)
                text = fmt.percent(count / total) if shares else fmt.number(size)
                _inside(axes, left, size, line, [text], top * 1.7, colour)
                left += size
            axes.annotate(f"{fmt.mib(total)}{fmt.SPACE}MiB",
                          (max(left, total / fmt.MIB), line), (6, 0),
                          textcoords="offset points", va="center",
                          bbox=BLANK)
        line += 1.1
    axes.set_yticks(ticks, labels)
    axes.set_ylim(line - 0.3, -0.6)
    axes.set_xlim(0, top * 1.34)
    axes.set_xlabel("MiB")
    return figure


def _inside(axes, left, width, line, texts, span, colour):
    """Writes into a bar's segment the first of the texts that fits: a letter takes about 2 %."""
    for text in texts:
        if width / span * 50 > len(text) + 1:
            axes.text(left + width / 2, line, text, ha="center", va="center",
                      color=ink_on(colour), fontsize=FONT - 1)
            return
