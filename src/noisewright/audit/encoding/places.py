"""Columns for the places of taken-apart outputs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from noisewright.audit.encoding.leaves import Leaf
from noisewright.domains import Floats

MOST_CATEGORIES = 64
Parts = Sequence[dict[str, Leaf]]


@dataclass(frozen=True)
class Place:
    """One place of an output: its number if it has one, a flag for each frequent text, a flag for absence.

    A place without a number has ``filling`` in the number column, which means nothing without the flags.

    >>> place = Place.fit("0", [{"0": 1.0}, {"0": "null"}, {}], [5, 2, 1])
    >>> place.columns
    ('place 0', 'place 0 is null', 'place 0 is absent')
    >>> place.table([{"0": 2.5}, {"0": "null"}, {"0": "new"}, {}]).tolist()
    [[2.5, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 1.0]]
    """

    name: str
    number: bool
    filling: float
    categories: tuple[str, ...]
    absent: bool

    @classmethod
    def fit(cls, name: str, parts: Parts, counts: Sequence[int]) -> Self:
        """Learn what stands at a place, from different outputs and how often each occurred."""
        found = [(part.get(name), count) for part, count in zip(parts, counts, strict=True)]
        numbers = [leaf for leaf, _ in found if isinstance(leaf, float)]
        texts: Counter[str] = Counter()
        for leaf, count in found:
            if isinstance(leaf, str):
                texts[leaf] += count
        frequent = tuple(text for text, _ in texts.most_common(MOST_CATEGORIES))
        filling = float(np.median(numbers)) if numbers else 0.0
        return cls(name, bool(numbers), filling, frequent, any(leaf is None for leaf, _ in found))

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns."""
        title = f"place {self.name}" if self.name else "the output"
        names = [title] if self.number else []
        names += [f"{title} is {text}" for text in self.categories]
        return tuple(names + ([f"{title} is absent"] if self.absent else []))

    def table(self, parts: Parts) -> Floats:
        """The columns for taken-apart outputs."""
        found = [part.get(self.name) for part in parts]
        columns: list[Sequence[float]] = []
        if self.number:
            columns.append([leaf if isinstance(leaf, float) else self.filling for leaf in found])
        columns += [[leaf == text for leaf in found] for text in self.categories]
        if self.absent:
            columns.append([leaf is None for leaf in found])
        return np.array(columns, dtype=np.float64).reshape(len(columns), len(parts)).T


def fit_places(parts: Parts, counts: Sequence[int], most: int) -> tuple[Place, ...]:
    """The most frequent places in the order they were met, as many as fit into so many columns."""
    seen: Counter[str] = Counter()
    for part, count in zip(parts, counts, strict=True):
        for name in part:
            seen[name] += count
    frequent = {name for name, _ in seen.most_common(most)}
    places: list[Place] = []
    for name in (name for name in seen if name in frequent):
        place = Place.fit(name, parts, counts)
        if sum(len(known.columns) for known in places) + len(place.columns) > most:
            break
        places.append(place)
    return tuple(places)
