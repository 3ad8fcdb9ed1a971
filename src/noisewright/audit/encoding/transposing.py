"""From outputs, each with its places, to places, each over all outputs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import compress

import numpy as np

from noisewright.audit.encoding.column import Column
from noisewright.audit.encoding.digits import Digits
from noisewright.audit.encoding.leaves import Leaf
from noisewright.audit.encoding.place import Place
from noisewright.audit.encoding.reading import taken_apart
from noisewright.audit.encoding.sample import Sample

MOST_PLACES = 100_000
"""Names of places, and digits at one of them, that are told apart at all: more would fill the memory."""


@dataclass(eq=False, slots=True)
class _Met:
    """All that was met under one name, and in which rows."""

    rows: list[int] = field(default_factory=list)
    leaves: list[Leaf] = field(default_factory=list)


def columns(sample: Sample, wanted: Iterable[Place] | None = None) -> Iterator[Column]:
    """What stands at every place of a sample, or at those that are wanted, in the order they were met.

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
    every = (part for parts in taken_apart(sample.words) for part in parts)
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
