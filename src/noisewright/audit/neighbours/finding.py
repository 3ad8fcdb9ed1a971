"""A worst pair for a user who has only a database."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from noisewright.audit.blackbox import black_box
from noisewright.audit.claim import Claim, Claimed
from noisewright.audit.experiment import Progress
from noisewright.audit.folds import run_count
from noisewright.audit.neighbours.drawing import Drawing
from noisewright.audit.neighbours.pair import Pair
from noisewright.audit.neighbours.proposals import MOST_PEOPLE, Proposals, Relation, propose
from noisewright.audit.neighbours.rows import Label, Range
from noisewright.audit.neighbours.screening import Screened, race

SAMPLES: Final = 1_000_000
"""Samples of a search unless the user says otherwise."""


@dataclass(frozen=True, eq=False)
class Found:
    """The pair that looked most exposed, all that were screened, and what the search cost.

    No number in here is a bound: audit :attr:`pair` on samples of its own, and the search costs nothing else.
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
        """What was searched and what was found, for people."""
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
    relation: Relation = "remove",
    claim: Claimed | None = None,
    samples: float = SAMPLES,
    beyond: bool = True,
    bounds: Mapping[Label, Range] | Range | None = None,
    sensitivity: float = 1.0,
    times: int = 4,
    most: int = MOST_PEOPLE,
    vectorized: bool = False,
    timeout: float = 60.0,
    jobs: int | None = None,
    seed: int | np.random.SeedSequence | None = None,
    progress: Progress | None = None,
) -> Found:
    """Screen the neighbours of a database for the pair that a mechanism treats most differently.

    ``relation`` says what neighbours are: one row removed, one row changed, or, for a vector of answers to
    ``"queries"``, every answer moved by at most ``sensitivity``. Besides the neighbours of the database
    itself, databases of extreme rows (the smallest and largest values seen, or ``bounds``) and ``times``
    random halves of the people are tried, unless ``beyond=False``. Of more than ``most`` rows, so many are
    looked at by chance.

    >>> def release(data, count, generator):
    ...     return data.sum() + generator.laplace(size=count)
    >>> data = np.array([0.1, 0.2, 9.0, 0.3])
    >>> find_pair(release, data, samples=20_000, beyond=False, vectorized=True, seed=1).pair.name
    'row 2 removed'
    """
    samples, claimed = run_count(samples, fewest=1), Claim.of(claim)
    chance = seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(seed)
    proposing, drawing_seeds = chance.spawn(2)
    proposals = propose(
        database,
        relation,
        beyond=beyond,
        bounds=bounds,
        sensitivity=sensitivity,
        times=times,
        most=most,
        seed=proposing,
    )
    box = black_box(mechanism, vectorized=vectorized, timeout=timeout)
    return screen(proposals, Drawing(box, drawing_seeds, jobs, progress, samples), claimed)


def screen(proposals: Proposals, drawing: Drawing, claim: Claim | None) -> Found:
    """Race the pairs that were proposed, with as many samples as the drawing is wanted for."""
    ranking = race(proposals.pairs, drawing, drawing.wanted, claim.delta if claim else 0.0)
    return Found(ranking.pairs, ranking.screened, drawing.spent, proposals.people, proposals.passed_over)
