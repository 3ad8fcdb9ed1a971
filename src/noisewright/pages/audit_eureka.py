"""The published estimate beside ours, labelled for what it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from noisewright.audit.eureka import LABEL, PairEstimate
from noisewright.audit.rounding import about, at_least
from noisewright.audit.spectrum import Spectrum
from noisewright.domains import Floats
from noisewright.pages.audit_text import Part, columns, wrapped
from noisewright.pages.tables import number, table
from noisewright.pages.template import Section

HEADING: Final = "The published estimate beside ours"


@dataclass(frozen=True, eq=False)
class Beside:
    """Both directions of the published estimate at some ε, to be held against a spectrum."""

    forward: PairEstimate
    backward: PairEstimate

    @property
    def deltas(self) -> Floats:
        """The larger of both directions."""
        return np.maximum(self.forward.deltas, self.backward.deltas)

    @property
    def label(self) -> str:
        """What it is, and what it rests on."""
        runs = self.forward.samples + self.backward.samples
        return f"{LABEL}; {self.forward.classifier}, trained anew for every ε, {runs:,} further runs"

    def rows(self, spectrum: Spectrum) -> list[tuple[str, str, str, str]]:
        """ε, our bound, our estimate, the published one."""
        found = zip(self.forward.epsilons.tolist(), self.deltas.tolist(), strict=True)
        return [
            (f"{epsilon:.4g}", at_least(float(spectrum.delta_lower(epsilon))),
             about(float(spectrum.delta_estimate(epsilon))), about(delta))
            for epsilon, delta in found
        ]  # fmt: skip

    def part(self, spectrum: Spectrum) -> Part:
        """The comparison for the terminal."""
        header = ("ε", "δ at least", "estimate", "Eureka")
        return HEADING, [*wrapped(f"{self.label}."), *map(columns, (header, *self.rows(spectrum)))]

    def section(self, spectrum: Spectrum) -> Section:
        """The comparison for the page."""
        rows = [[first, *map(number, others)] for first, *others in self.rows(spectrum)]
        header = ["ε", "δ at least (ours)", "δ estimate (ours)", "δ estimate (Eureka)"]
        return Section(HEADING, [table(self.label, header, rows)])

    def to_dict(self) -> dict[str, Any]:
        """Both directions in strict JSON values."""
        return {"label": LABEL, "forward": self.forward.to_dict(), "backward": self.backward.to_dict()}
