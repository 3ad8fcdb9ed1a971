"""A mechanism of this package, or any object that randomizes arrays of values with ``perturb``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from noisewright.audit.blackbox.base import BlackBox, check_timeout
from noisewright.audit.blackbox.patience import patiently
from noisewright.audit.blackbox.vectorized import counted
from noisewright.audit.outputs import Outputs
from noisewright.randomness import SeededSource


@dataclass(frozen=True, eq=False)
class MechanismBox(BlackBox):
    """``mechanism.perturb`` of one true value, as many times as asked.

    Where reports of one call depend on each other, as on a route or with shared coins, a mechanism has
    ``independent_reports(value, count)``, and that is called instead: bounds rest on independent runs.
    The reports are drawn as they would be in earnest, from the secure source: seeds are of no use here.
    ``simulated`` draws them from a seeded source instead, for tests that are to be repeated exactly.

    >>> from noisewright import Interval
    >>> from noisewright.mechanisms import OGPM
    >>> MechanismBox(OGPM(Interval(0, 1), epsilon=1.0)).draw(0.5, 4, seed=0).numbers.shape
    (4, 1)
    """

    mechanism: Any
    timeout: float = 60.0
    simulated: bool = False
    block: ClassVar[int] = 1 << 16
    together: ClassVar[bool] = True
    quick: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "timeout", check_timeout(self.timeout))

    @property
    def title(self) -> str:
        return type(self.mechanism).__name__

    def draw(self, subject: Any, count: int, seed: int) -> Outputs:
        options = {"source": SeededSource(seed)} if self.simulated else {}
        apart = getattr(self.mechanism, "independent_reports", None)
        with patiently(self.timeout) as patience:
            if apart is None:
                reports = patience.call(self.mechanism.perturb, repeated(subject, count), **options)
            else:
                reports = patience.call(apart, subject, count, **options)
            return counted(reports, count)

    def describe(self) -> Any:
        return "mechanism", self.mechanism, self.simulated


def repeated(value: Any, count: int) -> NDArray[Any]:
    """One value, or one array of values, many times.

    >>> repeated([1, 2], 3).shape, repeated("no", 2).tolist()
    ((3, 2), ['no', 'no'])
    """
    return np.repeat(np.asarray([value]), count, axis=0)
