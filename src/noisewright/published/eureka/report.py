"""The published estimate beside the bounds of an audit, labelled as an estimate."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from noisewright.audit.blackbox import BlackBox
from noisewright.audit.spectrum import Spectrum
from noisewright.audit.spectrum.report import PLAN, RESTS_ON, curve_rows
from noisewright.domains import Floats
from noisewright.published.eureka.pair import LABEL, PairEstimate, eureka_pair
from noisewright.report import Report, Section, Table, number
from noisewright.text import about, at_least

HEADING: Final = "The published estimate beside ours"
FEW: Final = 100_000
"""Runs that the published estimate gets: it trains a classifier for every ε, twice."""


@dataclass(frozen=True, eq=False)
class Beside:
    """Both directions of the published estimate at some ε, to compare with a spectrum.

    Attributes:
        forward: The estimate of left against right.
        backward: That of right against left.
    """

    forward: PairEstimate
    backward: PairEstimate

    @classmethod
    def of(
        cls,
        spectrum: Spectrum,
        box: BlackBox,
        left: Any,
        right: Any,
        *,
        jobs: int | None = None,
        seed: int | None = None,
    ) -> Beside:
        """Estimate both directions, at the ε that the table of a spectrum shows.

        Args:
            spectrum: What the audit found.
            box: What is run.
            left: One input.
            right: The other input.
            jobs: Processes that run it; None as many as suit it.
            seed: The seed of coins, mechanism and classifiers; None draws a fresh one.
        """
        epsilons = [row.epsilon for row in curve_rows(spectrum)]
        samples = min(FEW, spectrum.samples)
        forward, backward = (
            eureka_pair(box, *pair, epsilons, samples=samples, jobs=jobs, seed=seed)
            for pair in ((left, right), (right, left))
        )
        return cls(forward, backward)

    @property
    def deltas(self) -> Floats:
        """The larger of both directions."""
        return np.maximum(self.forward.deltas, self.backward.deltas)

    @property
    def label(self) -> str:
        """The published method, its classifier and its runs."""
        runs = self.forward.samples + self.backward.samples
        return f"{LABEL}; {self.forward.classifier}, trained anew for every ε, {runs:,} further runs"

    def section(self, spectrum: Spectrum) -> Section:
        """Return the comparison: ε, our bound, our estimate, the published one."""
        rows = []
        for epsilon, delta in zip(self.forward.epsilons.tolist(), self.deltas.tolist(), strict=True):
            low, middle = float(spectrum.delta_lower(epsilon)), float(spectrum.delta_estimate(epsilon))
            ours = [number(at_least(low), exact=low), number(about(middle), exact=middle)]
            rows.append([f"{epsilon:.4g}", *ours, number(about(delta), exact=delta)])
        header = ["ε", "δ at least (ours)", "δ estimate (ours)", "δ estimate (Eureka)"]
        return Section(HEADING, [Table(self.label, header, rows, captioned=True)])

    def to_dict(self) -> dict[str, Any]:
        """Return both directions in strict JSON values."""
        return {"label": LABEL, "forward": self.forward.to_dict(), "backward": self.backward.to_dict()}

    def beside(self, spectrum: Spectrum) -> Report:
        """Return the report of the spectrum with the comparison in it."""
        report = spectrum.report()
        place = next(k for k, each in enumerate(report.sections) if each.heading in (PLAN, RESTS_ON))
        sections = [*report.sections[:place], self.section(spectrum), *report.sections[place:]]
        return replace(report, sections=sections, data={**report.data, "eureka": self.to_dict()})
