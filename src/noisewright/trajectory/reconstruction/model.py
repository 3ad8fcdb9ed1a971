"""The posterior of every stay, from the population's density, a person's places and the speed limit.

**A person's places.** People return. Suppose that a person's places are drawn from a law of their own, which
resembles the density of everybody. With c pseudo-reports of the population, the law that explains the reports
is the fixed point of

    law  =  (c · density + Σ posteriors of the person's reports under the law) / (c + number of reports),

an EM with a Dirichlet prior. The prior of one report is that law without the report's own share in it,
or its evidence would count twice. The weight c is the one with which held-back reports are predicted best
from the others of their person; where people do not return, that is c = ∞, the density alone.

**The speed limit.** A limit that is too low does harm twice: moving points are merged into one stay, and
the next stay is sought too near. So the limit is tested: the reports must be as likely under the limit, with
its stays and the best chance of jumps, as without any limit and with every report a stay of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf, isinf

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Floats
from noisewright.trajectory.reconstruction.chain import TINY, Chain, Reach
from noisewright.trajectory.reconstruction.grid import Grid, Singles
from noisewright.trajectory.reconstruction.journeys import Party
from noisewright.trajectory.reconstruction.likelihood import AT_ONCE, Likelihood

WEIGHTS = (256.0, 64.0, 16.0, 4.0)
STEPS = 30
EVERY = 5
"""Every fifth report of a person is held back to choose the weight."""

WORTH = 4.0
"""How much better, in log-likelihood, held-back reports must be predicted before a lower weight is used."""


def choose_weight(people: Iterable[Singles], density: Floats) -> float:
    """Return the weight of the population's density, from the likelihoods of the reports of some people."""
    scores = np.zeros(len(WEIGHTS) + 1)
    for likelihood in people:
        held = np.arange(len(likelihood)) % EVERY == EVERY - 1
        if held.any():
            everybody, kept = density.astype(np.float32), likelihood[~held]
            laws = [everybody, *(personal_law(kept, everybody, weight).shares for weight in WEIGHTS)]
            scores += [float(np.log(likelihood[held] @ law).sum()) for law in laws]
    chosen = 0
    for place, score in enumerate(scores):
        if score >= scores[chosen] + WORTH:
            chosen = place
    return (inf, *WEIGHTS)[chosen]


@dataclass(frozen=True, eq=False)
class PersonalLaw:
    """The law of one person's places, and how many of their reports it was learned from."""

    shares: Singles
    least: Singles
    """The part of the shares that comes from the density of everybody."""
    total: float
    """Pseudo-reports and reports behind the shares."""

    def priors(self, likelihood: Singles) -> Singles:
        """Return the prior of each report: the law without the report's own share in it."""
        own = likelihood * self.shares
        own /= -own.sum(axis=1, keepdims=True) * np.float32(self.total)
        own += self.shares
        np.maximum(own, self.least, out=own)  # rounding must not subtract more than was added
        own /= own.sum(axis=1, keepdims=True)
        return np.asarray(own)


def personal_law(likelihood: Singles, density: Singles, weight: float) -> PersonalLaw:
    """Return the law of a person's places that explains their reports, near the density of everybody."""
    total = weight + len(likelihood)
    least = (density * np.float32(weight / total)).astype(np.float32)
    law: Singles = density
    for _ in range(STEPS):
        pull = (1 / (likelihood @ law)) @ likelihood
        law = np.asarray(least + law * (pull / np.float32(total)), dtype=np.float32)
    return PersonalLaw(law, least, total)


JUMPS = (0.001, 0.03, 0.3)
"""Chances that the speed limit does not hold between two stays; the reports choose among them."""

SAMPLE = 1 << 24
"""Numbers, one for each stay and cell, from which the weight and the jumps are chosen."""

MOST_OF_ONE = 512
"""Most stays of one person in that sample."""


