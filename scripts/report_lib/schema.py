"""What schema 1 called otherwise. Files of schema 1 get the names of schema 2 as they are read, and
nothing else in the report knows the old ones."""

SCHEMAS = (1, 2)

FILES = {"savings.csv": "remedies.csv"}  # today's name -> the name in schema 1
COLUMNS = {"real_layers": "float_backend", "limit_share": "bound_share", "remedy": "saving"}
VALUES = {("buffers.csv", "kind"): {"map": "tensor", "operand": "packed_input"}}
PREFIXES = {("peaks.csv", "quantity"): ("limit_", "bound_")}
FLAGS = {"--real-layers": "--float-backend"}  # in the commands of claims, which repeat a row today


def file_name(name, schema):
    return FILES.get(name, name) if schema == 1 else name


def header(names, schema):
    return [COLUMNS.get(name, name) for name in names] if schema == 1 else names


def upgrade(name, table, schema):
    """The values of a table whose columns have their new names already."""
    if schema != 1:
        return table
    for (file, column), renamed in VALUES.items():
        if file == name:
            table[column] = table[column].replace(renamed)
    for (file, column), (old, new) in PREFIXES.items():
        if file == name:
            table[column] = [new + value.removeprefix(old) if value.startswith(old) else value
                             for value in table[column]]
    if "command" in table:
        for old, new in FLAGS.items():
            table["command"] = [value.replace(old, new) for value in table["command"]]
    return table
