"""UnboundedRelease: like Release, with a secret world that may be any half of the data."""

from __future__ import annotations

from os import PathLike
from typing import Any

from numpy.typing import ArrayLike

from noisewright.errors import InvalidParameter
from noisewright.progress import Progress
from noisewright.release.algorithms.base import Algorithm
from noisewright.release.attacks import AttackReport
from noisewright.release.basics.budgets import MembershipSuccess, MutualInformation
from noisewright.release.basics.pool import Pool
from noisewright.release.basics.worlds import Worlds
from noisewright.release.execution import Task, fresh_seed, run_worlds
from noisewright.release.release import Publisher
from noisewright.release.unbounded import UnboundedReleased, release_unbounded


class UnboundedRelease(Publisher):
    """Publish what an algorithm learns in a secret world, drawn from *all* halves of the data.

    No list of worlds is public here, so naming many members at once is as hard as possible. The price: the
    variance of the output must be bounded from a simulation, and with probability ``failure`` the simulation
    misleads and **the budget is not kept**. See :func:`~noisewright.release.unbounded.release_unbounded`.

    As with :class:`Release`, membership in the data itself is not hidden.

    Args:
        algorithm: What to release, as for :class:`Release`; it must be picklable.
        budget: Most that the release may reveal: :class:`MutualInformation` in nats, or
            :class:`MembershipSuccess`.
        noise: Shape of the noise: "optimal" (least total variance), "paper" or "isotropic".
        failure: Probability that the simulation misleads, above 0 and at most 0.05.
        trials: Number of simulated worlds that bound the variances; more of them need less noise.
        pilot: Number of further simulated worlds that set the range to which outputs are clipped.
        clip: Public range of the outputs, (low, high), numbers or vectors; None lets the pilot set one.
        limit: Confidence limit of a variance: "betting", or "bernstein", which is wider.
        rule: "proved", or "paper": the published stopping rule, with a warning and without a guarantee.
        random_state: None is private. Any whole number makes the release repeatable and not private, and
            everything made with it says so.
        jobs: Number of workers, as joblib counts them; None leaves it to joblib. The result is the same.
        keep: Private folder from which an interrupted simulation continues; None keeps nothing.
        progress: Called with the number of finished simulated worlds and the number of all.

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
        progress: Progress | None = None,
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

    def _release(self, algorithm: Algorithm, pool: Pool) -> UnboundedReleased:
        return release_unbounded(
            Task.of(algorithm, pool),
            self.budget,
            trials=self.trials,
            pilot=self.pilot,
            clip=self.clip,
            failure=self.failure,
            limit=self.limit,
            rule=self.rule,
            shape=self.noise,
            jobs=self.jobs,
            progress=self.progress,
            keep=self.keep,
            seed=self._seed,
            source=self._source,
        )

    def attack(
        self, trials: int = 1000, confidence: float = 0.99, seed: int | None = None, worlds: int = 1024
    ) -> AttackReport:
        """Try to find the members of the used world, for an attacker who knows a list that contains it.

        Args:
            trials: Number of simulated releases, at least 8.
            confidence: Probability with which all bounds of the report hold together.
            seed: Seed of the simulation and of the list; None draws a new one.
            worlds: Number of worlds on the attacker's list, even.
        """
        self._check_here("attack")
        made: UnboundedReleased = self.released_
        if made.guarantee is None:
            raise InvalidParameter("this release promises nothing, so there is nothing to test")
        listed = Worlds(made.facts.records, worlds, fresh_seed() if seed is None else seed)
        outputs = run_worlds(self._task, listed, jobs=self.jobs)
        promised = made.guarantee.success_upper(0.5)
        how = {"trials": trials, "confidence": confidence, "seed": seed}
        return self._attack(made.plan.over(outputs), listed, promised, **how)
