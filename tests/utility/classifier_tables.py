"""Small stand-ins for the tables of the case studies, in the same columns and scales."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from benchmarks.classifiers.data import BANK, SIDE, STROKE

NAMED_ROW = 4


def write_tables(folder: Path) -> Path:
    """A folder as the studies expect it."""
    for name in ("stroke", "bank_churn", "mnist"):
        (folder / name).mkdir()
    write_csv(folder / "stroke" / "processed_stroke_data.csv", STROKE, "stroke", stroke_rows())
    write_csv(folder / "bank_churn" / "processed_bank_data_normalized.csv", BANK, "Exited", bank_rows())
    np.savez(folder / "mnist" / "mnist_7x7_avgpool.npz", **images())
    return folder


def stroke_rows(count=60):
    """Strokes come with age; the fifth row is the one that figure 6 names, the last has too high a BMI."""
    draw = np.random.default_rng(1)
    rows = draw.random((count, len(STROKE)))
    rows[:, 1:4] = rows[:, 1:4].round()
    rows[NAMED_ROW] = [0.79, 1, 0, 1, 0.58, 0.48]
    rows[-1, -1] = 1.2
    return np.column_stack([rows, rows[:, 0] + 0.2 * draw.standard_normal(count) > 0.6])


def bank_rows(count=60):
    draw = np.random.default_rng(2)
    rows = draw.random((count, len(BANK)))
    rows[0, 1] = 0.42
    return np.column_stack([rows, rows[:, 1] + 0.2 * draw.standard_normal(count) > 0.6])


def images(training=200, testing=40):
    """Each digit is bright in a few pixels of its own."""
    draw = np.random.default_rng(3)
    arrays = {}
    for part, count in (("train", training), ("test", testing)):
        labels = draw.integers(0, 10, count)
        bright = (np.arange(SIDE * SIDE)[None] % 10) == labels[:, None]
        sums = np.where(bright, 3000, 300) + draw.integers(0, 900, (count, SIDE * SIDE))
        arrays[f"x_{part}_sum"] = sums.reshape(-1, SIDE, SIDE).astype(np.uint16)
        arrays[f"y_{part}"] = labels.astype(np.uint8)
    return arrays


def write_csv(path: Path, names, answer: str, rows) -> None:
    np.savetxt(path, rows, delimiter=",", header=",".join([*names, answer]), comments="", fmt="%.6g")
