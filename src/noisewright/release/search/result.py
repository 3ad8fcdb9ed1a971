"""What a search found: the winner, everything it needs to be released, and how all candidates did."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from noisewright.domains import Floats
from noisewright.release.algorithms.base import Algorithm, Facts
from noisewright.release.confidential import Confidential
from noisewright.release.noise import NoisePlan
from noisewright.release.search.trying import Attempt
from noisewright.release.worlds import Worlds


@dataclass(frozen=True)
class Tried:
    """A candidate and how good it is after the noise (± one standard error), in how many worlds.

    Utilities are exact functions of the pool: they are for the data holder and not for publication.
    """

    algorithm: Algorithm
    worlds: int
    private_utility: float
    stderr: float
    unnoised_utility: float
    total_variance: float

    @classmethod
    def of(cls, attempt: Attempt) -> Tried:
        """The row of an attempt."""
        return cls(
            attempt.algorithm,
            len(attempt.outputs),
            attempt.utility,
            stderr(attempt.private),
            float(attempt.unnoised.mean()),
            attempt.plan.total_variance,
        )

    def __str__(self) -> str:
        return (
            f"{self.algorithm!r}: {self.private_utility:.4f} ± {self.stderr:.4f} after noise of total "
            f"variance {self.total_variance:.3g}, {self.unnoised_utility:.4f} without ({self.worlds} worlds)"
        )


@dataclass(frozen=True, eq=False)
class SearchResult(Confidential):
    """The best candidate, its facts, outputs and plan, ready to be released; and the ``table`` of all.

    ``table`` is sorted, best first, those that were tried in all worlds before those that were only screened.
    ``dropped`` says of each candidate that failed what it failed of. The outputs are exact about the pool, so
    the whole is not pickled or copied.
    """

    best: Algorithm
    worlds: Worlds
    facts: Facts = field(repr=False)
    outputs: Floats = field(repr=False)
    plan: NoisePlan = field(repr=False)
    table: tuple[Tried, ...]
    dropped: tuple[tuple[Algorithm, str], ...]
    why: str

    @property
    def told(self) -> str:
        """What a published card may say of the search; how good the candidates are stays with the holder."""
        return f"the best of {len(self.table) + len(self.dropped)} variants"

    def __str__(self) -> str:
        lost = [f"{algorithm!r}: left out, because {reason}" for algorithm, reason in self.dropped]
        return "\n".join([self.why, *map(str, self.table), *lost])

    def plot(self, axes: Any = None) -> Any:
        """Draw the utility of all candidates with and without noise; returns the matplotlib axes."""
        from noisewright.release.search.drawing import plot_search  # noqa: PLC0415  (matplotlib is an extra)

        return plot_search(self, axes)


def stderr(values: Floats) -> float:
    """The standard error of a mean.

    >>> stderr(np.array([1.0, 3.0, 1.0, 3.0])).__round__(3)
    0.577
    """
    return float(values.std(ddof=1) / np.sqrt(values.size))


def reason(attempts: list[Attempt]) -> str:
    """Why the first of some attempts, best first, was taken."""
    best = attempts[0]
    words = f"{best.algorithm!r} is best after the noise, {best.utility:.4f}"
    if len(attempts) == 1:
        return f"{words}; no other candidate was left"
    lead = best.private - attempts[1].private
    return f"{words}, ahead of {attempts[1].algorithm!r} by {lead.mean():.4f} ± {stderr(lead):.4f}"
