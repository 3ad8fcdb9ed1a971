"""The posterior of the secret world after some releases, and the weights for planning noise.

An observer who knows the pool, the worlds and the law of the noise has, after releases z, the posterior

    P(world j | z)  ∝  Π_t p(z_t | world j),

each factor an entry of the integer table that the noise was drawn from. So the posterior is exact except for
the rounding of logarithms. Whoever has the releases can compute it: it is not secret.

**Rounding.** Noise is planned with *guarded* weights g = (1 − κ)·posterior + κ/worlds. True weights are at
most (1 + s)·g with the small slack s below, even where a computed weight has underflowed; so a plan that
proves at most β/(1 + s) nats under g keeps β under the truth (``docs/theory/release.md``, section 31).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from scipy.special import softmax

from noisewright.domains import Cells, Floats
from noisewright.errors import BudgetSpent
from noisewright.release.noise import NoisePlan, table

GUARD: Final = 2.0**-20
"""κ: the share of the weights that is spread evenly over all worlds."""

SLACK: Final = 2.0**-19
"""s: κ/(1 − κ) and almost as much again for rounding. A logarithm of the table is off by less than 2⁻⁴⁷, so
a thousand releases of ten thousand directions each move a logarithm of a weight by less than 2⁻²³."""

CERTAIN: Final = 0.99
"""A posterior above this has identified the world; see :meth:`Posterior.guarded_weights`."""


@dataclass(frozen=True, eq=False)
class Posterior:
    """The logarithms of the worlds' weights, the largest 0; a world that is ruled out has −∞.

    >>> bool(np.allclose(Posterior.uniform(4).guarded_weights(), 1 / 4))
    True
    """

    log_weights: Floats

    @classmethod
    def uniform(cls, worlds: int) -> Posterior:
        """Return the posterior before any release."""
        return cls(np.zeros(worlds))

    def after(self, plan: NoisePlan, cells: Cells) -> Posterior:
        """Return the posterior after the cells of one more release."""
        updated = self.log_weights + log_likelihoods(plan, cells)
        return Posterior(updated - updated.max())

    @property
    def weights(self) -> Floats:
        """The probability of each world."""
        return np.asarray(softmax(self.log_weights))

    def guarded_weights(self) -> Floats:
        """Return the weights for planning noise; raise once the releases have nearly identified the world.

        As the posterior narrows, the outputs of the possible worlds vary less, and less noise is needed to
        reveal no more; in the end none at all. That keeps the promise, because what is known already cannot
        be revealed again. But it would publish nearly exact outputs to protect a secret that is lost. So
        beyond :data:`CERTAIN` nothing more is released. Whether that point is reached depends on the releases
        alone, so the refusal reveals nothing.
        """
        weights = self.weights
        if weights.max() > CERTAIN:
            raise BudgetSpent(
                "the releases so far nearly identify the secret world, so noise can no longer protect it; "
                "nothing was spent: draw a new secret, with a smaller total"
            )
        return np.asarray((1 - GUARD) * weights + GUARD / weights.size)


def guarded_nats(nats: float) -> float:
    """Return the nats to plan with under guarded weights so that ``nats`` hold under the true ones.

    >>> 0.9999 < guarded_nats(1.0) < 1 / (1 + SLACK)
    True
    """
    return math.nextafter(nats / (1 + SLACK), 0.0)


def log_likelihoods(plan: NoisePlan, cells: Cells) -> Floats:
    """Return ln P(cells | world) for every world, from the integers that the noise is drawn from."""
    offsets = cells - plan.cells
    reached = (np.abs(offsets) <= table.REACH).all(axis=1)
    logarithms = np.full(len(offsets), -np.inf)
    logarithms[reached] = _log_masses()[offsets[reached] + table.REACH].sum(axis=1)
    return logarithms


@cache
def _log_masses() -> Floats:
    return np.asarray(np.log(table.table().masses))
