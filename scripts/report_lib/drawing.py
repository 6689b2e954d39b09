"""How a plot gets into the page and out of it: as SVG that follows the page's colours, and as an
SVG and a PNG to save, with a legend of their own, for a paper."""

import base64
import io
import re
from dataclasses import dataclass

import matplotlib
from markupsafe import Markup
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.lines import Line2D
from PIL import Image

from .theme import FONT, INK, STYLE, WIDTH, themed

PNG_DPI = 150  # 1000 pixels wide: 300 a printed inch in a column of 3.3 inches
LEGEND_LINE = 21
HANDLES = {"●": {"marker": "o"}, "■": {"marker": "s"}, "▲": {"marker": "^"},
           "◆": {"marker": "D"}, "┃": {"marker": "|", "markeredgewidth": 3},
           "◁": {"marker": "<", "fillstyle": "none"}, "┆": {"linestyle": (0, (3, 3))}}


@dataclass
class Plot:
    name: str         # of the files to save
    svg: Markup
    files: list       # (format, data: URI)
    description: str  # for those who cannot see it
    caption: str
    legend: list      # (symbol, colour, text)


def plot(figure, name, description, caption, legend=()):
    name = re.sub(r"[^A-Za-z0-9_.-]+", "-", name)
    with matplotlib.rc_context({**STYLE, "svg.hashsalt": name}):  # ids differ between plots
        height = figure.get_figheight() * 72
        _add_legend(figure, legend)
        svg = _svg(figure)
        figure.set_layout_engine("none")  # stays as it was laid out
        pixels = png(figure)
    files = [("SVG", _data("image/svg+xml", _without_names(svg).encode("utf-8"))),
             ("PNG", _data("image/png", pixels))]
    return Plot(name, Markup(themed(_inline(svg, height))), files, description, caption,
                list(legend))


def _inline(svg, height):
    """Without the legend, which is HTML in the page and the lowest part of the saved figure."""
    at = svg.find('<g id="legend_')
    if at >= 0:
        end, depth = at, 0
        for tag in re.compile(r"<g[ >]|</g>").finditer(svg, at):
            depth += -1 if tag[0] == "</g>" else 1
            if depth == 0:
                end = tag.end()
                break
        svg = svg[:at] + svg[end:]
    # Without a size of its own it takes the width that the page gives it.
    svg = re.sub(r'(width|height)="[0-9.]+pt" ?', "", svg, count=2)
    svg = re.sub(r'viewBox="0 0 ([0-9.]+) [0-9.]+"', rf'viewBox="0 0 \1 {height:g}"', svg, count=1)
    svg = svg.replace(' xmlns="http://www.w3.org/2000/svg" version="1.1"', "")
    return _without_names(svg.replace(' xmlns:xlink="http://www.w3.org/1999/xlink"', ""))


def _without_names(svg):
    """The groups' names repeat from plot to plot; nothing refers to them."""
    return re.sub(r' id="[\w.]+_\d+"', "", svg).replace("<g/>", "")


def _data(kind, content):
    return f"data:{kind};base64,{base64.b64encode(content).decode('ascii')}"


def _svg(figure):
    target = io.StringIO()
    figure.savefig(target, format="svg", metadata={"Date": None, "Creator": None})
    text = target.getvalue()
    text = text[text.index("<svg"):]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.S)
    text = text.replace("'DejaVu Sans'", "'DejaVu Sans', Verdana, Arial, sans-serif")
    # Tenths of a unit are finer than any screen; only tags are shortened, never a label.
    text = re.sub(r"<[^>]+>", lambda tag: re.sub(r"(\d\.\d)\d+", r"\1", tag[0]), text)
    return re.sub(r"\s*\n\s*", " ", text).replace("> <", "><")


def png(figure):
    target = io.BytesIO()
    figure.savefig(target, format="png", dpi=PNG_DPI)
    # Few colours, flat: a palette takes a third of the bytes.
    image = Image.open(target).convert("RGB").quantize(48, dither=Image.Dither.NONE)
    target = io.BytesIO()
    image.save(target, format="png", optimize=True)
    return target.getvalue()


def _add_legend(figure, legend):
    """Below the axes: the figure grows by it, and what is drawn keeps its size."""
    if not legend:
        return
    columns = 2 if max(len(text) for _, _, text in legend) <= 22 else 1
    added = LEGEND_LINE * -(-len(legend) // columns) + 8
    old = figure.get_figheight() * 72
    share = old / (old + added)
    figure.set_figheight((old + added) / 72)
    engine = figure.get_layout_engine()
    if engine is None:
        for axes in figure.axes:
            place = axes.get_position()
            axes.set_position([place.x0, 1 - share + place.y0 * share, place.width,
                               place.height * share])
    else:
        engine.set(rect=(0, 1 - share, 1, share))
    handles = [Line2D([], [], color=INK if colour == INK else colour, linestyle="none",
                      markersize=10) for _, colour, _ in legend]
    for handle, (symbol, _, _) in zip(handles, legend):
        handle.set(**HANDLES.get(symbol, {"marker": "s"}))
    figure.legend(handles, [text for _, _, text in legend], loc="lower left", ncol=columns,
                  bbox_to_anchor=(0, 0), frameon=False, borderaxespad=0.2, labelspacing=0.25,
                  handletextpad=0.4, fontsize=FONT - 1)


def canvas(figure):
    FigureCanvasAgg(figure)
    return figure


def size(height, width=WIDTH):
    return width / 72, height / 72
