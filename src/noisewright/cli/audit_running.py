"""Running the audit that was asked for: a pair, a search for the worst neighbour, and Eureka beside it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

from noisewright.audit.auditing import audit
from noisewright.audit.eureka import eureka_pair
from noisewright.audit.experiment import Progress
from noisewright.audit.neighbours import RelativeSpectrum, audit_database
from noisewright.audit.spectrum import Spectrum
from noisewright.cli.audit_request import Target
from noisewright.cli.audit_scope import Scope
from noisewright.cli.audit_search import QUERIES, SearchOptions
from noisewright.errors import InvalidParameter
from noisewright.pages.audit_eureka import Beside
from noisewright.pages.audit_rows import curve_rows
from noisewright.pages.audit_search import pair_names, search_facts, search_part, search_section
from noisewright.pages.audit_text import Part
from noisewright.pages.audit_words import standing
from noisewright.pages.template import Section

FEW: Final = 100_000
"""Runs that the published estimate gets: it trains a classifier for every ε, twice."""


@dataclass(frozen=True, eq=False)
class Finding:
    """What an audit found, and what else was asked for besides."""

    spectrum: Spectrum
    search: RelativeSpectrum | None = None
    beside: Beside | None = None

    @property
    def standing(self) -> str:
        """What became of the claim, by the whole search if there was one: for badge, JSON and exit code."""
        return standing(self.spectrum, None if self.search is None else self.search.verdict)

    def parts(self) -> list[Part]:
        """What else was asked for, for the terminal."""
        search = [] if self.search is None else [search_part(self.search)]
        return [*search, *([] if self.beside is None else [self.beside.part(self.spectrum)])]

    def sections(self) -> list[Section]:
        """What else was asked for, for the page."""
        search = [] if self.search is None else [search_section(self.search)]
        return [*search, *([] if self.beside is None else [self.beside.section(self.spectrum)])]

    def to_dict(self) -> dict[str, Any]:
        """The finding in strict JSON values."""
        search = None if self.search is None else search_facts(self.search)
        claim = self.spectrum.claim
        delta = claim.delta if claim else 0.0
        return {
            "standing": self.standing,
            "at_claim": {"delta": delta, "epsilon_lower": self.spectrum.epsilon_lower(delta)},
            **self.spectrum.to_dict(),
            "search": search,
            "eureka": None if self.beside is None else self.beside.to_dict(),
        }


def find(
    target: Target, scope: Scope, search: SearchOptions, *, eureka: bool, progress: Progress | None
) -> Finding:
    """Audit the pair, or search for the worst one and audit that."""
    subject = target.subject
    if subject.database is not None:
        return _searched(target, scope, search, eureka=eureka, progress=progress)
    spectrum = audit(
        target.box, subject.left, subject.right, claim=target.claim, progress=progress, names=subject.names,
        **scope.budget(patient=target.patient), **scope.options(),
    )  # fmt: skip
    return Finding(spectrum, beside=_beside(target, scope, spectrum) if eureka else None)


def _searched(
    target: Target, scope: Scope, search: SearchOptions, *, eureka: bool, progress: Progress | None
) -> Finding:
    if eureka:
        raise InvalidParameter("--eureka is for a pair; it would train classifiers for every neighbour")
    database = target.subject.database
    if search.relation == QUERIES and hasattr(database, "to_csv"):
        raise InvalidParameter("a command or endpoint gets answers as JSON; give a JSON file with a list")
    found = audit_database(
        target.box, database, claim=target.claim, progress=progress,
        samples=scope.search_samples(patient=target.patient),
        **search.keywords(database, target.subject.columns), **scope.options(),
    )  # fmt: skip
    left, right = pair_names(found)
    return Finding(replace(found.spectrum, left=left, right=right), search=found)


def _beside(target: Target, scope: Scope, spectrum: Spectrum) -> Beside:
    """The published estimate in both directions, at the ε that our table shows."""
    epsilons = [row.epsilon for row in curve_rows(spectrum)]
    inputs = target.subject.left, target.subject.right
    forward, backward = (
        eureka_pair(
            target.box, *pair, epsilons, samples=min(FEW, spectrum.samples), jobs=scope.jobs, seed=scope.seed
        )
        for pair in (inputs, inputs[::-1])
    )
    return Beside(forward, backward)
