"""Window mechanisms for numbers: OGPM and its kin, each a width, a report domain and a placement.

With s = e^(ε/2), the windows of OGPM, of its circular and unbiased forms and of PM all cover the same
share 1/(s + 1) of the report domain, and all ignore the true value with the same probability 1/s; they
differ in the report domain and in where the window goes. SW takes another width.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, localcontext
from functools import cached_property
from typing import ClassVar

from noisewright.domains import Cells, Circle, Floats, Interval, NumericDomain
from noisewright.errors import InvalidParameter
from noisewright.mechanisms.basics.window import Window
from noisewright.mechanisms.fused import window_drawer
from noisewright.mechanisms.law import Law
from noisewright.mechanisms.numeric import NumericMechanism
from noisewright.randomness import Stream
from noisewright.text import epsilon_words


@dataclass(frozen=True)
class WindowMechanism(NumericMechanism):
    """A mechanism that is a window channel; subclasses define the window."""

    @cached_property
    @abstractmethod
    def window(self) -> Window:
        """The calibrated channel between input cells and report cells."""

    @property
    def reports(self) -> NumericDomain:
        return self._own_cells

    def _prove(self) -> float:
        return self.window.prove(self.epsilon)

    def word_counts(self, cell: int) -> tuple[list[int], int]:
        return self.window.word_counts(cell)

    def _draw_cells(self, cells: Cells, stream: Stream) -> Cells:
        return self.window.draw(cells, stream.draw(cells.size))

    def drawer(self, size: int) -> Callable[[Floats, Stream, Floats], bool]:
        return window_drawer(self.window, self.domain, self.reports, size) or self._draw_block

    def _law(self, cells: Cells, truth: Floats) -> Law:
        start, count, mass = self.window.runs(cells)
        return Law(truth, self.reports, self.domain, start, count, mass)

    def _calibrate(self, share: float, slope: float, offset: float, *, circular: bool = False) -> Window:
        width = odd_near(share * self.domain.lattice, self.domain.lattice)
        return Window.calibrate(
            self.epsilon,
            cells=self.domain.lattice,
            width=width,
            slope=slope,
            offset=offset,
            circular=circular,
        )

    def _centred(self, share: float, *, circular: bool) -> Window:
        """Return a window that covers a share of the domain, with the true value's cell in its middle."""
        width = odd_near(share * self.domain.lattice, self.domain.lattice)
        return self._calibrate(width / self.domain.lattice, 1.0, -(width - 1) / 2, circular=circular)

    def _sliding(self, share: float) -> Window:
        """Return a window that slides from the left end to the right end as the true value does."""
        cells = self.domain.lattice
        room = cells - odd_near(share * cells, cells)
        return self._calibrate(share, room / cells, 0.5 * room / cells + 0.5)


@dataclass(frozen=True)
class OGPM(WindowMechanism):
    """The closed-form best piecewise mechanism for |error| on an interval.

    Reports stay in the interval. The window of width 1/(e^(ε/2) + 1) is centred on the true value where
    it fits and lies at the end of the interval otherwise; the worst expected |error| is 1/(e^(ε/2) + 1).

    >>> mechanism = OGPM(Interval(40, 200), epsilon=2.0)
    >>> reports = mechanism.perturb([71.0, 64.5, 102.0])
    >>> mechanism.guarantee.epsilon, reports.shape
    (2.0, (3,))
    """

    title: ClassVar[str] = "Optimal piecewise (OGPM)"
    summary: ClassVar[str] = "centred window, reports stay in the interval; best piecewise law for |error|"
    domains: ClassVar[tuple[type[NumericDomain], ...]] = (Interval,)

    @cached_property
    def window(self) -> Window:
        return self._centred(balanced_share(self.epsilon), circular=False)  # Zheng 2026, thm 7


@dataclass(frozen=True)
class CircularOGPM(WindowMechanism):
    """OGPM on a circle: a window centred on the true value, wrapping round the end of the period.

    Its law is the same for every true value, turned; the expected error does not depend on the value,
    and the mean direction of the reports is the true one.

    >>> round(CircularOGPM(Circle(2 * math.pi), epsilon=2.0).worst_error("absolute") / math.pi, 4)
    0.2689
    """

    title: ClassVar[str] = "Optimal piecewise on the circle"
    summary: ClassVar[str] = "centred window that wraps; the same error for every true value"
    domains: ClassVar[tuple[type[NumericDomain], ...]] = (Circle,)

    @cached_property
    def window(self) -> Window:
        return self._centred(balanced_share(self.epsilon), circular=True)  # Zheng 2026, thm 8


@dataclass(frozen=True)
class EnlargedMechanism(WindowMechanism):
    """A window mechanism whose reports spread over a wider interval around the domain."""

    domains: ClassVar[tuple[type[NumericDomain], ...]] = (Interval,)

    @property
    @abstractmethod
    def reach(self) -> float:
        """The length of the report domain in lengths of the domain."""

    @cached_property
    def reports(self) -> NumericDomain:
        assert isinstance(self.domain, Interval)
        middle, half = (self.domain.low + self.domain.high) / 2, self.reach * self.domain.length / 2
        return Interval(middle - half, middle + half, cells=self.domain.lattice)

    @property
    def _sure(self) -> float:
        """1 − β, the probability that a report comes from the window; an unbiased law divides by it."""
        sure = 1 - self.window.anywhere
        if sure <= 0:
            raise InvalidParameter(
                f"epsilon = {epsilon_words(self.epsilon)} is too small for an unbiased law on "
                f"{self.domain.lattice} cells"
            )
        return sure


