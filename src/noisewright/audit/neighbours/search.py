"""A worst pair for a user who has only a database."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from noisewright.audit.basics.budget import run_count
from noisewright.audit.basics.claim import Claim, Claimed
from noisewright.audit.blackbox import black_box
from noisewright.audit.neighbours.draws import Drawing
from noisewright.audit.neighbours.pairs import Pair
from noisewright.audit.neighbours.proposals import Proposals, SearchRequest, propose
from noisewright.audit.neighbours.successive_halving import Screened, race
from noisewright.progress import Progress

SAMPLES: Final = 1_000_000
"""Samples of a search unless the user says otherwise."""


@dataclass(frozen=True, eq=False)
class Found:
    """The pair that looked most exposed, all that were screened, and what the search cost.

    No number in here is a bound: audit :attr:`pair` on samples of its own, and the search costs nothing else.

    Attributes:
        pairs: All pairs, the most exposed first.
        screened: What the race saw of each pair, in the same order.
        samples: Runs of the search.
        people: Rows of the database.
        passed_over: Rows that were not looked at because there were too many.
    """

    pairs: tuple[Pair, ...]
    screened: tuple[Screened, ...]
    samples: int
    people: int
    passed_over: int

    @property
    def pair(self) -> Pair:
        """The most exposed."""
        return self.pairs[0]

    def explain(self) -> str:
        """Return what was searched and what was found, for people."""
        rest = f" {self.passed_over:,} rows were not looked at." if self.passed_over else ""
        ours = "" if self.pair.made_up is None else "; the search made this database up"
        return (
            f"Of {len(self.screened):,} pairs of neighbours, screened with {self.samples:,} samples, "
            f"the most exposed looks to be: {self.pair.name} (rows count from 0{ours}).{rest} "
            "Screening ranks pairs; it bounds nothing."
        )


def find_pair(
    mechanism: Any,
    database: Any,
    *,
    claim: Claimed | None = None,
    samples: float = SAMPLES,
    vectorized: bool = False,
    timeout: float = 60.0,
    jobs: int | None = None,
    seed: int | np.random.SeedSequence | None = None,
    progress: Progress | None = None,
    **search: Any,
) -> Found:
    """Screen the neighbours of a database for the pair that a mechanism treats most differently.

    Args:
        mechanism: A function, a mechanism, a command line, a web address, or a :class:`BlackBox`.
        database: An array, a list of records, an Arrow or pandas table, a dictionary of columns; or a vector
            of answers to queries.
        claim: What the mechanism is said to keep; pairs are ranked at its δ, or at 0.
        samples: Runs of the whole search.
        vectorized: Whether a function takes a count as well, and returns that many outputs at once.
        timeout: Seconds that one call may take.
        jobs: Processes that run the mechanism; -1 for all cores. None uses all of them for slow mechanisms.
        seed: The chance that the search governs; None draws fresh chance.
        progress: Called with the runs made so far and those wanted.
        search: Fields of :class:`SearchRequest` by name: ``relation``, ``beyond``, ``bounds``,
            ``sensitivity``, ``times``, ``most``.

    >>> def release(data, count, generator):
    ...     return data.sum() + generator.laplace(size=count)
    >>> data = np.array([0.1, 0.2, 9.0, 0.3])
    >>> find_pair(release, data, samples=20_000, beyond=False, vectorized=True, seed=1).pair.name
    'row 2 removed'
    """
    samples, claimed = run_count(samples, fewest=1), Claim.of(claim)
    chance = seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(seed)
    proposing, drawing_seeds = chance.spawn(2)
    proposals = propose(database, SearchRequest(**search), seed=proposing)
    box = black_box(mechanism, vectorized=vectorized, timeout=timeout)
    return screen(proposals, Drawing(box, drawing_seeds, jobs, progress, samples), claimed)


def screen(proposals: Proposals, drawing: Drawing, claim: Claim | None) -> Found:
    """Race the pairs that were proposed, with as many samples as the drawing is wanted for."""
    ranking = race(proposals.pairs, drawing, drawing.wanted, claim.delta if claim else 0.0)
    return Found(ranking.pairs, ranking.screened, drawing.spent, proposals.people, proposals.passed_over)
