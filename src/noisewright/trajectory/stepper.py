"""One location at a time: what runs on a phone, in a constant amount of memory."""

from __future__ import annotations

import os
import threading
from fractions import Fraction
from typing import NoReturn

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats
from noisewright.errors import BudgetSpent
from noisewright.guarantees import PureLDP
from noisewright.guarantees.rules import round_up
from noisewright.mechanisms.base import open_stream
from noisewright.parameters import real
from noisewright.randomness import SecureSource, Source
from noisewright.trajectory.location import LocationMechanism
from noisewright.trajectory.words import epsilon_words


class Stepper:
    """Randomizes the locations of one route as they come, and counts what they cost.

    It remembers the reference of the next report, which is public, and how many reports it made: nothing
    that grows with the route, and nothing that could undo a report, for every report has a key of its own.
    With ``at_most`` it refuses a location that would cost the route more than that. The count lives in this
    object: threads may share it, copies and forked children may not, and a program that starts again starts
    a new count.

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
        self._source = source or SecureSource()
        # a seeded route is one stream of words; a private one has a stream for every report, then forgotten
        self._seeded = None if self._source.private else open_stream(self._source)
        self._lock, self._process = threading.Lock(), os.getpid()

    @property
    def spent(self) -> PureLDP:
        """What all reports so far cost together."""
        return PureLDP(round_up(self.steps * Fraction(self.mechanism.epsilon)))

    def report(self, location: ArrayLike) -> Floats:
        """The report of the next location (two numbers)."""
        point = self.mechanism.space.admit(np.atleast_2d(np.asarray(location)))
        with self._lock:
            self._spend()  # before anything is drawn: an interrupted report is spent
            stream = self._seeded or open_stream(self._source)
            report: Floats = self.mechanism.draw(self._reference[None], point, stream)[0]
            self._reference = self.mechanism.next_reference(report)
        return report

    def _spend(self) -> None:
        if self._process != os.getpid():
            raise BudgetSpent(
                "a forked child cannot go on with a route: the parent may, and both would spend"
            )
        cost = Fraction(self.mechanism.epsilon)
        if self.at_most is not None and (self.steps + 1) * cost > Fraction(self.at_most):
            raise BudgetSpent(
                f"the route has spent epsilon = {epsilon_words(self.spent.epsilon)} of {self.at_most:g}, "
                f"and a location costs {epsilon_words(self.mechanism.epsilon)}"
            )
        self.steps += 1

    def __reduce__(self) -> NoReturn:
        raise BudgetSpent("a route that is going on cannot be copied or pickled: both would spend its budget")
