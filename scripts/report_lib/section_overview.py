"""All networks at a glance, where there is more than one: time, speed-up, memory."""

from . import formatting as fmt
from .section_network import networks_of
from .tables import NETWORK_CONDITIONS, Cell, Table, conditions_text, families, is_single, num

# One line for each; seeds and inputs change no time.
LINE = ("setting", "network", "float_backend", "source", "destination", "cache")
SETTINGS = ["setting", "float_backend", "source", "destination", "cache", "seed", "input"]


def overview(shown, baseline):
    """None where there is one network or none at batch 1 on one thread."""
    networks = networks_of(shown)
    parts = [(conditions, rows)
             for conditions, rows, _ in families(networks, NETWORK_CONDITIONS, LINE)
             if is_single(conditions)]
    if len({conditions["network"] for conditions, _ in parts}) < 2:
        return None
    # What all lines share stands above the tables; what is one line's own beside its name.
    usual = {name: _most_frequent([conditions[name] for conditions, _ in parts])
             for name in SETTINGS}
    ran = networks[networks.time_median_ns.notna() | (networks.status == "wrong")]
    names = [name for name in dict.fromkeys(name for _, rows in parts
                                            for name in rows.implementation)
             if name in set(ran.implementation)]
    times, memory = Table(["network"] + names), Table(["network"] + names)
    reasons = {}  # told once, below the table
    for conditions, rows in parts:
        of = {row.implementation: row for row in rows.itertuples()}
        title = _title(conditions, usual)
        fastest = rows.time_median_ns[rows.status == "ok"].min()
        times.rows.append([title] + [_time_cell(of.get(name), fastest, baseline, reasons)
                                     for name in names])
        memory.rows.append([title] + [_memory_cell(of.get(name)) for name in names])
    left_out = sorted(set(networks.network) - {conditions["network"] for conditions, _ in parts})
    same = {**parts[0][0], **usual, "setting": ""}
    return {"conditions": conditions_text(same), "times": times, "memory": memory,
            "reasons": [(number, reason) for reason, number in reasons.items()],
            "absent": ", ".join(sorted(set(networks.implementation) - set(names))),
            "left_out": ", ".join(left_out)}


def _most_frequent(values):
    filled = [value for value in values if value] or [""]
    return max(dict.fromkeys(filled), key=filled.count)


def _title(conditions, usual):
    apart = conditions_text({name: conditions[name] for name in SETTINGS
                             if conditions[name] != usual[name]})
    return Cell(conditions["network"] + (f" ({apart})" if apart else ""), "narrow" if apart else "")


def _time_cell(row, fastest, baseline, reasons):
    if row is None:
        return num("not run")
    if row.time_median_ns != row.time_median_ns:
        number = (f" ({reasons.setdefault(row.reason, len(reasons) + 1)})" if row.reason else "")
        return Cell(row.status + number, "num narrow bad" if row.status == "wrong"
                    else "num narrow")
    text = fmt.time(row.time_median_ns)
    if row.status == "throttled":
        text += " (throttled)"
    elif row.implementation != baseline and row.speedup == row.speedup:
        text += f" · {fmt.ratio(row.speedup)}"
    return num(text, strong=row.time_median_ns == fastest)


def _memory_cell(row):
    if row is None or row.peak_bytes != row.peak_bytes:
        return num(fmt.NONE)
    return num(f"{fmt.mib(row.peak_bytes)} · {fmt.mib(row.peak_bytes - row.weights_bytes)}")
