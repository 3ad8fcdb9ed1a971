"""The relative audit: screen the neighbours of each database, then bound the worst on fresh runs."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from noisewright.audit.basics.budget import FEWEST, Budget
from noisewright.audit.basics.claim import Claim
from noisewright.audit.blackbox import BlackBox
from noisewright.audit.blackbox.exchange import identity
from noisewright.audit.experiment import Experiment
from noisewright.audit.neighbours.draws import Drawing, OrderCache, pair_folder, search_folder
from noisewright.audit.neighbours.pairs import Pair
from noisewright.audit.neighbours.proposals import SearchRequest, propose
from noisewright.audit.neighbours.search import Found, Screened, check_budget, fewest, screen, sharing
from noisewright.audit.spectrum.pair import AuditRequest, spectrum_of
from noisewright.audit.spectrum.spectrum import Spectrum
from noisewright.domains import Floats
from noisewright.progress import Progress
from noisewright.report import Report, Reportable
from noisewright.report.terminal import render_text
from noisewright.text import confidence_words

SCREENING: Final = 0.5
"""The share of runs that goes into the search; the rest bounds the pairs it found."""


@dataclass(frozen=True, eq=False)
class DatabaseAudit:
    """One database: all screened pairs, and the spectra of the most exposed, which hold together."""

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
    """The settings of an audit of databases, so that more databases can be added later.

    The runs for the bounds are drawn after the ranking, so choosing costs no confidence. The ``top`` pairs of
    a ranking share the failure probability of their database evenly. ``databases`` is the expected number.
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
        folder = None  # where the runs of this search and of its pairs are kept
        if self.keep is not None:
            of = self.box.describe(), identity(database), self.search.to_dict(), number
            folder = search_folder(self.keep, *of)
        found = self._search(database, number, folder)
        worst = found.pairs[: self.top]
        each = (self.samples - found.samples) // len(worst)
        spectra = []
        for place, pair in enumerate(worst):
            progress = self._progress(number, found.samples + place * each)
            spectra.append(self._bound(pair, number, each, share / len(worst), folder, progress))
        return DatabaseAudit(_name(number), found, tuple(spectra))

    def _search(self, database: Any, number: int, folder: Path | None) -> Found:
        proposing, chance = self._chance(number, "search").spawn(2)
        proposals = propose(database, self.search, seed=proposing)
        self._check_budget(sharing(proposals.pairs))
        samples = int(self.samples * SCREENING)
        kept = None if folder is None else OrderCache(folder)
        drawing = Drawing(self.box, chance, self.jobs, self._progress(number, 0), samples, kept=kept)
        return screen(proposals, drawing, self.asked.tested)

    def _check_budget(self, shared: list[int]) -> None:
        """Refuse too few runs, for screening or for bounding each of the top pairs."""
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
        # an upper bound for one pair says nothing about the others, so nothing is spent on it
        return spectrum_of(
            experiment, Budget(samples), self.asked, pair.names(_name(number)), seed=learning, share=share,
            seeks_upper=False,
        )  # fmt: skip

    def _chance(self, number: int, purpose: str) -> np.random.SeedSequence:
        """Return a seed of its own for the search and for every pair, whatever its rank."""
        words = np.frombuffer(blake2b(purpose.encode(), digest_size=16).digest(), np.uint32)
        return np.random.SeedSequence(self.entropy, spawn_key=(number, *words.tolist()))

    def _progress(self, number: int, before: int) -> Progress | None:
        """Return progress that adds the runs of one part to those ``before`` it."""
        tell = self.progress
        if tell is None:
            return None
        earlier = (number - 1) * self.samples + before
        total = max(number, self.databases) * self.samples
        return lambda done, wanted: tell(earlier + done, max(total, earlier + done))


def _name(number: int) -> str:
    return f"database {number}"


# -- all databases -------------------------------------------------------------------------------------


LATER: Final = 0.05
"""The part of the failure probability that is kept for databases added later."""


def share_of_failure(number: int, expected: int = 1) -> float:
    """Return the part of the failure probability that the ``number``-th database may use up.

    The ``expected`` ones share nearly all of it. Further ones, as many as may come, have shares of the rest
    in proportion to 1/k², which add up to it.

    >>> round(share_of_failure(1), 4), round(share_of_failure(2), 4)
    (0.95, 0.0304)
    """
    if number <= expected:
        return (1 - LATER) / expected
    return LATER * 6 / (math.pi * (number - expected)) ** 2


