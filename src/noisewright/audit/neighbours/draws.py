"""Running a black box on many databases, a few times each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import numpy as np

from noisewright.audit.basics.outputs import Outputs
from noisewright.audit.blackbox import BlackBox, carries_state
from noisewright.audit.experiment.sampler import runs_here, worker_died
from noisewright.audit.neighbours.cache import OrderCache
from noisewright.errors import BadMechanism
from noisewright.io.pooling import pooled
from noisewright.progress import Progress

AT_ONCE: Final = 256
"""Orders handed to the workers together, so that progress shows between."""


class Order(NamedTuple):
    """An order of runs on the database that ``make`` makes; ``name`` tells people which one it is."""

    name: str
    make: Callable[[], Any]
    runs: int


@dataclass(eq=False)
class Drawing:
    """Fills orders in turn, or by the workers of joblib; ``spent`` counts the runs, trials aside.

    Each order has a chance of its own from ``seeds``, handed out in an order that ``jobs`` does not change;
    what is ``kept`` of a search like this one is read instead, unless the box carries a state. A
    box that carries a state is not copied to workers: bounds would later rest on the chance that chose.
    """

    box: BlackBox
    seeds: np.random.SeedSequence
    jobs: int | None = None
    progress: Progress | None = None
    wanted: int = 0
    spent: int = 0
    kept: OrderCache | None = None
    _carries: bool | None = field(default=None, init=False)

    def fill(self, orders: Sequence[Order]) -> list[Outputs]:
        """Return the outputs of each order."""
        found: list[Outputs] = []
        for first in range(0, len(orders), AT_ONCE):
            found += self._filled(orders[first : first + AT_ONCE])
            self.spent += sum(order.runs for order in orders[first : first + AT_ONCE])
            if self.progress is not None:
                self.progress(self.spent, self.wanted)
        return found

    def _filled(self, orders: Sequence[Order]) -> list[Outputs]:
        chances = self.seeds.spawn(len(orders))  # kept or not, so that later orders have their own

        def drawn(first: int) -> Iterable[Outputs]:
            return self._drawn(orders[first:], chances[first:])

        if self.kept is None or self._carried(orders[0]):
            return list(drawn(0))  # a state that starts anew would give the bounds the chance that chose
        return self.kept.fill([order.name for order in orders], [order.runs for order in orders], drawn)

    def _drawn(self, orders: Sequence[Order], chances: Sequence[np.random.SeedSequence]) -> Iterable[Outputs]:
        tasks = list(zip([self.box] * len(orders), orders, chances, strict=True))
        if not self._shared(orders[0]):
            return (_draw(*task) for task in tasks)
        return pooled(_draw, tasks, self.jobs, worker_died)

    def _shared(self, order: Order) -> bool:
        """Whether workers are wanted, and copies of the box would do."""
        return not runs_here(self.box, self.jobs) and not self._carried(order)

    def _carried(self, order: Order) -> bool:
        """Whether the box carries a state of its own."""
        if self._carries is None:
            try:
                self._carries = carries_state(self.box, order.make())
            except BadMechanism as error:
                raise BadMechanism(f"{order.name}: {error}") from None
        return self._carries


def _draw(box: BlackBox, order: Order, chance: np.random.SeedSequence) -> Outputs:
    """The outputs of an order, in blocks that the box can give at once, each with a seed of its own."""
    sizes = [min(box.block, order.runs - done) for done in range(0, order.runs, box.block)]
    seeds = [int(word) for word in chance.generate_state(len(sizes), np.uint64)]
    database = order.make()
    try:
        return Outputs.join([box.draw(database, *each) for each in zip(sizes, seeds, strict=True)])
    except BadMechanism as error:
        raise BadMechanism(f"{order.name}: {error}") from None
