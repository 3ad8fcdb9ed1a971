"""Sets of outputs in words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from noisewright.domains import Floats

MOST = 5
LONGEST = 60
CLOSING = {"[": "]", "{": "}", '"': '"'}


def listed(texts: Sequence[str], negation: str = "") -> str:
    """A few texts in a row, and how many more there are.

    >>> listed(["a"]), listed(["a", "b"]), listed(list("abcdefg"), "not ")
    ('a', 'one of a, b', 'not one of a, b, c, d, e and 2 more')
    """
    shown = ", ".join(map(shortened, texts[:MOST]))
    more = f" and {len(texts) - MOST:,} more" if len(texts) > MOST else ""
    return f"{negation}{'one of ' if len(texts) > 1 else ''}{shown}{more}"


def kinds(texts: Sequence[str], negation: str = "") -> str:
    """Kinds of outputs that each take several words: two of them, and how many there are.

    >>> kinds(["an odd number", "a square", "zero"])
    'any of 3 kinds of numbers, such as an odd number, or a square'
    >>> kinds(["an odd number"], "not ")
    'not an odd number'
    """
    if len(texts) < 3:
        return negation + f", {'nor' if negation else 'or'} ".join(texts)
    return f"{negation}any of {len(texts):,} kinds of numbers, such as {texts[0]}, or {texts[1]}"


def shortened(text: str) -> str:
    """A text that is not too long, with its closing bracket.

    >>> shortened(f"[{'1, ' * 100}2]")[-7:]
    '1, 1,…]'
    """
    if len(text) <= LONGEST + len('"…"'):
        return text
    return f"{text[:LONGEST]}…{CLOSING.get(text[0], '')}"


def in_intervals(edges: Floats, inside: Sequence[bool], what: str = "the output") -> str:
    """A union of bins in words; bin k holds what is above edge k − 1 and at most edge k.

    >>> in_intervals(np.array([0.0, 1.0, 2.0]), [False, True, True, True])
    'the output is above 0'
    >>> in_intervals(np.array([0.0, 1.0, 2.0]), [True, False, True, False])
    'the output is at most 0, or above 1 and at most 2'
    """
    ends = np.concatenate([[-np.inf], edges, [np.inf]])
    changes = np.flatnonzero(np.diff(np.concatenate([[False], inside, [False]]).astype(int)))
    pairs = [(ends[start], ends[stop]) for start, stop in changes.reshape(-1, 2)]
    if not pairs:
        return f"{what} is nothing that was seen"
    more = f" and {len(pairs) - MOST} more intervals" if len(pairs) > MOST else ""
    return f"{what} is {', or '.join(_interval(*pair) for pair in pairs[:MOST])}{more}"


def _interval(low: float, high: float) -> str:
    if np.isinf(low):
        return "anything" if np.isinf(high) else f"at most {high:.6g}"
    if np.isinf(high):
        return f"above {low:.6g}"
    if high <= np.nextafter(low, np.inf):
        return f"exactly {high:.17g}"
    return f"above {low:.6g} and at most {high:.6g}"
