"""Noise in steps: whole numbers of cells, spread evenly over runs whose weights are integers.

A draw takes two words: one picks a run from an integer table, the other a cell within the run. The
Laplace, staircase, Gaussian and Purkayastha mechanisms all add such noise; they differ in where the steps
lie and in their weights.

Geometry of the steps: a centre of 2·``half`` + 1 cells round zero, then steps of ``width`` cells to both
sides. On a line the noise ends in a *tail*, one entry a side that stands for everything further out; a
report there is always moved to the end of the report domain, so where exactly it fell does not matter.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells
from noisewright.errors import GuaranteeBroken, InvalidParameter
from noisewright.mechanisms.basics.exact import Worst, exp_lower
from noisewright.mechanisms.basics.tables import TABLE_BITS, Table, to_integers
from noisewright.mechanisms.basics.window import POSITION_BITS, least_and_most, shares
from noisewright.randomness import Stream

WORDS = 2
"""Random words of one draw."""

MOST_WIDTH = 1 << 24
MOST_STEPS = 1 << 16


@dataclass(frozen=True, eq=False)
class Noise:
    """Runs of cells (first offset and width) and the integer table that picks one."""

    starts: Cells
    widths: Cells
    table: Table
    position_bits: int = POSITION_BITS

    def draw(self, words: NDArray[np.uint64]) -> Cells:
        """Return offsets in cells from rows of two random words."""
        run = self.table.draw(words[:, 0])
        position = words[:, 1] >> np.uint64(64 - self.position_bits)
        step = (position * self.widths[run].astype(np.uint64)) >> np.uint64(self.position_bits)
        return np.asarray(self.starts[run] + step.astype(np.int64))

    def draw_from(self, stream: Stream, count: int) -> Cells:
        """Draw ``count`` offsets in cells, with fresh words."""
        return self.draw(stream.draw(WORDS * count).reshape(WORDS, count).T)

    @property
    def total(self) -> int:
        """Number of equally likely outcomes of two words."""
        return 1 << (self.table.bits + self.position_bits)

    def outcomes(self) -> dict[int, int]:
        """Return the exact number of outcomes of every offset; for small lattices."""
        found: dict[int, int] = {}
        for start, width, weight in zip(
            self.starts.tolist(), self.widths.tolist(), self.table.weights.tolist(), strict=True
        ):
            for place, share in enumerate(shares(self.position_bits, width), start):
                found[place] = found.get(place, 0) + weight * share
        return found

    def least_and_most(self) -> tuple[list[int], list[int]]:
        """Return, for each run, the least and the most outcomes of one of its cells."""
        least, most = [], []
        for width, weight in zip(self.widths.tolist(), self.table.weights.tolist(), strict=True):
            fewest, mostly = least_and_most(self.position_bits, width)
            least.append(weight * fewest)
            most.append(weight * mostly)
        return least, most


@dataclass(frozen=True)
class Steps:
    """Where the steps of noise on a line lie: a centre, ``count`` steps a side, and the tails.

    Reports range over ``margin`` cells beyond either end of a domain of ``cells`` cells. The tails begin
    at the magnitude ``reach``, which takes any input out of that range.
    """

    cells: int
    half: int
    width: int
    count: int
    margin: int

    def __post_init__(self) -> None:
        if not 1 <= self.width <= MOST_WIDTH or self.count > MOST_STEPS:
            raise InvalidParameter(
                f"noise for {self.cells} cells cannot be cut into {self.count} steps a side"
            )
        if not 0 <= self.margin <= self.reach - (self.cells - 1):
            raise InvalidParameter(
                f"noise of magnitude {self.reach} does not reach a margin of {self.margin} cells"
            )

    @classmethod
    def cut(cls, cells: int, half: int, width: int, furthest: int, margin: int | None = None) -> Self:
        """Return the fewest steps that reach ``furthest``, with the given or the largest margin."""
        count = max(0, -(-(max(furthest, cells - 1) - half - 1) // width))
        reach = half + 1 + count * width
        return cls(cells, half, width, count, reach - (cells - 1) if margin is None else margin)

    @property
    def reach(self) -> int:
        """The magnitude of the tails."""
        return self.half + 1 + self.count * self.width

    def noise(self, side: list[int], tail: int) -> Noise:
        """Return symmetric noise with the given weights on each side; the centre gets the rest."""
        right = self.half + 1 + self.width * np.arange(self.count, dtype=np.int64)
        starts = np.concatenate(
            [[-self.reach], -right[::-1] - self.width + 1, [-self.half], right, [self.reach]]
        )
        wide = np.full(self.count, self.width, dtype=np.int64)
        widths = np.concatenate([[1], wide, [2 * self.half + 1], wide, [1]])
        centre = (1 << TABLE_BITS) - 2 * (sum(side) + tail)
        weights = np.array([tail, *side[::-1], centre, *side, tail], dtype=np.int64)
        return Noise(starts, widths, Table(weights))

    def decaying(self, decay: float, epsilon: float) -> Noise:
        """Return noise whose weights fall by e^(−decay) from step to step, in integers.

        Weights are set from the tail inward. Where a weight has a partner a domain's length further
        out, it is at most e^ε times the partner's, exactly; so rounding only ever adds privacy.
        """
        levels = np.exp(-decay * np.arange(self.count + 1))
        last = self.width * levels[-1] * math.exp(-decay) / -math.expm1(-decay)
        scale = (1 << TABLE_BITS) / float(
            (2 * self.half + 1) * levels[0] + 2 * self.width * levels[1:].sum() + 2 * last
        )
        ideal = (scale * self.width * levels).tolist()
        bound = exp_lower(epsilon)
        least, most = least_and_most(POSITION_BITS, self.width)
        top, bottom = bound.numerator * least, bound.denominator * most
        falls = -(-(self.cells - 1) // self.width)
        side = [math.ceil(weight) for weight in ideal]
        for step in range(self.count - falls, 0, -1):
            side[step] = min(int(ideal[step]), side[step + falls] * top // bottom)
        return self.noise(side[1:], math.ceil(scale * last))

    def prove_pure(self, noise: Noise, epsilon: float) -> float:
        """Check ε-LDP of adding this noise and clamping the sum to the report range; return the ε spent.

        Two inputs are at most cells − 1 apart, so the two magnitudes that lead them to one report are
        too, and neither exceeds ``margin`` + cells − 2 unless the report is at an end of the range.
        Weights fall with the magnitude, so the worst pair is a magnitude and the furthest such one. At
        an end of the range everything beyond adds up, and the worst pair is likewise the sum from
        magnitude ``margin`` on against the sum from ``margin`` + cells − 1 on.
        """
        least, most = (side[self.count + 1 :] for side in noise.least_and_most())
        falling = all(a >= b for side in (least, most) for a, b in pairwise(side[:-1]))
        if not falling or noise.table.weights.tolist() != noise.table.weights[::-1].tolist():
            raise GuaranteeBroken("the weights of the noise must be symmetric and fall with the magnitude")
        span = self.cells - 1
        worst = Worst()
        for step in range(self.count + 1):
            furthest = min(self.half + step * self.width + span, self.margin + span - 1)
            worst.meet(most[step], least[self._step_of(furthest)])
        tail = int(noise.table.weights[-1]) << noise.position_bits
        near, far = self._beyond(most, self.margin), self._beyond(least, self.margin + span)
        worst.meet(near + tail, far + tail)
        return worst.prove(epsilon)

    def _step_of(self, magnitude: int) -> int:
        """Return the step that holds a magnitude; 0 is the centre."""
        return max(0, -(-(magnitude - self.half) // self.width))

    def _beyond(self, counts: list[int], magnitude: int) -> int:
        """Count the outcomes of one sign with a magnitude from the given one up to the tail."""
        step = self._step_of(magnitude)
        if step > self.count:
            return 0
        rest = self.half + 1 + step * self.width - magnitude
        return counts[step] * rest + sum(counts[step + 1 : self.count + 1]) * self.width


def circular_noise(cells: int, half: int, width: int, decay: float) -> Noise:
    """Return noise on a circle of ``cells`` cells whose weights fall by e^(−decay) from step to step."""
    starts, widths, levels = [-half], [2 * half + 1], [0]
    for side, last in ((1, cells // 2), (-1, (cells - 1) // 2)):
        level, near = 1, half + 1
        while near <= last:
            far = min(near + width - 1, last)
            starts.append(near if side > 0 else -far)
            widths.append(far - near + 1)
            levels.append(level)
            level, near = level + 1, far + 1
    masses = np.exp(-decay * np.array(levels, dtype=np.float64)) * np.array(widths)
    return Noise(
        np.array(starts, dtype=np.int64), np.array(widths, dtype=np.int64), Table(to_integers(masses))
    )


def prove_pure_anywhere(noise: Noise, epsilon: float) -> float:
    """Check ε-LDP when any two inputs may need any two offsets for one report, as on a circle."""
    least, most = noise.least_and_most()
    worst = Worst()
    worst.meet(max(most), min(least))
    return worst.prove(epsilon)
