"""Public knowledge about the features, and how a record becomes numbers between −1 and 1.

A client encodes its record alone and the server never sees a feature that is not randomized, so everything
here comes from the declared domains, nothing from data. Without a declared domain a number is squashed by
tanh: the real line needs no ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from noisewright.domains import Categories, Circle, Domain, Floats, Interval
from noisewright.domains.numeric import as_floats
from noisewright.domains.product import Product
from noisewright.errors import BadTable, InvalidParameter, OutOfDomain
from noisewright.parameters import is_number
from noisewright.text import counted

MOST_COLUMNS = 10_000
"""The most unit columns of a record, and so of one report."""


@dataclass(frozen=True)
class Block:
    """The unit columns ``start`` to ``stop`` of one feature; ``domain`` is None for the whole real line."""

    name: str
    domain: Domain | None
    start: int
    stop: int

    @property
    def labels(self) -> int:
        """The number of labels of the feature; 0 if it has none."""
        return len(self.domain) if isinstance(self.domain, Categories) else 0

    def columns(self) -> list[str]:
        """Return a name for each unit column."""
        if isinstance(self.domain, Circle):
            return [f"cos {self.name}", f"sin {self.name}"]
        if isinstance(self.domain, Categories) and len(self.domain) > 2:
            return [f"{self.name} is {label}" for label in self.domain.labels]
        return [self.name]

    def encode(self, values: Any, out_of_domain: str) -> Floats:
        """Return the unit columns of some people's values."""
        match self.domain:
            case Interval() as interval:
                admitted = interval.admit(values, name=self.name, out_of_domain=out_of_domain)
                return (2 * (admitted - interval.low) / interval.length - 1).clip(-1, 1)[:, None]
            case Circle() as circle:
                angle = circle.admit(values, name=self.name, out_of_domain=out_of_domain)
                turned = 2 * np.pi * angle / circle.period
                return np.column_stack([np.cos(turned), np.sin(turned)])
            case Categories() as categories:
                return one_hot(categories.snap(np.asarray(values), name=self.name), len(categories))
        return np.tanh(_finite(values, self.name))[:, None]


@dataclass(frozen=True)
class Schema:
    """The features of a record in order, each with its unit columns.

    Attributes:
        blocks: One for each feature: its name, its domain, and its unit columns.

    >>> schema = read_schema({"age": Interval(0, 100), "smokes": Categories(["no", "yes"])}, 2)
    >>> schema.encode([[50, "yes"], [75, "no"]]).tolist()
    [[0.0, 1.0], [0.5, -1.0]]
    """

    blocks: tuple[Block, ...]

    @property
    def width(self) -> int:
        """How many unit columns a record has."""
        return self.blocks[-1].stop

    @property
    def names(self) -> tuple[str, ...]:
        """A name for each unit column."""
        return tuple(name for block in self.blocks for name in block.columns())

    def encode(self, table: Any, out_of_domain: str = "refuse") -> Floats:
        """Return records as rows of numbers between −1 and 1; refuse a value outside its domain by its place.

        Args:
            table: Rows of features: a data frame or a mapping of columns by name, or an array by place.
            out_of_domain: What to do with numbers outside their domain: "refuse" or "clip".
        """
        pairs = zip(self.blocks, self._columns(table), strict=True)
        return np.hstack([block.encode(_plain(values, block), out_of_domain) for block, values in pairs])

    def _columns(self, table: Any) -> Iterator[Any]:
        """Yield the values of each feature: by name from a table with names, by place from an array."""
        if isinstance(table, Mapping) or hasattr(table, "columns"):
            names = list(getattr(table, "columns", table))
            for place, block in enumerate(self.blocks):
                yield np.asarray(table[block.name] if block.name in names else table[names[place]])
            return
        array = np.asarray(table, dtype=object if any(block.labels for block in self.blocks) else None)
        if array.ndim != 2 or array.shape[1] != len(self.blocks):
            raise BadTable(f"records must be rows of {len(self.blocks)} features, not of shape {array.shape}")
        yield from array.T

    def to_dict(self) -> dict[str, Any]:
        """Return the schema in plain JSON values."""
        parts = [(block.name, block.domain and block.domain.to_dict()) for block in self.blocks]
        return {"features": [{"name": name, "domain": domain} for name, domain in parts]}

    @classmethod
    def from_dict(cls, description: Mapping[str, Any]) -> Schema:
        """Read the schema of :meth:`to_dict`."""
        try:
            features = [
                (str(part["name"]), part["domain"] and Domain.from_dict(part["domain"]))
                for part in description["features"]
            ]
        except (KeyError, TypeError) as broken:
            raise InvalidParameter(f"the description of a schema is broken: {broken}") from broken
        return _made(features)


