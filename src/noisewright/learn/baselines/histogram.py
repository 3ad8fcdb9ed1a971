"""The histogram classifier of Berrett and Butucea (2019): noisy counts in the cells of a grid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Never, Self

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.baselines.records import refuse_many, two_classes
from noisewright.learn.chance import Chance
from noisewright.learn.estimator import PrivateClassifier
from noisewright.learn.rules import Rule
from noisewright.learn.rules.reading import Reading
from noisewright.parameters import whole

MOST_CELLS = 1 << 22
"""Cells of the grid, of which every one gets noise: 4 cuts along each of 11 columns."""


@dataclass(frozen=True, eq=False)
class GridRule(Rule):
    """A table of scores on the grid that cuts every unit column into ``cuts`` equal pieces.

    It has no kind, so that no device can be sent one.

    >>> GridRule(np.array([-1.0, 2.0]), cuts=2).scores(np.array([[-0.5], [0.5], [1.0]])).tolist()
    [-1.0, 2.0, 2.0]
    """

    table: Floats
    cuts: int

    def scores(self, units: Floats) -> Floats:
        return np.asarray(self.table[grid_cells(units, self.cuts)])

    def to_dict(self) -> Never:
        raise InvalidParameter("the histogram is a baseline of simulations; its rule is not sent to devices")

    @classmethod
    def _read(cls, fields: Mapping[str, Any], reading: Reading) -> Self:
        raise InvalidParameter("the histogram is a baseline of simulations; its rule is not sent to devices")


class Histogram(PrivateClassifier):
    """Which label is more frequent in a record's cell of a grid, by noisy counts; two classes only.

    **A baseline for simulations: it carries no guarantee.** In the published mechanism a client sends one
    number for every cell and label, 1 where its record falls and 0 elsewhere, each with Laplace noise of
    scale 2^(d + 1)/ε, empty cells too; with 4 cuts along 8 columns that is 131,072 numbers a client. Only
    the sum over clients is used, and a sum of n Laplace draws has the law of the difference of two gamma
    draws of shape n, so the simulation draws that difference once for every cell. It is the law of the sums
    of real-valued noise; nobody's report is ever made, hence ``simulated_`` is True and no budget is
    accounted for.

    >>> X = np.random.default_rng(0).uniform(-1, 1, (500, 2))
    >>> Histogram(epsilon=32.0, random_state=1).fit(X, X[:, 0] > 0).simulated_
    True
    """

    def __init__(
        self,
        *,
        epsilon: float = 1.0,
        domain: Any = None,
        classes: Any = None,
        cuts: int = 4,
        random_state: Any = None,
    ) -> None:
        self.epsilon = epsilon
        self.domain = domain
        self.classes = classes
        self.cuts = cuts
        self.random_state = random_state

    def _learn(self, units: Floats, codes: Cells, chance: Chance) -> None:
        refuse_many(self.classes_)
        people, width = units.shape
        cuts = whole("cuts", self.cuts, 1, 1 << 10)
        if cuts**width > MOST_CELLS:
            raise InvalidParameter(
                f"{cuts} cuts along {width} columns make more than {MOST_CELLS:,} cells; take fewer cuts"
            )
        lead = np.bincount(grid_cells(units, cuts), weights=2.0 * codes - 1.0, minlength=cuts**width)
        scale = 2.0 ** (width + 1) / self.epsilon  # Qin and Bai 2026, section 7.1
        # Both labels of a cell get noise, and their difference decides: 2n Laplace draws in sum.
        noise = scale * laplace_sums(2 * people, len(lead), chance.public)
        self.rule_, self.simulated_ = GridRule(lead + noise, cuts), True

    def __sklearn_tags__(self) -> Any:
        return two_classes(super().__sklearn_tags__())


def grid_cells(units: Floats, cuts: int) -> Cells:
    """The cell of each row: the pieces of its columns as digits of one number."""
    pieces = np.clip(((units + 1) / 2 * cuts).astype(np.int64), 0, cuts - 1)
    return np.asarray(pieces @ cuts ** np.arange(units.shape[1]))


def laplace_sums(terms: int, count: int, generator: np.random.Generator) -> Floats:
    """Sums of so many standard Laplace draws each: the difference of two gamma draws of that shape.

    A Laplace draw is the difference of two exponential ones, and exponential draws add up to a gamma draw.
    """
    first, second = generator.standard_gamma(terms, (2, count))
    return np.asarray(first - second)
