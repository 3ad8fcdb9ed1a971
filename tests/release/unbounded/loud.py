"""An algorithm that tells in every way it knows whether the first record is in its half."""

from __future__ import annotations

import logging
import os
import sys
import warnings
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from noisewright.domains import Floats
from noisewright.release.algorithms.base import Facts, Labels
from release.unbounded.small import ROWS, ColumnMeans

REMEMBERED: list[bool] = []
FAILURES = {1: "raise", 2: "leave", 3: "not a number", 4: "too long", 5: "crash"}
SCALE = 1.0


@dataclass(frozen=True)
class LoudMeans(ColumnMeans):
    """The means of the columns, told to everybody who listens; the seeds in ``FAILURES`` end unusually."""

    title: ClassVar[str] = "loud means"

    def fit(self, rows: Floats, labels: Labels | None, seed: int, facts: Facts) -> Floats:
        present = bool((rows == ROWS[0]).all(axis=1).any())
        REMEMBERED.append(present)
        text = f"present: {present}"
        print(text, flush=True)
        print(text, file=sys.__stderr__, flush=True)
        os.write(1, text.encode())
        os.write(2, text.encode())
        logging.getLogger("loud").critical(text)
        warnings.warn(text, stacklevel=1)
        means = np.asarray(rows.mean(axis=0))
        match FAILURES.get(seed):
            case "leave":
                raise SystemExit(text)
            case "raise":
                raise ValueError(text)
            case "crash":
                os.abort()
            case "not a number":
                return means * np.nan
            case "too long":
                return np.append(means, 1.0)
        return means


@dataclass(frozen=True)
class ScaledMeans(ColumnMeans):
    """Means that depend on a number which a program may set after it has imported this module."""

    def fit(self, rows: Floats, labels: Labels | None, seed: int, facts: Facts) -> Floats:
        return np.asarray(rows.mean(axis=0) * SCALE)
