"""What every kind of release shares once it is made: what may leave, what must stay, and being attacked."""

from __future__ import annotations

import secrets
from os import PathLike
from typing import Any

from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from noisewright.errors import InvalidParameter
from noisewright.parameters import whole
from noisewright.release.algorithms.catalogue import algorithm_for
from noisewright.release.attacks import AttackReport, attack
from noisewright.release.budget import MembershipSuccess, MutualInformation
from noisewright.release.card import Card
from noisewright.release.model_file import save
from noisewright.release.noise import NoisePlan
from noisewright.release.pool import Pool
from noisewright.release.releasing import Released
from noisewright.release.unbounded import UnboundedReleased
from noisewright.release.worlds import Worlds

PRIVATE = ("_pool", "released_", "plan_", "facts_", "search_")
"""What a fitted release knows that must stay with the data holder."""


class Publisher(BaseEstimator):  # type: ignore[misc]  # scikit-learn is untyped
    """A release with scikit-learn's manners; a subclass fits it."""

    algorithm: Any
    noise: str
    _pool: Pool
    released_: Any

    def save(self, path: str | PathLike[str]) -> None:
        """Write the released model and its card as JSON; nothing in the file is unnoised."""
        self._check_here("save")
        save(path, self.released_, self.card_)

    def _publish(self, pool: Pool, made: Released | UnboundedReleased, searched: str | None = None) -> None:
        self.card_ = Card.of(made, noise=self.noise, search=searched)  # first: it may still refuse
        self._pool, self.released_ = pool, made
        self.plan_, self.facts_ = made.plan, made.facts
        self.model_, self.vector_ = made.model, made.vector
        self.guarantee_, self.simulated_ = made.guarantee, made.simulated

    def _attacked(
        self,
        plan: NoisePlan,
        worlds: Worlds,
        promised: float,
        trials: int,
        confidence: float,
        seed: int | None,
    ) -> AttackReport:
        made, pool = self.released_, self._pool
        return attack(
            plan,
            worlds,
            made.algorithm,
            made.facts,
            pool.rows,
            pool.labels,
            promised=promised,
            nats=made.guarantee.mutual_information,
            trials=trials,
            confidence=confidence,
            seed=seed,
        )

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
    """Refuse what is no budget, a bare number above all: it could be nats or a success."""
    if not isinstance(budget, MutualInformation | MembershipSuccess):
        raise InvalidParameter(
            "budget must be a MutualInformation in nats, as MutualInformation(1/4), or a MembershipSuccess, "
            f"not {type(budget).__name__}"
        )


def public_seed(random_state: int | None) -> int:
    """The seed of the worlds and of public simulations; it hides nothing."""
    if random_state is None:
        return secrets.randbits(62)
    return whole("random_state", random_state, 0, (1 << 62) - 1)
