"""The question of a moment: one product of features and label, computed on the device, at the full ε."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any, ClassVar, Self

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.guarantees.rules import round_down
from noisewright.learn.questions.base import Question
from noisewright.learn.questions.channels import read_numbers, unit_channel
from noisewright.learn.questions.split import MOST_WIDTH
from noisewright.mechanisms import NumericMechanism
from noisewright.parameters import real, whole
from noisewright.randomness import Source


@dataclass(frozen=True)
class RecordProduct:
    """One number of a record: the product of up to two unit columns and, with ``label``, of (sign − centre).

    The sign of a label is −1 or 1. With ``centre`` near its mean, the mean of z·(sign − centre) is the
    covariance of z and the label, whatever the mean of z. On its way through a channel the product is
    stretched to [−1, 1]; :meth:`restored` takes the stretching back.

    >>> RecordProduct((2,), label=True, centre=-0.5).numbers(np.array([[0, 0, 0.6]]), np.array([1])).tolist()
    [0.6]
    >>> RecordProduct((2, 2)).numbers(np.array([[0, 0, 0.6]]), np.array([1])).round(2).tolist()
    [-0.28]
    """

    columns: tuple[int, ...]
    label: bool = False
    centre: float = 0.0

    def __post_init__(self) -> None:
        listed = tuple(self.columns) if isinstance(self.columns, tuple | list) else (None,) * 3
        if not isinstance(self.label, bool) or not 1 - self.label <= len(listed) <= 2:
            raise InvalidParameter(
                "a product is of one or two columns and may be of the label, or of it alone"
            )
        numbers = tuple(whole("a column", column, 0, MOST_WIDTH - 1) for column in listed)
        object.__setattr__(self, "columns", numbers)
        object.__setattr__(self, "centre", real("centre", self.centre))
        if abs(self.centre) > (1 if self.label else 0):
            raise InvalidParameter("centre is a guess of the mean sign from -1 to 1, and 0 without a label")

    @property
    def _square(self) -> bool:
        return not self.label and len(self.columns) == 2 and len(set(self.columns)) == 1

    @property
    def middle(self) -> float:
        """The middle of the values that the product can have."""
        return 0.5 if self._square else 0.0

    @property
    def reach(self) -> float:
        """How far from the middle they can be."""
        return 0.5 if self._square else 1 + abs(self.centre)

    def numbers(self, units: Floats, labels: Cells) -> Floats:
        """The products of some records, stretched to [−1, 1]."""
        if self.columns and max(self.columns) >= units.shape[1]:
            raise InvalidParameter(f"a product is asked of a column that records of {units.shape[1]} lack")
        value = np.prod(units[:, self.columns], axis=1)
        if self.label:
            value = value * (2.0 * labels - 1 - self.centre)
        return np.asarray(np.clip((value - self.middle) / self.reach, -1, 1))

    def restored(self, numbers: Floats) -> Floats:
        """Stretched numbers, or unbiased reports of them, on the product's own scale."""
        return np.asarray(self.middle + self.reach * numbers)


@dataclass(frozen=True)
class ProductQuestion(Question):
    """Some products of a record, each through a channel for numbers with an equal part of ε.

    The mean of the restored answers is unbiased for the mean product. The other way to learn of z·sign is to
    multiply a report of z by a report of the label. That product carries the noise of both, and each has
    only a part of ε: for every z its noise has a larger variance, at every ε, however ε is split. With PM
    it is 50 times as large at ε = 1, 8 times at ε = 4 and 4.5 times at ε = 20, or more
    (``tests/learn/questions/test_product_question.py`` computes both from the exact laws). Reports that are
    multiplied later serve several moments at once, though, which decides from about ε = 4 on.

    >>> question = ProductQuestion(2.0, (RecordProduct((0,), label=True), RecordProduct((0, 1))), "PM")
    >>> question.part, question.answers(np.zeros((3, 2)), np.zeros(3, dtype=int)).shape
    (1.0, (3, 2))
    """

    products: tuple[RecordProduct, ...]
    mechanism: str = "Hybrid"
    kind: ClassVar[str] = "product"

    def _prepare(self) -> None:
        products = tuple(self.products) if isinstance(self.products, tuple | list) else ()
        known = all(isinstance(product, RecordProduct) for product in products)
        if not (known and 1 <= len(products) <= MOST_WIDTH):
            raise InvalidParameter("a product question needs a list of products")
        object.__setattr__(self, "products", products)
        _ = self.channel

    @property
    def part(self) -> float:
        """Each product's part of ε, rounded down."""
        return round_down(Fraction(self.epsilon) / len(self.products))

    @property
    def channel(self) -> NumericMechanism:
        """What randomizes each product."""
        return unit_channel(self.mechanism, self.part)

    def answers(self, units: Floats, labels: Cells, source: Source | None = None) -> Floats:
        numbers = np.column_stack([product.numbers(units, labels) for product in self.products])
        return np.asarray(self.channel.perturb(numbers, source))

    def admit(self, answer: Any) -> Floats:
        row = read_numbers(answer, len(self.products))
        return self.channel.reports.admit(row, name="answer")

    def to_dict(self) -> dict[str, Any]:
        products = [{**asdict(product), "columns": list(product.columns)} for product in self.products]
        return {
            "question": self.kind, "epsilon": self.epsilon, "products": products, "mechanism": self.mechanism,
        }  # fmt: skip

    @classmethod
    def _from_fields(cls, fields: Mapping[str, Any]) -> Self:
        described = fields["products"]
        if not isinstance(described, list | tuple) or len(described) > MOST_WIDTH:
            raise InvalidParameter(f"a product question needs a list of at most {MOST_WIDTH:,} products")
        products = tuple(RecordProduct(**part) for part in described)
        return cls(fields["epsilon"], products, fields["mechanism"])
