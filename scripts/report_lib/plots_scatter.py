"""Time against memory: a mark for each implementation with its name beside it."""

from .plots import styled
from .plots_basic import RIGHT, axes_of, name_vertical, scale, text_width
from .theme import FONT, PAPER, WIDTH

HEIGHT = 360
MARK = 8  # half of a mark's width, with the space that it keeps to text


@styled
def latency_memory(rows, styles, unit):
    """rows holds (implementation, memory beyond weights in MiB, time in the unit)."""
    figure, (axes,) = axes_of(HEIGHT + 12 * max(len(rows) - 6, 0))
    across = scale(axes.xaxis, [row[1] for row in rows], axes.set_xscale, axes.set_xlim)
    upward = scale(axes.yaxis, [row[2] for row in rows], axes.set_yscale, axes.set_ylim)
    axes.set_xlabel(f"memory beyond weights at the peak, MiB{across}")
    name_vertical(axes, f"time of one call, {unit[0]}{upward}")
    points = [tuple(axes.transData.transform(row[1:])) for row in rows]
    area = axes.bbox
    places = place_labels(points, [(text_width(row[0]), FONT * 1.2) for row in rows],
                          (area.x0 + 2, area.y0 + 2, WIDTH - RIGHT / 2, area.y1 + 4))
    for (name, memory, time), point, (x, y, width, height) in zip(rows, points, places):
        colour, marker, _ = styles[name]
        nearest = (min(max(point[0], x), x + width), min(max(point[1], y), y + height))
        if abs(nearest[0] - point[0]) + abs(nearest[1] - point[1]) > 2 * MARK:
            axes.annotate("", nearest, point, xycoords="figure points", textcoords="figure points",
                          arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 1})
        axes.plot([memory], [time], marker, color=colour, markersize=11, markeredgecolor=PAPER,
                  markeredgewidth=0.8, clip_on=False)
        axes.annotate(name, (x, y + 3), xycoords="figure points")
    return figure


def place_labels(points, sizes, box):
    """A rectangle (x, y, width, height) for each point's label: the nearest place that is free of
    marks and of other labels, within the box (x0, y0, x1, y1)."""
    marks = [(x - MARK, y - MARK, 2 * MARK, 2 * MARK) for x, y in points]
    places = {}
    for index in sorted(range(len(points)), key=lambda index: -points[index][1]):
        best = None
        for candidate in _candidates(points[index], sizes[index]):
            taken = marks[:index] + marks[index + 1:] + list(places.values())
            bad = sum(_overlap(candidate, other) for other in taken) + 10 * _outside(candidate, box)
            if best is None or bad < best[0]:
                best = bad, candidate
            if bad == 0:
                break
        places[index] = best[1]
    return _untangled(points, [places[index] for index in range(len(points))], marks, box)


def _untangled(points, places, marks, box):
    """Exchanges two labels where that brings them nearer to their marks: then no leads cross."""
    def far(index, place):
        dx, dy = (place[axis] + place[axis + 2] / 2 - points[index][axis] for axis in (0, 1))
        return max(abs(dx) - place[2] / 2, 0) ** 2 + dy ** 2

    def clear(index, place, other):
        taken = marks[:index] + marks[index + 1:] + [places[third] for third in range(len(places))
                                                     if third not in (index, other)]
        return _outside(place, box) == 0 and not any(_overlap(place, other) for other in taken)

    for _ in range(len(points)):
        changed = False
        for one in range(len(points)):
            for two in range(one):
                swapped = (_moved(places[one], places[two], points[two]),
                           _moved(places[two], places[one], points[one]))
                now = far(one, places[one]) + far(two, places[two])
                if far(one, swapped[0]) + far(two, swapped[1]) < now - 1 \
                        and clear(one, swapped[0], two) and clear(two, swapped[1], one):
                    places[one], places[two] = swapped
                    changed = True
        if not changed:
            break
    return places


def _moved(label, place, mark):
    """The label at the place of another one, by the same edge towards that one's mark."""
    left = place[0] if place[0] > mark[0] else place[0] + place[2] - label[2]
    return left, place[1], label[2], label[3]


def _candidates(point, size):
    (x, y), (width, height) = point, size
    gap = MARK + 2
    for ring in range(40):
        for shift in [ring * 7] if ring == 0 else [ring * 7, -ring * 7]:
            for left in [x + gap, x - gap - width] + ([x - width / 2] if ring >= 3 else []):
                yield left, y + shift - height / 2, width, height


def _overlap(one, other):
    across = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    upward = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    return max(across, 0) * max(upward, 0)


def _outside(rectangle, box):
    x, y, width, height = rectangle
    return (max(box[0] - x, 0) + max(x + width - box[2], 0)) * height \
        + (max(box[1] - y, 0) + max(y + height - box[3], 0)) * width
