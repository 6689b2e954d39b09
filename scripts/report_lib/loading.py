"""Reads run folders as docs/schema.md describes them and refuses what does not fit.

Identifying columns stay text, exactly as written, so that a row can be repeated from them;
measured columns become numbers.
"""

import csv
import io
import json
from dataclasses import dataclass
from pathlib import Path

import pandas

from . import schema
from .columns import FILES
from .devices import stand_together

KINDS = ["gemm", "conv", "network", "layer"]
TIMED = ["ok", "throttled"]
STATUSES = TIMED + ["wrong", "unsupported", "unavailable", "skipped"]
VERDICTS = ["reproduced", "partly", "not_reproduced", "needs_device", "theory"]


class InputError(Exception):
    """Bad input, told in one line: what is wrong, where, and what would be right."""


@dataclass
class Run:
    label: str
    info: dict       # run.json
    tables: dict     # by file name without .csv; every table has a column `run`
    cut_files: list  # files whose last line an interruption left unfinished

    @property
    def interrupted(self):
        return self.info.get("finished") is None


def load_runs(folders):
    paths = [Path(folder) for folder in folders]
    resolved = [path.resolve() for path in paths]
    for index, path in enumerate(resolved):
        if path in resolved[:index]:
            raise InputError(f"{paths[index]}: given twice; name each run folder once")
    names = [path.name for path in resolved]
    labels = [path.name if names.count(path.name) == 1 else f"{path.parent.name}/{path.name}"
              for path in resolved]
    if len(set(labels)) < len(labels):
        labels = [f"{label} ({index})" for index, label in enumerate(labels, start=1)]
    return [load_run(path, label) for path, label in zip(paths, labels)]


def joined(runs, name):
    """The rows of all runs; the column `run` tells them apart."""
    tables = [run.tables[name] for run in runs]
    # Newer pandas warns of empty tables among those that it puts together.
    filled = [table for table in tables if len(table)]
    return pandas.concat(filled, ignore_index=True) if filled else tables[0].copy()


def load_run(folder, label):
    if not folder.is_dir():
        raise InputError(f"{folder}: not a folder; expected a run folder with run.json")
    info = _read_run_json(folder / "run.json")
    if not ((folder / "records.csv").is_file() or (folder / "memory.csv").is_file()):
        raise InputError(f"{folder}: neither records.csv nor memory.csv; expected a run folder")
    cut = []
    tables = {name.removesuffix(".csv"): _read_csv(folder, name, info, cut).assign(run=label)
              for name in FILES}
    if not len(tables["peaks"]):
        tables["peaks"] = _peaks_of(folder, info).assign(run=label)
    _check_records(folder / "records.csv", tables["records"])
    _check_claims(folder / "claims.csv", tables["claims"])
    tables["records"] = _in_listed_order(tables, info)
    of_networks = [tables[name] for name in ("records", "memory", "timeline", "buffers")]
    stand_together(*of_networks)
    _tell_apart(*of_networks, tables["budget"], tables["savings"])
    return Run(label, info, tables, cut)


def _tell_apart(*tables):
    """One implementation on several instruction sets is several: told by name where not all rows
    are of one. In every table alike, since rows of one are looked up in another."""
    if len({limited for rows in tables for limited in rows.limited_to}) < 2:
        return
    for rows in tables:
        limited = rows.limited_to != ""
        rows.loc[limited, "implementation"] += " (" + rows.limited_to[limited] + ")"


def _in_listed_order(tables, info):
    """Rows are written as repetitions end, interleaved by chance. Here: networks as they were
    checked, single layers by their work, implementations as in their list; steps of a pass stay
    as they are."""
    records = tables["records"]
    networks = {name: index for index, name in enumerate(dict.fromkeys(tables["memory"].network))}
    names = {entry["name"]: index for index, entry in enumerate(info["implementations"])}
    single = records.kind.isin(["conv", "gemm"])
    keys = pandas.DataFrame({
        "network": records.network.map(networks).astype(float).fillna(-1),
        "work": -records.macs.where(single).fillna(0),
        "problem": records.problem.where(single, ""),
        "batch": pandas.to_numeric(records.batch, errors="coerce"),
        "threads": pandas.to_numeric(records.threads, errors="coerce"),
        "implementation": records.implementation.map(names).astype(float).fillna(len(names)),
    })
    return records.loc[keys.sort_values(list(keys), kind="stable").index].reset_index(drop=True)


