"""Puts the sections together and renders the template."""

from pathlib import Path

import jinja2

from . import answer_claims, answer_origin, answer_size, answer_speed
from . import formatting as fmt
from . import theme
from .loading import joined
from .merging import merged, merged_memory, of_passes, settings
from .section_bounds import bounds
from .section_budget import budgets
from .section_cache import cache_comparison
from .section_claims import claims_by_figure, verdict_counts
from .section_conv import conv_comparisons
from .section_curves import thread_notes
from .section_layers import layer_profiles
from .section_memory import CATEGORIES, memory_comparisons
from .section_network import network_comparisons
from .section_overview import overview
from .section_policies import policy_comparisons, shown_by_policy
from .section_support import commands, machine_cards, machine_line, support_matrix, without_time


def render(runs, tidy, totals, tidy_files, baseline):
    """totals: of memory_totals(); tidy_files: names of the files that lie beside the page."""
    several = len(runs) > 1
    setting_of = settings(runs)
    records, claims = joined(runs, "records"), joined(runs, "claims")
    shown = merged(tidy, setting_of)
    passes = merged_memory(totals, joined(runs, "buffers"), setting_of)
    memory, timeline, buffers = (of_passes(joined(runs, name), passes)
                                 for name in ("memory", "timeline", "buffers"))
    budget, savings, peaks = (_with_setting(joined(runs, name), setting_of)
                              for name in ("budget", "savings", "peaks"))
    listed = {entry["name"]: entry.get("arithmetic", "")
              for run in runs for entry in run.info["implementations"]}
    listed.update(zip(records.implementation, records.arithmetic))
    bounded = [name.removeprefix("bound_") for name in peaks.quantity if name.startswith("bound_")]
    styles = theme.implementation_styles(dict.fromkeys([*listed, *bounded]))
    by_policy = shown_by_policy(passes, buffers)
    return _template().render(
        dark_variables=theme.dark_variables(), css=theme.css,
        machines_in_short=list(dict.fromkeys(machine_line(run) for run in runs)),
        date=str(runs[0].info.get("started") or "")[:10],
        labels=", ".join(run.label for run in runs), warnings=warnings(runs, records),
        baseline=baseline, baseline_is=answer_speed.best_float(shown, baseline),
        timed=bool(len(records)), tidy_files=tidy_files,
        how_fast=answer_speed.answer(shown, baseline),
        how_small=answer_size.answer(shown, passes, listed, baseline),
        origin=answer_origin.answer(memory, passes, buffers),
        published=answer_claims.answer(claims),
        overview=overview(shown, baseline),
        networks=network_comparisons(shown, styles, baseline),
        thread_notes=thread_notes(runs, tidy), profiles=layer_profiles(shown),
        convolutions=conv_comparisons(shown, styles, baseline),
        bounds=bounds(peaks, shown, styles), cache=cache_comparison(shown),
        policies=policy_comparisons(memory, passes, timeline, buffers, CATEGORIES),
        memory=memory_comparisons(memory, timeline, shown, baseline, by_policy),
        budget=budgets(budget, savings),
        claims=claims_by_figure(claims, several), claim_counts=verdict_counts(claims),
        support=support_matrix(runs, records), left_out=without_time(records, several),
        throttled=int((records.status == "throttled").sum()),
        wrong=int((records.status == "wrong").sum()),
        machines=machine_cards(runs), commands=commands(tidy, totals, several))


def _template():
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"), autoescape=True,
        trim_blocks=True, lstrip_blocks=True,
        undefined=jinja2.StrictUndefined).get_template("page.html.jinja")


def _with_setting(table, setting_of):
    return table.assign(setting=table.run.map(setting_of).astype(object))


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
        result.append(f"Wrong results from {names}: {fmt.plural(len(wrong), 'row')} "
                      "without a time.")
    return result
