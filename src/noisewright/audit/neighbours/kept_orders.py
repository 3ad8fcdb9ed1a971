"""The runs of a search on disk: whoever asks again, or goes on after a failure, repeats none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from pathlib import Path

import numpy as np

from noisewright.audit.experiment.parquet import from_parquet, to_parquet
from noisewright.audit.experiment.private_folder import cannot_keep, outputs_folder
from noisewright.audit.outputs import Outputs
from noisewright.engine.digest import digest
from noisewright.engine.private_files import write_private


class KeptOrders:
    """Batches of orders in the order they come, a file each; a file may hold the first few of its batch."""

    def __init__(self, folder: Path) -> None:
        """In the folder of one search."""
        self.folder = outputs_folder(folder)
        self._batches = 0

    def filled(
        self, names: Sequence[str], runs: Sequence[int], draw: Callable[[int], Iterable[Outputs]]
    ) -> list[Outputs]:
        """The outputs of a batch: what is kept of it, and the rest from ``draw`` (of the orders from one on).

        What was drawn is kept even if the next order fails.
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
            whole = Outputs.joined(outputs)
            self._write(path, whole)
        return _cut(whole, runs)  # as it will be read: outputs of several shapes have become text

    def _read(self, path: Path, runs: Sequence[int]) -> list[Outputs]:
        """The orders that are kept whole; nothing of a file that ends within one."""
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