@dataclass(frozen=True, eq=False)
class RelativeSpectrum(Reportable):
    """The most exposed person of all databases so far; all lower bounds hold together, at ``confidence``.

    They hold for the databases that were searched and their neighbours: relative privacy is the largest value
    over pairs, which is at least that of any pair. If the search went ``beyond`` them, they hold for the
    mechanism on any database. The result shows which row is most exposed, so it is as private as the
    databases.

    Attributes:
        audited: The findings for each database, in the order they came.
        confidence: How sure all lower bounds are together.
        auditor: The settings for further databases.
    """

    audited: tuple[DatabaseAudit, ...]
    confidence: float
    auditor: Auditor = field(repr=False)

    @property
    def claim(self) -> Claim | None:
        """The claim that was tested."""
        return self.auditor.asked.tested

    @property
    def worst_database(self) -> DatabaseAudit:
        """The database with the most exposed person."""
        return max(self.audited, key=self._exposure)

    @property
    def pair(self) -> Pair:
        """The worst pair."""
        database = self.worst_database
        return database.found.pairs[database.worst(self._delta)]

    @property
    def worst(self) -> str:
        """The most exposed person: "database 1: row 17 removed"; rows count from 0."""
        return f"{self.worst_database.name}: {self.pair.name}"

    @property
    def beyond(self) -> bool:
        """Whether made-up databases were searched, too."""
        return self.auditor.search.beyond

    @property
    def made_up(self) -> bool:
        """Whether the worst pair lies outside the given databases: the search made it up."""
        return self.pair.made_up is not None

    @property
    def spectrum(self) -> Spectrum:
        """The spectrum of the worst pair; an upper bound in it is for that pair only."""
        database = self.worst_database
        return database.spectra[database.worst(self._delta)]

    @property
    def screened(self) -> tuple[Screened, ...]:
        """All screened pairs, the most exposed first; those that lasted longer in the race come earlier."""
        every = [
            replace(seen, name=f"{audit.name}: {seen.name}")
            for audit in self.audited
            for seen in audit.found.screened
        ]
        return tuple(sorted(every, key=lambda seen: (-seen.rounds, -seen.statistic)))

    @property
    def passed_over(self) -> int:
        """Rows of all databases that were not examined because there were too many."""
        return sum(audit.found.passed_over for audit in self.audited)

    @property
    def samples(self) -> int:
        """Runs of the mechanism in all, searches included."""
        return sum(audit.samples for audit in self.audited)

    @property
    def verdict(self) -> str:
        """The worst verdict of all pairs: "false", "identified", "not refuted"; or "none" without a claim."""
        found = {spectrum.verdict for spectrum in self._spectra}
        return next(verdict for verdict in ("false", "identified", *found) if verdict in found)

    def epsilon_lower(self, delta: float = 0.0) -> float:
        """Return a lower bound on ε at δ: some examined pair needs at least this."""
        return max(spectrum.epsilon_lower(delta) for spectrum in self._spectra)

    def delta_lower(self, epsilon: ArrayLike) -> Floats:
        """Return a lower bound on δ at ε, for all ε together: some examined pair needs at least this."""
        return np.asarray(np.max([spectrum.delta_lower(epsilon) for spectrum in self._spectra], axis=0))

    def add(self, database: Any) -> RelativeSpectrum:
        """Return the result with one more database; others are not run again (Lu et al. 2024, prop. 2)."""
        number = len(self.audited) + 1
        share = share_of_failure(number, self.auditor.databases)
        return replace(self, audited=(*self.audited, self.auditor.audit(database, number, share)))

    def explain(self) -> str:
        """Return in sentences who is most exposed, which event shows it, and what this does not say."""
        neighbours = sum(len(audit.found.screened) for audit in self.audited)
        databases = "one database" if len(self.audited) == 1 else f"{len(self.audited):,} databases"
        databases += " and of databases made up from them" if self.beyond else ""
        outside = ""
        if self.made_up:
            outside = (
                " The pair lies outside the given data: the search made it up, so it shows what the "
                "mechanism may give away, and not what it gives away about these people."
            )
        rest = f" {self.passed_over:,} rows were not examined." if self.passed_over else ""
        return (
            f"Most exposed of all who were searched: {self.worst} (rows count from 0). "
            f"{self.spectrum.explain()} The pair was found by screening {neighbours:,} neighbours of "
            f"{databases} and bounded on fresh runs, so the search costs only "
            f"runs.{rest}{outside} For all databases together this is a lower bound on "
            f"{'' if self.beyond else 'relative '}privacy loss, at {confidence_words(self.confidence)} "
            "confidence: somebody who was screened out, or another database, may be worse off, and no upper "
            "bound is implied."
        )

    def report(self) -> Report:
        """Describe the audit of the worst pair, and the search that found it, as a document."""
        from noisewright.audit.neighbours.report import search_report  # noqa: PLC0415  (it needs this module)

        return search_report(self)

    def __str__(self) -> str:
        return render_text(self.report())

    def plot(self, axes: Any = None, *, logarithmic: bool = False) -> Any:
        """Draw the spectrum of the worst pair; returns the axes."""
        return self.spectrum.plot(axes, logarithmic=logarithmic)

    @property
    def _spectra(self) -> list[Spectrum]:
        return [spectrum for audit in self.audited for spectrum in audit.spectra]

    @property
    def _delta(self) -> float:
        return self.claim.delta if self.claim else 0.0

    def _exposure(self, audit: DatabaseAudit) -> tuple[float, float]:
        """Return the ε that a database shows at the claim's δ; if none, the one that its search suggested."""
        place = audit.worst(self._delta)
        return audit.spectra[place].epsilon_lower(self._delta), audit.found.screened[place].statistic
