"""Numbers of which only the bin is reported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains.base import Cells, Domain, Floats
from noisewright.domains.finite import Categories
from noisewright.domains.integers import Integers
from noisewright.domains.numeric import DEFAULT_CELLS, Interval, NumericDomain
from noisewright.errors import InvalidParameter
from noisewright.parameters import whole

MOST_BINS = 1024
"""The most bins of a column; for more, estimate a distribution."""


@dataclass(frozen=True, repr=False, init=False)
class Bins(Categories):
    """The bins of a column of numbers, as labels; a report is about the bin only.

    True values are numbers of ``within``; each becomes the label of its bin before it is randomized. A bin
    holds its lower edge and not its upper one, except the last, which holds both. Edges of whole numbers
    stand between them: a bin from 18 to 30 holds 18 and 29, and its label says so.

    Args:
        within: the domain of the numbers: an interval, whole numbers, or a circle.
        edges: the ends of the bins, rising, from one end of the domain to the other; or a number of equal
            bins (of whole numbers, bins with as many each, or one more).

    Attributes:
        labels: What the bins are called; they follow from ``within`` and ``edges``.

    >>> ages = Bins(Integers(0, 99), [0, 18, 65, 100])
    >>> ages, ages.snap([17, 18, 99])
    (Bins(Integers(0, 99), ['0 to 17', '18 to 64', '65 to 99']), array([0, 1, 2]))
    >>> ages.edges
    (-0.5, 17.5, 64.5, 99.5)
    """

    within: NumericDomain
    edges: tuple[float, ...]
    kind: ClassVar[str] = "bins"
    label_word: ClassVar[str] = "bin"

    def __init__(self, within: NumericDomain, edges: int | Sequence[float] | Floats) -> None:
        if not isinstance(within, NumericDomain):
            raise InvalidParameter(
                f"bins are cut out of an interval, whole numbers or a circle, not {within!r}"
            )
        ends = _equal(within, edges) if isinstance(edges, int | np.integer) else _given(within, edges)
        # A bin has no cells, so collections with different lattices are about the same bins.
        plain = Domain.from_dict({**within.to_dict(), "cells": max(DEFAULT_CELLS, _least(within))})
        object.__setattr__(self, "within", plain)
        object.__setattr__(self, "edges", ends)
        object.__setattr__(self, "labels", _labels(within, ends))
        self._check_labels("bins")

    def __repr__(self) -> str:
        return f"Bins({self.within!r}, {list(self.labels)!r})"

    @property
    def words(self) -> str:
        """The domain for a reader.

        >>> Bins(Interval(0, 1), 4).words
        '4 bins of the interval from 0 to 1'
        """
        return f"{self.count_words} of {self.within.words}"

    def as_labels(self) -> Categories:
        """Return the names of the bins, which reports are made of."""
        return Categories(self.labels)

    def snap(self, values: Any, *, name: str = "value", out_of_domain: str = "refuse") -> Cells:
        """Return the place of the bin that holds each number, or that each label names.

        Args:
            values: Numbers.
            name: What they are called in a refusal.
            out_of_domain: "refuse" numbers outside the domain, or "clip" them into it.
        """
        if isinstance(values, list | tuple | np.ndarray) and len(values) and isinstance(values[0], str):
            return super().snap(values, name=name)
        truth = self.within.admit(values, name=name, out_of_domain=out_of_domain)
        places = np.searchsorted(np.array(self.edges[1:-1]), np.atleast_1d(truth), side="right")
        return np.asarray(places.reshape(-1), dtype=np.int64)

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "within": self.within.to_dict(), "edges": list(self.edges)}

    @classmethod
    def _from_fields(cls, fields: Mapping[str, Any]) -> Self:
        within, edges = Domain.from_dict(fields["within"]), fields["edges"]
        if not isinstance(within, NumericDomain) or not isinstance(edges, list):
            raise InvalidParameter("bins are described by a numeric domain and a list of edges")
        return cls(within, edges)


def _least(within: NumericDomain) -> int:
    return within.size if isinstance(within, Integers) else 1


def _ends(within: NumericDomain) -> tuple[float, float]:
    """Return the ends of a domain as they were given: low + length may differ from high by rounding."""
    return (within.low, within.high) if isinstance(within, Interval) else (0.0, within.length)


def _equal(within: NumericDomain, bins: int) -> tuple[float, ...]:
    count = whole("the number of `bins`", bins, 2, MOST_BINS)
    if isinstance(within, Integers):
        if count > within.size:
            raise InvalidParameter(f"{within!r} has room for {within.size} `bins` at most, got {count}")
        return tuple((within.low + np.arange(count + 1) * within.size // count).tolist())
    steps = within.start + np.arange(count + 1) * (within.length / count)
    return (*steps[:-1].tolist(), _ends(within)[1])


def _given(within: NumericDomain, edges: ArrayLike) -> tuple[float, ...]:
    """Return edges that rise from one end of the domain to the other, or refuse them."""
    wanted = "the edges of `bins` must be rising numbers, for example 0,18,65,100"
    try:
        ends = np.asarray(edges, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidParameter(wanted) from None
    if ends.ndim != 1 or ends.size < 3 or not np.isfinite(ends).all() or not (np.diff(ends) > 0).all():
        raise InvalidParameter(f"{wanted}, and at least two bins")
    if ends.size > MOST_BINS + 1:
        raise InvalidParameter(f"a column has at most {MOST_BINS:,} `bins`, got {ends.size - 1:,}")
    low, high = _ends(within)
    if isinstance(within, Integers):
        if ends[-1] == within.last:  # the last bin holds its upper edge
            ends[-1] = within.last + 1
        ends = np.ceil(ends) - 0.5
        if not (np.diff(ends) > 0).all():
            raise InvalidParameter(f"every one of the `bins` of {within!r} must hold a whole number")
    if ends[0] != low or ends[-1] != high:
        first, last = (within.first, within.last + 1) if isinstance(within, Integers) else (low, high)
        raise InvalidParameter(
            f"the `bins` must reach from one end of {within!r} to the other: let their edges begin with "
            f"{first:g} and end with {last:g}"
        )
    return tuple(ends.tolist())


def _labels(within: NumericDomain, edges: tuple[float, ...]) -> tuple[str, ...]:
    """Name the bins by the whole numbers in them, or by their ends."""
    if isinstance(within, Integers):
        pairs = [(int(low + 0.5), int(high - 0.5)) for low, high in pairwise(edges)]
        return tuple(f"{first}" if first == last else f"{first} to {last}" for first, last in pairs)
    narrow = min(high - low for low, high in pairwise(edges))
    for digits in range(4, 17):  # as few digits as separate the edges, without a power of ten
        said = [f"{edge:.{digits}g}" for edge in edges]
        near = all(abs(float(text) - edge) <= narrow / 1000 for text, edge in zip(said, edges, strict=True))
        if near and not any("e" in text for text in said):
            break
    return tuple(f"{low} to {high}" for low, high in pairwise(said))
