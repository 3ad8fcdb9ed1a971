"""The tables of the experiments: read, scaled to a box, and parted into a pool and a test."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.datasets import load_iris
from sklearn.utils import shuffle

from noisewright.domains import Floats
from noisewright.errors import BadTable
from noisewright.io.file_access import existing_file, reading
from noisewright.release.algorithms.base import Labels

IRIS_POOL = 100
BEANS_POOL = 0.7


@dataclass(frozen=True, eq=False)
class Table:
    """Records and their classes."""

    rows: Floats
    labels: Labels

    def scaled(self, low: float, high: float) -> Table:
        """Every column stretched to the box from ``low`` to ``high``, by its extremes over all records."""
        least, most = self.rows.min(axis=0), self.rows.max(axis=0)
        return Table(low + (high - low) * (self.rows - least) / (most - least), self.labels)

    def parted(self, pool: int, seed: int) -> Parted:
        """Shuffled with scikit-learn's ``shuffle(random_state=seed)``; the first records are the pool."""
        rows, labels = shuffle(self.rows, self.labels, random_state=seed)
        return Parted(Table(rows[:pool], labels[:pool]), Table(rows[pool:], labels[pool:]))


@dataclass(frozen=True, eq=False)
class Parted:
    """A pool, half of which is used, and records to test on."""

    pool: Table
    test: Table


def read_iris(folder: Path | None) -> Table:
    """Fisher's irises as UCI has them; without a folder scikit-learn's, which differ in three cells."""
    if folder is None:
        known = load_iris()
        return Table(np.asarray(known.data, dtype=np.float64), known.target_names[known.target])
    from pyarrow import csv

    found = existing_file(folder / "iris" / "iris_uci.csv")
    with reading(found):
        table = csv.read_csv(found)
    return _table(table, "class", found)


def read_beans(folder: Path) -> Table:
    """The 13,611 dry beans."""
    import pyarrow.parquet as pq

    found = existing_file(folder / "dry_bean" / "dry_bean.parquet")
    with reading(found):
        table = pq.read_table(found)
    return _table(table, "Class", found)


def read_pictures(folder: Path) -> Parted:
    """CIFAR-10 in 8 × 8 grey pixels from 0 to 1: 50,000 pictures in the pool, 10,000 to test on."""
    found = existing_file(folder / "cifar10" / "cifar10_gray_8x8_all.npz")
    with reading(found), np.load(found) as kept:
        arrays = {name: kept[name] for name in ("x_train", "y_train", "x_test", "y_test")}
    pool, test = (
        Table(arrays[f"x_{part}"].reshape(-1, 64) / 255.0, arrays[f"y_{part}"]) for part in ("train", "test")
    )
    return Parted(pool, test)


def iris(folder: Path | None, split: int, low: float = -1.0, high: float = 1.0) -> Parted:
    """100 irises as the pool and 50 to test on, in the box from −1 to 1 unless told otherwise."""
    return read_iris(folder).scaled(low, high).parted(IRIS_POOL, split)


def beans(folder: Path, split: int = 0) -> Parted:
    """70 % of the dry beans as the pool, in the box from 0 to 1."""
    table = read_beans(folder).scaled(0.0, 1.0)
    return table.parted(round(BEANS_POOL * len(table.rows)), split)


def _table(arrow: object, target: str, found: Path) -> Table:
    import pyarrow as pa

    if not isinstance(arrow, pa.Table) or target not in arrow.column_names:
        raise BadTable(f"{found} has no column {target!r}; is it the file that the experiments name?")
    features = [name for name in arrow.column_names if name != target]
    rows = np.stack([arrow[name].to_numpy() for name in features], axis=1).astype(np.float64)
    return Table(rows, np.array(arrow[target].to_pylist()))
