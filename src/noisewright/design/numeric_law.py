"""Design a law for numbers."""

from __future__ import annotations

import math
from dataclasses import replace

from noisewright.design.aims import Aim
from noisewright.design.bounds import certified_window
from noisewright.design.charges import NumericTask, grid_task, knot_task, whole_task
from noisewright.design.request import AVERAGE, LEXICOGRAPHIC, POINT, WORST, Request, answer
from noisewright.design.rounding import round_toward_privacy
from noisewright.design.solver import Infeasible
from noisewright.design.verify import certify
from noisewright.design.window import best_window
from noisewright.domains import Circle, Integers, Interval
from noisewright.errors import InvalidParameter
from noisewright.mechanisms.basics.losses import Loss
from noisewright.mechanisms.designed import DesignedLaw
from noisewright.mechanisms.numeric import NumericMechanism
from noisewright.mechanisms.tuned import OptimalWindow, TunedWindow
from noisewright.parameters import Parameter, whole
from noisewright.text import epsilon_words

INPUTS = 128
"""Parts that a domain is cut into unless asked otherwise: a second or two of work."""

KNOTS = 65
"""Knots of an unbiased law unless asked otherwise."""

MOST_INPUTS = 255
"""Most inputs whose outputs, two for every input, fit into a table."""

REACH = Parameter(
    name="reach",
    meaning="how far unbiased reports lie from the middle at most, in half lengths of the domain",
    above=1,
    at_most=1e6,
    usual=(1.5, 2, 4),
)


def numeric_law(
    aim: Aim, epsilon: float, exponent: float, request: Request, inputs: int | None = None
) -> NumericMechanism:
    """Return the best law for an interval or circle, or the best window if that is better."""
    domain = aim.domain
    window = _window(aim, epsilon, exponent, request)
    even = not (request.objective == POINT and request.capped) and min(aim.prior) == max(aim.prior)
    if isinstance(domain, Circle) and even:  # all true values are equivalent under rotation
        least = window.worst_error(exponent)
        if request.worst_at_most is not None and request.worst_at_most < least:
            raise InvalidParameter(
                f"no law with epsilon = {epsilon_words(epsilon)} has a worst case of at most "
                f"{request.worst_at_most:.6g} on {domain!r}; the least possible is {least:.6g}"
            )
        return certified_window(window, exponent, request.objective)
    if request.objective == POINT and not request.capped:
        # the best law for one point alone always reports that point, so limit its worst case to the window's
        request = replace(request, worst_at_most=window.worst_error(exponent))
    try:
        law = _design_law(grid_task(domain, exponent, _grid(aim, inputs)), epsilon, aim, request)
    except Infeasible:
        if window.worst_error(exponent) > (request.worst_at_most or 0.0):
            raise
        return OptimalWindow(domain, epsilon, window.share)
    return OptimalWindow(domain, epsilon, window.share) if _window_wins(law, window, aim, exponent) else law


def unbiased_law(
    aim: Aim,
    epsilon: float,
    exponent: float,
    request: Request,
    inputs: int | None = None,
    reach: float | None = None,
) -> NumericMechanism:
    """Return the best law on an interval whose expected report is the true value."""
    if not isinstance(aim.domain, Interval):
        raise InvalidParameter("an unbiased law needs an interval; on a circle every window is unbiased")
    far = widest(epsilon) if reach is None else REACH.check(reach)
    if isinstance(aim.domain, Integers):
        return _design_law(_every_number(aim.domain, exponent, inputs, far), epsilon, aim, request)
    knots = whole("inputs", KNOTS if inputs is None else inputs, 2, min(MOST_INPUTS, aim.domain.lattice))
    return _design_law(knot_task(aim.domain, exponent, knots, far), epsilon, aim, request)


def _every_number(domain: Integers, exponent: float, inputs: int | None, reach: float) -> NumericTask:
    """Return the task of a law that is unbiased at every whole number, each with a row of its own."""
    if domain.size > MOST_INPUTS:
        raise InvalidParameter(
            f"an unbiased design has a row for each whole number, at most {MOST_INPUTS}; design for the "
            f"interval from {domain.low} to {domain.high} instead"
        )
    if inputs not in (None, domain.size):
        raise InvalidParameter(f"an unbiased design for {domain!r} has {domain.size} inputs; leave them out")
    return whole_task(domain, exponent, reach)


def widest(epsilon: float) -> float:
    """Return the default reach of unbiased reports in half lengths: somewhat more than PM's.

    >>> round(widest(2.0), 3)
    2.38
    """
    return 1.1 / math.tanh(epsilon / 4)


def _design_law(task: NumericTask, epsilon: float, aim: Aim, request: Request) -> DesignedLaw:
    """Solve, round, and certify the result."""
    found = answer(request, task.program(epsilon), task.charges(aim))
    rounded = round_toward_privacy(found.solution.law, epsilon)
    law = DesignedLaw(task.domain, epsilon, task.reports, rounded.outputs, rounded.weights, task.knots)
    prior = aim.prior if aim.objective == AVERAGE else None
    return certify(law, found, request.objective, task.exponent, prior, aim.point)


# -- windows ---------------------------------------------------------------------------------------


def _window(aim: Aim, epsilon: float, loss: Loss, request: Request) -> TunedWindow:
    """Return the best window for the same request."""
    if request.objective == LEXICOGRAPHIC:
        return best_window(aim.domain, epsilon, loss, WORST)
    prior = aim.prior if aim.objective == "average" else None
    return best_window(aim.domain, epsilon, loss, aim.objective, prior=prior, point=aim.point)


def _window_wins(law: DesignedLaw, window: TunedWindow, aim: Aim, loss: Loss) -> bool:
    """Return whether a window beats a law on a grid, as it does where the grid is coarser than the noise."""
    certificate = law.certificate
    assert certificate is not None
    if certificate.objective == LEXICOGRAPHIC:
        return window.worst_error(loss) < law.worst_error(loss)
    held = certificate.ceiling is None or window.worst_error(loss) <= certificate.ceiling
    return held and aim.error(window, loss) < certificate.value


def _grid(aim: Aim, inputs: int | None) -> int:
    """Return the number of parts of a domain: by default as many as its lattice allows, up to a limit.

    Parts that are whole numbers of cells are alike; others are not, and their program has no symmetry. The
    program of a single point has none either, so it is cut more coarsely.
    """
    lattice = aim.domain.lattice
    if isinstance(aim.domain, Integers):  # a part without a whole number would have no value
        lattice = aim.domain.size
    if inputs is not None:
        return whole("inputs", inputs, 2, min(MOST_INPUTS, lattice))
    most = INPUTS if aim.point is None else INPUTS // 2
    if isinstance(aim.domain, Integers) and lattice <= most:
        return lattice
    fitting = [count for count in range(most // 2, most + 1) if lattice % count == 0]
    return max(fitting, default=min(most, lattice))
