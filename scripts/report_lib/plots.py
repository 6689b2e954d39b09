"""The page's plots as inline SVG. Legends are HTML (they wrap on a narrow screen), so are captions."""

import io
import re
from dataclasses import dataclass

import matplotlib
from markupsafe import Markup
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from . import formatting as fmt

WIDTH = 480  # user units; the page shows a plot at 354 to 500 px, so that 15 units are 11 px or more
FONT = 15
LONGEST_NAME = 48  # letters that surely fit into the width; tables give the whole name
INK, FAINT = "#222222", "#d9d9d9"
BLANK = {"facecolor": "white", "edgecolor": "none", "pad": 1}  # keeps grid lines out of text

# Okabe and Ito's palette without its black and yellow (no contrast to white), with two greys.
COLOURS = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#666666", "#A6A6A6"]
MARKERS = [("o", "●"), ("s", "■"), ("^", "▲"), ("D", "◆")]
# Tol's "muted", for what a bar is made of: never to be taken for an implementation's colour.
PART_COLOURS = ["#332288", "#88CCEE", "#44AA99", "#117733", "#999933", "#DDCC77", "#CC6677",
                "#882255", "#AA4499", "#BBBBBB"]

STYLE = {
    "svg.fonttype": "none", "text.parse_math": False, "font.size": FONT,
    "font.family": ["DejaVu Sans"],  # comes with matplotlib; wide, so that another font fits too
    "text.color": INK, "axes.labelcolor": INK, "xtick.color": INK, "ytick.color": INK,
    "axes.edgecolor": "#888888", "axes.spines.top": False, "axes.spines.right": False,
    "axes.axisbelow": True, "grid.color": FAINT,
}


@dataclass
class Plot:
    svg: Markup
    description: str  # for those who cannot see it
    caption: str
    legend: list      # (symbol, colour, text)


def implementation_styles(names):
    """name -> (colour, marker, symbol); after eight names the marker changes, never the pair."""
    return {name: (COLOURS[index % len(COLOURS)],
                   *MARKERS[index // len(COLOURS) % len(MARKERS)])
            for index, name in enumerate(names)}


def part_colours(parts, known):
    """The same part has the same colour in all plots; parts that the schema does not know come last."""
    order = known + [part for part in parts if part not in known]
    return [PART_COLOURS[order.index(part) % len(PART_COLOURS)] for part in parts]


def part_legend(parts, colours):
    return [("■", colour, part) for part, colour in zip(parts, colours)]


def _svg(figure, identity):
    target = io.StringIO()
    with matplotlib.rc_context({"svg.hashsalt": identity}):  # ids differ between the page's plots
        figure.savefig(target, format="svg", metadata={"Date": None, "Creator": None})
    text = target.getvalue()
    text = text[text.index("<svg"):]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.S)
    # The groups' names repeat from plot to plot; nothing refers to them.
    text = re.sub(r' id="[\w.]+_\d+"', "", text)
    text = text.replace("'DejaVu Sans'", "'DejaVu Sans', Verdana, Arial, sans-serif")
    # Hundredths of a unit are finer than any screen; only tags are shortened, never a label.
    text = re.sub(r"<[^>]+>", lambda tag: re.sub(r"(\d\.\d\d)\d+", r"\1", tag[0]), text)
    text = re.sub(r"\s*\n\s*", " ", text).replace("> <", "><").replace("<g/>", "")
    # Without a size of its own it takes the width that the page gives it.
    return Markup(re.sub(r'(width|height)="[0-9.]+pt" ?', "", text, count=2))


def _axes(height):
    figure = Figure(figsize=(WIDTH / 72, height / 72), layout="constrained")
    FigureCanvasSVG(figure)
    axes = figure.add_subplot()
    axes.tick_params(length=0)
    axes.grid(axis="x")
    return figure, axes


def _lines(axes, names, values=None):
    """A line of the plot for each name. The name stands above its line and not beside it, which
    leaves the whole width of a narrow screen to the data; a value may stand at the right end."""
    axes.set_yticks([])
    axes.set_ylim(len(names) - 0.45, -0.75)
    across = axes.get_yaxis_transform()
    for index, name in enumerate(names):
        short = name if len(name) <= LONGEST_NAME else name[:LONGEST_NAME - 1] + "…"
        axes.text(0.005, index - 0.43, short, transform=across, va="center", bbox=BLANK)
        if values:
            axes.text(1, index - 0.43, values[index], transform=across, va="center", ha="right", bbox=BLANK)


def _ink_on(colour):
    red, green, blue = (int(colour[start:start + 2], 16) for start in (1, 3, 5))
    return "white" if 0.299 * red + 0.587 * green + 0.114 * blue < 140 else INK


def network_time(rows, styles, baseline, identity):
    """One bar each, or one dot each on a logarithmic axis where bars would be slivers."""
    with matplotlib.rc_context(STYLE):
        figure, axes = _axes(62 + 54 * len(rows))
        unit = fmt.time_unit(rows.time_median_ns)
        values = rows.time_median_ns / unit[1]
        logarithmic = values.max() > 20 * values.min()
        _lines(axes, rows.implementation, [_time_label(row, unit, baseline) for row in rows.itertuples()])
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
            _round_ticks(axes, low / 1.4, high * 1.4)
        else:
            axes.set_xlim(0, high * 1.04)
        axes.set_xlabel(f"time of one call, {unit[0]}" + (" (logarithmic)" if logarithmic else ""))
        return _svg(figure, identity)


def _time_label(row, unit, baseline):
    time = fmt.time_in(unit, row.time_median_ns)
    if row.status == "throttled":
        return f"{time} (throttled)"
    if row.implementation == baseline:
        return f"{time} (baseline)"
    return time if row.speedup != row.speedup else f"{time} · {fmt.ratio(row.speedup)}"


def _round_ticks(axes, low, high):
    """The finest steps within a decade that leave room for the labels."""
    for steps in [(1, 1.2, 1.5, 2, 3, 5, 7), (1, 2, 5), (1, 3), (1,)]:
        ticks = [step * 10.0 ** power for power in range(-9, 13) for step in steps
                 if low <= step * 10.0 ** power <= high]
        if len(ticks) <= 7:
            break
    axes.xaxis.set_major_locator(FixedLocator(ticks))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.9g}"))


