"""A convolution's text form (`ic256_ih64_oc128_kh3_ph1_pad-1`) as people write it."""

import re

SIZE = re.compile(r"(n|ic|ih|iw|oc|kh|kw|sh|sw|ph|pw|dh|dw|g)(\d+)")
# Left out of the readable form: usually equal for all rows, or columns of their own.
WORD = re.compile(r"(pad(-1|0|1)|zero(plus|minus)|src\w+|dst\w+)")


def readable(problem):
    """`256→128 3×3 at 64×64` and what is unusual; else the text itself."""
    sizes = {}
    for token in problem.split("_"):
        size = SIZE.fullmatch(token)
        if size:
            sizes[size[1]] = int(size[2])
        elif not WORD.fullmatch(token):
            return problem

    def pair(letter, default):
        high = sizes.get(letter + "h", default)
        return high, sizes.get(letter + "w", high)

    kernel, stride, padding, dilation = pair("k", 1), pair("s", 1), pair("p", 0), pair("d", 1)
    height, width = pair("i", 1)
    keeps_size = tuple(d * (k - 1) // 2 for k, d in zip(kernel, dilation))
    parts = [f"{sizes.get('ic', 1)}→{sizes.get('oc', 1)} {kernel[0]}×{kernel[1]} "
             f"at {height}×{width}"]
    if stride != (1, 1):
        parts.append(f"stride {_side(stride)}")
    if dilation != (1, 1):
        parts.append(f"dilation {_side(dilation)}")
    if padding != keeps_size:
        parts.append("no padding" if padding == (0, 0) else f"padding {_side(padding)}")
    if sizes.get("g", 1) != 1:
        parts.append(f"{sizes['g']} groups")
    if sizes.get("n", 1) != 1:
        parts.append(f"batch {sizes['n']}")
    return ", ".join(parts)


def _side(pair):
    return str(pair[0]) if pair[0] == pair[1] else f"{pair[0]}×{pair[1]}"


def labels_of(problems):
    """Text form -> label; two problems that would read the same keep their text form."""
    labels = {problem: readable(problem) for problem in problems}
    seen = list(labels.values())
    return {problem: label if seen.count(label) == 1 else problem
            for problem, label in labels.items()}
