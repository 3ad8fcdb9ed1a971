"""What a method promises, and what its sampler keeps: two numbers that published baselines often confuse."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class RealGuarantee:
    """The ε that a method is named for, beside the ε that its integers spend on one location.

    ``real`` is rounded up and may be infinite. Where ``exact``, it is the ε of the sampler itself, otherwise
    a proved upper bound on it. ``reason`` says where the difference comes from.

    >>> print(RealGuarantee(4.0, 4.6052, "group sizes depend on the location").sentence)
    nominal ε = 4, really 4.606: group sizes depend on the location
    >>> RealGuarantee(4.0, math.inf, "some reports exclude some locations").kept
    False
    """

    nominal: float
    real: float
    reason: str
    exact: bool = True

    @property
    def kept(self) -> bool:
        """Whether the sampler spends no more than it promises."""
        return self.real <= self.nominal

    @property
    def sentence(self) -> str:
        """Both numbers and the reason, in one line."""
        return f"nominal ε = {self.nominal:g}, really {self._shown()}: {self.reason}"

    def _shown(self) -> str:
        if math.isinf(self.real):
            return "∞ (no bound at all)"
        rounded = f"{math.ceil(self.real * 1000) / 1000:g}"
        return rounded if self.exact else f"at most {rounded}"
