"""Racing many pairs on few samples, to find the one that looks most exposed.

What comes out is a ranking and no statement about privacy: whoever states one draws fresh samples for the
winner, so that the race cannot have favoured them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from typing import Any, Final

import numpy as np

from noisewright.audit.neighbours.drawing import Drawing, Order
from noisewright.audit.neighbours.halving import (
    QUOTIENT,
    check_budget,
    draws,
    fewest,
    field_sizes,
    left_share,
)
from noisewright.audit.neighbours.pair import Pair
from noisewright.audit.neighbours.yardsticks import yardstick
from noisewright.audit.outputs import Outputs

NOTHING: Final = Outputs(np.empty((0, 1)))

OURS: Final = "made up by the search; beyond=False (--no-beyond) keeps to the database itself"
"""What a failure says of a database that nobody handed over."""


@dataclass(frozen=True)
class Screened:
    """What a race saw of a pair: the ε it suggests (nothing below 0), after how many rounds and samples.

    A suggestion to rank by, not a bound.
    """

    name: str
    statistic: float
    rounds: int
    samples: int


@dataclass(frozen=True, eq=False)
class Ranking:
    """Pairs, the most exposed first, and what the race saw of each in the same order."""

    pairs: tuple[Pair, ...]
    screened: tuple[Screened, ...]


def sharing(pairs: Sequence[Pair]) -> list[int]:
    """How many of these pairs share each left database."""
    return list(Counter(id(pair.left) for pair in pairs).values())


def race(pairs: Sequence[Pair], drawing: Drawing, samples: int, delta: float = 0.0) -> Ranking:
    """Rank pairs by what they seem to show at δ, with at most so many samples in all."""
    runners = [_Runner(pair) for pair in pairs]
    groups = _groups(runners)
    shared = sharing(pairs)
    check_budget(samples, shared, fewest(shared))
    sizes = field_sizes(len(runners))
    for size in sizes:
        _run_round(groups, drawing, samples // len(sizes), delta)
        runners[:size] = sorted(runners[:size], key=lambda runner: -runner.statistic)
        groups = _narrowed(groups, runners[: -(-size // QUOTIENT)])
    return Ranking(tuple(runner.pair for runner in runners), tuple(runner.seen() for runner in runners))


@dataclass(eq=False)
class _Runner:
    """A pair in the race, and the outputs for its right database so far."""

    pair: Pair
    outputs: Outputs = NOTHING
    statistic: float = -np.inf
    rounds: int = 0

    def seen(self) -> Screened:
        return Screened(self.pair.name, self.statistic, self.rounds, len(self.outputs))


@dataclass(eq=False)
class _Group:
    """The pairs still in the race that share a left database, and the outputs for it so far."""

    runners: list[_Runner]
    outputs: Outputs = NOTHING

    def orders(self, each: int) -> list[Order]:
        """What to draw: for the shared database first, then for each of the others."""
        shared = partial(_itself, self.runners[0].pair.left)
        first = Order(_left_name(self.runners[0].pair), shared, each * left_share(len(self.runners)))
        return [first] + [
            Order(_right_name(runner.pair), runner.pair.make_right, each) for runner in self.runners
        ]

    def take(self, drawn: Sequence[Outputs], delta: float) -> None:
        """Add what was drawn by such orders, and measure every pair anew."""
        self.outputs = Outputs.joined([self.outputs, drawn[0]])
        for runner, outputs in zip(self.runners, drawn[1:], strict=True):
            runner.outputs = Outputs.joined([runner.outputs, outputs])
            runner.rounds += 1
        measure = yardstick(self.outputs, [runner.outputs for runner in self.runners]).measure
        for runner in self.runners:
            runner.statistic = measure(runner.outputs, delta)


def _run_round(groups: list[_Group], drawing: Drawing, budget: int, delta: float) -> None:
    each = draws([len(group.runners) for group in groups], budget)
    orders = [group.orders(each) for group in groups]
    drawn = iter(drawing.fill(list(chain.from_iterable(orders))))
    for group, asked in zip(groups, orders, strict=True):
        group.take(list(islice(drawn, len(asked))), delta)


def _groups(runners: Sequence[_Runner]) -> list[_Group]:
    """Pairs by their left database: one and the same object, not an equal one."""
    found: dict[int, _Group] = {}
    for runner in runners:
        found.setdefault(id(runner.pair.left), _Group([])).runners.append(runner)
    return list(found.values())


def _narrowed(groups: list[_Group], staying: Sequence[_Runner]) -> list[_Group]:
    """The groups with those who stay; groups with nobody left are gone."""
    stay = {id(runner) for runner in staying}
    for group in groups:
        group.runners = [runner for runner in group.runners if id(runner) in stay]
    return [group for group in groups if group.runners]


def _left_name(pair: Pair) -> str:
    return "the database itself" if pair.made_up is None else f"{pair.made_up} ({OURS})"


def _right_name(pair: Pair) -> str:
    return pair.name if pair.made_up is None else f"{pair.name} ({OURS})"


def _itself(database: Any) -> Any:
    return database
