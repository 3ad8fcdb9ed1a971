"""Randomized response, for two labels and for many: report the truth, or any label at random."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from noisewright.domains import Cells, FiniteDomain, Floats
from noisewright.errors import InvalidParameter
from noisewright.mechanisms.base import open_stream
from noisewright.mechanisms.categorical.oracle import Counts, FrequencyOracle
from noisewright.mechanisms.categorical.response import respond, response_window
from noisewright.mechanisms.finite import FiniteMechanism
from noisewright.mechanisms.window import Window
from noisewright.randomness import BLOCK, Source, Stream


@dataclass(frozen=True)
class KRR(FiniteMechanism, FrequencyOracle):
    """k-ary randomized response: the window channel whose window is one label.

    With probability β = k/(k − 1 + e^ε) any label is reported, otherwise the true one. For the fewest wrong
    answers nothing is better (Kairouz et al. 2014); for frequencies others overtake it as labels become many.

    >>> from noisewright import Categories
    >>> mechanism = KRR(Categories(["asthma", "diabetes", "none"]), epsilon=1.0)
    >>> round(mechanism.hit, 4), round(mechanism.miss, 4)
    (0.5761, 0.2119)
    """

    title: ClassVar[str] = "k-ary randomized response (k-RR)"
    summary: ClassVar[str] = "the true label or any one at random; best for few labels"

    @cached_property
    def window(self) -> Window:
        """The calibrated channel between labels."""
        return response_window(len(self.domain), self.epsilon)

    @property
    def reports(self) -> FiniteDomain:
        return self.domain

    @property
    def hit(self) -> float:
        return 1 - self.window.anywhere + self.miss

    @property
    def miss(self) -> float:
        # Positions are shared out to within 2⁻³² of evenly, far below what any collection could notice.
        return self.window.anywhere / len(self.domain)

    @property
    def labels_supported(self) -> int:
        return 1

    @property
    def report_bits(self) -> float:
        return float(np.log2(len(self.domain)))

    def supports(self, reports: Any) -> Counts:
        """How often each label was reported."""
        return np.bincount(self.domain.snap(reports, name="report"), minlength=len(self.domain))

    def _prove(self) -> float:
        return self.window.prove(self.epsilon)

    def word_counts(self, cell: int) -> tuple[list[int], int]:
        return self.window.word_counts(cell)

    def perturb_cells(self, cells: Cells, source: Source | None = None) -> Cells:
        """Draw report cells for input cells, each block into its place: copies cost more than draws."""
        flat = self._checked_cells(cells)
        stream, reports = open_stream(source), np.empty(flat.size, dtype=np.int64)
        for at in range(0, flat.size, BLOCK):
            reports[at : at + BLOCK] = self._draw_cells(flat[at : at + BLOCK], stream)
        return reports.reshape(np.shape(cells))

    def _draw_cells(self, cells: Cells, stream: Stream) -> Cells:
        return respond(self.window, cells, stream.draw(cells.size))

    def _probabilities(self, cells: Cells) -> Floats:
        law = np.full((cells.size, len(self.domain)), self.miss)
        law[np.arange(cells.size), cells] = self.hit
        return law


@dataclass(frozen=True)
class RR(KRR):
    """Warner's randomized response (1965): a sensitive question with two answers.

    >>> from noisewright import Categories
    >>> round(RR(Categories(["no", "yes"]), epsilon=1.0).hit, 4)    # e^ε / (e^ε + 1)
    0.7311
    """

    title: ClassVar[str] = "Randomized response (RR)"
    summary: ClassVar[str] = "a question with two answers; the truth or its opposite"

    def _prepare(self) -> None:
        super()._prepare()
        if len(self.domain) != 2:
            raise InvalidParameter(f"RR is for two labels, got {len(self.domain)}; take KRR for more")
