"""Colours and type of the plots. A saved plot has them as they stand here; in the page ink, paper
and lines follow the reader's light or dark mode."""

import re

WIDTH = 480  # user units; the page shows a plot at 354 to 500 px: 15 units are 11 px or more
FONT = 15
INK, PAPER, FAINT = "#222222", "#ffffff", "#d9d9d9"
ON_LIGHT, ON_DARK = "#212121", "#fefefe"  # text on a coloured bar, in either mode

# Okabe and Ito's palette without its black and yellow (no contrast to white), with two greys.
COLOURS = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#666666", "#A6A6A6"]
MARKERS = [("o", "●"), ("s", "■"), ("^", "▲"), ("D", "◆")]
# Tol's "muted", for what a bar is made of: never to be taken for an implementation's colour.
PART_COLOURS = ["#332288", "#88CCEE", "#44AA99", "#117733", "#999933", "#DDCC77", "#CC6677",
                "#882255", "#AA4499", "#BBBBBB"]
# What would drown in a dark page, and what stands there instead.
IN_THE_DARK = {"#0072b2": "#3f9fe0", "#666666": "#8c8c8c", "#332288": "#7468cc",
               "#117733": "#27884a", "#882255": "#b9447f"}
BLANK = {"facecolor": PAPER, "edgecolor": "none", "pad": 1}  # keeps grid lines out of text

STYLE = {
    "svg.fonttype": "none", "text.parse_math": False, "font.size": FONT,
    "font.family": ["DejaVu Sans"],  # comes with matplotlib; wide, so that another font fits too
    "text.color": INK, "axes.labelcolor": INK, "xtick.color": INK, "ytick.color": INK,
    "axes.edgecolor": "#888888", "axes.spines.top": False, "axes.spines.right": False,
    "axes.axisbelow": True, "grid.color": FAINT, "figure.facecolor": PAPER,
    "axes.facecolor": "none",
}


def css(colour):
    """The colour as the page's style sheet knows it."""
    colour = colour.lower()
    if colour in IN_THE_DARK:
        return f"var(--c{colour[1:]},{colour})"
    return {INK: "currentColor", PAPER: "var(--paper)", FAINT: "var(--faint)"}.get(colour, colour)


def themed(svg):
    return re.sub(r"(?<=: )#[0-9a-f]{6}(?=[;\"])", lambda found: css(found[0]), svg)


def dark_variables():
    return " ".join(f"--c{colour[1:]}: {dark};" for colour, dark in IN_THE_DARK.items())


def implementation_styles(names):
    """name -> (colour, marker, symbol); after eight names the marker changes, never the pair."""
    return {name: (COLOURS[index % len(COLOURS)],
                   *MARKERS[index // len(COLOURS) % len(MARKERS)])
            for index, name in enumerate(names)}


def implementation_legend(styles, shown):
    return [(styles[name][2], styles[name][0], name) for name in styles if name in shown]


def part_colours(parts, known):
    """The same part has the same colour in all plots; unknown parts come last."""
    order = known + [part for part in parts if part not in known]
    return [PART_COLOURS[order.index(part) % len(PART_COLOURS)] for part in parts]


def part_legend(parts, colours):
    return [("■", colour, part) for part, colour in zip(parts, colours)]


def ink_on(colour):
    red, green, blue = (int(colour[start:start + 2], 16) for start in (1, 3, 5))
    return ON_DARK if 0.299 * red + 0.587 * green + 0.114 * blue < 140 else ON_LIGHT
