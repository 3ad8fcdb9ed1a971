"""What stands at one place over many outputs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from noisewright.audit.encoding.place import Found, Place
from noisewright.audit.encoding.sample import Sample
from noisewright.domains import Floats

Rows = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Column:
    """Everything that stood at one place: ``rows`` of the sample where something did, and what.

    Counts are pairs: how often with the left input, and how often with the right one.
    """

    place: Place
    sample: Sample
    rows: Rows
    found: Found

    @cached_property
    def numbers(self) -> tuple[Rows, Floats]:
        """Where numbers stand, and which."""
        if not self._has_texts:
            return self.rows, np.array(self.found, dtype=np.float64)
        mask = np.fromiter((isinstance(leaf, float) for leaf in self.found), np.bool_, len(self.found))
        return self.rows[mask], np.array([leaf for leaf in self.found if isinstance(leaf, float)])

    @cached_property
    def texts(self) -> dict[str, Floats]:
        """Texts with their counts, the most frequent first."""
        if not self._has_texts:
            return {}
        rows: dict[str, list[int]] = {}
        for row, leaf in zip(self.rows.tolist(), self.found, strict=True):
            if isinstance(leaf, str):
                rows.setdefault(leaf, []).append(row)
        counts = {text: self._counts(np.array(where)) for text, where in rows.items()}
        return dict(sorted(counts.items(), key=lambda item: -item[1].sum()))

    @cached_property
    def present(self) -> Floats:
        """How often something stood here."""
        return self._counts(self.rows)

    @cached_property
    def absent(self) -> Floats:
        """How often nothing stood here."""
        return np.array([self.sample.left.sum(), self.sample.right.sum()]) - self.present

    @cached_property
    def _has_texts(self) -> bool:
        return str in set(map(type, self.found))  # the fastest look; most places hold numbers alone

    def _counts(self, rows: Rows) -> Floats:
        return np.array([self.sample.left[rows].sum(), self.sample.right[rows].sum()])
