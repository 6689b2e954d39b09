"""Makes small run folders, as docs/schema.md describes them, and runs scripts/report on them.

Rows are given by the names of schema 2; `write_run(..., schema=1)` writes them as schema 1 did."""

import contextlib
import csv
import importlib.machinery
import importlib.util
import io
import json
import re
import sys
import tempfile
import unittest
import warnings
from pathlib import Path
from types import SimpleNamespace

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "report"
MIB = 2 ** 20
# Written down here once more, and not taken from the reader's table: a slip there must show.
SINCE_SCHEMA_1 = {"float_backend": "real_layers", "bound_share": "limit_share", "saving": "remedy"}
KINDS_SINCE_SCHEMA_1 = {"tensor": "map", "packed_input": "operand"}


def documented_columns(file):
    """From docs/schema.md itself, so that the tests follow the contract and not the reader's code.
    """
    text = (ROOT / "docs" / "schema.md").read_text(encoding="utf-8")
    parts = dict(re.findall(r"\n## (\S+)\n(.*?)(?=\n## |\Z)", text, flags=re.S))
    section = parts[file]
    if "| column |" in section:
        listed = " ".join(line.split("|")[1] for line in section.splitlines()
                          if line.startswith("| `"))
    else:
        listed = next(line for line in section.splitlines() if re.match(r"`\w+`.*, `\w+`", line))
    return re.findall(r"`(\w+)`", re.sub(r"\(.*?\)", "", listed))


def as_schema_1(name, columns, rows):
    """The file's name, its columns and rows by the names of schema 1."""
    columns = [SINCE_SCHEMA_1.get(column, column) for column in columns]
    rows = [{SINCE_SCHEMA_1.get(key, key): value for key, value in row.items()} for row in rows]
    for row in rows:
        if name == "buffers":
            row["kind"] = KINDS_SINCE_SCHEMA_1.get(row["kind"], row["kind"])
        if name == "peaks":
            row["quantity"] = row["quantity"].replace("bound_", "limit_")
    return "remedies" if name == "savings" else name, columns, rows


def record(implementation, time_ns=None, **fields):
    """A conv row; status ok where a time is given."""
    row = {"kind": "conv", "problem": "ic64_ih8_oc32_kh3_ph1_pad-1",
           "implementation": implementation,
           "device": "cpu", "arithmetic": implementation.split("_")[1], "source": "sign",
           "destination": "acc", "batch": 1, "threads": 1, "cache": "hot", "seed": 7,
           "repetition": 0, "status": "ok" if time_ns else "unsupported", "verified": "yes",
           "output_hash": "00000000000000aa", "macs": 1179648, "clock_hz": 2e9}
    if time_ns:
        row.update(samples=3, calls_per_sample=1, time_median_ns=time_ns, time_min_ns=time_ns * 0.9,
                   time_p25_ns=time_ns * 0.95, time_p75_ns=time_ns * 1.1, time_mean_ns=time_ns,
                   time_stddev_ns=1, prepare_time_ns=10)
    row.update(fields)
    key = ["kind", "network", "layer", "part", "problem", "implementation", "source", "destination",
           "batch", "threads", "cache", "seed", "float_backend"]
    row.setdefault("case", "/".join(str(row.get(name, "")) for name in key))
    return row


def network_record(implementation, time_ns=None, **fields):
    return record(implementation, time_ns, **{
        "kind": "network", "network": "face_alignment", "problem": "", "source": "",
        "destination": "", "float_backend": "onednn", "weights_bytes": 2 * MIB,
        "peak_bytes": 50 * MIB, **fields})


def layer_record(implementation, time_ns, layer, part, **fields):
    return network_record(implementation, time_ns, **{"kind": "layer", "layer": layer, "part": part,
                                                      "output_hash": "", **fields})


def memory_row(implementation, category, planned, measured, **fields):
    return {"network": "face_alignment", "implementation": implementation,
            "float_backend": "onednn",
            "seed": "1", "input": "portrait", "policy": "arena",
            "batch": 1, "threads": 1, "category": category, "planned_bytes": planned,
            "measured_bytes": measured, **fields}


def setting(implementation, **fields):
    """What tells the rows of the memory files apart, without a category."""
    row = memory_row(implementation, "", 0, 0, **fields)
    return {name: value for name, value in row.items()
            if name not in ("category", "planned_bytes", "measured_bytes")}


def timeline_row(implementation, step, layer, category, count, **fields):
    row = setting(implementation, step=step, layer=layer, bytes=count, **fields)
    return row | {"category": category}


def buffer_row(implementation, layer, module, kind, category, count, **fields):
    """Of the steps 0 to 2; alive in the fullest one unless at_peak says no."""
    row = setting(implementation, **{"layer": layer, "module": module, "kind": kind, "bytes": count,
                                     "birth_step": 0, "death_step": 2, "at_peak": "yes", **fields})
    return row | {"category": category}


