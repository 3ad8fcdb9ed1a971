"""What a search leaves on disk: its seed, its runs, and those that bounds rest on, a folder for each pair.

Whoever asks again searches as before and finds the same pair, whatever the chance of the mechanism; whoever
goes on after a failure repeats no run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from os import PathLike
from pathlib import Path
from typing import Any, Final

import numpy as np

from noisewright.audit.basics.outputs import Outputs
from noisewright.audit.basics.seeds import root_seed
from noisewright.audit.experiment.storage import cannot_keep, from_parquet, outputs_folder, to_parquet
from noisewright.errors import BadMechanism
from noisewright.io.digest import digest
from noisewright.io.private_files import ABOUT, PrivateFolder, write_private

SEED: Final = "seed.txt"
README: Final = """This folder is PRIVATE.

It holds the seed of a search for the most exposed pair of databases, the outputs that the search has seen,
and, in a folder for each pair that was bounded, outputs of the mechanism, drawn very many times; the names of
these folders tell who is exposed. Asked again, the audit draws none of them anew. Delete the folder when the
audit is done.
"""


def stored_seed(folder: Path | None, seed: int | None) -> int:
    """The seed to use: the one given, the one kept in the folder, or else a fresh one, kept from now on.

    It undoes noise that comes from it, so the folder is for its owner alone.
    """
    if folder is None:
        return root_seed(seed)
    private = outputs_folder(folder)
    try:
        private.make()
        return _read_seed(private, seed)
    except OSError as error:
        raise cannot_keep(private, error) from None


def search_folder(folder: Path, *search: Any) -> Path:
    """Where one search is kept, by whatever it depends on: the box, the database, the options."""
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
        folder: What ``keep`` named.
    """
    return any(Path(folder).rglob("*.parquet"))


def _read_seed(folder: PrivateFolder, seed: int | None) -> int:
    path = folder.path / SEED
    if not path.exists():
        _begin(folder, root_seed(seed))
    text = path.read_text(errors="replace")
    if not (text.isascii() and text.isdigit()):
        raise BadMechanism(f"{path} is damaged; name an empty or a new folder")
    wanted = {} if seed is None else {"seed": root_seed(seed)}
    folder.check_same({"seed": int(text)}, wanted, "outputs of another audit")
    return root_seed(int(text))


def _begin(folder: PrivateFolder, seed: int) -> None:
    folder.check_empty()
    write_private(folder.path / ABOUT, README.encode())
    write_private(folder.path / SEED, str(seed).encode())


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
            whole = Outputs.join(outputs)
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
