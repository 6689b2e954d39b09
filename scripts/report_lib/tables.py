"""Tables as the page's template takes them, and the words that several sections share."""

from dataclasses import dataclass, field

from . import formatting as fmt

NETWORK_CONDITIONS = ["setting", "network", "float_backend", "source", "destination", "batch",
                      "threads", "cache", "seed", "input"]
CONV_CONDITIONS = ["setting", "kind", "source", "destination", "batch", "threads", "cache", "seed",
                   "input"]
# The real-valued twins: each library runs them whole, and their outputs need not be equal.
TWIN_SUFFIX = "_real"


@dataclass
class Cell:
    text: str
    css: str = ""  # num, strong, code, bad, wrap, group; "box ..." for a verdict
    span: int = 1


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
    """A verdict. Its kind (good, middle, bad, open, theory) is its colour, which says nothing that
    the text does not."""
    return Cell(text, f"box {kind}")


def name(text):
    """Long names wrap, short ones stay on one line."""
    return Cell(text, "wrap" if len(text) > 40 else "")


def groups(table, columns):
    """(conditions as a dict, rows), in the order of the records."""
    return [(dict(zip(columns, key)), rows) for key, rows in table.groupby(columns, sort=False)]


def families(table, columns, key=("setting", "network")):
    """What is the same but for its conditions belongs together: [(conditions, rows, others)], one
    for each key; others holds (conditions, rows). First is batch 1 on one thread, and of several
    the comparison of most implementations."""
    result = {}
    for conditions, rows in groups(table, columns):
        result.setdefault(tuple(conditions[name] for name in key), []).append((conditions, rows))
    ordered = [sorted(members, key=lambda member: (not is_single(member[0]), -_weight(member[1])))
               for members in result.values()]
    return [(*members[0], members[1:]) for members in ordered]


def _weight(rows):
    return rows.time_median_ns.notna().sum() if "time_median_ns" in rows else len(rows)


def is_single(conditions):
    """Batch 1 on one thread, where all networks are compared."""
    return conditions["batch"] == "1" and conditions["threads"] == "1"


def differing(parts, columns):
    """The columns in which conditions differ; `parts` holds (conditions, rows)."""
    return [column for column in columns
            if len({conditions[column] for conditions, _ in parts}) > 1]


def conditions_text(conditions):
    """The conditions of a comparison in words; empty ones do not apply."""
    words = {"batch": lambda value: f"batch {value}",
             "threads": lambda value: f"{value} thread" + ("" if value == "1" else "s"),
             "cache": lambda value: f"{value} cache",
             "source": lambda value: f"source {value}",
             "destination": lambda value: f"destination {value}",
             "float_backend": lambda value: f"float backend {value}",
             "policy": lambda value: f"buffer policy {value}",
             "input": lambda value: f"input {value}",
             "seed": lambda value: f"seed {value}",
             "setting": str}
    return ", ".join(word(conditions[name]) for name, word in words.items()
                     if conditions.get(name))


def repetitions_cell(row):
    """How many repetitions the median is over, or why there is none."""
    if row.status == "ok":
        left_out = (f", {row.repetitions_throttled} throttled left out"
                    if row.repetitions_throttled else "")
        return Cell(f"{row.repetitions_used} ok{left_out}")
    if row.status == "throttled":
        return Cell(f"{row.repetitions_used}, all throttled: no ratio", "bad")
    text = row.status + (f": {row.reason}" if row.reason else "")
    return Cell(text, "bad wrap" if row.status == "wrong" else "wrap")


def without_a_time(rows, of="problem"):
    """Implementations that did not run, a line for each reason; and the other rows. A wrong one
    stays among those: it must be seen."""
    absent = rows.time_median_ns.isna() & (rows.status != "wrong")
    lines = []
    for (status, reason), part in rows[absent].groupby(["status", "reason"], sort=False):
        names = ", ".join(dict.fromkeys(part.implementation))
        count = part[of].nunique()
        where = f" ({fmt.plural(count, of)})" if count > 1 else ""
        lines.append(f"{names}{where}: {status}" + (f", {reason}" if reason else ""))
    return lines, rows[~absent]


def hash_classes(rows):
    """(output_hash, the implementations that gave it), the most frequent first. An implementation
    whose repetitions differ stands under each of its hashes."""
    classes = {}
    for row in rows.itertuples():
        for value in filter(None, row.output_hash.split("; ")):
            classes.setdefault(value, []).append(row.implementation)
    return sorted(classes.items(), key=lambda item: -len(item[1]))
