"""Outputs that are numbers, seen through how the machine writes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from noisewright.audit.encoding.encoder import Encoder
from noisewright.audit.encoding.features import Features
from noisewright.audit.encoding.numeric import NumberEncoder, as_numbers
from noisewright.audit.encoding.written import LOOKS, look_name
from noisewright.audit.floating import Cells, fit_cells
from noisewright.audit.outputs import Outputs
from noisewright.domains import Floats


@dataclass(frozen=True, eq=False)
class BitEncoder(Encoder):
    """Adds to each number its grain and its binary exponent, so that scores can tell lattices apart.

    A single number also has a code: the kind of double it is (:class:`~noisewright.audit.floating.Cells`).
    The grain is the exponent of the lowest binary digit that is set: 2^-53 divides 1 + noise near 0, but
    seldom noise alone (Mironov 2012).

    >>> noise = np.random.default_rng(1).laplace(0, 10, 1000)[:, None]
    >>> BitEncoder.fit(noise, noise).columns
    ('the output', 'grain of the output', 'exponent of the output')
    """

    plain: NumberEncoder
    cells: Cells | None

    kind = "bits"
    exact = False

    @classmethod
    def fit(cls, left: Floats, right: Floats, listed: bool = False) -> Self:
        """Learn ranges and kinds of doubles from the fitting rows of both inputs."""
        cells = fit_cells(np.concatenate([left[:, 0], right[:, 0]])) if left.shape[1] == 1 else None
        plain = NumberEncoder.fit(left, right, listed)
        looks = [look_name(look, name) for look in LOOKS for name in plain.columns[: plain.width]]
        texts = None if cells is None else cells.texts
        return cls(plain.width, (*plain.columns, *looks), texts, plain, cells)

    def value_words(self, column: int, value: float) -> str | None:
        if column < len(self.plain.columns):
            return self.plain.value_words(column, value)
        return super().value_words(column, value)

    def features(self, outputs: Outputs) -> Features:
        numbers = as_numbers(outputs, self.width, self.plain.listed)
        table = self.plain.features(Outputs(numbers, listed=self.plain.listed)).table
        codes = None if self.cells is None else self.cells.codes(numbers[:, 0])
        looks = [look(numbers).astype(np.float64) for look in LOOKS.values()]
        return Features(np.column_stack([table, *looks]), codes)
