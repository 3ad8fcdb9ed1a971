"""Which traits of outputs become columns, where outputs have more of them than a score can take in.

Only learning runs have a part in it: bounds hold for any rule of reading one output that was fixed before the
runs they rest on, be the rule good or bad.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from noisewright.audit.encoding.asking import MOST_TEXTS, traits
from noisewright.audit.encoding.candidates import Candidate, ranked
from noisewright.audit.encoding.column import Column
from noisewright.audit.encoding.leaves import length
from noisewright.audit.encoding.left_out import LeftOut
from noisewright.audit.encoding.place import Place
from noisewright.audit.encoding.reading import taken_apart
from noisewright.audit.encoding.sample import Sample
from noisewright.audit.encoding.traits import Absence, Trait, Value
from noisewright.audit.encoding.transposing import columns

CELLS = 5_000_000
"""Places times outputs that one pass looks at: hundreds of megabytes."""

FIRST_LOOK = 100
"""Outputs that show how many places an output has."""

FURTHER = 4
"""One place in so many goes on to the next pass, which has so many times as many outputs to look at."""


@dataclass(frozen=True)
class Choice:
    """Traits in the order in which their places were met, what they leave out, and if numbers were met."""

    traits: tuple[Trait, ...]
    left_out: LeftOut
    numbers: bool


def choose_traits(sample: Sample, room: int, bits: bool = False) -> Choice:
    """All traits if there is room for them, or else those that promise most, by what the sample shows.

    Outputs of very many places are looked at in passes: all places in few outputs, then the more promising
    ones in more.
    """
    longest, rows = _first_look(sample)
    met = list(columns(sample[:rows]))
    places = max(len(met), longest)
    every = tuple(trait for column in met for trait in traits(column, bits))
    numbers = any(isinstance(trait, Value) and trait.place.digit is None for trait in every)
    if len(every) <= room:
        return Choice(every, LeftOut(0, len(_crowded(met)), places), numbers)
    while rows < len(sample) and len(met) > room:
        further = _promising(met, max(len(met) // FURTHER, room), bits)
        if not further:  # all that was met is constant
            break
        rows = CELLS // len(further)
        met = list(columns(sample[:rows], further))
    chosen, partly = _best(_weighed(met, bits), room)
    seen = {trait.place for trait in chosen}
    return Choice(chosen, LeftOut(places - len(seen), len(seen & (partly | _crowded(met))), places), numbers)


def _first_look(sample: Sample) -> tuple[int, int]:
    """The most places in one of the first outputs, and how many outputs the first pass looks at."""
    sizes = [length(part) for parts in taken_apart(sample.words[:FIRST_LOOK]) for part in parts]
    return max(sizes, default=0), max(FIRST_LOOK, CELLS // (1 + sum(sizes) // max(len(sizes), 1)))


def _promising(met: Sequence[Column], count: int, bits: bool) -> list[Place]:
    """So many places, those with the most promising traits."""
    order = ranked(_weighed(met, bits), count)
    kept = set(list(dict.fromkeys(candidate.trait.place for candidate in order))[:count])
    return [column.place for column in met if column.place in kept]


def _best(weighed: Sequence[Candidate], room: int) -> tuple[tuple[Trait, ...], set[Place]]:
    """As many traits as there is room for, and the places at which numbers or texts are missed."""
    best = {candidate.trait for candidate in ranked(weighed, room)[:room]}
    others = [one.trait for one in weighed if one.trait not in best]
    missed = {trait.place for trait in others if not isinstance(trait, Absence)}
    return tuple(one.trait for one in weighed if one.trait in best), missed


def _weighed(met: Sequence[Column], bits: bool) -> list[Candidate]:
    """Every trait that is not always the same."""
    every = (Candidate.of(trait, column) for column in met for trait in traits(column, bits))
    return [candidate for candidate in every if candidate.varies]


def _crowded(met: Sequence[Column]) -> set[Place]:
    """Places with more texts than are told apart."""
    return {column.place for column in met if len(column.texts) > MOST_TEXTS}
