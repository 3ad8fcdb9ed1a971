"""The best law of all, not only of a family."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

from numpy.typing import ArrayLike

from noisewright.design.aims import Aim
from noisewright.design.finite_law import finite_law
from noisewright.design.numeric_law import numeric_law, unbiased_law
from noisewright.design.request import AVERAGE, LEXICOGRAPHIC, Request
from noisewright.domains import Circle, Domain, FiniteDomain, Interval
from noisewright.errors import InvalidParameter
from noisewright.mechanisms import Mechanism
from noisewright.mechanisms.finite import ZERO_ONE
from noisewright.mechanisms.losses import power
from noisewright.parameters import EPSILON


def optimal_law(
    domain: Domain,
    epsilon: float,
    loss: Any = "absolute",
    objective: str = "worst",
    *,
    prior: ArrayLike | None = None,
    point: Any = None,
    cap_worst: float | None = None,
    worst_at_most: float | None = None,
    unbiased: bool = False,
    inputs: int | None = None,
    reach: float | None = None,
    outputs: Iterable[Hashable] | None = None,
) -> Mechanism:
    """The ε-LDP mechanism with the least expected loss, over all there are on a lattice.

    ``loss`` is "absolute", "squared" or a power p of the distance; for labels also "zero-one" or a matrix
    with one row a label. ``objective`` is what to be best at:

    * "worst": the worst true value;
    * "average": the average over a ``prior`` (weights over equal parts of the domain or over labels, even if
      none is given); with ``cap_worst=1.1`` among the laws whose worst case is at most 1.1 times the least
      possible, with ``worst_at_most`` among those whose worst case is at most that loss;
    * "lexicographic": the best worst case first, and among those laws the best average;
    * "point": one true value ``point``, among the laws whose worst case is capped as above, or no worse than
      that of the best window for that point.

    On an interval or circle the true values are cut into ``inputs`` equal parts, and the losses hold for
    every value of a part, not for its middle only (if p < 1, for 17 values of each). A budget above about 11
    makes noise finer than such parts: the best window is returned if it does better. On a circle without a
    prior it is the best law of all, and returned at once. ``unbiased=True`` asks for an expected report equal
    to the true value; reports then leave the interval, up to ``reach`` half lengths from its middle.
    ``outputs`` names the reports of a loss matrix whose columns are no labels of the domain.

    The result carries a ``certificate``: what it achieves, what no law can, and the evidence, which
    :func:`~noisewright.design.verify` checks in exact arithmetic.

    >>> from noisewright.mechanisms import OGPM
    >>> law = optimal_law(Interval(0, 1), epsilon=1.0, inputs=16)
    >>> round(law.worst_error("absolute"), 3), round(OGPM(Interval(0, 1), 1.0).worst_error("absolute"), 3)
    (0.316, 0.378)
    """
    budget = EPSILON.check(epsilon)
    request = Request.read(objective, cap_worst, worst_at_most)
    if isinstance(domain, FiniteDomain):
        _refuse(unbiased=unbiased or None, inputs=inputs, reach=reach)
        return finite_law(domain, budget, loss, request, prior=prior, point=point, outputs=outputs)
    if not isinstance(domain, Interval | Circle):
        raise InvalidParameter(
            f"optimal_law needs an Interval, a Circle, Categories or a MetricSpace, got {domain!r}"
        )
    _refuse(outputs=outputs, reach=None if unbiased else reach)
    exponent = _exponent(loss)
    aim = Aim.read(domain, AVERAGE if objective == LEXICOGRAPHIC else objective, prior=prior, point=point)
    if unbiased:
        return unbiased_law(aim, budget, exponent, request, inputs, reach)
    return numeric_law(aim, budget, exponent, request, inputs)


def _refuse(**arguments: object) -> None:
    """Refuse arguments that have no meaning here."""
    for name, value in arguments.items():
        if value is not None:
            raise InvalidParameter(f"{name} has no meaning for this domain or design; drop it")


def _exponent(loss: Any) -> float:
    if isinstance(loss, str) and loss == ZERO_ONE:
        raise InvalidParameter(
            'a number is hardly ever reported exactly; "zero-one" is for labels, so cut the numbers into some'
        )
    if not isinstance(loss, str | int | float):
        raise InvalidParameter("a loss matrix is for Categories or a MetricSpace; numbers take a power p")
    return power(loss)
