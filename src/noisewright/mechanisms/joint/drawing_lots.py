"""Exact draws from random words: uniform numbers and orders, and the flags of people who share coins."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells
from noisewright.mechanisms.joint.group_law import WORDS, GroupLaw
from noisewright.randomness import Stream

Flags = NDArray[np.bool_]
"""Whether each person tells the truth."""


def uniform_below(bound: int, count: int, stream: Stream) -> Cells:
    """Numbers below a bound, all exactly equally likely: words that would favour some are drawn again."""
    words = stream.draw(count)
    if WORDS % bound:
        fair = np.uint64(WORDS - WORDS % bound)
        while (unfair := words >= fair).any():
            words[unfair] = stream.draw(int(unfair.sum()))
    return (words % np.uint64(bound)).astype(np.int64)


def uniform_order(count: int, stream: Stream) -> Cells:
    """A uniformly random order: that of random keys, which are drawn again as a whole if two are equal.

    Given that no two are equal, every order is equally likely; to keep equal ones would favour some.
    """
    while True:
        # Stated as little-endian bytes, so that every machine finds the same order from the same seed.
        keys = stream.draw(count).view("<u8")
        order = np.argsort(keys)
        ranked = keys[order]
        if not (ranked[1:] == ranked[:-1]).any():
            return order


def draw_liars(law: GroupLaw, groups: int, stream: Stream) -> Cells:
    """How many people lie in each of many groups."""
    thresholds = np.array(law.thresholds, dtype=np.uint64)
    return np.searchsorted(thresholds, stream.draw(groups), side="right")


def draw_flags(law: GroupLaw, groups: int, stream: Stream) -> Flags:
    """The flags of many groups, one row each: every choice of the liars is equally likely.

    One member after the other lies with a chance of the lies that are left over the members that are left.
    """
    left = draw_liars(law, groups, stream)
    flags = np.empty((groups, law.size), dtype=np.bool_)
    for place in range(law.size):
        flags[:, place] = uniform_below(law.size - place, groups, stream) >= left
        left = left - ~flags[:, place]
    return flags


def draw_grouped(law: GroupLaw, people: int, stream: Stream, rounds: int = 1) -> Flags:
    """Flags of people who are put into groups at random and draw ``rounds`` flags each in these groups."""
    order = uniform_order(people, stream)
    drawn = draw_flags(law, people // law.size * rounds, stream).reshape(-1, rounds, law.size)
    flags = np.empty((people, rounds), dtype=np.bool_)
    flags[order] = drawn.swapaxes(1, 2).reshape(people, rounds)
    return flags


def draw_alone(law: GroupLaw, people: int, stream: Stream) -> Flags:
    """Flags of people who answer alone, each with the coins of a whole group and a random place in it."""
    return uniform_below(law.size, people, stream) >= draw_liars(law, people, stream)


def answer(truth: Cells, flags: Flags, options: int, stream: Stream) -> Cells:
    """The truth, or for whoever lies any of the other options: one a random number of places further on."""
    further = np.ones(truth.size, dtype=np.int64)
    if options > 2:  # drawn for everybody, so that time does not tell who lies
        further += uniform_below(options - 1, truth.size, stream)
    return np.where(flags, truth, (truth + further) % options)
