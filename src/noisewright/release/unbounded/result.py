"""What an unbounded release hands over, and what may be said about it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from noisewright.domains import Floats
from noisewright.guarantees import PACPrivacy
from noisewright.randomness import SIMULATED
from noisewright.release.algorithms.base import Algorithm, Facts
from noisewright.release.confidential import Confidential
from noisewright.release.unbounded.plan import LimitedPlan


@dataclass(frozen=True, eq=False)
class UnboundedReleased(Confidential):
    """A released vector and its model, with a guarantee that holds but for ``failure``.

    ``vector`` and ``model`` are for publishing. ``plan`` and ``facts`` are exact functions of the pool:
    they tell nothing about the half, and must stay private all the same, so the whole is not pickled or
    copied. ``clipped_share`` is that of the simulation. ``guarantee`` and ``failure`` are None if the noise
    was chosen by a rule that proves nothing.
    """

    algorithm: Algorithm
    facts: Facts = field(repr=False)
    vector: Floats
    model: Any
    guarantee: PACPrivacy | None
    failure: float | None
    plan: LimitedPlan = field(repr=False)
    trials: int
    clipped_share: float
    simulated: bool

    @property
    def information_upper(self) -> float | None:
        """Nats about the hidden half, but for ``failure``; None where nothing is proved."""
        return None if self.guarantee is None else self.plan.information_upper

    @property
    def information_certain(self) -> float:
        """Nats about the hidden half that hold for certain, because outputs are clipped: usually far more."""
        return self.plan.information_certain

    def explain(self) -> str:
        """What is promised and what is not, for somebody who reads nothing else."""
        return f"({SIMULATED}) {self._promise()}" if self.simulated else self._promise()

    def _promise(self) -> str:
        if self.guarantee is None:
            return (
                "Nothing is promised: the noise follows a published rule that stops when its estimates move "
                "little, which proves nothing about them."
            )
        return (
            f"With probability at least 1 − {self.failure:g} over a simulation of {self.trials:,} public "
            f"halves, the release carries at most {self.guarantee.mutual_information:g} nats about which "
            f"half of the pool was used. If the simulation was that unlucky, this bound does not hold, and "
            f"only that of clipping is left: {self.information_certain:.3g} nats. "
            f"{self.guarantee.explain()} Membership in the pool itself is not protected."
        )
