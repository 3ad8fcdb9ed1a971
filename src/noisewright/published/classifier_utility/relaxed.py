"""Utility under relaxed privacy: the privacy indicator and the extended Gaussian mechanism (section 5.2).

The indicator runs a mechanism with probability 1 − δ and publishes the raw record otherwise. The answer then
holds with probability δ + (1 − δ)·utility, which is its whole "refinement": it gains utility by not
protecting a share δ of the people.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats
from noisewright.errors import NoTheorem
from noisewright.guarantees import ProbabilisticLDP
from noisewright.guarantees.base import any_of, total
from noisewright.mechanisms import NumericMechanism
from noisewright.mechanisms.basics.window import least_and_most
from noisewright.mechanisms.piecewise import WindowMechanism
from noisewright.mechanisms.tabular import GridMechanism
from noisewright.parameters import DELTA, EPSILON, whole

MOST_FEATURES = 1 << 20

_INDICATOR = (
    "With probability δ the raw record is published: of 1,000 people about 1,000·δ are fully exposed, "
    "and nobody knows beforehand who.",
    "The notion is not closed under post-processing: rounding or clipping a report may break it, so a "
    "pipeline has to be judged at its end.",
    "On a grid the published δ is too small: a report that equals the raw value fails whether it came from "
    "the mechanism or not, which adds (1 − δ) times the mechanism's own probability of the truth.",
    "The utility gained is exactly the share of people who are not protected.",
)

_GAUSSIAN = (
    "For each pair of values the loss may exceed ε in a share δ of the reports, without a limit.",
    "The notion is not closed under post-processing; clipping a report to 0..1 may break it.",
    "The deviation comes from a loose tail bound: at ε = 1, δ = 0.1 the loss exceeds ε in 0.7 % of the "
    "reports, so the same statement could be had with less noise.",
)


@dataclass(frozen=True)
class PrivacyIndicator:
    """The rule that publishes the raw record with probability ``delta``, and otherwise a mechanism's reports.

    Args:
        delta: The probability.

    >>> indicator = PrivacyIndicator(0.1)
    >>> indicator.utility(0.5)
    0.55
    >>> indicator.claimed_guarantee(epsilon=1.0, features=2)
    ProbabilisticLDP(epsilon=2.0, delta=0.1)
    """

    delta: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "delta", DELTA.check(self.delta))

    def utility(self, utility: ArrayLike) -> Floats | float:
        """Return δ + (1 − δ)·utility: a raw record keeps its answer for sure."""
        mixed = self.delta + (1 - self.delta) * np.asarray(utility, dtype=np.float64)
        return float(mixed) if np.ndim(mixed) == 0 else np.asarray(mixed)

    def claimed_guarantee(self, epsilon: float, features: int) -> ProbabilisticLDP:
        """Return the paper's claim for values that are reported with ε each (theorem 3).

        Args:
            epsilon: Budget of one feature.
            features: Number of features.
        """
        return _together(epsilon, features, self.delta)

    def kept_guarantee(self, mechanism: NumericMechanism, features: int) -> ProbabilisticLDP:
        """Return the true guarantee of the indicator, for features reported through one mechanism.

        Between two records the loss can exceed its bound only at a report that equals the true record, which
        occurs with probability δ + (1 − δ)·P(mechanism reports the truth). For a density the last term is 0;
        on a grid it is not.

        Args:
            mechanism: The mechanism of every feature.
            features: Number of features.

        >>> from noisewright import Interval
        >>> from noisewright.mechanisms import BinnedKRR
        >>> kept = PrivacyIndicator(0.1).kept_guarantee(BinnedKRR(Interval(0, 1), epsilon=4.0), features=1)
        >>> round(kept.delta, 3)
        0.42
        """
        truth = most_likely(mechanism) ** _count(features)
        delta = (self.delta + (1 - self.delta) * truth) * (1 + 2.0**-50)
        return _together(mechanism.epsilon, features, delta)

    def caveats(self) -> tuple[str, ...]:
        """Return the caveats for users of the indicator."""
        return _INDICATOR


def most_likely(mechanism: NumericMechanism) -> float:
    """Return the largest probability that any input gives to any single report."""
    if isinstance(mechanism, GridMechanism):
        return float(mechanism.table.masses.max())
    if isinstance(mechanism, WindowMechanism):
        window, all_positions = mechanism.window, 1 << mechanism.window.position_bits
        anywhere, inside = (least_and_most(window.position_bits, n)[1] for n in (window.cells, window.width))
        return (window.anywhere * anywhere + (1 - window.anywhere) * inside) / all_positions
    raise NoTheorem(
        f"the privacy indicator's delta is known for window and grid mechanisms, not for "
        f"{type(mechanism).__name__}"
    )


def gaussian_guarantee(epsilon: float, delta: float, features: int) -> ProbabilisticLDP:
    """Return the joint guarantee of independent extended Gaussian reports of several features (theorem 2).

    Args:
        epsilon: Budget of one feature.
        delta: δ of one feature.
        features: Number of features.

    >>> gaussian_guarantee(1.0, 0.1, features=2)
    ProbabilisticLDP(epsilon=2.0, delta=0.19...)
    """
    return _together(epsilon, features, any_of("delta", [DELTA.check(delta)] * _count(features)))


def feature_delta(delta: float, features: int) -> float:
    """Return the δ of each feature that keeps a total: 1 − (1 − δ)^(1/d), rounded down.

    Args:
        delta: The total δ.
        features: Number of features d.

    >>> round(feature_delta(0.1, 2), 5)      # the authors' program rounds it up to 0.052, a total of 0.1013
    0.05132
    """
    return -math.expm1(math.log1p(-DELTA.check(delta)) / _count(features)) * (1 - 2.0**-50)


def gaussian_caveats() -> tuple[str, ...]:
    """Return the caveats for users of the extended Gaussian mechanism."""
    return _GAUSSIAN


def _together(epsilon: float, features: int, delta: float) -> ProbabilisticLDP:
    return ProbabilisticLDP(total("epsilon", [EPSILON.check(epsilon)] * _count(features)), delta)


def _count(features: int) -> int:
    return whole("features", features, 1, MOST_FEATURES)
