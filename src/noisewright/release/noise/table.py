"""The noise itself: whole numbers of steps with a Gaussian law, as one fixed table of integers.

Floating-point noise leaks: which floats a sum can reach depends on the addend. So a release lies on a public
lattice, and the noise consists of integers drawn from one table: the law ∝ exp(−k²/2σ²) with σ = 2¹⁴ steps,
cut off at 8 σ, its weights rounded to integers that sum to 2⁶². Along each direction only the length of a
step differs. Everything that is proved about the noise is proved about these integers: their variance is
exact, and their entropy is summed over the table.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Final

import numpy as np

from noisewright.domains import Cells
from noisewright.mechanisms.basics.tables import Table, to_integers
from noisewright.randomness import Stream

DEVIATION: Final = 1 << 14
"""σ of the ideal law, in steps: fine enough that the lattice costs 2·10⁻¹⁰ nats a direction."""

REACH: Final = 8 * DEVIATION
"""The largest offset of the table."""


@cache
def table() -> Table:
    """Return the integer law of the offsets −REACH … REACH."""
    offsets = np.arange(-REACH, REACH + 1, dtype=np.float64)
    return Table(to_integers(np.exp(-0.5 * (offsets / DEVIATION) ** 2)))


@cache
def variance() -> float:
    """Return the variance of the table in steps², exact to its last digit: close to σ² and a little below."""
    weights = [int(weight) for weight in table().weights]
    one, first, second = 1 << table().bits, 0, 0
    for place, weight in enumerate(weights):
        offset = place - REACH
        first += weight * offset
        second += weight * offset * offset
    return (second * one - first * first) / (one * one)


@cache
def entropy_lower() -> float:
    """Return the entropy of the table in nats, rounded down."""
    masses = table().masses
    total = math.fsum((-masses * np.log(masses)).tolist())
    return total * (1 - 1e-14) - 1e-14


@cache
def off_ideal() -> float:
    """Bound the total variation between the table and the untruncated, unrounded Gaussian of integers.

    Rounding moves each weight by at most one in 2⁶² (the leftovers go to the middle); beyond 8 σ lies less
    than 1.3·10⁻¹⁵ of the mass.
    """
    return (2 * REACH + 1) * 2.0**-61 + 1.3e-15


def draw(stream: Stream, count: int) -> Cells:
    """Draw offsets for a private release, one random word each."""
    return table().draw(stream.draw(count)) - REACH


def simulate(generator: np.random.Generator, shape: tuple[int, ...]) -> Cells:
    """Draw offsets of the same law from public chance, for attacks and benchmarks: never for a release."""
    words = generator.integers(1 << 62, size=shape, dtype=np.uint64)
    return np.asarray(table().draw(words.reshape(-1)).reshape(shape) - REACH)
