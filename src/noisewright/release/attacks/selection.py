"""Why a bound is still valid after choosing: thresholds are chosen on some trials and judged on others.

An attack has a threshold above which it says "member". The best threshold *on the trials it is judged by*
makes any attack look good, a useless one too. :class:`Split` keeps the two apart; :class:`Bonferroni` pays
for looking at many attacks and many records at once.
"""

from __future__ import annotations

from dataclasses import dataclass

from noisewright.errors import InvalidParameter
from noisewright.parameters import real, whole

FEWEST_TRIALS = 8
MOST_TRIALS = 10_000_000


@dataclass(frozen=True)
class Split:
    """The first ``share`` of the trials chooses, the rest judges.

    >>> Split(0.5).parts(1000)
    (slice(0, 500, None), slice(500, 1000, None))
    """

    share: float = 0.5

    def __post_init__(self) -> None:
        if not 0 < real("the share of a Split", self.share) < 1:
            raise InvalidParameter(
                f"the share of a Split must lie strictly between 0 and 1, got {self.share:g}"
            )

    def parts(self, trials: int) -> tuple[slice, slice]:
        """The trials that choose, and those that judge; at least two of each."""
        whole("trials", trials, FEWEST_TRIALS, MOST_TRIALS)
        at = min(max(int(self.share * trials), 2), trials - 2)
        return slice(0, at), slice(at, trials)


@dataclass(frozen=True)
class Bonferroni:
    """So many statements that shall hold together: each may fail with its part of the error only.

    >>> Bonferroni(4).each(0.01)
    0.0025
    """

    statements: int

    def each(self, failure: float) -> float:
        """The failure probability of one statement."""
        return failure / self.statements
