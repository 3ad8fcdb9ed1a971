"""The neighbouring inputs that others tried: a few patterns of query answers, each at most 1 from the other.

Ding et al. 2018 proposed them for testing, Liu & Oh 2019 and Bichsel et al. 2021 used the same ones.
"""

from __future__ import annotations

from noisewright.audit.gallery.exhibit import Pair
from noisewright.errors import InvalidParameter

PATTERNS = (
    "one below",
    "one above",
    "one above rest below",
    "one below rest above",
    "half half",
    "all above",
    "all below",
    "crossed",
)


def pattern(name: str, queries: int) -> Pair:
    """Two lists of query answers that differ by the named pattern.

    >>> pattern("one below", 3), pattern("crossed", 4)
    (((1.0, 1.0, 1.0), (0.0, 1.0, 1.0)), ((1.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 1.0)))
    """
    half, rest = queries // 2, queries - queries // 2
    rights = {
        "one below": (0.0, *[1.0] * (queries - 1)),
        "one above": (2.0, *[1.0] * (queries - 1)),
        "one above rest below": (2.0, *[0.0] * (queries - 1)),
        "one below rest above": (0.0, *[2.0] * (queries - 1)),
        "half half": (*[2.0] * half, *[0.0] * rest),
        "all above": (2.0,) * queries,
        "all below": (0.0,) * queries,
    }
    if name == "crossed":
        return (*[1.0] * half, *[0.0] * rest), (*[0.0] * half, *[1.0] * rest)
    if name not in rights:
        raise InvalidParameter(f"a pattern is one of {', '.join(PATTERNS)}, got {name!r}")
    return (1.0,) * queries, rights[name]
