"""From outputs, each with its places, to columns: what stands at one place over all learning outputs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress
from typing import Self

import numpy as np
from numpy.typing import NDArray

from noisewright.audit.encoding.paths import Digits, Found, Leaf, Place, split_outputs
from noisewright.domains import Floats

Words = NDArray[np.object_]


@dataclass(frozen=True, eq=False)
class Sample:
    """Different outputs (JSON texts) and how often either input gave each.

    Both inputs' outputs come in turn, so that the first of them are a smaller sample of the same kind.

    >>> sample = Sample.of(np.array(["1", "1"], object), np.array(["2", "1"], object))
    >>> sample.words, sample.left.tolist(), sample.right.tolist()
    (['1', '2'], [2.0, 0.0], [1.0, 1.0])
    """

    words: Sequence[str]
    left: Floats
    right: Floats

    @classmethod
    def of(cls, left: Words, right: Words) -> Self:
        """Return the runs of both inputs."""
        turns = np.concatenate([np.arange(len(side)) / len(side) for side in (left, right)])
        in_turn = np.concatenate([left, right])[np.argsort(turns, kind="stable")]
        different = list(dict.fromkeys(in_turn))
        return cls(different, *(_counted(side, different) for side in (left, right)))

    def __len__(self) -> int:
        return len(self.words)

    def __getitem__(self, rows: slice) -> Sample:
        return Sample(self.words[rows], self.left[rows], self.right[rows])


def _counted(side: Words, different: Sequence[str]) -> Floats:
    counts = Counter(side)
    return np.array([counts[word] for word in different], dtype=np.float64)


Rows = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Column:
    """Everything that stood at one place: ``rows`` of the sample where something did, and what.

    Counts are pairs: how often with the left input, and how often with the right one.
    """

    place: Place
    sample: Sample
    rows: Rows
    found: Found

    @cached_property
    def numbers(self) -> tuple[Rows, Floats]:
        """Where numbers stand, and which."""
        if not self._has_texts:
            return self.rows, np.array(self.found, dtype=np.float64)
        mask = np.fromiter((isinstance(leaf, float) for leaf in self.found), np.bool_, len(self.found))
        return self.rows[mask], np.array([leaf for leaf in self.found if isinstance(leaf, float)])

    @cached_property
    def texts(self) -> dict[str, Floats]:
        """Texts with their counts, the most frequent first."""
        if not self._has_texts:
            return {}
        rows: dict[str, list[int]] = {}
        for row, leaf in zip(self.rows.tolist(), self.found, strict=True):
            if isinstance(leaf, str):
                rows.setdefault(leaf, []).append(row)
        counts = {text: self._counts(np.array(where)) for text, where in rows.items()}
        return dict(sorted(counts.items(), key=lambda item: -item[1].sum()))

    @cached_property
    def present(self) -> Floats:
        """How often something stood here."""
        return self._counts(self.rows)

    @cached_property
    def absent(self) -> Floats:
        """How often nothing stood here."""
        return np.array([self.sample.left.sum(), self.sample.right.sum()]) - self.present

    @cached_property
    def _has_texts(self) -> bool:
        return str in set(map(type, self.found))  # the fastest look; most places hold numbers alone

    def _counts(self, rows: Rows) -> Floats:
        return np.array([self.sample.left[rows].sum(), self.sample.right[rows].sum()])


MOST_PLACES = 100_000
"""Names of places, and digits at one of them, that are told apart at all: more would fill the memory."""


@dataclass(eq=False, slots=True)
class _Met:
    """All that was met under one name, and in which rows."""

    rows: list[int] = field(default_factory=list)
    leaves: list[Leaf] = field(default_factory=list)


def columns(sample: Sample, wanted: Iterable[Place] | None = None) -> Iterator[Column]:
    """Yield what stands at every place of a sample, or at those that are wanted, in the order they were met.

    >>> sample = Sample.of(np.array(["[1.5]"], object), np.array(['["01"]'], object))
    >>> [(column.place.title, column.found) for column in columns(sample)]
    [('place 0', [1.5]), ('bit 0 of place 0', [0.0]), ('bit 1 of place 0', [1.0])]
    """
    known = None if wanted is None else _by_name(wanted)
    for name, met in _met(sample, known).items():
        rows = np.array(met.rows)
        for place in _places(name, met.leaves) if known is None else known[name]:
            found = place.read(met.leaves)
            there = [leaf is not None for leaf in found]
            if any(there):
                yield Column(place, sample, rows[there], list(compress(found, there)))


def _by_name(places: Iterable[Place]) -> dict[str, list[Place]]:
    found: dict[str, list[Place]] = {}
    for place in places:
        found.setdefault(place.name, []).append(place)
    return found


def _met(sample: Sample, known: Iterable[str] | None) -> dict[str, _Met]:
    """What was met under each name, or under those that are known."""
    found = {name: _Met() for name in known or ()}
    most = MOST_PLACES if known is None else 0
    every = (part for parts in split_outputs(sample.words) for part in parts)
    for row, part in enumerate(every):
        for name, leaf in part.items():
            met = found.get(name)
            if met is None and len(found) < most:
                met = found[name] = _Met()
            if met is not None:
                met.rows.append(row)
                met.leaves.append(leaf)
    return found


def _places(name: str, leaves: Iterable[Leaf]) -> Iterator[Place]:
    """The place of a name, and those of its digits."""
    yield Place(name)
    longest = max((len(leaf.text) for leaf in leaves if isinstance(leaf, Digits)), default=0)
    yield from (Place(name, digit) for digit in range(min(longest, MOST_PLACES)))
