"""Traits that outputs might be looked at by, and how much each promises."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from scipy.special import ndtri

from noisewright.audit.encoding.column import Column
from noisewright.audit.encoding.telling import classes, telling
from noisewright.audit.encoding.traits import Absence, Shape, Text, Trait, Written
from noisewright.domains import Floats

ACCIDENTS = 0.5
"""The part of the room that may go to traits which tell by accident; the rest is for traits that tell nothing
by themselves, and may do so together."""

ABSENCES = 0.5
"""The part of the room for absences: those of all places of a list say much the same, where it ended."""


@dataclass(frozen=True)
class Candidate:
    """A trait, how clearly it alone tells the inputs apart, and how often it is not what it is mostly."""

    trait: Trait
    telling: float
    varies: float

    @classmethod
    def of(cls, trait: Trait, column: Column) -> Self:
        """Weigh a trait by what stood at its place."""
        counts = _counts(trait, column)
        total = counts.sum(axis=0)
        return cls(trait, telling(*counts), float(total.sum() - total.max()))

    @property
    def liveliness(self) -> int:
        """How often it varies, roughly: what is finer than a factor of two is accident."""
        return round(math.log2(1 + self.varies))


def ranked(candidates: Sequence[Candidate], room: int) -> list[Candidate]:
    """Candidates in the order in which they should have the room: what tells clearly, then what varies most.

    Those that vary about equally often stay in the order they come in.

    >>> from noisewright.audit.encoding.place import Place
    >>> names = {"rare": (0.5, 10), "lively": (0, 900), "alike": (0.2, 901), "clear": (9, 50)}
    >>> some = [Candidate(Text(Place(name), "yes"), *promise) for name, promise in names.items()]
    >>> [candidate.trait.place.name for candidate in ranked(some, 1)]
    ['clear', 'lively', 'alike', 'rare']
    """
    clear = float(ndtri(1 - min(ACCIDENTS * room / max(len(candidates), 1), 1.0)))
    order = sorted(candidates, key=lambda one: (max(one.telling, clear), one.liveliness), reverse=True)
    absences = [one for one in order if isinstance(one.trait, Absence)]
    last = set(map(id, absences[int(ABSENCES * room) :]))
    return sorted(order, key=lambda one: id(one) in last)


def _counts(trait: Trait, column: Column) -> Floats:
    """How often each answer was given, with either input; texts and numbers where anything stood at all."""
    match trait:
        case Absence():
            return np.column_stack([column.absent, column.present])
        case Text():
            hits = column.texts[trait.text]
            return np.column_stack([hits, column.present - hits])
        case Shape():
            found, weights = classes(trait.of(column.texts)), np.array(list(column.texts.values()))
            return np.stack([np.bincount(found, side) for side in weights.T])
    rows, numbers = column.numbers
    found = classes(trait.of(numbers) if isinstance(trait, Written) else numbers)
    return np.stack([np.bincount(found, side[rows]) for side in (column.sample.left, column.sample.right)])