@dataclass(frozen=True)
class PM(EnlargedMechanism):
    """The piecewise mechanism of Wang et al. (2019): unbiased, reports on an enlarged interval.

    The length of the report interval follows from the integers of the channel, so that the expected
    report is the true value to within half a cell, not only on paper.

    >>> law = PM(Interval(-1, 1), epsilon=1.0).law(0.3)
    >>> round(law.mean(), 5)
    0.3
    """

    title: ClassVar[str] = "Piecewise mechanism (PM)"
    summary: ClassVar[str] = "unbiased; reports on an enlarged interval"

    @cached_property
    def window(self) -> Window:
        return self._sliding(balanced_share(self.epsilon))

    @property
    def reach(self) -> float:
        # E = β·middle + (1 − β)·(window's middle), which moves by (1 − β)(1 − w/N)·reach per length.
        return 1 / (self._sure * (1 - self.window.width / self.window.cells))


@dataclass(frozen=True)
class UnbiasedOGPM(EnlargedMechanism):
    """The unbiased relative of OGPM, as published.

    Its report domain [−C, C + 1) with C = (e^(ε/2) + 1)/(e^(ε/2) − 1) is wider than it needs to be: plain
    :class:`PM` is unbiased too and has about a quarter of its variance at ε = 1. Kept for comparison.

    >>> round(UnbiasedOGPM(Interval(0, 1), epsilon=1.0).law(0.3).mean(), 5)
    0.3
    """

    title: ClassVar[str] = "Unbiased OGPM"
    summary: ClassVar[str] = "unbiased; kept for comparison, PM has a smaller variance"

    @property
    def reach(self) -> float:
        return 2 / math.tanh(self.epsilon / 4) + 1  # Zheng 2026, thm 10: 2C + 1

    @cached_property
    def window(self) -> Window:
        cells = self.domain.lattice
        draft = self._sliding(balanced_share(self.epsilon))
        if draft.anywhere >= 1:
            raise InvalidParameter(
                f"epsilon = {epsilon_words(self.epsilon)} is too small for an unbiased law on {cells} cells"
            )
        # The published slope (C + 1)/2 is 1/(1 − β); taking β from the integers keeps the law unbiased.
        slope = 1 / ((1 - draft.anywhere) * self.reach)
        middle = (cells - draft.width) / 2
        return self._calibrate(draft.width / cells, slope, middle + 0.5 - slope * (cells - 1) / 2)


@dataclass(frozen=True)
class SW(EnlargedMechanism):
    """The square wave of Li et al. (2020), for distributions: reports spread a little beyond the ends.

    >>> round(SW(Interval(0, 1), epsilon=1.0).law(0.0).expected("squared"), 2)
    0.29
    """

    title: ClassVar[str] = "Square wave (SW)"
    summary: ClassVar[str] = "made for distributions; reports spread beyond the ends"

    @cached_property
    def window(self) -> Window:
        return self._sliding(wave_share(self.epsilon))

    @property
    def reach(self) -> float:
        # The window is centred on the true value: it moves by one length while the value does.
        return 1 / (1 - self.window.width / self.window.cells)


@dataclass(frozen=True)
class PMC(WindowMechanism):
    """PM compressed linearly into the domain itself; on a circle, with the circle cut open.

    >>> round(PMC(Interval(0, 1), epsilon=2.0).worst_error("absolute"), 3)
    0.269
    """

    title: ClassVar[str] = "Compressed PM (PM-C)"
    summary: ClassVar[str] = "PM squeezed into the domain; on a circle it treats the cut as a wall"
    domains: ClassVar[tuple[type[NumericDomain], ...]] = (Interval, Circle)

    @cached_property
    def window(self) -> Window:
        return self._sliding(balanced_share(self.epsilon))


@dataclass(frozen=True)
class SWC(WindowMechanism):
    """SW compressed linearly into the domain itself; on a circle, with the circle cut open.

    >>> SWC(Interval(0, 1), epsilon=2.0).reports
    Interval(0.0, 1.0)
    """

    title: ClassVar[str] = "Compressed SW (SW-C)"
    summary: ClassVar[str] = "SW squeezed into the domain; on a circle it treats the cut as a wall"
    domains: ClassVar[tuple[type[NumericDomain], ...]] = (Interval, Circle)

    @cached_property
    def window(self) -> Window:
        return self._sliding(wave_share(self.epsilon))


def balanced_share(epsilon: float) -> float:
    """Return the share 1/(e^(ε/2) + 1) of the report domain that OGPM's and PM's windows cover."""
    return 1 / (math.exp(epsilon / 2) + 1)


def wave_share(epsilon: float) -> float:
    """Return the share 2b/(1 + 2b) that SW's window covers; b maximizes the mutual information.

    >>> round(wave_share(1.0), 4)   # b = 0.2560
    0.3387
    """
    with localcontext() as digits:
        digits.prec = 60  # b is a ratio of two differences that vanish with ε
        budget = Decimal(epsilon)
        grown = budget.exp()
        half = (budget * grown - grown + 1) / (2 * grown * (grown - 1 - budget))
        return float(2 * half / (1 + 2 * half))


def odd_near(width: float, cells: int) -> int:
    """Return the odd number of cells nearest a width, so that a window has a middle cell."""
    return max(1, min(2 * round((width - 1) / 2) + 1, cells - 1 - cells % 2))
