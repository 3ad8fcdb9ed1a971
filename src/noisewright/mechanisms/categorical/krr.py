"""Randomized response, for two labels and for many: report the truth, or any label at random.

The window channel behind k-RR is used on labels themselves and on their hashes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from noisewright.domains import Cells, FiniteDomain, Floats
from noisewright.errors import InvalidParameter
from noisewright.mechanisms.basics.finite import FiniteMechanism
from noisewright.mechanisms.basics.window import Window
from noisewright.mechanisms.categorical.oracle import Counts, FrequencyOracle
from noisewright.randomness import Stream, Words

HALF_WORD = 32
"""Bits of the coin, and of the position.

Labels are few where a numeric lattice has a million cells, so positions need fewer bits and the coin gets
more: it keeps its precision for many labels at a small ε, and for few labels at a large one.
"""

_COIN = np.uint64((1 << HALF_WORD) - 1)


def response_window(labels: int, epsilon: float) -> Window:
    """Return the window of one cell that spends no more than ε: β = k/(k − 1 + e^ε), rounded up.

    >>> round(response_window(2, 1.0).anywhere, 6)
    0.537883
    """
    return Window.calibrate(
        epsilon, cells=labels, width=1, slope=1.0, offset=0.0, coin_bits=HALF_WORD, position_bits=HALF_WORD
    )


def respond(window: Window, truth: Cells, words: Words) -> Cells:
    """Draw from a window of one cell: the same as ``window.draw`` for the same words, in fewer steps.

    Such a window begins and ends at the truth, so only a report from anywhere needs a position.
    """
    reports = words >> np.uint64(HALF_WORD)
    reports *= np.uint64(window.cells)
    reports >>= np.uint64(HALF_WORD)
    anywhere = (words & _COIN) < np.uint64(window.threshold)
    return np.where(anywhere, reports.view(np.int64), truth)


@dataclass(frozen=True)
class LabelOracle(FiniteMechanism, FrequencyOracle):
    """A frequency oracle whose reports are labels themselves and support the label that they name.

    A true label is reported with probability ``hit``, each other one with ``miss``.
    """

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
        """Count the reports of each label."""
        return np.bincount(self.reports.snap(reports, name="report"), minlength=len(self.domain))

    def support_table(self, reports: Any) -> Counts:
        named = self.domain.snap(reports, name="report")
        return np.asarray(np.arange(len(self.domain))[:, None] == named[None, :], dtype=np.int64)

    def _probabilities(self, cells: Cells) -> Floats:
        return self._support_chances(cells)


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
