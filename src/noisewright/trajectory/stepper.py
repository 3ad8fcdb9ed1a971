"""One location at a time: what runs on a phone, in a constant amount of memory."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats
from noisewright.errors import BudgetSpent
from noisewright.guarantees import PureLDP
from noisewright.guarantees.rules import round_up
from noisewright.mechanisms.base import open_stream
from noisewright.parameters import real
from noisewright.randomness import Source
from noisewright.trajectory.location import LocationMechanism


class Stepper:
    """Randomizes the locations of one route as they come, and counts what they cost.

    It remembers the reference of the next report, which is public, and how many reports it made: nothing
    that grows with the route, and nothing private. With ``at_most`` it refuses a location that would cost the
    route more than that.

    >>> from noisewright.trajectory import Rectangle, TraCSD
    >>> route = Stepper(TraCSD(Rectangle(0, 0, 1, 1), epsilon=2.0), at_most=4.0)
    >>> reports = [route.report((0.2, 0.3)), route.report((0.25, 0.3))]
    >>> route.spent
    PureLDP(epsilon=4.0)
    >>> route.report((0.3, 0.3))
    Traceback (most recent call last):
    ...
    noisewright.errors.BudgetSpent: the route has spent epsilon = 4 of 4, and a location costs 2
    """

    def __init__(
        self, mechanism: LocationMechanism, source: Source | None = None, *, at_most: float | None = None
    ) -> None:
        self.mechanism = mechanism
        self.at_most = None if at_most is None else real("the budget of a route", at_most)
        self.steps = 0
        self._reference = mechanism.first_reference()
        self._stream = open_stream(source)

    @property
    def spent(self) -> PureLDP:
        """What all reports so far cost together."""
        return PureLDP(round_up(self.steps * Fraction(self.mechanism.epsilon)))

    def report(self, location: ArrayLike) -> Floats:
        """The report of the next location (two numbers)."""
        cost = Fraction(self.mechanism.epsilon)
        if self.at_most is not None and (self.steps + 1) * cost > Fraction(self.at_most):
            raise BudgetSpent(
                f"the route has spent epsilon = {self.spent.epsilon:g} of {self.at_most:g}, "
                f"and a location costs {self.mechanism.epsilon:g}"
            )
        point = self.mechanism.space.admit(np.atleast_2d(np.asarray(location)))
        self.steps += 1  # counted before anything is drawn: an interrupted report is spent
        report: Floats = self.mechanism.draw(self._reference[None], point, self._stream)[0]
        self._reference = self.mechanism.next_reference(report)
        return report
