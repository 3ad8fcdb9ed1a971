"""A window of any width: what OGPM is for one loss, and ``noisewright.design.best_window`` for all others."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from noisewright.domains import Circle, Interval, NumericDomain
from noisewright.mechanisms.piecewise import WindowMechanism
from noisewright.mechanisms.window import Window
from noisewright.parameters import Parameter

SHARE = Parameter(
    name="share",
    meaning="share of the domain that the window covers",
    above=0,
    at_most=1,
    usual=(0.1, 0.25, 0.4),
)


@dataclass(frozen=True)
class TunedWindow(WindowMechanism):
    """The window mechanism for a loss of your own, with the width that suits it.

    The window covers ``share`` of the domain. On an interval it is centred on the true value where it fits
    and lies at the end otherwise; on a circle it wraps round. For every loss that grows with the distance
    no other placement of a window so wide does better: it holds the places with the smallest losses. OGPM and
    its circular form are the share 1/(e^(ε/2) + 1); a narrower window tells more when it is right and must
    be right less often. On the lattice the width is the nearest odd number of cells.

    >>> narrow, usual = (TunedWindow(Interval(0, 1), 1.0, share=share) for share in (0.1, 0.3775))
    >>> round(narrow.worst_error("absolute"), 3), round(usual.worst_error("absolute"), 3)
    (0.434, 0.378)
    """

    share: float
    title: ClassVar[str] = "Tuned window"
    summary: ClassVar[str] = "centred window of a chosen width; reports stay in the domain"
    domains: ClassVar[tuple[type[NumericDomain], ...]] = (Interval, Circle)
    designed: ClassVar[bool] = True

    def _prepare(self) -> None:
        object.__setattr__(self, "share", SHARE.check(self.share))

    @cached_property
    def window(self) -> Window:
        return self._centred(self.share, circular=isinstance(self.domain, Circle))
