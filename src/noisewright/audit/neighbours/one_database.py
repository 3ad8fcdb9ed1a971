"""The relative audit of one database: screen its neighbours, then bound the worst on samples of their own."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from noisewright.audit.auditing import audit_pair
from noisewright.audit.blackbox import BlackBox
from noisewright.audit.claim import Claim
from noisewright.audit.experiment import Experiment
from noisewright.audit.neighbours.drawing import Progress
from noisewright.audit.neighbours.finding import Found, find_pair
from noisewright.audit.neighbours.pair import Pair
from noisewright.audit.neighbours.proposals import MOST_PEOPLE, Relation
from noisewright.audit.spectrum import Spectrum

SCREENING: Final = 0.5
"""Share of the samples that goes into the search; the rest bounds what it found."""


@dataclass(frozen=True, eq=False)
class DatabaseAudit:
    """One database: everybody who was screened, and the spectra of the most exposed, which hold together."""

    name: str
    found: Found
    spectra: tuple[Spectrum, ...]

    @property
    def samples(self) -> int:
        """Runs of the mechanism on this database and its neighbours, the search included."""
        return self.found.samples + sum(spectrum.samples for spectrum in self.spectra)

    def worst(self, delta: float) -> int:
        """The place in the ranking of the pair with the largest lower bound on ε at δ."""
        return int(np.argmax([spectrum.epsilon_lower(delta) for spectrum in self.spectra]))


@dataclass(frozen=True, eq=False)
class Auditor:
    """How databases are audited: everything but the database, so that more can come later.

    The samples for the bounds are drawn when the ranking is done, so choosing costs nothing else; the ``top``
    pairs of a ranking share the failure probability of their database evenly.
    """

    box: BlackBox
    relation: Relation
    claim: Claim | None
    samples: int
    top: int
    entropy: int
    most: int = MOST_PEOPLE
    jobs: int | None = None
    keep: Path | None = None
    progress: Progress | None = None
    options: dict[str, Any] = field(default_factory=dict)

    def audit(self, database: Any, number: int, failure: float) -> DatabaseAudit:
        """Search the database, the ``number``-th, then bound the pairs that looked worst."""
        search, *fresh = np.random.SeedSequence(self.entropy, spawn_key=(number,)).spawn(1 + self.top)
        found = self._search(database, search)
        worst = found.pairs[: self.top]
        bounding = (self.samples - found.samples) // len(worst)
        name = f"database {number}"
        spectra = [
            self._bound(pair, name, bounding, 1 - failure / len(worst), chance)
            for pair, chance in zip(worst, fresh, strict=False)
        ]
        return DatabaseAudit(name, found, tuple(spectra))

    def _search(self, database: Any, chance: np.random.SeedSequence) -> Found:
        return find_pair(
            self.box,
            database,
            relation=self.relation,
            claim=self.claim,
            samples=int(self.samples * SCREENING),
            beyond=False,
            most=self.most,
            jobs=self.jobs,
            seed=chance,
            progress=self.progress,
        )

    def _bound(
        self, pair: Pair, database: str, samples: int, confidence: float, chance: np.random.SeedSequence
    ) -> Spectrum:
        names = database, f"{database} with {pair.name}"
        keep = None if self.keep is None else self.keep / names[1].replace(" ", "-")
        seeds = [int(word) for word in chance.generate_state(2)]
        experiment = Experiment(
            self.box, pair.left, pair.right, jobs=self.jobs, keep=keep, seed=seeds[0], progress=self.progress
        )
        options = {"claim": self.claim, "confidence": confidence, "seed": seeds[1], "names": names}
        return audit_pair(experiment, samples, **(options | self.options))
