"""Audits of the gallery: what every exhibit claims, keeps, and was found to keep."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from noisewright.audit import AuditRequest, Spectrum, audit
from noisewright.errors import InvalidParameter
from noisewright.progress import Status
from noisewright.published.gallery import GALLERY, Exhibit, exhibit
from noisewright.report import Block, Bullets, Details, Report, Reportable, Section, Table, number
from noisewright.text import about, at_least, confidence_words, plain

SAMPLES: Final = 300_000
"""Runs of each exhibit: the whole gallery takes about a minute of one core."""

HEADER: Final = ("Exhibit", "Claimed ε", "True ε", "Found ε ≥", "Published ε ≥", "Verdict")
DIGITS: Final = 4
"""Digits of every ε in the table."""

MISSED: Final = "○ not seen yet"
VERDICTS: Final = {
    (True, True): "✘ FALSE ALARM",
    (True, False): "○ stands, rightly",
    (False, True): "✘ FALSE, rightly",
    (False, False): MISSED,
}
"""The verdict on an exhibit, by whether it keeps its claim and whether the audit refuted it."""

ENOUGH: Final = "8e6"
"""Runs that convict every wrong exhibit, with the confidence of the whole gallery at 95 %."""

PUBLISHED: Final = (
    "Published bounds are DP-Sniper's (Bichsel et al. 2021, each at 90 % by itself), from 4 × 10⁸ final runs "
    "each; the true ε is that of all neighbours, and the pair audited here may spend less."
)


@dataclass(frozen=True, eq=False)
class AuditedExhibit:
    """An exhibit and what the audit found about it.

    Attributes:
        exhibit: The exhibit that was audited.
        spectrum: The result of its audit.
    """

    exhibit: Exhibit
    spectrum: Spectrum

    @property
    def verdict(self) -> str:
        """The verdict on the claim, and whether it is right."""
        return VERDICTS[self.exhibit.right, self.spectrum.verdict == "false"]

    @property
    def found(self) -> float:
        """The lower bound on ε at the claim's δ."""
        return self.spectrum.epsilon_lower(self.exhibit.claim.delta)

    def cells(self) -> tuple[str, ...]:
        """Return a row of a table; claimed and true ε are rounded alike, so that they compare."""
        shown = self.exhibit
        claimed = about(shown.claim.epsilon, DIGITS)
        true = about(shown.true_epsilon, DIGITS)
        published = "–" if shown.published is None else at_least(shown.published.best, DIGITS)
        return plain(shown.name), claimed, true, at_least(self.found, DIGITS), published, self.verdict

    def to_dict(self) -> dict[str, Any]:
        """Return the exhibit in strict JSON values; a true ε without end is the text "infinite"."""
        shown = self.exhibit
        return {
            "name": shown.name,
            "title": shown.title,
            "source": shown.source,
            "claim": {"epsilon": shown.claim.epsilon, "delta": shown.claim.delta},
            "right": shown.right,
            "true_epsilon": "infinite" if math.isinf(shown.true_epsilon) else shown.true_epsilon,
            "epsilon_lower": self.found,
            "published": None if shown.published is None else shown.published.best,
            "verdict": self.spectrum.verdict,
            "samples": self.spectrum.samples,
        }


@dataclass(frozen=True, eq=False)
class GalleryAudit(Reportable):
    """Audits of some exhibits, whose bounds all hold together.

    Attributes:
        exhibits: Each exhibit with its audit.
        confidence: The confidence of all bounds together.
    """

    exhibits: Sequence[AuditedExhibit]
    confidence: float

    @property
    def summary(self) -> str:
        """How many mechanisms were convicted, rightly and wrongly."""
        wrong = [each for each in self.exhibits if not each.exhibit.right]
        convicted = sum(each.spectrum.verdict == "false" for each in wrong)
        alarms = sum(each.verdict == VERDICTS[True, True] for each in self.exhibits)
        runs = max(each.spectrum.samples for each in self.exhibits)
        missed = len(wrong) - convicted
        more = f" To see the violation of {missed} more takes more runs: try --samples {ENOUGH}."
        return (
            f"{convicted} of {len(wrong)} wrong mechanisms were convicted, and {alarms} of "
            f"{len(self.exhibits) - len(wrong)} right ones, with {runs:,} runs each.{more if missed else ''}"
        )

    @property
    def certainty(self) -> str:
        """What the confidence of a whole gallery means for false alarms."""
        return (
            f"With a probability of at least {confidence_words(self.confidence)} every bound of the table "
            "holds, and then no right mechanism is convicted: each has its part of the failure probability. "
            "Expect a false alarm in at most one gallery of "
            f"{math.floor(1 / (1 - self.confidence) + 1e-9):,}."
        )

    def report(self) -> Report:
        """Describe the gallery as a document."""
        cells = [each.cells() for each in self.exhibits]
        rows = [[first, *map(number, others[:-1]), others[-1]] for first, *others in cells]
        level = confidence_words(self.confidence)
        caption = f"Every exhibit on its first pair of inputs; {level} confidence for all together"
        notes = [
            plain(f"{each.exhibit.name}: {each.exhibit.sentence} ({each.exhibit.source})")
            for each in self.exhibits
        ]
        found: list[Block] = [
            self.certainty,
            Table(caption, HEADER, rows),
            PUBLISHED,
            Details("What is right and wrong about them", [Bullets(notes)]),
        ]
        return Report(
            title="The gallery of mechanisms",
            lead=self.summary,
            sections=[Section("What was found", found)],
            verb="audit --gallery",
            data=self.to_dict(),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the gallery in strict JSON values."""
        return {
            "summary": self.summary,
            "confidence": self.confidence,
            "exhibits": [each.to_dict() for each in self.exhibits],
        }


def audit_gallery(
    names: Sequence[str] = (),
    request: AuditRequest | None = None,
    *,
    jobs: int | None = None,
    seed: int | None = None,
    status: Status | None = None,
) -> GalleryAudit:
    """Audit exhibits of the gallery, each on its first pair.

    The confidence is that of all of them together: each gets the same part of the failure probability
    (Bonferroni), so that every bound of the table holds beside every other one. Holm's steps would convict as
    many or more, but would leave no bounds on ε that hold together.

    Args:
        names: The names of the exhibits; none for all.
        request: The question about each; its claim is that of the exhibit, and its samples are 300,000 unless
            it says otherwise.
        jobs: Processes that run the mechanisms; None as many as suit them.
        seed: The seed of the audits' own randomness; None draws a fresh one.
        status: Called with the name of each exhibit before it is audited.
    """
    for name in names:
        if names.count(name) > 1:
            raise InvalidParameter(f"the exhibit {name!r} is named twice")
    asked = request or AuditRequest()
    chosen = [exhibit(name) for name in names] or GALLERY
    samples = SAMPLES if asked.samples is None else asked.samples
    each = 1 - (1 - asked.confidence) / len(chosen)
    found = []
    for shown in chosen:
        if status is not None:
            status(shown.name)
        spectrum = audit(
            shown.mechanism, *shown.pairs[0], asked, claim=shown.claim, samples=samples, confidence=each,
            vectorized=True, jobs=jobs, seed=seed,
        )  # fmt: skip
        found.append(AuditedExhibit(shown, spectrum))
    return GalleryAudit(found, asked.confidence)
