"""Round a law in floating point to integers that certainly keep ε.

A best law has nearly all its probabilities at a bound, a floor or e^ε times a floor. Floors are rounded up
and everything else down, so no column crosses its bound. The remainder of a row goes to its largest entry; a
tiny share of the column means, mixed in beforehand, makes room for it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from noisewright.domains import Floats
from noisewright.mechanisms.basics.tables import Table, Weights, closest_proved, prove_table
from noisewright.mechanisms.designed import BITS, IntegerRows

UNUSED = 1e-10
"""Outputs that no input has with a higher probability are left out."""


@dataclass(frozen=True)
class IntegerLaw:
    """The outputs that a law uses and its integer weights on them, one row an input."""

    outputs: tuple[int, ...]
    weights: IntegerRows


def round_toward_privacy(law: Floats, epsilon: float) -> IntegerLaw:
    """Return integers that sum to 2⁵² in each row and keep ε in each column.

    >>> rounded = round_toward_privacy(np.array([[0.75, 0.25, 0.0], [0.25, 0.75, 0.0]]), 1.1)
    >>> rounded.outputs, [sum(row) == 2**52 for row in rounded.weights]
    ((0, 1), [True, True])
    """
    used = np.flatnonzero(law.max(axis=0) > UNUSED)
    kept = law[:, used] / law[:, used].sum(axis=1, keepdims=True)
    means = kept.mean(axis=0)

    def prove(retreat: float) -> Table:
        table = Table(_integers((1 - retreat) * kept + retreat * means), BITS)
        prove_table(table, epsilon)
        return table

    weights = closest_proved(prove).weights
    return IntegerLaw(tuple(used.tolist()), tuple(map(tuple, weights.tolist())))


def _integers(law: Floats) -> Weights:
    """Return weights with rows that sum to 2⁵²: floors up, others down, the remainder to the largest."""
    scaled = law * float(1 << BITS)
    weights = np.maximum(np.floor(scaled), np.ceil(scaled.min(axis=0))).astype(np.int64)
    weights = np.maximum(weights, 1)
    weights[np.arange(len(law)), weights.argmax(axis=1)] += (1 << BITS) - weights.sum(axis=1)
    return np.asarray(weights)