def claim(identity, reported, measured, verdict, **fields):
    return {"id": identity, "source": "arXiv 1703.00862", "reported_value": reported, "unit": "x",
            "conditions": "as published", "definition": "what was counted", "baseline": "",
            "measured_value": measured, "verdict": verdict, "command": "xnorbench reproduce",
            "note": "what it means", **fields}


def peak(quantity, value, unit="MAC/cycle", isa="avx2"):
    return {"isa": isa, "quantity": quantity, "value": value, "unit": unit}


def write_csv(path, columns, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


FILES = ["memory", "samples", "timeline", "buffers", "budget", "savings", "claims", "peaks"]


def write_run(folder, records=None, memory=None, schema=2, **more):
    """`more`: rows of other files by name, and what run.json is to say instead."""
    folder.mkdir(parents=True)
    others = {name: more.pop(name) for name in FILES if name in more}
    for name, rows in {"records": records, "memory": memory, **others}.items():
        if rows is not None:
            columns = documented_columns(f"{name}.csv")
            if schema == 1:
                name, columns, rows = as_schema_1(name, columns, rows)
            write_csv(folder / f"{name}.csv", columns, rows)
    names = list(dict.fromkeys(row["implementation"] for row in records or []))
    run = {"schema": schema, "command": ["xnorbench", "conv"], "started": "2025-01-01T00:00:00Z",
           "finished": "2025-01-01T00:01:00Z", "exit_status": 0,
           "project": {"version": "0.1", "commit": "abc123", "dirty": False},
           "build": {"compiler": "GNU 12", "type": "Release", "flags": "-O3"},
           "libraries": {"onednn": "2.6", "openblas": None},
           "machine": {"name": "testbed", "cpu": "Example CPU", "logical_cpus": 2, "isa": ["avx2"]},
           "environment": {"OMP_NUM_THREADS": "1"},
           "implementations": [{"name": name, "device": "cpu", "arithmetic": name.split("_")[1],
                                "description": f"what {name} is", "status": "ok", "reason": ""}
                               for name in names], **more}
    (folder / "run.json").write_text(json.dumps(run), encoding="utf-8")
    return folder


def _load_script():
    sys.path.insert(0, str(SCRIPT.parent))
    loader = importlib.machinery.SourceFileLoader("report_script", str(SCRIPT))
    spec = importlib.util.spec_from_loader("report_script", loader)
    module = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True  # before the script says so: its own cache would lie beside it
    loader.exec_module(module)
    return module


script = _load_script()
from report_lib import drawing  # noqa: E402  (the script put it on the path)

make_png = drawing.png
# Half of the time that a page takes; test_plots.py makes real ones.
drawing.png = lambda figure: b"PNG"


def report(*words):
    """As from the command line, in this process: a new one for each page would take most of the
    time."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), \
            warnings.catch_warnings():
        # As python's own, which unittest changes; but each time, and not once for each place.
        warnings.simplefilter("always")
        for kind in (DeprecationWarning, PendingDeprecationWarning, ResourceWarning, ImportWarning):
            warnings.simplefilter("ignore", kind)
        status = script.main([str(word) for word in words])
    return SimpleNamespace(returncode=status, stdout=out.getvalue(), stderr=err.getvalue())


def read_tidy(folder):
    with open(folder / "tidy.csv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def sections_of(page):
    """id -> the section's HTML without drawings: text in a plot is no text of a table."""
    return {identity: re.sub(r"<svg.*?</svg>", "", body, flags=re.S) for identity, body in
            re.findall(r'<section id="(\w+)">(.*?)</section>', page, flags=re.S)}


def answers_of(page):
    """Headline or question -> the answer's text, of the first screen's cards."""
    cards = re.findall(r'<article class="card">\s*<h2>(.*?)</h2>\s*<p class="answer">(.*?)</p>',
                       page)
    return {re.sub(r"<[^>]+>", "", question): text for question, text in cards}


def table_cells(html):
    """All tables of a section: a list of rows of cell texts, headers included."""
    rows = re.findall(r"<tr>(.*?)</tr>", html, flags=re.S)
    cell = re.compile(r"<t[hd][^>]*>(.*?)</t[hd]>", flags=re.S)
    return [[re.sub(r"<[^>]+>", "", content) for content in cell.findall(row)] for row in rows]


class ReportTest(unittest.TestCase):
    """Gives each test an empty folder, and pages that are sound."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.base = Path(temporary.name)
        self.folder = self.base / "run"

    def page_of(self, *words):
        """The page of a report that ends well, shows no missing value and has no identity twice."""
        done = report(*words)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.page_file = Path(done.stdout.strip())
        text = self.page_file.read_text(encoding="utf-8")
        self.assertNotRegex(text, r">\s*(nan|None)\s*<")
        identities = re.findall(r' id="([^"]*)"', text)
        self.assertEqual(len(identities), len(set(identities)))
        return text