@dataclass(frozen=True, eq=False)
class Model:
    """The assumptions about all routes: a density, its weight in a person's places, and a speed limit.

    ``weight`` is infinite if people do not return to their places; ``max_speed`` is None without a limit.
    """

    grid: Grid
    density: Floats
    max_speed: float | None = None
    weight: float = inf
    jump: float = JUMPS[0]

    def fit(self, likelihood: Likelihood, parties: Sequence[Party]) -> Model:
        """Return the weight and the chance of jumps that explain the reports of a sample of people best."""
        sample = _sample(parties, self.grid.size)
        seen = (likelihood.together(*party.sample_rows(MOST_OF_ONE)) for party in sample)
        fitted = replace(self, weight=choose_weight(seen, self.density))
        if self.max_speed is None or not sample:
            return fitted
        # neighbours in time dominate a traveller's law, and the limit would count them a second time
        weights = [self] if isinf(fitted.weight) else [self, fitted]
        fitted = max(weights, key=lambda model: model._prediction(likelihood, sample))
        chances = [replace(fitted, jump=jump) for jump in JUMPS]
        return max(chances, key=lambda model: model.evidence(likelihood, sample))

    @property
    def most_stays(self) -> int:
        """Most stays whose posteriors are in memory together."""
        return max(1, AT_ONCE // self.grid.size)

    def posteriors(self, likelihood: Likelihood, party: Party) -> Iterator[tuple[Party, Singles]]:
        """Return the posteriors of the stays of a party, a few journeys at a time."""
        law = None
        for piece in party.pieces(self.most_stays):
            seen = likelihood.together(*piece.evidence_rows())
            law = law or self._law(likelihood, party, seen)
            before = self._priors(seen, law)
            if self.max_speed is None:
                found = before * seen
                found /= found.sum(axis=1, keepdims=True)
            else:
                found = np.concatenate([chain.posteriors() for chain in self._chains(piece, before, seen)])
            yield piece, found

    def evidence(self, likelihood: Likelihood, sample: Sequence[Party]) -> float:
        """Return the logarithm of the likelihood of the first reports of some people."""
        total = 0.0
        for party in sample:
            first = next(party.pieces(MOST_OF_ONE))
            seen, factors = likelihood.joint(*first.evidence_rows())
            before = self._priors(seen, self._law(likelihood, party, seen))
            total += float(factors.sum())
            if self.max_speed is None:
                total += float(np.log(np.maximum((before * seen).sum(axis=1), TINY)).sum())
            else:
                total += sum(chain.evidence() for chain in self._chains(first, before, seen))
        return total

    def _prediction(self, likelihood: Likelihood, sample: Sequence[Party]) -> float:
        """Return how well the other stays of a person predict those that were held back."""
        total = 0.0
        for party in sample:
            first = next(party.pieces(MOST_OF_ONE))
            seen = likelihood.together(*first.evidence_rows())
            held = np.arange(len(seen)) % EVERY == EVERY - 1
            if held.any():
                total += float(np.log(self._held_back(first, seen, held)).sum())
        return total

    def _held_back(self, party: Party, seen: Singles, held: NDArray[np.bool_]) -> Floats:
        """Return the likelihood of the stays of a party that were held back, given the others."""
        kept, before = np.where(held[:, None], np.float32(1), seen), np.empty_like(seen)
        before[:] = self._everybody
        if not isinf(self.weight):
            law = personal_law(seen[~held], self._everybody, self.weight)
            before[held], before[~held] = law.shares, law.priors(seen[~held])
        found = np.concatenate([chain.posteriors() for chain in self._chains(party, before, kept)])
        return np.asarray(np.maximum((found[held] * seen[held]).sum(axis=1), TINY), dtype=np.float64)

    # -- a person's places -------------------------------------------------------------------------

    @cached_property
    def _everybody(self) -> Singles:
        return self.density.astype(np.float32)

    def _law(self, likelihood: Likelihood, party: Party, seen: Singles) -> PersonalLaw | None:
        """Return the law of a person's places, from no more of their stays than fit in memory.

        ``seen`` is the likelihood of the first of them, which are often all.
        """
        if isinf(self.weight) or not party.alone:
            return None
        if len(seen) < party.stays:
            seen = likelihood.together(*party.sample_rows(self.most_stays))
        return personal_law(seen, self._everybody, self.weight)

    def _priors(self, seen: Singles, law: PersonalLaw | None) -> Singles:
        if law is None:
            return np.broadcast_to(self._everybody, seen.shape)
        return law.priors(seen)

    # -- a speed limit -----------------------------------------------------------------------------

    @cached_property
    def _reach(self) -> Reach:
        return Reach(self.grid)

    def _chains(self, party: Party, before: Singles, seen: Singles) -> Iterator[Chain]:
        assert self.max_speed is not None
        at = 0
        for journey in party.journeys:
            here = slice(at, at + len(journey.stays))
            reaches = [self._reach.within(self.max_speed * gap) for gap in np.diff(journey.stays.middles)]
            yield Chain(before[here], seen[here], reaches, self.jump)
            at = here.stop


def _sample(parties: Sequence[Party], cells: int) -> list[Party]:
    """Return people with several stays, evenly selected, as many as the sample has room for."""
    returning = [party for party in parties if party.alone]
    room, chosen = SAMPLE // cells, []
    order = np.random.default_rng(len(returning)).permutation(len(returning))
    for place in order:
        if room <= 0:
            break
        chosen.append(returning[place])
        room -= min(returning[place].stays, MOST_OF_ONE)
    return chosen


# -- the test of a given speed limit ---------------------------------------------------------------

LIMIT_SAMPLE = 1 << 23
"""Numbers, one for each report and cell, by which a limit is judged."""

MOST_REPORTS_OF_ONE = 256
"""Most reports of one person among them."""


def limit_holds(limited: Model, likelihood: Likelihood, parties: Sequence[Party]) -> bool:
    """Return whether a fitted model with a speed limit explains the reports as well as one without."""
    room = LIMIT_SAMPLE // limited.grid.size
    people = [person for person in _people(parties) if sum(own.rows.size for own in person.journeys) > 1]
    every = max(-(-len(people) * MOST_REPORTS_OF_ONE // room), 1)
    sample = [person.first_rows(MOST_REPORTS_OF_ONE) for person in people[::every]]
    single = [party.by_reports() for party in sample]
    # a person's places, learned from the very reports that are judged, would favour the model with more stays
    limited, free = replace(limited, weight=inf), Model(limited.grid, limited.density)
    return limited.evidence(likelihood, sample) >= free.evidence(likelihood, single)


def _people(parties: Sequence[Party]) -> Iterator[Party]:
    """Return one party for each person; a single stay may hold many reports."""
    for party in parties:
        if party.alone:
            yield party
        else:
            yield from (Party([journey], alone=True) for journey in party.journeys)
