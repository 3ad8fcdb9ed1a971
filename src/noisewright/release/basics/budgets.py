"""Budgets of a release: what it may tell, in nats or as the success of a membership attack."""

from __future__ import annotations

from dataclasses import dataclass

from noisewright.errors import InvalidParameter
from noisewright.parameters import Parameter, real

NATS = Parameter(
    name="budget",
    meaning="mutual information in nats that the release may carry about which half of the data was used",
    above=1e-6,
    at_most=100,
    usual=(1 / 64, 1 / 16, 1 / 4, 1),
)

LEAST_RATE = 0.501
"""Nearer to blind guessing no simulation can tell."""


@dataclass(frozen=True)
class MutualInformation:
    """A bound on the nats that a release carries about which half of the data was used.

    Args:
        nats: Mutual information, above 10⁻⁶ and at most 100; from ln 2 ≈ 0.69 on nothing is promised about
            one record.

    >>> MutualInformation(1 / 4)
    MutualInformation(nats=0.25)
    """

    nats: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "nats", NATS.check(self.nats))


@dataclass(frozen=True)
class MembershipSuccess:
    """A bound on how often *any* attack is right about whether one record was in the half that was used.

    The noise is calibrated on the best attack there is, simulated on the worlds.

    Args:
        rate: Largest share of right answers, from 0.501 to below 1; blind guessing has one half.
        confidence: Confidence of the Monte-Carlo limit on that share, for one simulation: to calibrate under
            several seeds and keep the plan with the least noise voids it.

    >>> MembershipSuccess(0.588)
    MembershipSuccess(rate=0.588, confidence=0.999)
    """

    rate: float
    confidence: float = 0.999

    def __post_init__(self) -> None:
        for name, low in (("rate", LEAST_RATE), ("confidence", 0.5)):
            value = real(f"the {name} of a MembershipSuccess", getattr(self, name))
            if not low <= value < 1:
                raise InvalidParameter(
                    f"the {name} of a MembershipSuccess must be at least {low} and below 1, got {value:g}"
                )
            object.__setattr__(self, name, value)


Budget = MutualInformation | MembershipSuccess
