"""The task of a plan for shared coins, and the gain and cost of one choice of them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from noisewright.domains import Floats
from noisewright.guarantees.base import INFINITY
from noisewright.mechanisms.joint import Collusion, GroupLaw
from noisewright.mechanisms.joint.calibration import Cap, caps
from noisewright.mechanisms.joint.exposure import LabelExposure
from noisewright.mechanisms.joint.variances import SharedNoise
from noisewright.mechanisms.joint.words import shown

STEPS = 64
"""Parts into which a range of shares is cut if there are more than two labels."""


@dataclass(frozen=True)
class JointTask:
    """The task of shared coins: the people, the caps on privacy, and the expected shares.

    ``shares`` is the range of shares that counts; ``known`` is False if none was given, and it is then all
    shares. ``most_loss`` bounds how much more variance than randomized response the coins may have at any
    share between 0 and 1, expected or not; None is no bound.
    """

    users: int
    colluders: int
    epsilon: float
    cap_average: float
    cap_colluding: float | None
    shares: tuple[float, float]
    group: int
    labels: int = 2
    known: bool = True
    most_loss: float | None = None

    @property
    def averaged(self) -> bool:
        """Whether the average over all shares counts instead of the worst: none is known, a loss accepted."""
        return not self.known and self.most_loss is not None

    @property
    def statistic(self) -> str:
        """Which variances and ratios the rows of a plan show."""
        if self.averaged:
            return "on average over all shares"
        if not self.known:
            return "at the worst of all shares"
        low, high = self.shares
        return "at the expected share" if low == high else "at the worst of the expected shares"

    @property
    def turning_shares(self) -> list[float]:
        """Shares at which coins can do worst: the ends of the range, and where lies do not cancel.

        The latter is 1/k for k labels. With two labels these three are enough. With more, the error of
        randomized response also depends on the share, and a scale of shares in between is tried.
        """
        low, high = self.shares
        inside = [1 / self.labels] if low < 1 / self.labels < high else []
        if self.labels == 2 or low == high:
            return [low, high, *inside]
        return [low, high, *inside, *np.linspace(low, high, STEPS + 1)[1:-1].tolist()]

    @property
    def caps(self) -> tuple[Cap, ...]:
        """The privacy numbers that coins must keep, and what they may be at most."""
        return caps(self.users, self.colluders, self.group, self.cap_average, self.cap_colluding)

    @property
    def exposure(self) -> LabelExposure:
        """What anyone learns who knows a partner's flag."""
        return LabelExposure(self.labels)

    def noise(self, truth: float, correlation: float) -> SharedNoise:
        """Return the noise that coins with these two numbers add to a count."""
        return SharedNoise.of_response(truth, correlation, self.labels, self.group)

    def variances(self, truth: float, correlation: float) -> Floats:
        """Return the variance of the count at each of the turning shares."""
        noise = self.noise(truth, correlation)
        return noise.count_variance(np.array(self.turning_shares) * self.users, self.users)

    def planned_variance(self, truth: float, correlation: float) -> float:
        """Return the variance of the count, on average over all shares or at the worst that counts."""
        if self.averaged:
            start, slope, bend = self.noise(truth, correlation).in_the_share(self.users)
            return start + slope / 2 + bend / 3
        return float(self.variances(truth, correlation).max())

    @property
    def share_words(self) -> str:
        """The expected shares in words."""
        low, high = self.shares
        if not self.known:
            return "anything from 0 to 1"
        return f"{low:g}" if low == high else f"{low:g} to {high:g}"


@dataclass(frozen=True)
class JointRow:
    """One choice of coins: its law, the variance of a count, and what it costs.

    ``variance`` and ``ratio``, the variance over that of randomized response, are the largest over the shares
    that count, or both averages over all shares (``JointTask.statistic``). With two labels randomized
    response has one variance at all shares, and ``ratio`` is the quotient of the two variances; with more
    labels that holds for a single share only.
    """

    name: str
    law: GroupLaw
    variance: float
    ratio: float
    numbers: Collusion

    @property
    def truth(self) -> float:
        """The probability of a true answer."""
        return float(self.law.truth)

    @property
    def correlation(self) -> float:
        """The correlation of the flags of two people of one group, without the last digits of rounding."""
        return round(float(self.law.correlation), 15) + 0.0

    def warnings(self, task: JointTask) -> list[str]:
        """Return the caps that this choice breaks."""
        found = []
        if self.numbers.epsilon_average > task.cap_average * (1 + 1e-9):
            spent = shown(self.numbers.epsilon_average)
            found.append(
                f"It breaks the cap {shown(task.cap_average)} on the average: it spends ε = {spent}."
            )
        limit = task.cap_colluding
        if limit is not None and self.numbers.epsilon_colluding > limit * (1 + 1e-9):
            spent = shown(self.numbers.epsilon_colluding)
            found.append(f"It breaks the cap {shown(limit)} given that the partner colludes: ε = {spent}.")
        return found

    def to_dict(self) -> dict[str, Any]:
        """Return the row in strict JSON values; integers beyond 2⁵³ as text."""
        return {
            "name": self.name,
            "truth": self.truth,
            "correlation": self.correlation,
            "weights": [str(weight) for weight in self.law.weights],
            "variance": self.variance,
            "ratio": self.ratio,
            "standard_error": math.sqrt(self.variance),
            "epsilon_average": finite(self.numbers.epsilon_average),
            "epsilon_published": finite(self.numbers.epsilon_published),
            "epsilon_colluding": finite(self.numbers.epsilon_colluding),
            "certainty": float(self.numbers.certainty),
        }


def finite(number: float) -> float | str:
    """Return a number for JSON; infinity becomes text."""
    return INFINITY if number == math.inf else number
