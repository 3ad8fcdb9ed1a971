"""Frequency oracles whose reports are labels themselves: a report supports the label that it names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from noisewright.domains import Cells, FiniteDomain, Floats
from noisewright.mechanisms.categorical.oracle import Counts, FrequencyOracle
from noisewright.mechanisms.finite import FiniteMechanism


@dataclass(frozen=True)
class LabelOracle(FiniteMechanism, FrequencyOracle):
    """A true label is reported with probability ``hit``, each other one with ``miss``."""

    @property
    def reports(self) -> FiniteDomain:
        return self.domain.as_labels()

    @property
    def labels_supported(self) -> int:
        return 1

    @property
    def report_bits(self) -> float:
        return float(np.log2(len(self.domain)))

    def supports(self, reports: Any) -> Counts:
        """How often each label was reported."""
        return np.bincount(self.reports.snap(reports, name="report"), minlength=len(self.domain))

    def support_table(self, reports: Any) -> Counts:
        named = self.domain.snap(reports, name="report")
        return np.asarray(np.arange(len(self.domain))[:, None] == named[None, :], dtype=np.int64)

    def _probabilities(self, cells: Cells) -> Floats:
        return self._support_chances(cells)
