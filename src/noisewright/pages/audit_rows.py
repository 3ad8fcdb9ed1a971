"""The tables of an audit as rows of text: the curve at some values of ε, and what larger audits would see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from noisewright.audit.planning import samples_to_refute
from noisewright.audit.rounding import about, at_least, at_most
from noisewright.audit.spectrum import Spectrum
from noisewright.errors import NoisewrightError
from noisewright.pages.audit_words import telling

SHOWN: Final = 8
"""Values of ε that a table shows, besides that of the claim."""

BEYOND: Final = (1.05, 1.1, 1.25, 1.5, 2.0)
"""How many times its claim a mechanism may really cost, in the table of sample sizes."""


RAREST: Final = 1e-6
COMMONEST: Final = 0.999
"""Between them lies the rate of an event that samples can be planned for."""


@dataclass(frozen=True)
class Row:
    """The curve at one ε; ``claimed`` marks the ε of the claim."""

    epsilon: float
    lower: str
    estimate: str
    upper: str | None
    claimed: bool = False

    @property
    def name(self) -> str:
        """The ε as it is shown."""
        return f"{self.epsilon:.4g}"


def curve_rows(spectrum: Spectrum) -> list[Row]:
    """The curve at some of its grid, and at the ε of the claim."""
    claim = spectrum.claim
    places = np.unique(np.linspace(0, len(spectrum.epsilons) - 1, SHOWN).round().astype(int))
    chosen = {float(spectrum.epsilons[place]) for place in places}
    if claim is not None and spectrum.epsilons[0] <= claim.epsilon <= spectrum.epsilons[-1]:
        chosen.add(claim.epsilon)
    return [
        _row(spectrum, epsilon, claim is not None and epsilon == claim.epsilon) for epsilon in sorted(chosen)
    ]


def _row(spectrum: Spectrum, epsilon: float, claimed: bool) -> Row:
    upper, lower = spectrum.delta_upper(epsilon), float(spectrum.delta_lower(epsilon))
    most = None if upper is None else at_most(float(upper))
    return Row(epsilon, at_least(lower), about(float(spectrum.delta_estimate(epsilon))), most, claimed)


def planner_rows(spectrum: Spectrum) -> list[tuple[str, str]]:
    """How many runs it takes to see a violation, for the event of the witness or an even one.

    Nothing without a claim, where no number of runs is known to do, or where all outputs were the same.
    """
    claim = spectrum.claim
    if claim is None or claim.epsilon <= 0 or spectrum.looks.same:
        return []
    rows = []
    for actual in (factor * claim.epsilon for factor in BEYOND):
        try:
            runs = samples_to_refute(claim, actual, rate=event_rate(spectrum), confidence=spectrum.confidence)
        except NoisewrightError:  # beyond what can be planned
            continue
        rows.append((f"ε = {claim.epsilon:g} → {actual:.4g}", f"about {about(float(runs), 2)}"))
    return rows


def event_rate(spectrum: Spectrum) -> float:
    """How often the event of an audit happens under the input where it is likelier."""
    witness = telling(spectrum)
    seen = 0.5 if witness is None else float(witness.rate.value)
    return min(max(seen, RAREST), COMMONEST)
