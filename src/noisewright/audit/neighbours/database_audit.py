"""The relative audit of one database: screen its neighbours, then bound the worst on samples of their own."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import numpy as np

from noisewright.audit.basics.budget import FEWEST, Budget
from noisewright.audit.blackbox import BlackBox
from noisewright.audit.blackbox.exchange import identity
from noisewright.audit.experiment import Experiment
from noisewright.audit.neighbours.cache import OrderCache, pair_folder, search_folder
from noisewright.audit.neighbours.draws import Drawing
from noisewright.audit.neighbours.pairs import Pair
from noisewright.audit.neighbours.proposals import SearchRequest, propose
from noisewright.audit.neighbours.search import Found, screen
from noisewright.audit.neighbours.successive_halving import check_budget, fewest, sharing
from noisewright.audit.spectrum.pair import spectrum_of
from noisewright.audit.spectrum.request import AuditRequest
from noisewright.audit.spectrum.spectrum import Spectrum
from noisewright.progress import Progress

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
        """Return the place in the ranking of the pair with the largest lower bound on ε at δ."""
        return int(np.argmax([spectrum.epsilon_lower(delta) for spectrum in self.spectra]))


@dataclass(frozen=True, eq=False)
class Auditor:
    """How databases are audited: everything but the database, so that more can come later.

    The samples for the bounds are drawn when the ranking is done, so choosing costs nothing else; the ``top``
    pairs of a ranking share the failure probability of their database evenly; so many ``databases`` are
    expected.
    """

    box: BlackBox
    asked: AuditRequest
    samples: int
    top: int
    entropy: int
    databases: int = 1
    jobs: int | None = None
    keep: Path | None = None
    progress: Progress | None = None
    search: SearchRequest = field(default_factory=SearchRequest)

    def audit(self, database: Any, number: int, share: float) -> DatabaseAudit:
        """Search the database, the ``number``-th, then bound the pairs that looked worst.

        The database has a ``share`` of the failure probability of all.
        """
        folder = self._folder(database, number)
        found = self._search(database, number, folder)
        worst = found.pairs[: self.top]
        each = (self.samples - found.samples) // len(worst)
        spectra = []
        for place, pair in enumerate(worst):
            progress = self._progress(number, found.samples + place * each)
            spectra.append(self._bound(pair, number, each, share / len(worst), folder, progress))
        return DatabaseAudit(_name(number), found, tuple(spectra))

    def _folder(self, database: Any, number: int) -> Path | None:
        """Where the runs of this search and of its pairs are kept."""
        if self.keep is None:
            return None
        return search_folder(
            self.keep, self.box.describe(), identity(database), self.search.to_dict(), number
        )

    def _search(self, database: Any, number: int, folder: Path | None) -> Found:
        proposing, chance = self._chance(number, "search").spawn(2)
        proposals = propose(database, self.search, seed=proposing)
        self._check_budget(sharing(proposals.pairs))
        samples = int(self.samples * SCREENING)
        kept = None if folder is None else OrderCache(folder)
        drawing = Drawing(self.box, chance, self.jobs, self._progress(number, 0), samples, kept=kept)
        return screen(proposals, drawing, self.asked.tested)

    def _check_budget(self, shared: list[int]) -> None:
        """Both parts of the samples must do: those that screen, and those that bound each of the top."""
        bounding = FEWEST * min(self.top, sum(shared))
        needed = max(fewest(shared) / SCREENING, bounding / (1 - SCREENING))
        to = "the search" if self.databases == 1 else "every database"
        check_budget(self.samples, shared, math.ceil(needed), to)

    def _bound(
        self,
        pair: Pair,
        number: int,
        samples: int,
        share: float,
        folder: Path | None,
        progress: Progress | None,
    ) -> Spectrum:
        drawing, learning = map(int, self._chance(number, pair.name).generate_state(2, np.uint64) >> 2)
        keep = None if folder is None else pair_folder(folder, pair.name)
        experiment = Experiment(
            self.box, pair.left, pair.right, jobs=self.jobs, keep=keep, seed=drawing, progress=progress
        )
        # an upper bound for one pair is none for the others, so nothing is spent on it
        return spectrum_of(
            experiment, Budget(samples), self.asked, pair.names(_name(number)), seed=learning, share=share,
            seeks_upper=False,
        )  # fmt: skip

    def _chance(self, number: int, purpose: str) -> np.random.SeedSequence:
        """Chance of its own for the search and for every pair, whatever its rank."""
        words = np.frombuffer(blake2b(purpose.encode(), digest_size=16).digest(), np.uint32)
        return np.random.SeedSequence(self.entropy, spawn_key=(number, *words.tolist()))

    def _progress(self, number: int, before: int) -> Progress | None:
        """Runs of one part of the work as runs of all of it; ``before`` it were so many of its database."""
        tell = self.progress
        if tell is None:
            return None
        earlier = (number - 1) * self.samples + before
        total = max(number, self.databases) * self.samples
        return lambda done, wanted: tell(earlier + done, max(total, earlier + done))


def _name(number: int) -> str:
    return f"database {number}"
