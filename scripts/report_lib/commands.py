"""The command that repeats a row."""

import shlex


def repeat(row):
    """For a row of the tidy table."""
    flags = _implementation(row)
    if row.kind in ("conv", "gemm"):
        command = row.kind
        flags = {"shapes": row.problem, **flags, "source": row.source,
                 "destination": row.destination}
    else:
        command = "network"
        flags = {"networks": row.network, **flags, "float-backend": row.float_backend_ran}
    # The sizes of a product say all: its command has no batch.
    batch = "" if row.kind == "gemm" else row.batch
    flags.update({"input": row.input, "threads": row.threads, "batch": batch,
                  "cache": row.cache, "seed": row.seed})
    return _line(command, flags) + (" --profile" if row.kind == "layer" else "")


def repeat_memory(row):
    """For a row of memory.csv."""
    # Without an input nothing was run.
    return _line("memory", {"networks": row.network, **_implementation(row), "policy": row.policy,
                            "float-backend": row.float_backend_ran, "input": row.input,
                            "threads": row.threads, "batch": row.batch, "seed": row.seed,
                            "out": "DIR"}) + ("" if row.input else " --plan")


def _implementation(row):
    return {"implementations": base_name(row.implementation), "isa": row.limited_to}


def base_name(implementation):
    """Without the instruction set that a table's name may tell (loading.py)."""
    return implementation.split(" (")[0]


def _line(command, flags):
    words = [f"--{name}={value}" for name, value in flags.items() if value != ""]
    return shlex.join(["xnorbench", command] + words)
