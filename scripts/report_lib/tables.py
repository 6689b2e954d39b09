"""Tables as the page's template takes them, and the words that several sections share."""

from dataclasses import dataclass, field

from . import formatting as fmt

NETWORK_CONDITIONS = ["run", "network", "real_layers", "source", "destination", "batch", "threads",
                      "cache", "seed", "input"]
CONV_CONDITIONS = ["run", "kind", "source", "destination", "batch", "threads", "cache", "seed", "input"]


@dataclass
class Cell:
    text: str
    css: str = ""  # num, strong, code, bad, wrap; "box ..." for a verdict


@dataclass
class Table:
    headers: list
    rows: list = field(default_factory=list)
    note: str = ""


def num(text, strong=False):
    return Cell(text, "num strong" if strong else "num")


def code(text):
    return Cell(text or fmt.NONE, "code")


def box(text, kind):
    """A verdict. Its kind (good, middle, bad, open, theory) is its colour, which says nothing that the text does not."""
    return Cell(text, f"box {kind}")


def name(text):
    """Long names wrap, short ones stay on one line."""
    return Cell(text, "wrap" if len(text) > 40 else "")


def groups(table, columns):
    """(conditions as a dict, rows), in the order of the records."""
    return [(dict(zip(columns, key)), rows) for key, rows in table.groupby(columns, sort=False)]


def families(table, columns):
    """What differs in batch and threads alone belongs together: [(conditions, rows, others)]. The
    first is batch 1 with one thread, or the first combination; others holds (conditions, rows)."""
    result = {}
    for conditions, rows in groups(table, columns):
        key = tuple(conditions[name] for name in columns if name not in ("batch", "threads"))
        result.setdefault(key, []).append((conditions, rows))
    ordered = [sorted(members, key=lambda member: not is_single(member[0])) for members in result.values()]
    return [(*members[0], members[1:]) for members in ordered]


def is_single(conditions):
    """Batch 1 on one thread, where all networks are compared."""
    return conditions["batch"] == "1" and conditions["threads"] == "1"


def conditions_text(conditions, several_runs):
    """The conditions of a comparison in words; empty ones do not apply."""
    words = {"batch": lambda value: f"batch {value}",
             "threads": lambda value: f"{value} thread" + ("" if value == "1" else "s"),
             "cache": lambda value: f"{value} cache",
             "source": lambda value: f"source {value}",
             "destination": lambda value: f"destination {value}",
             "real_layers": lambda value: f"real layers by {value}",
             "policy": lambda value: f"buffer policy {value}",
             "input": lambda value: f"input {value}",
             "seed": lambda value: f"seed {value}"}
    parts = [word(conditions[name]) for name, word in words.items() if conditions.get(name)]
    if several_runs:
        parts.append(f"run {conditions['run']}")
    return ", ".join(parts)


def repetitions_cell(row):
    """How many repetitions the median is over, or why there is none."""
    if row.status == "ok":
        left_out = f", {row.repetitions_throttled} throttled left out" if row.repetitions_throttled else ""
        return Cell(f"{row.repetitions_used} ok{left_out}")
    if row.status == "throttled":
        return Cell(f"{row.repetitions_used}, all throttled: no ratio", "bad")
    text = row.status + (f": {row.reason}" if row.reason else "")
    return Cell(text, "bad wrap" if row.status == "wrong" else "wrap")


def hash_classes(rows):
    """(output_hash, the implementations that gave it), the most frequent first. An implementation
    whose repetitions differ stands under each of its hashes."""
    classes = {}
    for row in rows.itertuples():
        for value in filter(None, row.output_hash.split("; ")):
            classes.setdefault(value, []).append(row.implementation)
    return sorted(classes.items(), key=lambda item: -len(item[1]))
