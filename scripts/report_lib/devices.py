"""GPUs beside CPUs: each has a float backend of its own, so their rows would never meet."""


def stand_together(*tables):
    """A GPU's rows of a network take the CPU's float backend, where the run has one; GPUs alone
    share one of their own. What ran stays in the column float_backend_ran. Tables: records first,
    then memory and timeline."""
    records = tables[0]
    for table in tables:
        table["float_backend_ran"] = table.float_backend
    whole = records[records.kind.isin(["network", "layer"]) & (records.float_backend != "")]
    shared = {}
    for network, rows in whole.groupby("network", sort=False):
        on_cpu = rows.float_backend[rows.device == "cpu"].unique()
        on_gpu = sorted(rows.float_backend[rows.device != "cpu"].unique())
        # A network without binary layers is run whole by each library: there is no one name.
        if len(on_gpu) and len(on_cpu) <= 1:
            shared[network] = on_cpu[0] if len(on_cpu) else ", ".join(on_gpu)
    gpu = set(records.implementation[records.device != "cpu"])
    for table in tables:
        moved = (table.implementation.isin(gpu) & table.network.isin(shared)
                 & (table.float_backend != ""))
        table.loc[moved, "float_backend"] = table.network[moved].map(shared)
