"""The published utility ρ: the probability of a report in the region where the model was seen to be robust.

For a ball of radius θ, ρ = (F(x + θ) − F(x − θ))^d · (1 − ω)(1 − τ); for a hyperrectangle, the product over
the features of F(bᵢ) − F(aᵢ), where the paper drops the last factor (sections 4.3 and 5.1). F is the exact
law of the cells that a mechanism draws (the paper's proposition 1, without its tables).

Although the paper calls ρ a lower bound, it is not a lower bound on the true utility. On the stroke data,
with a logistic regression trained as the authors do, their program claims 0.5959 for PM at ε = 1; the exact
value is 0.5756. For a model with a failing strip of 0.4 % of the interval beside the record it claims 1 at ε
= 8; the true value is 0.78 (``docs/theory/utility.md``).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats, Interval
from noisewright.mechanisms import OGPM, BinnedKRR, Exponential, Laplace, TunedWindow
from noisewright.mechanisms.piecewise import wave_share
from noisewright.published.classifier_utility.robustness import OMEGA, TAU
from noisewright.utility.core.channels import Channel
from noisewright.utility.core.curve import Curve, Factory, Wanted
from noisewright.utility.forecast import Comparison

AS_PUBLISHED: Final = "as published (Zheng and Hu): an estimate, not a bound"
"""The label that every number of this package must have where it is shown."""

CAVEATS: Final = (
    "The published utility can exceed the true one: it multiplies the probability of a report in a box with "
    "the share of the box's volume in which the answer holds, but a mechanism does not spread its reports "
    "evenly over the box; where it favours the failing part, the product is too large.",
    "The refined form even drops the factor (1 − ω)(1 − τ), so the points that were seen to fail count as "
    "successes.",
    "A box is accepted by a share of its volume, so growing it along a feature that does not matter thins "
    "the failures out and lets it grow further where it does matter.",
    "Each test errs with probability ω on its own, and a search makes dozens of them; nothing is corrected "
    "for that.",
    "Reports outside 0..1 count as lost, although a model would answer them or take them clipped.",
)
"""Reasons why the number is not a lower bound; ``docs/theory/utility.md`` has an example."""


def normalized_sw(domain: Interval, epsilon: float) -> TunedWindow:
    """Return the paper's "SW": a centred window with the width of the square wave (definition 12).

    >>> round(normalized_sw(Interval(0, 1), 1.0).law(0.5).mass(0.4, 0.6), 4)
    0.3437
    """
    return TunedWindow(domain, epsilon, share=wave_share(epsilon))


PAPER_MECHANISMS: Final[dict[str, Wanted | Factory]] = {
    "Laplace": Laplace,
    "PM": OGPM,
    "SW": normalized_sw,
    "Exponential": Exponential,
    "k-RR": BinnedKRR,
}
"""Mechanisms for ``make_curve``: the paper normalizes PM to 0..1, which makes it OGPM, and SW likewise."""

_SLACK = 1e-6
"""Part of a cell: a point this close to a cell's centre counts as being at it, as in ``mechanisms.law``."""


def interval_masses(channel: Channel, units: ArrayLike, low: ArrayLike, high: ArrayLike) -> Floats:
    """Return P(low ≤ report ≤ high) for true values in unit coordinates; all three broadcast.

    Args:
        channel: A mechanism at one ε.
        units: True values.
        low: Lower ends.
        high: Upper ends.

    >>> from noisewright.utility.core.curve import make_curve
    >>> [laplace, window] = make_curve(["Laplace", "OGPM"], [2.0]).flat()
    >>> [round(float(interval_masses(one, 0.5, 0.2, 0.8)), 3) for one in (laplace, window)]
    [0.451, 0.853]
    """
    truth, lattice = np.asarray(units, dtype=np.float64), channel.lattice
    slack = _SLACK * lattice.pitch  # boxes are closed: a report on a side is inside, despite rounding
    inside = channel.below(truth, lattice.count_to(np.asarray(high) + slack))
    before = channel.below(truth, lattice.count_to(np.asarray(low) - slack))
    return np.asarray(np.maximum(inside - before, 0.0))


