"""Release: hand over an algorithm, data and a budget; get back a model that may be published.

The base of all kinds of release comes first: its arguments, what it publishes, and what stays private.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, Final, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from noisewright.errors import InvalidParameter
from noisewright.parameters import one_of, whole
from noisewright.progress import Progress
from noisewright.randomness import SeededSource
from noisewright.release.algorithms.base import Algorithm
from noisewright.release.algorithms.catalogue import algorithm_for
from noisewright.release.attacks import AttackReport, attack
from noisewright.release.basics.budgets import Budget, MembershipSuccess, MutualInformation, check_budget
from noisewright.release.basics.pool import Pool, read_pool
from noisewright.release.basics.worlds import Worlds, worlds_for
from noisewright.release.bounded import Released, calibrate, release_once
from noisewright.release.card import Card
from noisewright.release.execution import Task, fresh_seed, run_worlds
from noisewright.release.model_file import save
from noisewright.release.noise import SHAPES, NoisePlan
from noisewright.release.search import expand, search
from noisewright.release.unbounded import UnboundedReleased

PRIVATE: Final = ("_pool", "released_", "plan_", "facts_", "search_")
"""Attributes of a fitted release that must stay with the data holder."""


class Publisher(BaseEstimator):  # type: ignore[misc]  # scikit-learn is untyped
    """Base of all releases, with scikit-learn's interface; subclasses have the arguments."""

    algorithm: Any
    budget: Budget
    noise: str
    random_state: int | None
    released_: Any
    _pool: Pool

    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: N803  (scikit-learn's name)
        """Run the algorithm in all worlds, plan the noise, draw the secret world, and publish it with noise.

        Args:
            X: Table of finite numbers, (records, features): an array or a data frame, at least 4 records.
            y: One label for each record, numbers or texts; None for algorithms without labels.
        """
        check_budget(self.budget)
        one_of("noise", self.noise, SHAPES)
        self.__dict__.pop("search_", None)  # of an earlier fit
        algorithm, pool = algorithm_for(self.algorithm), read_pool(X, y)
        made = self._release(algorithm, pool)
        found = getattr(self, "search_", None)
        summary = None if found is None else found.summary
        self.card_ = Card.of(made, noise=self.noise, search=summary)  # first: it may still raise an error
        self._pool, self.released_ = pool, made
        self.plan_, self.facts_ = made.plan, made.facts
        self.model_, self.vector_ = made.model, made.vector
        self.guarantee_, self.simulated_ = made.guarantee, made.simulated
        return self

    @abstractmethod
    def _release(self, algorithm: Algorithm, pool: Pool) -> Released | UnboundedReleased:
        """Make the release of a pool."""

    @property
    def _seed(self) -> int | None:
        """The requested public seed of the worlds and of simulations; it hides nothing."""
        if self.random_state is None:
            return None
        return whole("random_state", self.random_state, 0, (1 << 62) - 1)

    @property
    def _source(self) -> SeededSource | None:
        """The source of the secret and of the noise; None is private."""
        return None if self.random_state is None else SeededSource(self.random_state)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the released model and its card as JSON; everything in the file may be published.

        Args:
            path: File to write, whole or not at all.
        """
        self._check_here("save")
        save(path, self.released_, self.card_)

    def _attack(self, plan: NoisePlan, worlds: Worlds, promised: float, **simulation: Any) -> AttackReport:
        """Attack simulated releases of a plan; ``simulation`` has their number, the confidence, the seed."""
        nats = self.released_.guarantee.mutual_information
        return attack(plan, worlds, self._task, promised, nats, **simulation)

    @property
    def _task(self) -> Task:
        """The algorithm that was released, and the pool."""
        return Task(self.released_.algorithm, self.released_.facts, self._pool.rows, self._pool.labels)

    def _check_here(self, what: str) -> None:
        check_is_fitted(self, "model_")
        if not hasattr(self, "released_"):
            raise InvalidParameter(
                f"this release came from a pickle, without the data; {what} it where it was fitted"
            )

    def __getstate__(self) -> Any:
        """Leave out everything that is exact about the data: people send pickles.

        A fitted estimator is replaced by the algorithm with its parameters. Data that your own function
        carries is pickled with it.
        """
        state = {name: value for name, value in super().__getstate__().items() if name not in PRIVATE}
        return state | {"algorithm": algorithm_for(self.algorithm)}


class Release(Publisher):
    """Publish what an algorithm learns from data you hold, with a proof of how much the publication reveals.

    The algorithm runs in public *worlds* (each a random half of the records, in complementary pairs). One
    world is then drawn in secret, and its output is published with enough Gaussian noise that the publication
    carries at most ``budget`` about *which world it was*.

    **Limits:** the release does not hide that somebody's record is in the data at all, only whether it was in
    the world that was used. The observer is assumed to know all worlds.

    Args:
        algorithm: What to release: one of :mod:`noisewright.release.algorithms`, a scikit-learn estimator
            that has a form there (KMeans, LinearSVC, LogisticRegression, Ridge, GaussianNB, PCA, a pipeline
            with a scaler), or any function from rows to numbers.
        budget: Most that the release may reveal: :class:`MutualInformation` in nats, or
            :class:`MembershipSuccess`.
        noise: Shape of the noise: "optimal" (least total variance), "paper" or "isotropic".
        worlds: Number of worlds, even, or a list of :class:`Worlds` made for the same records.
        grid: Parameters to choose among, such as ``{"C": [0.01, 0.1, 1]}`` or "auto", by their utility after
            the noise. The choice depends on all worlds equally and costs none of the budget. None takes the
            algorithm as it is.
        random_state: None is private. Any whole number makes the release repeatable and not private, and
            everything made with it says so.
        jobs: Number of workers, as joblib counts them; None leaves it to joblib. The result is the same.
        keep: Folder for finished worlds, from which interrupted work continues; None keeps nothing. It will
            hold exact outputs of private data: delete it when the release is done.
        progress: Called with the number of finished worlds and the number of all.

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
        progress: Progress | None = None,
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

    def _release(self, algorithm: Algorithm, pool: Pool) -> Released:
        if isinstance(self.grid, str) and self.grid != "auto":
            raise InvalidParameter(f"must be a mapping, 'auto' or None, got {self.grid!r}", field="grid")
        seed = fresh_seed(self.keep) if self._seed is None else self._seed
        worlds = worlds_for(self.worlds, len(pool.rows), seed)
        task = Task.of(algorithm, pool)
        facts = task.facts
        how: dict[str, Any] = {"jobs": self.jobs, "progress": self.progress, "keep": self.keep}
        if self.grid is None:
            outputs = run_worlds(task, worlds, **how)
        else:
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
            self.search_, algorithm, facts, outputs = found, found.best, found.facts, found.outputs
        # another seed: a winner is certified on releases that did not select it
        other = int(np.random.SeedSequence([seed, 2]).generate_state(1, np.uint64)[0] >> 2)
        calibrated = calibrate(outputs, worlds, self.budget, self.noise, other)
        return release_once(algorithm, facts, worlds, calibrated, self._source)

    def attack(self, trials: int = 1000, confidence: float = 0.99, seed: int | None = None) -> AttackReport:
        """Try to find the members of the used world, on releases simulated with public chance.

        Args:
            trials: Number of simulated releases, at least 8.
            confidence: Probability with which all bounds of the report hold together.
            seed: Seed of the simulation; None draws a new one.
        """
        self._check_here("attack")
        made: Released = self.released_
        budget = made.calibrated.budget
        by_theorem = made.guarantee.success_upper(0.5)
        promised = budget.rate if isinstance(budget, MembershipSuccess) else by_theorem
        how = {"trials": trials, "confidence": confidence, "seed": seed}
        return self._attack(made.plan, made.worlds, promised, **how)
