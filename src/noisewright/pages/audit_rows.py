"""The tables of an audit as rows of text: the curve at some values of ε, and what larger audits would see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from noisewright.audit.rounding import about, at_least, at_most
from noisewright.audit.spectrum import Spectrum

SHOWN: Final = 8
"""Values of ε that a table shows, besides that of the claim."""


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
    """How many runs it takes to see a violation, in words."""
    return [
        (f"ε = {spectrum.claim.epsilon:g} → {actual:.4g}", f"about {about(float(runs), 2)}")
        for actual, runs in spectrum.plan
        if spectrum.claim is not None
    ]