def speedups(labels, rows, styles, baseline, identity):
    """A line for each problem, a mark for each implementation; rows holds (label, implementation, ratio)."""
    with matplotlib.rc_context(STYLE):
        figure, axes = _axes(62 + 52 * len(labels))
        _lines(axes, labels)
        position = {label: index for index, label in enumerate(labels)}
        axes.set_xscale("log")
        axes.axvline(1, color=INK, linewidth=1.2, zorder=1)
        for label, implementation, value in rows:
            colour, marker, _ = styles[implementation]
            axes.plot([value], [position[label]], marker, color=colour, markersize=11,
                      markeredgecolor="white", markeredgewidth=0.8)
        for label, index in position.items():
            axes.axhline(index, color=FAINT, linewidth=1, zorder=0)
            here = sorted(value for name, _, value in rows if name == label)
            for value, shift, side in [(here[-1], 9, "left")] + [(here[0], -9, "right")] * (len(here) > 1):
                axes.annotate(fmt.ratio(value), (value, index), (shift, 0), ha=side,
                              textcoords="offset points", va="center",
                              bbox=BLANK)
        low, high = min(1, *(row[2] for row in rows)), max(1, *(row[2] for row in rows))
        margin = max((high / low) ** 0.28, 1.4)
        axes.set_xlim(low / margin, high * margin)
        _round_ticks(axes, low / margin, high * margin)
        axes.set_xlabel(f"speed-up over {baseline} (logarithmic; right is faster)")
        return _svg(figure, identity)


def layer_shares(names, colours, shares, times, identity):
    """Shares of the profiled pass; shares and times are per implementation, in the order of colours."""
    with matplotlib.rc_context(STYLE):
        figure, axes = _axes(62 + 58 * len(names))
        _lines(axes, names)
        for index in range(len(names)):
            left = 0.0
            for part, colour in enumerate(colours):
                share = shares[index][part] * 100
                axes.barh(index, share, 0.54, left, color=colour, edgecolor="white",
                          linewidth=0.6)
                percent = fmt.percent(share / 100)
                _inside(axes, left, share, index,
                        [f"{percent} · {fmt.time(times[index][part])}", percent], 100, colour)
                left += share
        axes.set_xlim(0, 100)
        axes.set_xlabel("share of the profiled pass, %")
        return _svg(figure, identity)


def memory_stacks(names, colours, views, identity, shares=False):
    """views[name] holds (view's name, bytes by category or one number, the label's bytes). In a category stands its size,
    or its share of the bar."""
    bars = sum(len(views[name]) for name in names)
    with matplotlib.rc_context(STYLE):
        figure, axes = _axes(60 + 28 * bars + 28 * len(names))
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
                    axes.barh(line, size, 0.78, left, color=colour, edgecolor="white",
                              linewidth=0.6)
                    text = fmt.percent(count / total) if shares else fmt.number(size)
                    _inside(axes, left, size, line, [text], top * 1.7, colour)
                    left += size
                axes.annotate(f"{fmt.mib(total)}{fmt.SPACE}MiB", (max(left, total / fmt.MIB), line), (6, 0),
                              textcoords="offset points", va="center",
                              bbox=BLANK)
            line += 1.1
        axes.set_yticks(ticks, labels)
        axes.set_ylim(line - 0.3, -0.6)
        axes.set_xlim(0, top * 1.34)
        axes.set_xlabel("MiB")
        return _svg(figure, identity)


def _inside(axes, left, width, line, texts, span, colour):
    """Writes into a bar's segment the first of the texts that fits: a letter takes about 2 %."""
    for text in texts:
        if width / span * 50 > len(text) + 1:
            axes.text(left + width / 2, line, text, ha="center", va="center",
                      color=_ink_on(colour), fontsize=FONT - 1)
            return
