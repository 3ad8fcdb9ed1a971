"""Queries drawn from each channel itself: for images, and for channels that share no points with another.

Over more than twenty features the laws of two channels hardly overlap, and a query drawn from one tells
nothing about the next. So every channel gets its own sample and the exact binomial interval. All channels use
the same random numbers: curves over ε come out smooth, and a union of intervals needs no independence.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.utility.channels import CellLaw, Channel
from noisewright.utility.sampling.asking import Ask, Flags
from noisewright.utility.sampling.tally import PlainSample, plain_sample

_NUMBERS_AT_ONCE = 1 << 23
"""Random numbers held in memory at a time."""


def sample_directly(
    ask: Ask, channels: Sequence[Channel], units: Floats, queries: int, random: np.random.Generator
) -> PlainSample:
    """The failure probability of each channel from equal shares of so many queries."""
    each = queries // len(channels)
    if each < 1:
        raise InvalidParameter(
            f"{queries} queries for a record are too few for {len(channels)} pairs of a mechanism"
            " and an epsilon that are sampled one by one; allow more queries, or name fewer of them"
        )
    laws = [[channel.law(float(unit)) for unit in units] for channel in channels]
    step = max(1, _NUMBERS_AT_ONCE // units.size)
    blocks = [
        _fails(ask, laws, random.random((min(step, each - at), units.size))) for at in range(0, each, step)
    ]
    return plain_sample(np.concatenate(blocks, axis=1))


def _fails(ask: Ask, laws: Sequence[Sequence[CellLaw]], uniforms: Floats) -> Flags:
    return np.stack([ask.at(law[0].lattice, _reports(law, uniforms)) for law in laws])


def _reports(laws: Sequence[CellLaw], uniforms: Floats) -> Cells:
    """Simulated reports of all features under one channel, as cells."""
    columns = [law.draw(uniforms[:, axis]) for axis, law in enumerate(laws)]
    return np.stack(columns, axis=1)
