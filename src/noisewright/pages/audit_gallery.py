"""The gallery on one screen and on one page: what every exhibit claims, keeps, and was found to keep."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from noisewright import __version__
from noisewright.audit.gallery import Exhibit
from noisewright.audit.rounding import about, at_least, confidence_words
from noisewright.audit.spectrum import Spectrum
from noisewright.pages.audit_text import wrapped
from noisewright.pages.markup import Html, bullets
from noisewright.pages.tables import number, table
from noisewright.pages.template import Section, page
from noisewright.text import plain

HEADER: Final = ("Exhibit", "Claimed ε", "True ε", "Found ε ≥", "Published ε ≥", "Verdict")
MISSED: Final = "○ not seen yet"
VERDICTS: Final = {
    (True, True): "✘ FALSE ALARM",
    (True, False): "○ stands, rightly",
    (False, True): "✘ FALSE, rightly",
    (False, False): MISSED,
}
"""What is said of an exhibit, by whether it keeps its claim and whether the audit refuted it."""

ENOUGH: Final = "8e6"
"""Runs that convict every wrong exhibit, with the confidence of the whole gallery at 95 %."""

PUBLISHED: Final = (
    "Published bounds are DP-Sniper's (Bichsel et al. 2021, each at 90 % by itself), from 4 × 10⁸ final runs "
    "each; the true ε is that of all neighbours, and the pair audited here may spend less."
)


@dataclass(frozen=True, eq=False)
class Hung:
    """An exhibit and what the audit found about it."""

    exhibit: Exhibit
    spectrum: Spectrum

    @property
    def verdict(self) -> str:
        """What became of the claim, and whether that is right."""
        return VERDICTS[self.exhibit.right, self.spectrum.verdict == "false"]

    @property
    def found(self) -> float:
        """The lower bound on ε at the claim's δ."""
        return self.spectrum.epsilon_lower(self.exhibit.claim.delta)

    def cells(self) -> tuple[str, ...]:
        """The exhibit as a row of a table."""
        shown = self.exhibit
        true = "–" if shown.true_epsilon is None else about(shown.true_epsilon, 4)
        published = "–" if shown.published is None else at_least(shown.published.best, 4)
        return (
            plain(shown.name), about(shown.claim.epsilon), true, at_least(self.found, 4), published,
            self.verdict,
        )  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """The exhibit in strict JSON values; a true ε without end is the text "infinite"."""
        shown = self.exhibit
        endless = shown.true_epsilon is not None and shown.true_epsilon == float("inf")
        return {
            "name": shown.name,
            "title": shown.title,
            "source": shown.source,
            "claim": {"epsilon": shown.claim.epsilon, "delta": shown.claim.delta},
            "right": shown.right,
            "true_epsilon": "infinite" if endless else shown.true_epsilon,
            "epsilon_lower": self.found,
            "published": None if shown.published is None else shown.published.best,
            "verdict": self.spectrum.verdict,
            "samples": self.spectrum.samples,
        }


def summary(hung: Sequence[Hung]) -> str:
    """Say how many mechanisms were convicted, rightly and wrongly."""
    wrong = [each for each in hung if not each.exhibit.right]
    convicted = sum(each.spectrum.verdict == "false" for each in wrong)
    alarms = sum(each.verdict == VERDICTS[True, True] for each in hung)
    runs = max(each.spectrum.samples for each in hung)
    missed = len(wrong) - convicted
    rest = (
        f" To see the violation of {missed} more takes more runs: try --samples {ENOUGH}." if missed else ""
    )
    return (
        f"{convicted} of {len(wrong)} wrong mechanisms were convicted, and {alarms} of "
        f"{len(hung) - len(wrong)} right ones, with {runs:,} runs each.{rest}"
    )


def certainty(confidence: float) -> str:
    """Say what the confidence of a whole gallery promises about false alarms."""
    return (
        f"With a probability of at least {confidence_words(confidence)} every bound of the table holds, and "
        "then no right mechanism is convicted: each has its part of the failure probability. Expect a false "
        f"alarm in at most one gallery of {math.floor(1 / (1 - confidence) + 1e-9):,}."
    )


def gallery_facts(hung: Sequence[Hung], confidence: float) -> dict[str, Any]:
    """Return the gallery in strict JSON values; ``confidence`` is that of all exhibits together."""
    return {
        "summary": summary(hung),
        "confidence": confidence,
        "exhibits": [each.to_dict() for each in hung],
    }


def gallery_text(hung: Sequence[Hung], confidence: float) -> str:
    """The gallery in the terminal; ``confidence`` is that of all exhibits together."""
    rows = [HEADER, *(each.cells() for each in hung)]
    width = max(len(row[0]) for row in rows)
    lines = [
        f"{row[0]:<{width}}" + "".join(f"  {cell:>13}" for cell in row[1:5]) + f"  {row[5]}" for row in rows
    ]
    said = wrapped(f"{summary(hung)} {certainty(confidence)}")
    return "\n".join([*said, "", *lines, "", *wrapped(PUBLISHED)])


def gallery_page(hung: Sequence[Hung], confidence: float, provenance: Sequence[Section] = ()) -> str:
    """The gallery as a whole document.

    Args:
        hung: The exhibits with what was found about each.
        confidence: That of all exhibits together.
        provenance: The section that says how the result came about, where somebody knows.
    """
    sections = [
        Section("What was found", [certainty(confidence), _table(hung, confidence), PUBLISHED]),
        Section("What is right and wrong about them", [bullets(_notes(hung))]),
        *provenance,
    ]
    footer = f"Written by noisewright audit --gallery, version {__version__}."
    return page("The gallery of mechanisms", summary(hung), sections, footer)


def _table(hung: Sequence[Hung], confidence: float) -> Html:
    rows = [
        [first, *map(number, others[:-1]), others[-1]] for first, *others in (each.cells() for each in hung)
    ]
    level = confidence_words(confidence)
    return table(
        f"Every exhibit on its first pair of inputs; {level} confidence for all together", HEADER, rows
    )


def _notes(hung: Sequence[Hung]) -> list[str]:
    return [plain(f"{each.exhibit.name}: {each.exhibit.sentence} ({each.exhibit.source})") for each in hung]
