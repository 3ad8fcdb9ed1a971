"""The published utility ρ: the probability of a report in the region where the model was seen to be robust.

For a ball of radius θ, ρ = (F(x + θ) − F(x − θ))^d · (1 − ω)(1 − τ); for a hyperrectangle, the product over
the features of F(bᵢ) − F(aᵢ), where the paper drops the last factor (sections 4.3 and 5.1). In spite of its
name there, ρ is no lower bound of the true utility (``caveats.py``).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats
from noisewright.utility.curve import Curve
from noisewright.utility.published.caveats import AS_PUBLISHED, CAVEATS
from noisewright.utility.published.concentration import ball_masses, box_masses
from noisewright.utility.published.rules import OMEGA, TAU


def confidence_factor(omega: float, tau: float) -> float:
    """(1 − ω)(1 − τ): the paper counts a failed test and the tolerated share as failing altogether.

    >>> round(confidence_factor(0.05, 0.01), 4)
    0.9405
    """
    return (1 - OMEGA.check(omega)) * (1 - TAU.check(tau))


def ball_utility(
    curve: Curve, units: Floats, radii: ArrayLike, *, omega: float = 0.05, tau: float = 0.01
) -> Floats:
    """ρ(ε, θ) of every record, mechanism and ε for robustness radii (section 4.3)."""
    return np.asarray(ball_masses(curve, units, radii) * confidence_factor(omega, tau))


def rectangle_utility(
    curve: Curve,
    units: Floats,
    low: Floats,
    high: Floats,
    *,
    omega: float = 0.05,
    tau: float = 0.01,
    conservative: bool = False,
) -> Floats:
    """ρ of every record, mechanism and ε for hyperrectangles (section 5.1), whose paper drops the factor.

    >>> from noisewright.utility.curve import make_curve
    >>> corners = np.array([[0.63, 0.0]]), np.array([[1.0, 1.0]])
    >>> rho = rectangle_utility(make_curve(["OGPM"], [1.0]), np.array([[0.79, 0.48]]), *corners)
    >>> rho.round(4).tolist()
    [[[0.5879]]]
    """
    masses = box_masses(curve, units, low, high)
    return np.asarray(masses * confidence_factor(omega, tau)) if conservative else masses


@dataclass(frozen=True, eq=False)
class Published:
    """What the published framework says of records: an estimate, marked as such, never a certificate.

    ``low`` and ``high`` are the corners of the hyperrectangles (records × features, unit coordinates),
    ``rho`` the utilities (records × mechanisms × ε), ``queries`` how often the model was asked.
    """

    curve: Curve
    radii: Floats
    low: Floats
    high: Floats
    rho: Floats
    test: str
    queries: int
    label: str = field(default=AS_PUBLISHED, init=False)
    caveats: tuple[str, ...] = field(default=CAVEATS, init=False, repr=False)

    @property
    def average(self) -> Floats:
        """The mean of the utilities over the records, as (mechanisms, ε)."""
        return np.asarray(self.rho.mean(axis=0))

    @property
    def worst(self) -> Floats:
        """The least of the utilities over the records, as (mechanisms, ε)."""
        return np.asarray(self.rho.min(axis=0))
