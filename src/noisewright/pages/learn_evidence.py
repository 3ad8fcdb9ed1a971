"""What each feature adds to the score of a class, over the values that people know it by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from noisewright.domains import Categories, Circle, Floats, Integers, Interval
from noisewright.learn import Schema
from noisewright.learn.rules import AdditiveRule
from noisewright.learn.schema import Block

POINTS: Final = 320
"""Values at which the evidence of a number is shown: twenty to each of sixteen cells."""

FAR: Final = 3.0
"""How far from zero a number without a declared domain is shown."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """A feature's values, and what each adds to the score of each class (values by classes)."""

    block: Block
    values: Any
    scores: Floats

    @property
    def strength(self) -> float:
        """How much the feature can move a score."""
        return float(np.ptp(self.scores, axis=0).max())


def evidence_of(rule: AdditiveRule, schema: Schema) -> list[Evidence]:
    """The evidence of every feature that the rule looks at, the strongest first.

    >>> from noisewright.learn import read_schema
    >>> from noisewright.learn.rules import Axis
    >>> rule = AdditiveRule([Axis(0, 1, 2, ordered=False)], [[[0.0, 0.0], [0.0, 2.0]]], [0.0, 0.0])
    >>> (found,) = evidence_of(rule, read_schema({"smokes": Categories(["no", "yes"])}, 1))
    >>> found.values, found.scores.tolist()
    (['no', 'yes'], [[0.0, 0.0], [0.0, 2.0]])
    """
    found = [_of_block(rule, schema, block) for block in schema.blocks]
    return sorted((each for each in found if each is not None), key=lambda each: -each.strength)


def _of_block(rule: AdditiveRule, schema: Schema, block: Block) -> Evidence | None:
    pairs = zip(rule.axes, rule.tables, strict=True)
    mine = [(axis, table) for axis, table in pairs if block.start <= axis.start < block.stop]
    if not mine:
        return None
    values = _values(block)
    units = np.zeros((len(values), schema.width))
    units[:, block.start : block.stop] = block.encode(values, "clip")
    scores = np.sum([table[axis.places(units)] for axis, table in mine], axis=0)
    return Evidence(block, values, scores)


def _values(block: Block) -> Any:
    """The values that a feature is shown at: its labels, or numbers from end to end."""
    match block.domain:
        case Categories() as categories:
            return list(categories.labels)
        case Integers() as integers:
            return integers.places(POINTS)
        case Interval() as interval:
            return _middles(interval.low, interval.high)
        case Circle() as circle:
            return _middles(0.0, circle.period)
    return _middles(-FAR, FAR)


def _middles(low: float, high: float) -> Floats:
    """Values within equal parts, so that none lies on the border of two cells."""
    return np.asarray(low + (high - low) * (np.arange(POINTS) + 0.5) / POINTS)
