"""What the stops of the tour share: the table, the files, and what a stop has to say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq

from noisewright.design.purpose import Recommendation, recommend
from noisewright.domains import Floats
from noisewright.engine import Written, perturb_file
from noisewright.mechanisms import Mechanism
from noisewright.pages.markup import Content
from noisewright.pages.publish import write_text
from noisewright.pages.tour.clinic import DAY, PRESSURE, PRESSURE_RANGE, WAKE, Clinic
from noisewright.randomness import Source

EPSILON = 2.0
"""Budget of each of the two columns; a row costs twice as much."""


@dataclass(frozen=True)
class Stop:
    """One stop: lines for the terminal, facts for machines, content for the page."""

    heading: str
    lines: Sequence[str]
    facts: dict[str, Any]
    content: Sequence[Content]


@dataclass(frozen=True)
class Trip:
    """The table, the folder it is written to and the randomness; files are made when first asked for."""

    clinic: Clinic
    folder: Path
    source: Source

    @cached_property
    def chosen(self) -> dict[str, Recommendation]:
        """The mechanisms that ``noisewright perturb`` takes if none is named, each with its reason."""
        return {
            PRESSURE: recommend(PRESSURE_RANGE, EPSILON),
            WAKE: recommend(DAY, EPSILON),
        }

    @property
    def mechanisms(self) -> dict[str, Mechanism]:
        """The mechanism of each column."""
        return {name: each.mechanism for name, each in self.chosen.items()}

    @cached_property
    def readings(self) -> Path:
        """The CSV file of true values."""
        return write_text(self.folder / "clinic.csv", self.clinic.to_csv())

    @cached_property
    def written(self) -> Written:
        """The Parquet file of reports, drawn by the same engine as ``noisewright perturb``."""
        target = self.folder / "reports.parquet"
        return perturb_file(self.readings, target, self.mechanisms, source=self.source, replace=True)

    def reports(self, column: str) -> Floats:
        """The reports of one column, read back from the file."""
        table = pq.read_table(self.written.path, columns=[column])
        return np.asarray(table.column(column).to_pylist(), dtype=np.float64)
