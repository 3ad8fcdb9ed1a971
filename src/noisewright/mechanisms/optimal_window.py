"""A window that a design found to be the best of all laws, not only of all windows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from noisewright.mechanisms.certificate import Certificate
from noisewright.mechanisms.tuned import TunedWindow


@dataclass(frozen=True)
class OptimalWindow(TunedWindow):
    """A tuned window that carries what is known about its optimality.

    On a circle the best window is the best law of all, and the certificate says so. On an interval it comes
    from a budget so large that no table of a sensible size does better, and there is none.

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
