"""A window of any width: OGPM for one loss, ``noisewright.design.best_window`` for all others.

A window that a design found to be the best of all laws, not only of all windows, carries its certificate.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from noisewright.domains import Circle, Interval, NumericDomain
from noisewright.mechanisms.basics.window import Window
from noisewright.mechanisms.certificate import Certificate
from noisewright.mechanisms.piecewise import WindowMechanism
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
    """The window mechanism with a width chosen for a given loss.

    The window covers ``share`` of the domain. On an interval it is centred on the true value where it fits
    and lies at the end otherwise; on a circle it wraps round. For every loss that grows with the distance no
    other placement of a window of this width does better: it holds the places with the smallest losses. OGPM
    and its circular form are the share 1/(e^(ε/2) + 1); a narrower window is more precise when it holds the
    truth, but may do so less often. On the lattice the width is the nearest odd number of cells.

    Attributes:
        share: Share of the domain that the window covers, above 0 and at most 1.

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


@dataclass(frozen=True)
class OptimalWindow(TunedWindow):
    """A tuned window that carries what is known about its optimality.

    On a circle the best window is the best law of all, and the certificate says so. On an interval it comes
    from a budget so large that no table of a sensible size does better, and there is none.

    Attributes:
        certificate: What it achieves and a bound for all laws, or None.

    >>> from noisewright import Circle
    >>> OptimalWindow(Circle(24), epsilon=2.0, share=0.25).certificate is None
    True
    """

    certificate: Certificate | None = None
    title: ClassVar[str] = "Optimal window"
    summary: ClassVar[str] = "centred window that no other law beats at its task"

    def _prepare(self) -> None:
        super()._prepare()
        object.__setattr__(self, "certificate", Certificate.read(self.certificate))

    def to_dict(self) -> dict[str, Any]:
        certificate = None if self.certificate is None else self.certificate.to_dict()
        return {**super().to_dict(), "certificate": certificate}
