"""The first screen's table of claims: a row for each published figure, with the best and the worst
that became of it here."""

from . import formatting as fmt
from .loading import VERDICTS
from .section_claims import KINDS, baseline_name, value_text
from .tables import box, groups

JUDGED = VERDICTS[:3]
# What each is about, in words; another one is shown by its id.
TITLES = {
    "compression_39x": "Model smaller than in float",
    "conv_cpu_58x": "One layer faster on a CPU",
    "espresso_memory": "Weights of a small network",
    "forward_0_67s": "Float hourglass on one core",
    "gemm_binarynet": "Matrix product faster",
    "gemm_cublas_3_5x": "Matrix product faster, tuned library",
    "memory_32x_xnornet": "Weights smaller than in float",
    "memory_700MB": "Memory for one picture",
    "mlp_binarynet_7x": "Small network faster",
    "model_size": "Model file",
    "ops_32x": "Fewer operations",
    "realtime": "Whole hourglass faster on a CPU",
}


def answer(claims):
    """None without claims."""
    if not len(claims):
        return None
    counts = [(verdict.replace("_", " "), int((claims.verdict == verdict).sum()))
              for verdict in VERDICTS]
    listed = ", ".join(f"{count} {verdict}" for verdict, count in counts if count)
    return {"text": f"{fmt.plural(claims.id.nunique(), 'published claim')}, each read in every "
                    f"sensible way, {len(claims)} in all: {listed}.",
            "rows": [_row(mine) for _, mine in groups(claims, ["run", "id"])]}


def _row(rows):
    """Of the figure that most rows are about; of equal ones the first."""
    judged = rows[rows.verdict.isin(JUDGED)]
    counts = (judged if len(judged) else rows).reported_value.value_counts(sort=False)
    figure = counts.idxmax()
    mine = rows[rows.reported_value == figure]
    mine_judged = mine[mine.verdict.isin(JUDGED) & mine.measured_value.notna()]
    measured = sorted(mine_judged.itertuples(), key=_merit, reverse=True)
    first = mine.iloc[0]
    title = TITLES.get(first.id, first.id.replace("_", " "))
    return {"title": title, "id": first.id, "source": first.source,
            "published": value_text(figure, first.unit),
            "best": _measured(measured[0]) if measured else None,
            "worst": _measured(measured[-1]) if len(measured) > 1 else None,
            "verdict": _verdict(mine),
            "more": rows.reported_value.nunique() - 1}


def _merit(row):
    """Better verdicts first; then the larger ratio, or what is nearer to the published figure."""
    if row.unit == "x":
        nearness = row.measured_value
    else:
        ratio = row.measured_value / row.reported_value if row.reported_value else float("inf")
        nearness = -max(ratio, 1 / ratio if ratio else float("inf"))
    return -VERDICTS.index(row.verdict), nearness


def _measured(row):
    over = row.baseline and baseline_name(row.baseline)
    return {"value": value_text(row.measured_value, row.unit), "over": over or row.definition,
            "is_ratio": bool(over)}


def _verdict(rows):
    """One for the claim: where its rows differ, how many of them hold."""
    judged = rows[rows.verdict.isin(JUDGED)]
    if not len(judged):
        verdict = rows.verdict.iloc[0]
        return box(verdict.replace("_", " "), KINDS[verdict])
    verdicts = set(judged.verdict)
    if len(verdicts) == 1:
        verdict = verdicts.pop()
        return box(verdict.replace("_", " "), KINDS[verdict])
    holds = int((judged.verdict == "reproduced").sum())
    if holds:
        return box(f"reproduced in {holds} of {len(judged)} ways", "middle")
    return box("partly at best", "middle")
