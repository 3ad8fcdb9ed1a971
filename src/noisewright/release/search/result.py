"""The result of a search: the winner, everything needed to release it, and the utility of all candidates."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from noisewright.domains import Floats
from noisewright.release.algorithms.base import Algorithm, Facts
from noisewright.release.basics.pool import Confidential
from noisewright.release.basics.worlds import Worlds
from noisewright.release.noise import NoisePlan
from noisewright.report import Bullets, Report, Reportable, Section, Table, number
from noisewright.report.plots import new_axes


@dataclass(frozen=True, eq=False)
class Attempt:
    """A candidate that did not fail in any world, and its utility in each trial, with and without noise."""

    algorithm: Algorithm
    facts: Facts
    outputs: Floats
    plan: NoisePlan
    private: Floats
    unnoised: Floats

    @property
    def utility(self) -> float:
        """The mean utility after the noise."""
        return float(self.private.mean())


@dataclass(frozen=True)
class Candidate:
    """A candidate of a search, and how good it is with and without noise.

    Utilities are exact functions of the pool: they are for the data holder and not for publication.

    Attributes:
        algorithm: The candidate.
        worlds: Number of worlds in which it ran.
        private_utility: Mean utility after the noise, on records left out; more is better.
        stderr: Standard error of that mean.
        unnoised_utility: Mean utility without noise.
        total_variance: Variance of the noise, summed over all directions.
    """

    algorithm: Algorithm
    worlds: int
    private_utility: float
    stderr: float
    unnoised_utility: float
    total_variance: float

    @classmethod
    def of(cls, attempt: Attempt) -> Candidate:
        """Return the candidate of an attempt."""
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
class SearchResult(Confidential, Reportable):
    """The best candidate, ready to be released, and the table of all.

    The outputs are exact about the pool, so the result is not pickled or copied.

    Attributes:
        best: Winner of the search.
        worlds: Public list of worlds, in all of which the winner ran.
        facts: What the winner takes as public about the pool.
        outputs: Output of the winner in every world, (worlds, numbers).
        plan: Noise for these outputs.
        table: All candidates, best first; those tried in all worlds before those that were only screened.
        dropped: Candidates that failed, each with the reason.
        why: One sentence on why the winner won.
    """

    best: Algorithm
    worlds: Worlds
    facts: Facts = field(repr=False)
    outputs: Floats = field(repr=False)
    plan: NoisePlan = field(repr=False)
    table: tuple[Candidate, ...]
    dropped: tuple[tuple[Algorithm, str], ...]
    why: str

    @property
    def summary(self) -> str:
        """The sentence of a published card about the search; utilities stay with the data holder."""
        return f"the best of {len(self.table) + len(self.dropped)} variants"

    def __str__(self) -> str:
        lost = [f"{algorithm!r}: left out, because {reason}" for algorithm, reason in self.dropped]
        return "\n".join([self.why, *map(str, self.table), *lost])

    def report(self) -> Report:
        """Describe the search as a document, for the holder of the data only."""
        rows = [
            [
                repr(each.algorithm),
                *(
                    number(f"{value:.4f}", exact=value)
                    for value in (each.private_utility, each.stderr, each.unnoised_utility)
                ),
                number(each.worlds),
            ]
            for each in self.table
        ]
        header = ["candidate", "utility", "standard error", "without noise", "worlds"]
        table = Table("All candidates, the best first", header, rows)
        lost = Bullets([f"{algorithm!r} is left out, because {reason}" for algorithm, reason in self.dropped])
        part = Section("Candidates", [table, lost], confidential=True)
        return Report("Search", self.why, [part], verb="release", data={"summary": self.summary})

    def plot(self, axes: Any = None) -> Any:
        """Draw the utility of all candidates with and without noise, the best on top; return the axes.

        Args:
            axes: Matplotlib axes to draw on; None makes new ones.
        """
        axes = axes if axes is not None else new_axes()
        table, places = self.table, np.arange(len(self.table))
        axes.errorbar(
            [row.private_utility for row in table],
            places,
            xerr=[2 * row.stderr for row in table],
            fmt="o",
            capsize=3,
            label="after the noise (± 2 standard errors)",
        )
        axes.plot(
            [row.unnoised_utility for row in table],
            places,
            "o",
            color="grey",
            markerfacecolor="none",
            label="without noise",
        )
        axes.set_yticks(places, [repr(row.algorithm) for row in table])
        axes.invert_yaxis()
        axes.set_xlabel("utility on the records that were left out")
        axes.legend()
        return axes


def stderr(values: Floats) -> float:
    """Return the standard error of a mean.

    >>> stderr(np.array([1.0, 3.0, 1.0, 3.0])).__round__(3)
    0.577
    """
    return float(values.std(ddof=1) / np.sqrt(values.size))


def reason(attempts: list[Attempt]) -> str:
    """Return why the first of some attempts, sorted best first, was taken."""
    best = attempts[0]
    words = f"{best.algorithm!r} is best after the noise, {best.utility:.4f}"
    if len(attempts) == 1:
        return f"{words}; no other candidate was left"
    lead = best.private - attempts[1].private
    return f"{words}, ahead of {attempts[1].algorithm!r} by {lead.mean():.4f} ± {stderr(lead):.4f}"
