"""What did not run and why, the machine, and the commands that repeat each row."""

import shlex

from . import formatting as fmt
from .commands import base_name, repeat, repeat_memory
from .loading import STATUSES
from .tables import NETWORK_CONDITIONS, Cell, Table, code, conditions_text, num


def support_matrix(runs, records):
    """Rows of records.csv by status; the reasons as run.json and the records give them."""
    several = len(runs) > 1
    # A status that no row has would only push the reasons out of sight.
    statuses = [status for status in STATUSES if status == "ok" or (records.status == status).any()]
    table = Table(["implementation"] + (["run"] if several else []) + ["on this machine"]
                  + statuses + ["reasons", "what it is"])
    for run in runs:
        listed = {entry["name"]: entry for entry in run.info["implementations"]}
        mine = records[records.run == run.label]
        for name in dict.fromkeys(list(listed) + list(mine.implementation)):
            entry = listed.get(base_name(name), {})
            rows = mine[mine.implementation == name]
            counts = rows.status.value_counts()
            known = [entry.get("reason"), *rows.reason]
            reasons = list(dict.fromkeys(filter(None, known)))
            here = entry.get("status") or "not in run.json"
            table.rows.append(
                [Cell(name)] + ([Cell(run.label)] if several else [])
                + [Cell(here, "" if here == "ok" else "bad")]
                + [_count(counts.get(status, 0), status) for status in statuses]
                + [Cell("; ".join(reasons) or fmt.NONE, "wrap"),
                   Cell(entry.get("description") or fmt.NONE, "wrap")])
    return table


def _count(count, status):
    return Cell(str(count) if count else fmt.NONE,
                "num bad" if count and status == "wrong" else "num")


def without_time(records, several_runs):
    """Every row that has no time or is left out of ratios."""
    rows = records[records.status != "ok"]
    table = Table(["implementation", "status", "reason", "what", "conditions", "repetition"])
    for row in rows.to_dict("records"):
        conditions = {name: row[name] for name in NETWORK_CONDITIONS if name in row}
        conditions["setting"] = f"run {row['run']}" if several_runs else ""
        subject = [row["problem"]] if row["kind"] in ("conv", "gemm") else \
            [row["network"], row["layer"], row["part"], row["problem"]]
        table.rows.append([
            Cell(row["implementation"]),
            Cell(row["status"], "bad" if row["status"] == "wrong" else ""),
            Cell(row["reason"] or fmt.NONE, "wrap"),
            Cell(" ".join(filter(None, [row["kind"]] + subject))),
            Cell(conditions_text(conditions), "wrap"),
            num(fmt.number(row["repetition"]))])
    return table


def machine_line(run):
    """The machine and the program in one sentence, for the top of the page."""
    machine, project = run.info["machine"], run.info["project"]
    cpus = machine.get("logical_cpus")
    memory = machine.get("memory_bytes")
    parts = [machine.get("cpu") or machine.get("name") or "an unnamed machine",
             fmt.plural(cpus, "CPU") if isinstance(cpus, int) else "",
             _value("memory_bytes", memory) if memory else "", machine.get("os") or "",
             f"GPU {run.info['gpu'].get('name')}" if run.info["gpu"].get("name") else "",
             f"xnorbench {project.get('version')}" if project.get("version") else ""]
    return ", ".join(filter(None, parts))


def machine_cards(runs):
    """(heading, [(name, value)]) for each run."""
    cards = []
    for run in runs:
        info, entries = run.info, []
        project = info["project"]
        entries.append(("command", shlex.join(str(word) for word in info["command"])))
        entries.append(("started, finished", f"{info.get('started') or fmt.NONE}, "
                                             f"{info.get('finished') or 'not finished'}"))
        entries.append(("project", f"version {project.get('version') or fmt.NONE}, commit "
                                   f"{project.get('commit') or fmt.NONE}"
                                   + (" with local changes" if project.get("dirty") else "")))
        entries += [(name.removesuffix("_bytes").replace("_", " "), _value(name, value))
                    for name, value in info["machine"].items()]
        entries += [(f"gpu {name}".removesuffix("_bytes").replace("_", " "), _value(name, value))
                    for name, value in info["gpu"].items()]
        entries += [(f"build {name}", _value(name, value)) for name, value in info["build"].items()]
        entries += [(f"library {name}", str(version) if version is not None else "built without")
                    for name, version in info["libraries"].items()]
        entries += [(name, str(value)) for name, value in info["environment"].items()]
        cards.append((run.label, entries))
    return cards


def _value(name, value):
    if name.endswith("_bytes") and isinstance(value, (int, float)):
        units = [(2 ** 30, "GiB"), (fmt.MIB, "MiB"), (2 ** 10, "KiB")]
        scale, unit = next((pair for pair in units if value >= pair[0]), (1, "bytes"))
        return f"{fmt.number(value / scale)} {unit}"
    if isinstance(value, list):
        return ", ".join(str(item) for item in value)
    return fmt.NONE if value is None else str(value)


def commands(tidy, totals, several_runs):
    """A profile's steps share one command."""
    table = Table(["what"] + (["run"] if several_runs else []) + ["command"])
    seen = set()

    def add(run, what, command):
        if (run, command) not in seen:
            seen.add((run, command))
            table.rows.append([Cell(what)] + ([Cell(run)] if several_runs else [])
                              + [code(command)])

    order = {"network": 0, "layer": 1, "conv": 2, "gemm": 3}
    by_kind = tidy.sort_values("kind", key=lambda kind: kind.map(order), kind="stable")
    for row in by_kind.itertuples():
        subject = row.problem if row.kind in ("conv", "gemm") else row.network
        add(row.run, f"{row.kind}: {subject}, {row.implementation}", repeat(row))
    for row in totals.itertuples():
        add(row.run, f"memory: {row.network}, {row.implementation}, {row.policy}",
            repeat_memory(row))
    return table
