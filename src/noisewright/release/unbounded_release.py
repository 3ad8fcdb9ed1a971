"""UnboundedRelease: like Release, with a secret half that may be any half of the data."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from typing import Any, Self

from numpy.typing import ArrayLike

from noisewright.errors import InvalidParameter
from noisewright.randomness import SeededSource
from noisewright.release.algorithms.catalogue import algorithm_for
from noisewright.release.attacks import AttackReport
from noisewright.release.budget import MembershipSuccess, MutualInformation
from noisewright.release.pool import published_facts, read_pool
from noisewright.release.publisher import Publisher, check_budget, public_seed
from noisewright.release.running import run_worlds
from noisewright.release.unbounded import release_unbounded
from noisewright.release.worlds import Worlds


class UnboundedRelease(Publisher):
    """Publish what an algorithm learns from a secret half of the data, drawn from *all* halves.

    No list of halves is public here, so naming many members at once is as hard as it can be. The price: how
    the output varies must be bounded from a simulation, and with probability ``failure`` the simulation
    misleads and **the budget is not kept**. Outputs are clipped: ``clip`` is a public range, otherwise a
    pilot of ``pilot`` halves sets one. ``keep`` names a private folder from which an interrupted simulation
    goes on. See :func:`~noisewright.release.unbounded.release_unbounded`.

    As with :class:`Release`, membership in the data itself is not hidden, and a ``random_state`` makes a
    simulation that is not private.

    >>> import numpy as np
    >>> from noisewright.release.algorithms import Mean
    >>> X = np.random.default_rng(0).normal(size=(100, 2))
    >>> release = UnboundedRelease(Mean(), MutualInformation(1 / 4), trials=512, pilot=64).fit(X)
    >>> release.model_.value.shape, release.released_.failure
    ((2,), 1e-06)
    """

    def __init__(
        self,
        algorithm: Any,
        budget: MutualInformation | MembershipSuccess,
        *,
        noise: str = "optimal",
        failure: float = 1e-6,
        trials: int = 2048,
        pilot: int = 256,
        clip: tuple[ArrayLike, ArrayLike] | None = None,
        limit: str = "betting",
        rule: str = "proved",
        random_state: int | None = None,
        jobs: int | None = None,
        keep: str | PathLike[str] | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self.algorithm = algorithm
        self.budget = budget
        self.noise = noise
        self.failure = failure
        self.trials = trials
        self.pilot = pilot
        self.clip = clip
        self.limit = limit
        self.rule = rule
        self.random_state = random_state
        self.jobs = jobs
        self.keep = keep
        self.progress = progress

    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: N803  (scikit-learn's name)
        """Simulate on public halves, plan the noise, run on the secret half and publish."""
        check_budget(self.budget)
        algorithm, pool = algorithm_for(self.algorithm), read_pool(X, y)
        facts = published_facts(algorithm, pool)
        how = {name: getattr(self, name) for name in ("failure", "trials", "pilot", "clip", "limit", "rule")}
        made = release_unbounded(
            algorithm,
            facts,
            pool.rows,
            pool.labels,
            self.budget,
            shape=self.noise,
            jobs=self.jobs,
            keep=self.keep,
            progress=self.progress,
            seed=None if self.random_state is None else public_seed(self.random_state),
            source=None if self.random_state is None else SeededSource(self.random_state),
            **how,
        )
        self._publish(pool, made)
        return self

    def attack(
        self, trials: int = 1000, confidence: float = 0.99, seed: int | None = None, worlds: int = 1024
    ) -> AttackReport:
        """Try to tell who was in the half, for an attacker who even knows that it is one of ``worlds``."""
        self._check_here("attack")
        made, pool = self.released_, self._pool
        if made.guarantee is None:
            raise InvalidParameter("this release promises nothing, so there is nothing to test")
        listed = Worlds(len(pool.rows), worlds, public_seed(seed))
        outputs = run_worlds(made.algorithm, made.facts, pool.rows, pool.labels, listed, jobs=self.jobs)
        promised = made.guarantee.success_upper(0.5)
        return self._attacked(made.plan.over(outputs), listed, promised, trials, confidence, seed)