def read_schema(domain: Any, columns: int | Sequence[str]) -> Schema:
    """Return the schema that a user declares.

    Args:
        domain: A product or mapping of domains, a list of them, one domain for all features, or None for real
            numbers.
        columns: The names of the features, which then have their order, or their number.

    >>> read_schema({"wakes": Circle(24), "age": Interval(0, 99)}, ["age", "wakes"]).names
    ('age', 'cos wakes', 'sin wakes')
    >>> read_schema([Interval(0, 1), Circle(24)], 2).names
    ('feature 1', 'cos feature 2', 'sin feature 2')
    >>> read_schema({"age": Interval(0, 100)}, 2)
    Traceback (most recent call last):
    ...
    noisewright.errors.InvalidParameter: the domain declares 1 feature, and the records have 2
    """
    names = list(columns) if not isinstance(columns, int) else _numbered(columns)
    match domain:
        case Schema():
            return domain
        case None:
            features: list[tuple[str, Domain | None]] = [(name, None) for name in names]
        case Product() | Mapping():
            declared = domain.parts if isinstance(domain, Product) else domain
            parts = {str(name): part for name, part in declared.items()}
            if not isinstance(columns, int):  # in the order of the columns, as records come by place
                if strange := [name for name in names if name not in parts]:
                    raise InvalidParameter(f"the domain does not declare the column {strange[0]!r}; add it")
                parts = {**{name: parts[name] for name in names}, **parts}
            features = list(parts.items())
        case Domain():
            features = [(name, domain) for name in names]
        case Sequence() if not isinstance(domain, str | bytes):
            given = names if len(names) == len(domain) else _numbered(len(domain))
            features = list(zip(given, domain, strict=True))
        case _:
            raise InvalidParameter(
                "must be a Product, a mapping from names to domains, a list of domains, or None",
                field="domain",
            )
    if len(features) != len(names):
        some = counted(len(features), "feature")
        raise InvalidParameter(f"the domain declares {some}, and the records have {len(names)}")
    return _made(features)


def _numbered(count: int) -> list[str]:
    return [f"feature {place + 1}" for place in range(count)]


def _made(features: Sequence[tuple[str, Domain | None]]) -> Schema:
    blocks: list[Block] = []
    start = 0
    if len({name for name, _ in features}) < len(features):
        raise InvalidParameter("every feature needs a name of its own")
    for name, domain in features:
        if domain is not None and not isinstance(domain, Interval | Circle | Categories):
            raise InvalidParameter(
                f"feature {name!r} must have an Interval, a Circle, Categories or None for its domain, "
                f"not {type(domain).__name__}"
            )
        stop = start + len(Block(name, domain, 0, 0).columns())
        blocks.append(Block(name, domain, start, stop))
        start = stop
    if not blocks or start > MOST_COLUMNS:
        raise InvalidParameter(f"a schema needs 1 to {MOST_COLUMNS} columns, got {start}")
    return Schema(tuple(blocks))


def one_hot(cells: Any, labels: int) -> Floats:
    """Return −1 and 1 for each label or, for two labels, one column that is 1 for the second.

    >>> one_hot(np.array([1, 0]), 2).tolist(), one_hot(np.array([1]), 3).tolist()
    ([[1.0], [-1.0]], [[-1.0, 1.0, -1.0]])
    """
    if labels == 2:
        return np.where(cells == 1, 1.0, -1.0)[:, None]
    return np.where(np.asarray(cells)[:, None] == np.arange(labels), 1.0, -1.0)


def _plain(values: Any, block: Block) -> Any:
    """Return numbers that came beside labels, and so as objects, as numbers; others are refused later."""
    if block.labels or np.asarray(values).dtype != object:
        return values
    if not all(value is None or is_number(value) for value in values):
        raise OutOfDomain(
            f"{block.name} holds values that are not numbers; if they are labels, declare Categories for them"
        )
    return np.array([np.nan if value is None else float(value) for value in values])


def _finite(values: Any, name: str) -> Floats:
    array = as_floats(values, name)
    if not np.isfinite(array).all():
        place = int(np.flatnonzero(~np.isfinite(array))[0])
        raise OutOfDomain(f"{name}[{place}] is missing (NaN) or infinite; drop or impute such rows first")
    return array
