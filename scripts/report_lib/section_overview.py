"""All networks at a glance, where there is more than one: time, speed-up, memory."""

from . import formatting as fmt
from .tables import NETWORK_CONDITIONS, Cell, Table, conditions_text, groups, is_single, num

SETTINGS = ["run", "real_layers", "source", "destination", "cache", "seed", "input"]


def overview(tidy, baseline):
    """None where there is one network or none at batch 1 on one thread."""
    networks = tidy[tidy.kind == "network"].copy()
    # A network without binary layers is run whole by each library: no setting that tells lines apart.
    networks.loc[networks.network.str.endswith("_real"), "real_layers"] = ""
    shown = [part for part in groups(networks, NETWORK_CONDITIONS) if is_single(part[0])]
    if len({conditions["network"] for conditions, _ in shown}) < 2:
        return None
    # What all lines share stands above the tables; what tells lines of one network apart beside its name.
    varying = [name for name in SETTINGS if len({conditions[name] for conditions, _ in shown}) > 1]
    shared = {name: value for name, value in shown[0][0].items() if name not in varying}

    def apart(network):
        lines = [conditions for conditions, _ in shown if conditions["network"] == network]
        return [name for name in varying if len({conditions[name] for conditions in lines}) > 1]

    names = list(dict.fromkeys(name for _, rows in shown for name in rows.implementation))
    times, memory = Table(["network"] + names), Table(["network"] + names)
    reasons = {}  # told once, below the table
    for conditions, rows in shown:
        of = {row.implementation: row for row in rows.itertuples()}
        title = _title(conditions, apart(conditions["network"]))
        fastest = rows.time_median_ns[rows.status == "ok"].min()
        times.rows.append([title] + [_time_cell(of.get(name), fastest, baseline, reasons) for name in names])
        memory.rows.append([title] + [_memory_cell(of.get(name)) for name in names])
    left_out = sorted(set(networks.network) - {conditions["network"] for conditions, _ in shown})
    return {"conditions": conditions_text({**shared, "run": ""}, False), "times": times, "memory": memory,
            "reasons": [(number, reason) for reason, number in reasons.items()],
            "left_out": ", ".join(left_out)}


def _title(conditions, varying):
    apart = conditions_text({name: conditions[name] for name in varying}, "run" in varying)
    return Cell(conditions["network"] + (f" ({apart})" if apart else ""), "wrap" if apart else "")


def _time_cell(row, fastest, baseline, reasons):
    if row is None:
        return num("not run")
    if row.time_median_ns != row.time_median_ns:
        number = f" ({reasons.setdefault(row.reason, len(reasons) + 1)})" if row.reason else ""
        return Cell(row.status + number, "num bad" if row.status == "wrong" else "num")
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
