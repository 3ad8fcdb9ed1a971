"""A person's repeated places: what the other reports of the same person say about each of them.

People return. If the places of a person are drawn from a law of their own, which in turn resembles the
density of everybody, then with c pseudo-reports of the population the law that explains the reports is the
fixed point of

    law  =  (c · density + Σ posteriors of the person's reports under the law) / (c + number of reports),

an EM with a Dirichlet prior. The prior of one report is that law without the report's own share in it,
or its evidence would count twice. The weight c is chosen so that held-back reports are predicted best from
the others of their person; where people do not return, that is c = ∞, the density alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf

import numpy as np

from noisewright.domains import Floats
from noisewright.trajectory.reconstruction.grid import Singles

WEIGHTS = (256.0, 64.0, 16.0, 4.0)
STEPS = 30
EVERY = 5
"""Every fifth report of a person is held back to choose the weight."""

WORTH = 4.0
"""How much better, in log-likelihood, held-back reports must be predicted before a lower weight is used."""


def choose_weight(people: Iterable[Singles], density: Floats) -> float:
    """The weight of the population's density, from the likelihoods of the reports of some people."""
    scores = np.zeros(len(WEIGHTS) + 1)
    for likelihood in people:
        held = np.arange(len(likelihood)) % EVERY == EVERY - 1
        if held.any():
            scores += _scores(likelihood[~held], likelihood[held], density.astype(np.float32))
    chosen = 0
    for place, score in enumerate(scores):
        if score >= scores[chosen] + WORTH:
            chosen = place
    return (inf, *WEIGHTS)[chosen]


def _scores(kept: Singles, held: Singles, density: Singles) -> Floats:
    """The log-likelihood of held-back reports under each weight, ∞ first."""
    laws = [density, *(personal_law(kept, density, weight).shares for weight in WEIGHTS)]
    return np.array([float(np.log(held @ law).sum()) for law in laws])


@dataclass(frozen=True, eq=False)
class PersonalLaw:
    """The law of one person's places, and how many of their reports it was learned from."""

    shares: Singles
    least: Singles
    """What the density of everybody alone puts into the shares."""
    total: float
    """Pseudo-reports and reports behind the shares."""

    def priors(self, likelihood: Singles) -> Singles:
        """The prior of each report: the law without the report's own share in it."""
        own = likelihood * self.shares
        own /= -own.sum(axis=1, keepdims=True) * np.float32(self.total)
        own += self.shares
        np.maximum(own, self.least, out=own)  # rounding must not take more than was put in
        own /= own.sum(axis=1, keepdims=True)
        return np.asarray(own)


def personal_law(likelihood: Singles, density: Singles, weight: float) -> PersonalLaw:
    """The law of a person's places that explains their reports, near the density of everybody."""
    total = weight + len(likelihood)
    least = (density * np.float32(weight / total)).astype(np.float32)
    law: Singles = density
    for _ in range(STEPS):
        pull = (1 / (likelihood @ law)) @ likelihood
        law = np.asarray(least + law * (pull / np.float32(total)), dtype=np.float32)
    return PersonalLaw(law, least, total)
