"""The best law of all, not only within a family."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from noisewright.design.aims import Aim
from noisewright.design.charges import finite_program, read_label_prior
from noisewright.design.numeric_law import numeric_law, unbiased_law
from noisewright.design.request import AVERAGE, LEXICOGRAPHIC, POINT, WORST, Request, answer
from noisewright.design.rounding import round_toward_privacy
from noisewright.design.verify import certify
from noisewright.domains import Categories, Circle, Domain, FiniteDomain, Interval
from noisewright.errors import InvalidParameter
from noisewright.mechanisms import Mechanism
from noisewright.mechanisms.basics.finite import ZERO_ONE
from noisewright.mechanisms.basics.losses import power
from noisewright.mechanisms.designed import DesignedTable
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
    """Return the ε-LDP mechanism with the least expected loss of all on a lattice.

    The objective is what to be best at:

    * "worst": the worst true value;
    * "average": the average over a prior, among the laws that keep a cap on the worst case if there is one;
    * "lexicographic": the best worst case first, and among those laws the best average;
    * "point": one true value, among the laws that keep a cap on the worst case, or that are no worse than the
      best window for that point.

    On an interval or circle the losses hold for every value of a part, not for its middle only (if p < 1, for
    17 values of each). A budget above about 11 makes noise finer than such parts; then the best window is
    returned if it is better. On a circle without a prior it is the best law of all, and returned at once.

    The result carries a ``certificate``: its value, a lower bound for all laws, and the evidence, which
    :func:`~noisewright.design.verify` checks in exact arithmetic.

    Args:
        domain: An Interval, a Circle, Categories or a MetricSpace.
        epsilon: The budget of one report.
        loss: "absolute", "squared" or a power p of the distance; for labels also "zero-one" or a matrix.
        objective: "worst", "average", "lexicographic" or "point".
        prior: Weights over equal parts of the domain, or over labels; even by default.
        point: The one true value of the objective "point".
        cap_worst: Cap on the worst case as a multiple of the least possible one, for example 1.1.
        worst_at_most: Cap on the worst case as a loss, instead.
        unbiased: Whether the expected report must equal the true value; reports then leave the interval.
        inputs: Number of equal parts into which an interval or circle is cut; by default, up to 128.
        reach: How far unbiased reports may lie from the middle, in half lengths of the interval.
        outputs: The reports of a loss matrix whose columns are not labels of the domain.

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
            'a number is hardly ever reported exactly; "zero-one" is for labels, so use bins of numbers'
        )
    if not isinstance(loss, str | int | float):
        raise InvalidParameter("a loss matrix is for Categories or a MetricSpace; numbers take a power p")
    return power(loss)


def finite_law(
    domain: FiniteDomain,
    epsilon: float,
    loss: Any,
    request: Request,
    *,
    prior: Any = None,
    point: Hashable | None = None,
    outputs: Iterable[Hashable] | None = None,
) -> DesignedTable:
    """Return the best law for labels; ``outputs`` names the reports if they differ from the labels."""
    reports = domain if outputs is None else Categories(outputs)
    weights = _weights(domain, request, prior, point)
    program, charges = finite_program(domain, epsilon, loss, weights, reports)
    found = answer(request, program, charges)
    rounded = round_toward_privacy(found.solution.law, epsilon)
    labels = None if outputs is None else reports.labels
    law = DesignedTable(domain, epsilon, rounded.outputs, rounded.weights, labels)
    if not isinstance(loss, str | int | float):
        loss = tuple(map(tuple, np.asarray(loss, dtype=np.float64).tolist()))
    return certify(law, found, request.objective, loss, weights)


def _weights(domain: FiniteDomain, request: Request, prior: Any, point: Any) -> tuple[float, ...] | None:
    """Return the prior of an average (even by default), one label for a point, or None for the worst case."""
    if (point is None) == (request.objective == POINT):
        raise InvalidParameter('objective="point" and a point go together; pass both or neither')
    if prior is not None and request.objective in (WORST, POINT):
        raise InvalidParameter(f'a prior has no effect with objective={request.objective!r}; use "average"')
    if request.objective == POINT:
        if not request.capped:
            raise InvalidParameter(
                "the best law for one label alone always reports that label; pass cap_worst or worst_at_most"
            )
        return tuple(np.eye(domain.lattice)[domain.snap([point], name="point")[0]].tolist())
    if request.objective == WORST:
        return None
    even = np.full(domain.lattice, 1 / domain.lattice)
    return tuple((even if prior is None else read_label_prior(prior, domain)).tolist())
