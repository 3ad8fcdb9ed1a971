"""Sets of outputs in words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from noisewright.domains import Floats

MOST = 5
LONGEST = 60


def listed(texts: Sequence[str], negation: str = "") -> str:
    """A few texts in a row, and how many more there are.

    >>> listed(["a"]), listed(["a", "b"]), listed(list("abcdefg"), "not ")
    ('a', 'one of a, b', 'not one of a, b, c, d, e and 2 more')
    """
    shown = ", ".join(text if len(text) <= LONGEST else f"{text[:LONGEST]}…" for text in texts[:MOST])
    more = f" and {len(texts) - MOST} more" if len(texts) > MOST else ""
    return f"{negation}{'one of ' if len(texts) > 1 else ''}{shown}{more}"


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
