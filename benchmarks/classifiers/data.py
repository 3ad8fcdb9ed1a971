"""The tables of the case studies, read whole or refused with a sentence."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Floats
from noisewright.errors import BadTable
from noisewright.io.file_access import existing_file, reading

LARGEST = 1 << 26
"""Bytes of a file, and of what it unpacks to; the largest of the three tables has 7 MB."""

STROKE = ("age", "hypertension", "heart_disease", "ever_married", "avg_glucose_level", "bmi")
BANK = (
    "CreditScore",
    "Age",
    "Tenure",
    "Balance",
    "NumOfProducts",
    "IsActiveMember",
    "EstimatedSalary",
    "Satisfaction Score",
    "Point Earned",
)
SIDE = 7
"""Pixels along a side of the small images."""

BRIGHTEST = 4080.0
"""The sum of 16 white pixels: what a pixel of a small image is divided by."""


@dataclass(frozen=True, eq=False)
class Table:
    """Features scaled to [0, 1] as the authors scaled them, and the answers to learn; row 0 is record 1."""

    names: tuple[str, ...]
    values: Floats
    answers: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.values)

    def inside(self, sensitive: Sequence[str]) -> NDArray[np.int64]:
        """The rows whose sensitive values lie in [0, 1]; only these can be randomized there."""
        columns = self.values[:, [self.names.index(name) for name in sensitive]]
        return np.flatnonzero(((columns >= 0) & (columns <= 1)).all(axis=1))


def read_stroke(folder: Path) -> Table:
    """The 1,000 patients that the authors kept."""
    return _read_csv(folder / "stroke" / "processed_stroke_data.csv", STROKE, "stroke")


def read_bank(folder: Path) -> Table:
    """All 10,000 customers."""
    return _read_csv(folder / "bank_churn" / "processed_bank_data_normalized.csv", BANK, "Exited")


def read_mnist(folder: Path) -> tuple[Table, Table]:
    """Digits for training and for testing, pooled to 7 × 7 pixels."""
    arrays = _read_arrays(
        folder / "mnist" / "mnist_7x7_avgpool.npz", ("x_train_sum", "y_train", "x_test_sum", "y_test")
    )
    names = tuple(f"pixel {row}.{column}" for row in range(1, SIDE + 1) for column in range(1, SIDE + 1))
    halves = []
    for part in ("train", "test"):
        images, labels = arrays[f"x_{part}_sum"], arrays[f"y_{part}"]
        if images.shape != (labels.size, SIDE, SIDE) or images.max(initial=0) > BRIGHTEST:
            raise BadTable(f"the {part} images must be sums of grey levels, {SIDE} × {SIDE} for each label")
        rows = images.reshape(-1, SIDE * SIDE).astype(np.float64) / BRIGHTEST
        halves.append(Table(names, rows, labels.astype(np.int64)))
    return halves[0], halves[1]


def _bounded(path: Path) -> Path:
    found = existing_file(path)
    if found.stat().st_size > LARGEST:
        raise BadTable(
            f"{found} is larger than {LARGEST >> 20} MiB and is not read; no table of a case study is"
        )
    return found


def _read_csv(path: Path, features: tuple[str, ...], answer: str) -> Table:
    import pyarrow as pa
    from pyarrow import csv

    found = _bounded(path)
    wanted = [*features, answer]
    options = csv.ConvertOptions(column_types=dict.fromkeys(wanted, pa.float64()))
    with reading(found):
        table = csv.read_csv(found, convert_options=options)
    missing = [name for name in wanted if name not in table.column_names]
    if missing:
        raise BadTable(f"{found} has no column {missing[0]!r}; is it the table of this case study?")
    columns = np.stack([table[name].to_numpy().astype(np.float64) for name in wanted], axis=1)
    if not len(columns) or not np.isfinite(columns).all():
        raise BadTable(f"{found} must have rows of numbers only; it is empty or lacks some")
    return Table(features, columns[:, :-1], columns[:, -1].astype(np.int64))


def _read_arrays(path: Path, names: Sequence[str]) -> dict[str, NDArray[np.int64]]:
    found = _bounded(path)
    try:
        with zipfile.ZipFile(found) as packed:
            if sum(member.file_size for member in packed.infolist()) > LARGEST:
                raise BadTable(f"{found} unpacks to more than {LARGEST >> 20} MiB and is not read")
        with np.load(found, allow_pickle=False) as arrays:
            return {name: arrays[name] for name in names}
    except KeyError as error:
        raise BadTable(f"{found} has no array {error.args[0]}; is it the file of this case study?") from None
    except (OSError, ValueError, zipfile.BadZipFile) as error:
        if isinstance(error, BadTable):
            raise
        raise BadTable(f"cannot read {found}: it is damaged or no NumPy archive of plain arrays") from None
