"""Promises about releases from a whole table: relative to a set, or under an assumption."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

from noisewright.errors import NoTheorem
from noisewright.guarantees.base import ASSUMPTION, DATABASES
from noisewright.guarantees.local import EpsilonDelta


@dataclass(frozen=True)
class RelativeDP(EpsilonDelta):
    """Differential privacy checked only for a set of databases, each against itself minus one record.

    Releases from the *same labelled* set compose (Lu et al. 2024, prop 4, with the sharper δ); separate
    databases stand :meth:`beside` each other.

    Attributes:
        databases: The label of the set, or the number of databases in it.

    >>> RelativeDP(1.0, 1e-5, "trial 7") + RelativeDP(1.0, 0.0, "trial 7")
    RelativeDP(epsilon=2.0, delta=1e-05, databases='trial 7')
    """

    databases: int | str = field(metadata=DATABASES)
    notion: ClassVar[str] = "relative_dp"
    seen: ClassVar[str] = "one release"

    def beside(self, *others: RelativeDP) -> RelativeDP:
        """Combine releases from separate databases, one each: the largest ε and δ hold for all.

        >>> RelativeDP(1.0, 1e-5, "trial 7").beside(RelativeDP(2.0, 0.0, "trial 8"))
        RelativeDP(epsilon=2.0, delta=1e-05, databases='trial 7 × trial 8')
        """
        parts = (self, *others)
        counts = [p.databases for p in parts if isinstance(p.databases, int)]
        labels = [p.databases for p in parts if isinstance(p.databases, str)]
        if counts and labels:
            raise NoTheorem("give every set of databases a label, or every one a count")
        if len(set(labels)) < len(labels):
            raise NoTheorem("two releases from one set of databases are not separate; add them up instead")
        databases: int | str = " × ".join(labels) if labels else math.prod(counts, start=1)
        # Lu et al. 2024, prop 3
        return RelativeDP(max(p.epsilon for p in parts), max(p.delta for p in parts), databases)

    def _sentence(self, seen: str) -> str:
        which = f"{self.databases:,} checked" if isinstance(self.databases, int) else f"“{self.databases}”"
        claim = self._likelier(seen, "likelier or rarer with any one record than without it")
        return f"For the {which} databases, {claim}; nothing is promised for any other database."


@dataclass(frozen=True)
class DistributionalDP(EpsilonDelta):
    """Privacy from the randomness of the data itself; worth as much as the assumption about it.

    P[M(D) in S | D_i = x] ≤ e^ε · P[M(D) in S | D_i = x'] + δ for D drawn as ``distribution`` says. It does
    **not** compose: the total, and the total without the first row, are each blurred by the other rows, and
    together reveal the first row.

    Attributes:
        distribution: What is assumed of the data, in words.

    >>> DistributionalDP(0.5, 0.0, "fair coins").explain().partition(",")[0]
    'Only under the assumption “fair coins”'
    """

    distribution: str = field(metadata=ASSUMPTION)
    notion: ClassVar[str] = "distributional_dp"
    seen: ClassVar[str] = "one release"

    def _sentence(self, seen: str) -> str:
        claim = self._likelier(seen, "likelier under one value of a record than under any other")
        return (
            f"Only under the assumption “{self.distribution}”, {claim}; if it is false nothing is promised."
        )
