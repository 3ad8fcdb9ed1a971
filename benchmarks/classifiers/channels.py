"""The mechanisms of the figures under the paper's names, as the exact mechanisms of this package."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial

from noisewright.domains import Interval
from noisewright.mechanisms import NumericMechanism
from noisewright.published.classifier_utility import PAPER_MECHANISMS, feature_delta
from noisewright.utility.core.curve import Factory, Wanted, make_curve

EPSILONS = tuple(float(epsilon) for epsilon in range(1, 9))
"""ε of each sensitive feature in every figure."""

FAILURE = 0.1
"""δ of a record: of the privacy indicator, or of all its Gaussian reports (sections 7.2.2 and C.6.1)."""

POINTS = 100
"""Parts of the exponential mechanism and of k-RR."""

GAUSSIAN = "Gaussian"
MECHANISMS: dict[str, Wanted | Factory] = {**PAPER_MECHANISMS, GAUSSIAN: "ExtendedGaussian"}

PURE = ("Laplace", "PM", "Exponential")
INSIDE = ("PM", "SW", "Exponential", "k-RR")
"""Mechanisms whose reports stay in the domain."""


def chosen(names: Sequence[str], features: int) -> dict[str, Wanted | Factory]:
    """Some mechanisms by the paper's names, for records with so many sensitive features."""
    return {name: partial(_made, name, feature_delta(FAILURE, features)) for name in names}


@cache
def _made(name: str, delta: float, domain: Interval, epsilon: float) -> NumericMechanism:
    """One mechanism, proved once: the figures of a study share a few of them."""
    curve = make_curve({name: MECHANISMS[name]}, [epsilon], points=POINTS, delta=delta, lattice=domain.cells)
    return curve.channels[0][0].mechanism
