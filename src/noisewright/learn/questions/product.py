"""Questions about moments: products of features and label, or of linear scores, computed on the device."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any, ClassVar, Self

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.guarantees.base import round_down
from noisewright.learn.questions.base import Question, read_numbers, unit_channel
from noisewright.learn.questions.split import MOST_WIDTH
from noisewright.learn.rules import LinearRule, Rule
from noisewright.mechanisms import NumericMechanism
from noisewright.parameters import real, whole
from noisewright.randomness import Source


@dataclass(frozen=True)
class RecordProduct:
    """One number of a record: the product of up to two unit columns and, with ``label``, of (sign − centre).

    The sign of a label is −1 or 1. With ``centre`` near its mean, the mean of z·(sign − centre) is the
    covariance of z and the label, whatever the mean of z. On its way through a channel the product is
    stretched to [−1, 1]; :meth:`restored` undoes the stretching.

    Attributes:
        columns: Up to two unit columns.
        label: Whether the label is a factor, too.
        centre: A guess of the mean sign of the label, from −1 to 1; 0 without a label.

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
        """The largest distance of a value from the middle."""
        return 0.5 if self._square else 1 + abs(self.centre)

    def numbers(self, units: Floats, labels: Cells) -> Floats:
        """Return the products of some records, stretched to [−1, 1]."""
        if self.columns and max(self.columns) >= units.shape[1]:
            raise InvalidParameter(f"a product names a column that records of {units.shape[1]} columns lack")
        value = np.prod(units[:, self.columns], axis=1)
        if self.label:
            value = value * (2.0 * labels - 1 - self.centre)
        return np.asarray(np.clip((value - self.middle) / self.reach, -1, 1))

    def restored(self, numbers: Floats) -> Floats:
        """Return stretched numbers, or unbiased reports of them, on the product's own scale."""
        return np.asarray(self.middle + self.reach * numbers)

    def to_dict(self) -> dict[str, Any]:
        """Describe the product in plain JSON values."""
        return {**asdict(self), "columns": list(self.columns)}


@dataclass(frozen=True)
class ProductQuestion(Question):
    """Some products of a record, each through a channel for numbers with an equal part of ε.

    The mean of the restored answers is unbiased for the mean product. Another way to learn about z·sign is to
    multiply a report of z by a report of the label. That product carries the noise of both, and each has
    only a part of ε: for every z its noise has a larger variance, at every ε, however ε is split. With PM
    it is 50 times as large at ε = 1, 8 times at ε = 4 and 4.5 times at ε = 20, or more
    (``tests/learn/questions/test_product.py`` computes both from the exact laws). Reports that are
    multiplied later serve several moments at once, though, which decides from about ε = 4 on.

    Attributes:
        epsilon: The cost of an answer, shared equally among the products.
        products: The products that are reported.
        mechanism: The channel of each product: a name of the catalogue, or "designed".

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
        """The channel that randomizes each product."""
        return unit_channel(self.mechanism, self.part)

    def answers(self, units: Floats, labels: Cells, source: Source | None = None) -> Floats:
        numbers = np.column_stack([product.numbers(units, labels) for product in self.products])
        return np.asarray(self.channel.perturb(numbers, source))

    def admit(self, answer: Any) -> Floats:
        row = read_numbers(answer, len(self.products))
        return self.channel.reports.admit(row, name="answer")

    @classmethod
    def _from_fields(cls, described: Mapping[str, Any]) -> Self:
        return super()._from_fields({**described, "products": _read_products(described["products"])})


def _read_products(described: Any) -> tuple[RecordProduct, ...]:
    if not isinstance(described, list | tuple) or len(described) > MOST_WIDTH:
        raise InvalidParameter(f"a product question needs a list of at most {MOST_WIDTH:,} products")
    return tuple(RecordProduct(**part) for part in described)


MOST_RULES = 1000


@dataclass(frozen=True)
class ScoreQuestion(Question):
    """Products of scores: the columns of its ``products`` are the scores of ``rules``, cut to [−1, 1].

    A rule that maps the likely range of people to [−1, 1] makes full use of the channel: for a column
    that only fills a fifth of its domain the same noise counts five times less. And a rule that was learned
    roughly is corrected by the moments of its score, one number instead of as many as there are columns.

    Attributes:
        epsilon: The cost of an answer, shared equally among the products.
        rules: Linear rules, at most 1,000.
        products: Products of their scores.
        mechanism: The channel of each product: a name of the catalogue, or "designed".

    >>> rules = (LinearRule([2.0, 0.0]), LinearRule([1.0, -1.0]))
    >>> question = ScoreQuestion(8.0, rules, (RecordProduct((0, 1)),))
    >>> question.scores(np.array([[0.25, 0.0], [0.75, -0.5]])).tolist()
    [[0.5, 0.25], [1.0, 1.0]]
    """

    rules: tuple[LinearRule, ...]
    products: tuple[RecordProduct, ...]
    mechanism: str = "Hybrid"
    kind: ClassVar[str] = "score"

    def _prepare(self) -> None:
        rules = tuple(self.rules) if isinstance(self.rules, tuple | list) else ()
        if len(rules) > MOST_RULES or not all(isinstance(rule, LinearRule) for rule in rules):
            raise InvalidParameter(f"a score question needs a list of at most {MOST_RULES} linear rules")
        object.__setattr__(self, "rules", rules)
        object.__setattr__(self, "products", self.reported.products)
        if any(column >= len(rules) for product in self.products for column in product.columns):
            raise InvalidParameter(f"a product names a score that {len(rules)} rules do not have")

    @property
    def reported(self) -> ProductQuestion:
        """The same question for a record that consists of its scores."""
        return ProductQuestion(self.epsilon, self.products, self.mechanism)

    def scores(self, units: Floats) -> Floats:
        """Return the rules' scores of some records, a column for each rule."""
        found = np.empty((len(units), len(self.rules)))
        for place, rule in enumerate(self.rules):
            found[:, place] = np.clip(rule.scores(units), -1, 1)
        return found

    def answers(self, units: Floats, labels: Cells, source: Source | None = None) -> Floats:
        return self.reported.answers(self.scores(units), labels, source)

    def admit(self, answer: Any) -> Floats:
        return self.reported.admit(answer)

    @classmethod
    def _from_fields(cls, described: Mapping[str, Any]) -> Self:
        reader = Rule.reader()
        rules = [Rule.from_dict(rule, reader) for rule in described["rules"]]
        products = _read_products(described["products"])
        return super()._from_fields({**described, "rules": rules, "products": products})
