"""Puts the sections together and renders the template."""

from pathlib import Path

import jinja2
from . import formatting as fmt
from .loading import joined
from .plots import implementation_styles
from .section_budget import budgets
from .section_cache import cache_comparison
from .section_claims import claims_by_figure, verdict_counts
from .section_conv import conv_comparisons
from .section_curves import thread_notes
from .section_memory import CATEGORIES, memory_comparisons
from .section_network import layer_profiles, network_comparisons
from .section_overview import overview
from .section_policies import policy_comparisons, shown_by_policy
from .section_support import commands, machine_cards, support_matrix, without_time
from .tables import NETWORK_CONDITIONS, conditions_text, groups


def render(runs, tidy, totals, baseline):
    """totals: of memory_totals()."""
    several = len(runs) > 1
    records = joined(runs, "records")
    memory, timeline, buffers = (joined(runs, name) for name in ("memory", "timeline", "buffers"))
    claims = joined(runs, "claims")
    listed = [entry["name"] for run in runs for entry in run.info["implementations"]]
    styles = implementation_styles(dict.fromkeys(listed + list(records.implementation)))
    template = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent), autoescape=True, trim_blocks=True,
        lstrip_blocks=True, undefined=jinja2.StrictUndefined).get_template("page.html.jinja")
    return template.render(
        title=", ".join(run.label for run in runs),
        summary=summary(tidy, baseline),
        warnings=warnings(runs, records),
        baseline=baseline,
        overview=overview(tidy, baseline),
        claims=claims_by_figure(claims, several),
        claim_counts=verdict_counts(claims),
        networks=network_comparisons(tidy, styles, baseline, several),
        thread_notes=thread_notes(runs, tidy),
        profiles=layer_profiles(tidy, several),
        convolutions=conv_comparisons(tidy, styles, baseline, several),
        cache=cache_comparison(tidy, several),
        policies=policy_comparisons(memory, totals, timeline, buffers, CATEGORIES, several),
        memory=memory_comparisons(memory, timeline, tidy, baseline, shown_by_policy(totals, buffers), several),
        budget=budgets(joined(runs, "budget"), joined(runs, "remedies"), several),
        support=support_matrix(runs, records),
        left_out=without_time(records, several),
        throttled=int((records.status == "throttled").sum()),
        wrong=int((records.status == "wrong").sum()),
        machines=machine_cards(runs),
        commands=commands(tidy, totals, several))


def warnings(runs, records):
    result = []
    for run in runs:
        if run.interrupted:
            text = f"Run {run.label} was interrupted: this page shows the rows measured until then."
            if run.cut_files:
                text += f" The unfinished last line of {', '.join(run.cut_files)} is left out."
            result.append(text)
        elif run.info.get("exit_status") not in (0, None):
            result.append(f"Run {run.label} ended with exit status {run.info['exit_status']}.")
    wrong = records[records.status == "wrong"]
    if len(wrong):
        names = ", ".join(dict.fromkeys(wrong.implementation))
        result.append(f"Wrong results from {names}: {fmt.plural(len(wrong), 'row')} without a time.")
    return result


def summary(tidy, baseline):
    """One sentence about the first network; about the single layers where no network ran."""
    good = tidy[tidy.status == "ok"]
    networks = groups(good[good.kind == "network"], NETWORK_CONDITIONS)
    if networks:
        return _network_summary(*networks[0], baseline)
    layers = good[good.kind.isin(["conv", "gemm"])]
    compared = layers[layers.speedup.notna() & (layers.implementation != baseline)]
    if len(compared):
        middle = compared.groupby("implementation").speedup.median()
        name = middle.idxmax()
        mine = compared[compared.implementation == name].speedup
        return (f"On {fmt.plural(len(mine), 'single layer')}, {name} ran at {fmt.ratio(mine.median())} the "
                f"speed of {baseline} in the median ({fmt.ratio(mine.min())} to {fmt.ratio(mine.max())}).")
    if len(layers):
        return (f"{fmt.plural(len(layers), 'single-layer case')} measured; there is no second "
                "implementation to compare with.")
    if len(good):
        return "Only the steps of a network were timed, in a profiled pass."
    return "Nothing was timed in these runs." if len(tidy) else "These runs hold no measured times."


def _network_summary(conditions, rows, baseline):
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
