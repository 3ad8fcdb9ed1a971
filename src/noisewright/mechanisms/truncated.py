"""T-PM and T-SW: reports of PM and SW that fall outside the domain are moved to its ends.

That is post-processing: it looks at the report only, so it costs no privacy (Zheng 2026, thm 1).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from noisewright.domains import Cells, Floats, Interval, NumericDomain
from noisewright.mechanisms.law import Law
from noisewright.mechanisms.numeric import NumericMechanism
from noisewright.mechanisms.piecewise import PM, SW, EnlargedMechanism
from noisewright.randomness import Stream


@dataclass(frozen=True)
class Truncated(NumericMechanism):
    """A mechanism followed by moving every outside report to the nearest report cell of the domain."""

    inner_kind: ClassVar[type[EnlargedMechanism]]
    domains: ClassVar[tuple[type[NumericDomain], ...]] = (Interval,)

    @cached_property
    def inner(self) -> EnlargedMechanism:
        """The mechanism whose reports are moved."""
        return self.inner_kind(self.domain, self.epsilon)

    @cached_property
    def kept(self) -> tuple[int, int]:
        """The cells of the inner report lattice whose centres lie in the domain, as a half-open range."""
        wide = self.inner.reports
        first = math.ceil((self.domain.start - wide.start) / wide.pitch - 0.5)
        first = min(max(first, 0), (wide.lattice - 1) // 2)  # a lattice may be too coarse to have any
        return first, wide.lattice - first

    @cached_property
    def reports(self) -> NumericDomain:
        (first, end), wide = self.kept, self.inner.reports
        low, high = wide.start + first * wide.pitch, wide.start + end * wide.pitch
        return Interval(low, high, cells=end - first)

    def _prove(self) -> float:
        return self.inner._prove()  # moving a report costs nothing

    def word_counts(self, cell: int) -> tuple[list[int], int]:
        counts, total = self.inner.word_counts(cell)
        first, end = self.kept
        kept = counts[first:end]
        kept[0] += sum(counts[:first])
        kept[-1] += sum(counts[end:])
        return kept, total

    def _draw_cells(self, cells: Cells, stream: Stream) -> Cells:
        first, end = self.kept
        return np.clip(self.inner._draw_cells(cells, stream), first, end - 1) - first

    def _law(self, cells: Cells, truth: Floats) -> Law:
        return self.inner._law(cells, truth).clamped(*self.kept, self.reports)


@dataclass(frozen=True)
class TPM(Truncated):
    """PM with its reports truncated to the domain: less error, no longer unbiased.

    >>> wide, cut = PM(Interval(0, 1), epsilon=2.0), TPM(Interval(0, 1), epsilon=2.0)
    >>> cut.worst_error("squared") < wide.worst_error("squared")
    True
    """

    title: ClassVar[str] = "Truncated PM (T-PM)"
    summary: ClassVar[str] = "PM with outside reports moved to the ends"
    inner_kind: ClassVar[type[EnlargedMechanism]] = PM


@dataclass(frozen=True)
class TSW(Truncated):
    """SW with its reports truncated to the domain.

    >>> TSW(Interval(0, 1), epsilon=2.0).law(0.0).mass(-1.0, 0.001) > 0.2
    True
    """

    title: ClassVar[str] = "Truncated SW (T-SW)"
    summary: ClassVar[str] = "SW with outside reports moved to the ends"
    inner_kind: ClassVar[type[EnlargedMechanism]] = SW
