"""Numbers as they stand in the page: three significant digits, one unit for what is compared."""

import math

MIB = 2 ** 20
NONE = "–"
SPACE = "\u00a0"  # a number and its unit stay on one line
TIME_UNITS = [("s", 1e9), ("ms", 1e6), ("µs", 1e3), ("ns", 1.0)]


def number(value):
    """Three significant digits; thousands are set apart by a narrow space."""
    if value is None or math.isnan(value):
        return NONE
    if value == 0:
        return "0"
    digits = 2 - math.floor(math.log10(abs(float(f"{value:.3g}"))))
    text = f"{value:,.{max(digits, 0)}f}" if digits < 6 else f"{value:.2g}"
    return text.replace(",", "\u202f").replace("-", "\u2212", 1 if value < 0 else 0)


def time_unit(times_ns):
    """The largest unit in which the smallest time is at least 1."""
    known = [time for time in times_ns if time is not None and not math.isnan(time)]
    smallest = min(known, default=1e6)
    return next((unit for unit in TIME_UNITS if smallest >= unit[1]), TIME_UNITS[-1])


def time_in(unit, time_ns):
    return NONE if math.isnan(time_ns) else f"{number(time_ns / unit[1])}{SPACE}{unit[0]}"


def time(time_ns):
    return time_in(time_unit([time_ns]), time_ns)


def mib(count):
    return number(count / MIB)


def ratio(value):
    return NONE if math.isnan(value) else number(value) + "×"


def percent(share):
    if math.isnan(share):
        return NONE
    return f"<1{SPACE}%" if 0 < share < 0.005 else f"{share * 100:.0f}{SPACE}%"


def plural(count, word):
    return f"{count} {word}" if count == 1 else f"{count} {word}s"
