"""The base of every kind of release: what is asked for, what is published, and what must stay."""

from __future__ import annotations

from abc import abstractmethod
from os import PathLike
from typing import Any, Final, Self

from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from noisewright.errors import InvalidParameter
from noisewright.parameters import one_of, whole
from noisewright.randomness import SeededSource
from noisewright.release.algorithms.base import Algorithm
from noisewright.release.algorithms.catalogue import algorithm_for
from noisewright.release.attacks import AttackReport, attack
from noisewright.release.basics.budgets import Budget
from noisewright.release.basics.pool import Pool, read_pool
from noisewright.release.basics.worlds import Worlds
from noisewright.release.bounded import Released
from noisewright.release.card import Card
from noisewright.release.execution import Task
from noisewright.release.model_file import save
from noisewright.release.noise import SHAPES, NoisePlan
from noisewright.release.unbounded import UnboundedReleased

PRIVATE: Final = ("_pool", "released_", "plan_", "facts_", "search_")
"""Attributes of a fitted release that must stay with the data holder."""


class Publisher(BaseEstimator):  # type: ignore[misc]  # scikit-learn is untyped
    """A release with scikit-learn's manners; a subclass says how it is made, and describes its arguments."""

    algorithm: Any
    budget: Budget
    noise: str
    random_state: int | None
    released_: Any
    _pool: Pool

    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: N803  (scikit-learn's name)
        """Run the algorithm in all worlds, plan the noise, draw the secret world and publish it.

        Args:
            X: Table of finite numbers, (records, features): an array or a data frame, at least 4 records.
            y: One label for each record, numbers or texts; None for algorithms that need none.
        """
        check_budget(self.budget)
        one_of("noise", self.noise, SHAPES)
        self.__dict__.pop("search_", None)  # of an earlier fit
        algorithm, pool = algorithm_for(self.algorithm), read_pool(X, y)
        made = self._release(algorithm, pool)
        search = getattr(self, "search_", None)
        summary = None if search is None else search.summary
        self.card_ = Card.of(made, noise=self.noise, search=summary)  # first: it may still refuse
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
        """The public seed that was asked for: of the worlds and of simulations; it hides nothing."""
        if self.random_state is None:
            return None
        return whole("random_state", self.random_state, 0, (1 << 62) - 1)

    @property
    def _source(self) -> SeededSource | None:
        """The source of the secret and of the noise; None is private."""
        return None if self.random_state is None else SeededSource(self.random_state)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the released model and its card as JSON; nothing in the file is unnoised.

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
        """Without what is exact about the data: a pickle is something that people send.

        An estimator that was handed over fitted is replaced by the algorithm that was read off it. What a
        function of your own carries with it does travel.
        """
        state = {name: value for name, value in super().__getstate__().items() if name not in PRIVATE}
        return state | {"algorithm": algorithm_for(self.algorithm)}


def check_budget(budget: Any) -> None:
    """Reject anything that is not a budget, in particular a plain number: it could be nats or a success."""
    if not isinstance(budget, Budget):
        raise InvalidParameter(
            "must be a MutualInformation in nats, as MutualInformation(1/4), or a MembershipSuccess, "
            f"not {type(budget).__name__}",
            field="budget",
        )
