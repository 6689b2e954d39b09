"""The sentence at the top of the page: what the runs say, first of what they were made for."""

from . import formatting as fmt
from .loading import VERDICTS
from .memory_totals import COMPARED
from .tables import NETWORK_CONDITIONS, conditions_text, groups


def summary(tidy, totals, claims, baseline):
    """Claims and whole networks both, where there are both; single layers or memory where neither is."""
    good = tidy[tidy.status == "ok"]
    networks = groups(good[good.kind == "network"], NETWORK_CONDITIONS)
    parts = [_claims(claims)] if len(claims) else []
    parts += [_network(*networks[0], baseline)] if networks else []
    if parts:
        return " ".join(parts)
    layers = good[good.kind.isin(["conv", "gemm"])]
    if len(layers):
        return _layers(layers, baseline)
    if len(good):
        return "Only the steps of a network were timed, in a profiled pass."
    if len(tidy):
        return "Nothing was timed in these runs."
    return _memory(totals) if totals.planned_bytes.gt(0).any() else "These runs hold no measured times."


def _claims(claims):
    counts = [(verdict.replace("_", " "), int((claims.verdict == verdict).sum())) for verdict in VERDICTS]
    listed = ", ".join(f"{count} {verdict}" for verdict, count in counts if count)
    return f"{fmt.plural(claims.id.nunique(), 'published claim')} in {fmt.plural(len(claims), 'row')}: {listed}."


def _network(conditions, rows, baseline):
    best = rows.loc[rows.time_median_ns.idxmin()]
    shown = {name: value for name, value in conditions.items() if name in ("batch", "threads", "cache")}
    text = f"On {conditions['network']} ({conditions_text(shown, False)}), "
    text += "the only implementation timed, " if len(rows) == 1 else ""
    text += f"{best.implementation} " + ("takes " if len(rows) == 1 else "is the fastest: ")
    text += f"{fmt.time(best.time_median_ns)} for a forward pass"
    if best.implementation != baseline and best.speedup == best.speedup:
        text += f", {fmt.ratio(best.speedup)} the speed of {baseline}"
    if best.peak_bytes == best.peak_bytes:
        text += f", with a memory peak of {fmt.mib(best.peak_bytes)}{fmt.SPACE}MiB"
    return text + "."


def _layers(layers, baseline):
    compared = layers[layers.speedup.notna() & (layers.implementation != baseline)]
    if not len(compared):
        return (f"{fmt.plural(len(layers), 'single-layer case')} measured; there is no second "
                "implementation to compare with.")
    middle = compared.groupby("implementation").speedup.median()
    name = middle.idxmax()
    mine = compared[compared.implementation == name].speedup
    return (f"On {fmt.plural(len(mine), 'single layer')}, {name} ran at {fmt.ratio(mine.median())} the "
            f"speed of {baseline} in the median ({fmt.ratio(mine.min())} to {fmt.ratio(mine.max())}).")


def _memory(totals):
    """The largest and the smallest of the first network."""
    known = totals[totals.planned_bytes > 0]
    first = known.iloc[0]
    same = known[(known[COMPARED] == first[COMPARED]).all(axis=1)]
    large, small = same.loc[same.planned_bytes.idxmax()], same.loc[same.planned_bytes.idxmin()]
    text = (f"A forward pass of {first.network} (batch {first.batch}) takes {_mib(large)} on {large.implementation} with "
            f"policy {large.policy}")
    if len(same) > 1:
        text += (f", and {_mib(small)} on {small.implementation} with policy {small.policy}: "
                 f"{fmt.ratio(large.planned_bytes / small.planned_bytes)} less")
    return text + ("." if same.measured_bytes.notna().any() else ", by plan.")


def _mib(row):
    return f"{fmt.mib(row.planned_bytes)}{fmt.SPACE}MiB"