def _read_run_json(path):
    try:
        info = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; "
                         "expected a run folder written by xnorbench") from None
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}; expected a readable file") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: not UTF-8; expected JSON as in docs/schema.md") from None
    except json.JSONDecodeError as error:
        raise InputError(f"{path} line {error.lineno}: {error.msg}; expected valid JSON") from None
    if not isinstance(info, dict) or info.get("schema") not in schema.SCHEMAS:
        found = info.get("schema") if isinstance(info, dict) else type(info).__name__
        known = " and ".join(map(str, schema.SCHEMAS))
        raise InputError(f"{path}: schema is {found!r}; this report reads schema {known}")
    expected = {"command": list, "implementations": list, "project": dict, "build": dict,
                "libraries": dict, "machine": dict, "environment": dict, "gpu": dict,
                "peaks": list}
    for key in ("gpu", "peaks"):
        info[key] = info.get(key) or expected[key]()  # null: none was asked for, or measured
    for key, kind in expected.items():
        if not isinstance(info.setdefault(key, kind()), kind):
            raise InputError(f"{path}: {key} is {type(info[key]).__name__}; "
                             f"expected {kind.__name__}")
    for entry in info["implementations"]:
        if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
            raise InputError(f"{path}: an entry of implementations has no name; expected objects "
                             "with name, status, reason")
    return info


def _peaks_of(folder, info):
    """run.json's peaks, in runs of other commands than `peak`."""
    columns = FILES["peaks.csv"]
    for entry in info["peaks"]:
        if not isinstance(entry, dict) or not isinstance(entry.get("value"), (int, float)):
            raise InputError(f"{folder / 'run.json'}: an entry of peaks has no value; expected "
                             "objects with isa, quantity, value, unit")
    rows = [[entry.get(name, "") for name in columns.names] for entry in info["peaks"]]
    table = _table(columns, rows, columns.names).astype({"value": float})
    return schema.upgrade("peaks.csv", table, info["schema"])


def _table(columns, rows, header):
    table = pandas.DataFrame(rows, columns=header, dtype=object)[list(columns.names)]
    return table.astype({name: float for name in columns.numbers} if not rows else {})


def _read_csv(folder, name, info, cut):
    """A file that is not there is a table without rows: every section copes with that."""
    columns, path = FILES[name], folder / schema.file_name(name, info["schema"])
    if not path.exists():
        return _table(columns, [], columns.names)
    try:
        content = path.read_text(encoding="utf-8")
    except (UnicodeDecodeError, OSError) as error:
        raise InputError(f"{path}: {error}; expected a readable UTF-8 file") from None
    if info.get("finished") is None and content and not content.endswith("\n"):
        # The process ended in the middle of a row: what was written before it still counts.
        content = content[:content.rfind("\n") + 1]
        cut.append(path.name)
    header, rows = _split_rows(path, content)
    header = schema.header(header, info["schema"])
    header += [column for column in columns.names
               if column in columns.optional and column not in header]
    rows = [row + [""] * (len(header) - len(row)) for row in rows]
    missing = [column for column in columns.names if column not in header]
    if missing:
        raise InputError(f"{path}: column {missing[0]} is missing; "
                         "docs/schema.md lists the columns")
    table = _table(columns, rows, header)
    for column in columns.numbers if rows else ():
        table[column] = _numbers(path, column, table[column])
    return schema.upgrade(name, table, info["schema"])


def _split_rows(path, content):
    # csv and not pandas.read_csv: the latter pads short rows silently, and a shifted row must not
    # pass.
    reader = csv.reader(io.StringIO(content, newline=""), strict=True)
    try:
        header = next(reader, None)
        if header is None:
            raise InputError(f"{path}: empty; expected a header line")
        rows = []
        for row in reader:
            if len(row) != len(header):
                raise InputError(f"{path} line {reader.line_num}: {len(row)} fields; the header "
                                 f"has {len(header)}")
            rows.append(row)
    except csv.Error as error:
        raise InputError(f"{path} line {reader.line_num}: {error}; "
                         "expected CSV as in RFC 4180") from None
    return header, rows


def _numbers(path, name, column):
    numbers = pandas.to_numeric(column.where(column != "", None), errors="coerce").astype(float)
    infinite = numbers.isin([float("inf"), -float("inf")])
    bad = column[infinite | (numbers.isna() & (column != ""))]
    if len(bad):
        raise InputError(f"{path} row {bad.index[0] + 1}: {name} is {bad.iloc[0]!r}; "
                         "expected a number")
    return numbers


def _refuse(path, rows, what):
    if len(rows):
        raise InputError(f"{path} row {rows.index[0] + 1}: {what(rows.iloc[0])}")


def _check_claims(path, claims):
    _refuse(path, claims[~claims.verdict.isin(VERDICTS)],
            lambda row: f"verdict is {row.verdict!r}; expected one of {', '.join(VERDICTS)}")


def _check_records(path, records):
    def refuse(rows, what):
        _refuse(path, rows, what)

    refuse(records[~records.kind.isin(KINDS)],
           lambda row: f"kind is {row.kind!r}; expected one of {', '.join(KINDS)}")
    refuse(records[~records.status.isin(STATUSES)],
           lambda row: f"status is {row.status!r}; expected one of {', '.join(STATUSES)}")
    refuse(records[records.status.isin(TIMED) & ~(records.time_median_ns > 0)],
           lambda row: f"status is {row.status} without a time; expected time_median_ns above 0")
    refuse(records[records.duplicated(["case", "repetition"])],
           lambda row: f"case {row.case} repetition {row.repetition:g} appears twice; "
                       "expected each once")