def box_masses(curve: Curve, units: Floats, low: Floats, high: Floats) -> Floats:
    """Return P(report in its box) for every record, mechanism and ε: a product over the sensitive features.

    Args:
        curve: The mechanisms and ε.
        units: True values in unit coordinates, one row per record and one column per feature.
        low: Lower corners of the boxes.
        high: Upper corners.
    """
    masses = [np.prod(interval_masses(channel, units, low, high), axis=1) for channel in curve.flat()]
    return np.stack(masses, axis=1).reshape(len(units), *curve.shape)


def ball_masses(curve: Curve, units: Floats, radii: ArrayLike) -> Floats:
    """Return P(report within a radius of the truth in every feature) for every record, mechanism and ε.

    Args:
        curve: The mechanisms and ε.
        units: True values in unit coordinates, one row per record and one column per feature.
        radii: One radius per record, or one for all.
    """
    reach = np.broadcast_to(np.asarray(radii, dtype=np.float64), (len(units),))[:, None]
    return box_masses(curve, units, units - reach, units + reach)


def confidence_factor(omega: float, tau: float) -> float:
    """Return (1 − ω)(1 − τ): the paper counts a failed test and the tolerated share as complete failures.

    >>> round(confidence_factor(0.05, 0.01), 4)
    0.9405
    """
    return (1 - OMEGA.check(omega)) * (1 - TAU.check(tau))


def ball_utility(
    curve: Curve, units: Floats, radii: ArrayLike, *, omega: float = 0.05, tau: float = 0.01
) -> Floats:
    """Return ρ(ε, θ) of every record, mechanism and ε for robustness radii (section 4.3).

    Args:
        curve: The mechanisms and ε.
        units: True values in unit coordinates, one row per record and one column per feature.
        radii: One radius per record, or one for all.
        omega: Probability that one test errs.
        tau: Share of a ball that may fail.
    """
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
    """Return ρ of every record, mechanism and ε for hyperrectangles (section 5.1).

    Args:
        curve: The mechanisms and ε.
        units: True values in unit coordinates, one row per record and one column per feature.
        low: Lower corners of the rectangles.
        high: Upper corners.
        omega: Probability that one test errs.
        tau: Share of a rectangle that may fail.
        conservative: Whether to keep the factor (1 − ω)(1 − τ), which the paper drops.

    >>> from noisewright.utility.core.curve import make_curve
    >>> corners = np.array([[0.63, 0.0]]), np.array([[1.0, 1.0]])
    >>> rho = rectangle_utility(make_curve(["OGPM"], [1.0]), np.array([[0.79, 0.48]]), *corners)
    >>> rho.round(4).tolist()
    [[[0.5879]]]
    """
    masses = box_masses(curve, units, low, high)
    return np.asarray(masses * confidence_factor(omega, tau)) if conservative else masses


@dataclass(frozen=True, eq=False, kw_only=True)
class Published(Comparison):
    """The published framework's numbers for records: estimates, labelled as such, never certificates.

    Attributes:
        curve: The mechanisms and ε.
        radii: Robustness radii, one per record.
        low: Lower corners of the hyperrectangles (records × features, unit coordinates).
        high: Upper corners.
        rho: The utilities (records × mechanisms × ε).
        test: Name of the rule that accepts boxes.
        queries: Number of questions to the model.
        label: The label that the numbers must have where they are shown.
        caveats: Reasons why they are not lower bounds.
    """

    curve: Curve
    radii: Floats
    low: Floats
    high: Floats
    test: str
    label: str = field(default=AS_PUBLISHED, init=False)
    caveats: tuple[str, ...] = field(default=CAVEATS, init=False, repr=False)
