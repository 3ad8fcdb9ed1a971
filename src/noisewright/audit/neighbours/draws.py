"""Runs of a black box on many databases, a few times each, and their files.

A repeated search finds the same pair, whatever the randomness of the mechanism. A search that goes on after
a failure repeats no run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate
from os import PathLike
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from noisewright.audit.basics.outputs import Outputs
from noisewright.audit.blackbox import BlackBox, carries_state
from noisewright.audit.blackbox.base import root_seed
from noisewright.audit.experiment.sampler import runs_here, worker_died
from noisewright.audit.experiment.storage import cannot_keep, from_parquet, outputs_folder, to_parquet
from noisewright.errors import BadMechanism
from noisewright.io.digest import digest
from noisewright.io.pooling import pooled
from noisewright.io.private_files import ABOUT, write_private
from noisewright.progress import Progress

AT_ONCE: Final = 256
"""Orders handed to the workers together, so that progress shows between."""


class Order(NamedTuple):
    """An order of runs on the database that ``make`` makes; ``name`` is for people."""

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
            found += self._fill_batch(orders[first : first + AT_ONCE])
            self.spent += sum(order.runs for order in orders[first : first + AT_ONCE])
            if self.progress is not None:
                self.progress(self.spent, self.wanted)
        return found

    def _fill_batch(self, orders: Sequence[Order]) -> list[Outputs]:
        chances = self.seeds.spawn(len(orders))  # kept or not, so that later orders have their own

        def drawn(first: int) -> Iterable[Outputs]:
            return self._outputs(orders[first:], chances[first:])

        if self.kept is None or self._carries_state(orders[0]):
            return list(drawn(0))  # a restarted state would repeat in the bounds
        return self.kept.fill([order.name for order in orders], [order.runs for order in orders], drawn)

    def _outputs(
        self, orders: Sequence[Order], chances: Sequence[np.random.SeedSequence]
    ) -> Iterable[Outputs]:
        tasks = zip(orders, chances, strict=True)
        draw = partial(_draw, self.box)
        if runs_here(self.box, self.jobs) or self._carries_state(orders[0]):
            return (draw(*task) for task in tasks)
        return pooled(draw, tasks, self.jobs, worker_died)

    def _carries_state(self, order: Order) -> bool:
        """Whether the box carries a state of its own."""
        if self._carries is None:
            try:
                self._carries = carries_state(self.box, order.make())
            except BadMechanism as error:
                raise BadMechanism(f"{order.name}: {error}") from None
        return self._carries


def _draw(box: BlackBox, order: Order, chance: np.random.SeedSequence) -> Outputs:
    """Return the outputs of an order, in blocks that the box gives at once, each with its own seed."""
    sizes = [min(box.block, order.runs - done) for done in range(0, order.runs, box.block)]
    seeds = [int(word) for word in chance.generate_state(len(sizes), np.uint64)]
    database = order.make()
    try:
        return Outputs.join([box.draw(database, *each) for each in zip(sizes, seeds, strict=True)])
    except BadMechanism as error:
        raise BadMechanism(f"{order.name}: {error}") from None


# -- what a search leaves on disk ----------------------------------------------------------------------


SEED: Final = "seed.txt"
README: Final = """This folder is PRIVATE.

It holds the seed of a search for the most exposed pair of databases, the outputs that the search has seen,
and, in a folder for each pair that was bounded, outputs of the mechanism, drawn very many times; the names of
these folders show who is exposed. A repeated audit draws none of them anew. Delete the folder when the
audit is done.
"""


def stored_seed(folder: Path | None, seed: int | None) -> int:
    """Return the seed: the one given, the one kept in the folder, or else a fresh one, kept from now on.

    It undoes noise that comes from it, so the folder is for its owner alone.
    """
    if folder is None:
        return root_seed(seed)
    private = outputs_folder(folder)
    path = private.path / SEED
    try:
        private.make()
        if not path.exists():
            private.check_empty()
            write_private(private.path / ABOUT, README.encode())
            write_private(path, str(root_seed(seed)).encode())
        text = path.read_text(errors="replace")
    except OSError as error:
        raise cannot_keep(private, error) from None
    if not (text.isascii() and text.isdigit()):
        raise BadMechanism(f"{path} is damaged; name an empty or a new folder")
    wanted = {} if seed is None else {"seed": root_seed(seed)}
    private.check_same({"seed": int(text)}, wanted, "outputs of another audit")
    return root_seed(int(text))


def search_folder(folder: Path, *search: Any) -> Path:
    """Return the folder of one search, named by everything it depends on: box, database, options."""
    return folder / f"search-{digest(*search)[:16]}"


def pair_folder(folder: Path, name: str) -> Path:
    """Where the runs of a pair are kept within its search.

    >>> str(pair_folder(Path("kept"), "random half 2: row 7 removed"))
    'kept/random-half-2-row-7-removed'
    """
    return folder / re.sub(r"\W+", "-", name).strip("-")


def keeps_runs(folder: str | PathLike[str]) -> bool:
    """Return whether an audit of a pair or of a database left runs in its folder that it need not draw again.

    Args:
        folder: The folder that ``keep`` named.
    """
    return any(Path(folder).rglob("*.parquet"))


# -- the runs of a search ------------------------------------------------------------------------------


class OrderCache:
    """Batches of orders in the order they come, a file each; a file may hold the first few of its batch."""

    def __init__(self, folder: Path) -> None:
        """In the folder of one search."""
        self.folder = outputs_folder(folder)
        self._batches = 0

    def fill(
        self, names: Sequence[str], runs: Sequence[int], draw: Callable[[int], Iterable[Outputs]]
    ) -> list[Outputs]:
        """Return the outputs of a batch: kept ones, and the rest from ``draw`` (of the orders from one on).

        Outputs are kept even if the next order fails.
        """
        path = self.folder.path / f"{self._batches:05}-{digest(list(names), list(runs))[:16]}.parquet"
        self._batches += 1
        outputs = self._read(path, runs)
        if len(outputs) == len(runs):
            return outputs
        try:
            for more in draw(len(outputs)):
                outputs.append(more)
        finally:
            whole = Outputs.join(outputs)
            self._write(path, whole)
        return _cut(whole, runs)  # as it will be read: outputs of several shapes have become text

    def _read(self, path: Path, runs: Sequence[int]) -> list[Outputs]:
        """Return the orders that are kept whole; a partial one is dropped."""
        whole = from_parquet(path)
        ends = list(accumulate(runs))
        if whole is None or len(whole) not in ends:
            return []
        return _cut(whole, runs[: ends.index(len(whole)) + 1])

    def _write(self, path: Path, outputs: Outputs) -> None:
        if not len(outputs):
            return
        try:
            self.folder.make()
            write_private(path, to_parquet(outputs))
        except OSError as error:
            raise cannot_keep(self.folder, error) from None


def _cut(whole: Outputs, runs: Sequence[int]) -> list[Outputs]:
    ends = np.cumsum(runs).tolist()
    return [whole[end - count : end] for count, end in zip(runs, ends, strict=True)]
