"""Randomized response, for two labels and for many: report the truth, or any label at random."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from noisewright.domains import Cells
from noisewright.errors import InvalidParameter
from noisewright.mechanisms.categorical.label_oracle import LabelOracle
from noisewright.mechanisms.categorical.response import respond, response_window
from noisewright.mechanisms.window import Window
from noisewright.randomness import Stream


@dataclass(frozen=True)
class KRR(LabelOracle):
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
    def hit(self) -> float:
        return 1 - self.window.anywhere + self.miss

    @property
    def miss(self) -> float:
        # Positions are shared out to within 2⁻³² of evenly, far below what any collection could notice.
        return self.window.anywhere / len(self.domain)

    def _prove(self) -> float:
        return self.window.prove(self.epsilon)

    def word_counts(self, cell: int) -> tuple[list[int], int]:
        return self.window.word_counts(cell)

    def _draw_cells(self, cells: Cells, stream: Stream) -> Cells:
        return respond(self.window, cells, stream.draw(cells.size))


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
