"""Published figures: what became of each on this machine."""

import re

from . import formatting as fmt
from .drawing import plot
from .loading import VERDICTS, joined
from .plots_claims import Line, claim_ratios
from .tables import box, groups
from .theme import INK, implementation_styles

KINDS = dict(zip(VERDICTS, ["good", "middle", "bad", "open", "theory"]))
# Commands that time something; other rows are counted or planned, or are the machine's bounds.
TIMED = re.compile(r"\bxnorbench (?:conv|gemm|network)\b")
BOUNDS = re.compile(r"\bxnorbench peak\b")
IMPLEMENTATION = re.compile(r"\w+_\w+_\w+")


def tidy_claims(runs):
    """Of ratios and sizes alike: how many times the published figure was measured."""
    claims = joined(runs, "claims")
    claims.insert(0, "run", claims.pop("run"))
    reported = claims.reported_value.where(claims.reported_value > 0)
    return claims.assign(measured_over_reported=claims.measured_value / reported)


def claims_by_figure(claims, several_runs):
    result = []
    for index, (conditions, rows) in enumerate(groups(claims, ["run", "id"])):
        # Where a paper says MB, its figure is judged as 10^6 or as 2^20 bytes, whichever is nearer,
        # row by row.
        figures = [{"reported": " or ".join(value_text(figure["reported_value"], unit)
                                            for unit in dict.fromkeys(mine.unit)),
                    "source": figure["source"], "conditions": figure["conditions"],
                    "rows": _rows(mine)}
                   for figure, mine in groups(rows, ["reported_value", "source", "conditions"])]
        identity = conditions["id"]
        result.append({"title": identity,
                       "conditions": f"run {conditions['run']}" if several_runs else "",
                       "verdicts": verdict_counts(rows),
                       "plot": _plot(identity, rows, f"claim-{identity}-{index}"),
                       "figures": figures})
    return result


def verdict_counts(claims):
    """[(box, count)] of the verdicts that occur."""
    return [(verdict_box(verdict), int((claims.verdict == verdict).sum())) for verdict in VERDICTS
            if (claims.verdict == verdict).any()]


def verdict_box(verdict):
    return box(verdict.replace("_", " "), KINDS[verdict])


def value_text(value, unit):
    """Four digits: published figures have up to that many, and what is measured stands beside
    them."""
    if value != value:
        return "not measured"
    text = f"{value:.4g}" if 1e-3 <= abs(value) < 1e4 else fmt.number(value)
    return f"{text}×" if unit == "x" else f"{text}{fmt.SPACE}{unit}"


def _rows(rows):
    return [{"verdict": verdict_box(row.verdict),
             "measured": value_text(row.measured_value, row.unit),
             "definition": row.definition, "baseline": row.baseline, "note": row.note,
             "command": row.command} for row in rows.itertuples()]


def _plot(identity, rows, name):
    """Measured ratios over each baseline; None where the figure is none of speed."""
    ratios = rows[(rows.unit == "x") & rows.measured_value.notna() & (rows.baseline != "")]
    timed = ratios[ratios.command.str.contains(TIMED)]
    if not len(timed):
        return None
    definitions = list(dict.fromkeys(timed.definition))
    styles = implementation_styles(definitions)
    bounds = {baseline_name(row.baseline): row.measured_value
              for row in ratios[ratios.command.str.contains(BOUNDS)].itertuples()}
    lines = [Line(baseline_name(figure["baseline"]), figure["reported_value"],
                  bounds.get(baseline_name(figure["baseline"])),
                  [(definitions.index(row.definition), row.measured_value)
                   for row in mine.itertuples()])
             for figure, mine in groups(timed, ["baseline", "reported_value"])]
    theory = ratios[ratios.verdict == "theory"].measured_value.max()
    theory = theory if theory == theory else None
    legend = [(styles[text][2], styles[text][0], text) for text in definitions]
    published = dict.fromkeys(value_text(line.reported, "x") for line in lines)
    legend.append(("┃", INK, f"published: {', '.join(published)}"))
    if theory:
        legend.append(("┆", INK, f"theory: up to {value_text(theory, 'x')}"))
    if any(line.bound for line in lines):
        legend.append(("◁", INK, "the most that this machine's instructions allow"))
    return plot(claim_ratios(lines, [styles[text] for text in definitions], theory), name,
                f"Measured ratios of {identity} over each baseline, beside the published figure",
                "How many times faster than each baseline, measured here.", legend)


def baseline_name(baseline):
    """The implementation's name where there is one; the table has the whole text."""
    found = IMPLEMENTATION.findall(baseline)
    return found[-1] if found else baseline
