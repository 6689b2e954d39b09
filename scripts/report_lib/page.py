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
from .summary import summary


def render(runs, tidy, totals, tidy_files, baseline):
    """totals: of memory_totals(); tidy_files: names of the files that lie beside the page."""
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
        summary=summary(tidy, totals, claims, baseline),
        warnings=warnings(runs, records),
        baseline=baseline,
        # A run of memory alone has nothing to say about times, and need not say so four times.
        records=bool(len(records)) or not (len(memory) or len(claims)),
        tidy_files=tidy_files,
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
