"""Release: hand over an algorithm, data and a budget; get back a model that may be published."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any, NamedTuple, Self

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.randomness import SeededSource
from noisewright.release.algorithms.base import Algorithm, Facts
from noisewright.release.algorithms.catalogue import algorithm_for
from noisewright.release.attacks import AttackReport
from noisewright.release.budget import MembershipSuccess, MutualInformation
from noisewright.release.noise import SHAPES
from noisewright.release.pool import Pool, published_facts, read_pool
from noisewright.release.publisher import Publisher, check_budget, public_seed
from noisewright.release.releasing import Released, calibrate, release_once, worlds_for
from noisewright.release.running import kept_seed, run_worlds
from noisewright.release.search import expand, search
from noisewright.release.worlds import Worlds


class Release(Publisher):
    """Publish what an algorithm learns from data you hold, with a proof of what the publication tells.

    The algorithm is run in ``worlds`` public halves of the data (half of the records each, in complementary
    pairs). One half is then drawn in secret, and its output is published with Gaussian noise, measured out so
    that the publication carries at most ``budget`` about *which half it was*.

    **What is not promised:** that somebody's record is in the data at all. Only whether it was in the half
    that was used is hidden. Every half together is assumed to be known to the observer.

    - ``algorithm``: one of :mod:`noisewright.release.algorithms`, a scikit-learn estimator that has a form
      there (KMeans, LinearSVC, LogisticRegression, Ridge, GaussianNB, PCA, a pipeline with a scaler), or any
      function from rows to numbers.
    - ``budget``: :class:`MutualInformation` in nats, or :class:`MembershipSuccess`.
    - ``noise``: "optimal" (least total variance), "paper" or "isotropic".
    - ``grid``: parameters to choose among, such as ``{"C": [0.01, 0.1, 1]}`` or "auto", by what they are
      worth after the noise; the choice leans on all halves alike and costs nothing of the budget.
    - ``random_state``: None is private. Anything else repeats, and everything made with it says so.
    - ``jobs``, ``keep``, ``progress``: see :func:`~noisewright.release.running.run_worlds`.

    Fitting sets ``model_``, ``vector_`` and ``card_``, which may be published, ``guarantee_``, and for your
    own use ``released_``, ``plan_`` and ``facts_``, which are exact about the data; a pickle leaves them out.

    >>> import numpy as np
    >>> from sklearn.cluster import KMeans
    >>> X = np.random.default_rng(0).normal(size=(200, 2)) + np.repeat([[0, 0], [9, 9]], 100, axis=0)
    >>> release = Release(KMeans(2), budget=MutualInformation(1 / 4), worlds=64).fit(X)
    >>> release.model_.predict(X).shape, release.guarantee_
    ((200,), PACPrivacy(mutual_information=0.25))
    """

    def __init__(
        self,
        algorithm: Any,
        budget: MutualInformation | MembershipSuccess,
        *,
        noise: str = "optimal",
        worlds: int | Worlds = 1024,
        grid: Mapping[str, Sequence[Any]] | str | None = None,
        random_state: int | None = None,
        jobs: int | None = None,
        keep: str | PathLike[str] | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self.algorithm = algorithm
        self.budget = budget
        self.noise = noise
        self.worlds = worlds
        self.grid = grid
        self.random_state = random_state
        self.jobs = jobs
        self.keep = keep
        self.progress = progress

    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: N803  (scikit-learn's name)
        """Run all worlds, plan the noise, draw the secret world and publish it."""
        algorithm, seed = self._checked(), self._seed()
        pool = read_pool(X, y)
        worlds = worlds_for(self.worlds, len(pool.rows), seed)
        run = self._run(algorithm, pool, worlds, seed)
        calibrated = calibrate(run.outputs, worlds, self.budget, self.noise, apart(seed))
        source = None if self.random_state is None else SeededSource(self.random_state)
        made = release_once(run.algorithm, run.facts, worlds, calibrated, source)
        self._publish(pool, made, searched=run.searched)
        return self

    def attack(self, trials: int = 1000, confidence: float = 0.99, seed: int | None = None) -> AttackReport:
        """Try to tell who was in the half that was used, on releases played out with public chance."""
        self._check_here("attack")
        made = self.released_
        return self._attacked(made.plan, made.worlds, promised_success(made), trials, confidence, seed)

    def _seed(self) -> int:
        """The public seed; a folder of kept worlds has its own, so that the same halves can go on."""
        seed = public_seed(self.random_state)
        return seed if self.keep is None or self.random_state is not None else kept_seed(self.keep, seed)

    def _checked(self) -> Algorithm:
        check_budget(self.budget)
        if isinstance(self.grid, str) and self.grid != "auto":
            raise InvalidParameter(f"grid must be a mapping, 'auto' or None, got {self.grid!r}")
        if self.noise not in SHAPES:
            raise InvalidParameter(f"noise must be one of {', '.join(SHAPES)}, got {self.noise!r}")
        return algorithm_for(self.algorithm)

    def _run(self, algorithm: Algorithm, pool: Pool, worlds: Worlds, seed: int) -> Run:
        """The outputs of all worlds, of the algorithm itself or of the best on the grid."""
        self.__dict__.pop("search_", None)  # of an earlier fit
        how: dict[str, Any] = {"jobs": self.jobs, "progress": self.progress, "keep": self.keep}
        facts = published_facts(algorithm, pool)
        if self.grid is None:
            return Run(algorithm, facts, run_worlds(algorithm, facts, pool.rows, pool.labels, worlds, **how))
        found = search(
            expand(algorithm, None if isinstance(self.grid, str) else self.grid),
            pool.rows,
            pool.labels,
            worlds,
            1.0,
            planner=lambda outputs, some: calibrate(outputs, some, self.budget, self.noise, seed).plan,
            names=pool.names,
            seed=seed,
            **how,
        )
        self.search_ = found
        return Run(found.best, found.facts, found.outputs, found.told)


class Run(NamedTuple):
    """An algorithm that ran in every world."""

    algorithm: Algorithm
    facts: Facts
    outputs: Floats
    searched: str | None = None


def apart(seed: int) -> int:
    """Another seed: a winner is certified on releases that had no part in its winning."""
    return int(np.random.SeedSequence([seed, 2]).generate_state(1, np.uint64)[0] >> 2)


def promised_success(made: Released) -> float:
    """How often any attack may be right about one record, by the budget of the release."""
    if isinstance(made.calibrated.budget, MembershipSuccess):
        return made.calibrated.budget.rate
    return made.guarantee.success_upper(0.5)
