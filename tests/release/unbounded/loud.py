"""An algorithm that reveals in every way it knows whether the first record is in its world."""

from __future__ import annotations

import ctypes
import importlib
import logging
import os
import sys
import time
import warnings
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from noisewright.domains import Floats
from noisewright.release.algorithms.base import Facts, Labels
from release.unbounded.small import ROWS, ColumnMeans

REMEMBERED: list[bool] = []
FAILURES = {1: "raise", 2: "leave", 3: "not a number", 4: "too long", 5: "crash"}
SCALE = 1.0


@dataclass(frozen=True)
class LoudMeans(ColumnMeans):
    """The means of the columns, shown to everybody who listens; the seeds in ``FAILURES`` end unusually."""

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


ODDITIES = {
    1: "fork",
    2: "fork and leave",
    3: "not a number, past all checks",
    4: "too short, past all checks",
    5: "import",
    6: "may be dumped",
}


@dataclass(frozen=True)
class OddMeans(ColumnMeans):
    """Means that do on the way what the seed says of ``ODDITIES``; ``survivors`` is a file for notes."""

    survivors: str = ""
    module: str = ""

    def fit(self, rows: Floats, labels: Labels | None, seed: int, facts: Facts) -> Floats:
        means = np.asarray(rows.mean(axis=0))
        match ODDITIES.get(seed):
            case "fork":
                self.survive()
            case "fork and leave":
                self.survive()
                os._exit(3)
            case "not a number, past all checks":
                write_everywhere(b"1" + (means * np.nan).tobytes())
            case "too short, past all checks":
                write_everywhere(b"1" + means.tobytes()[:-1])
            case "import":
                importlib.import_module(self.module)
            case "may be dumped":
                return means * 0 + ctypes.CDLL(None).prctl(3, 0, 0, 0, 0)  # PR_GET_DUMPABLE
        return means

    def survive(self) -> None:
        """Leave a process of another session that keeps all pipes open; it notes when nobody ends it."""
        reading, writing = os.pipe()
        child = os.fork()
        if child:
            os.read(reading, 1)
            return
        os.setsid()
        self.note(str(os.getpid()))
        os.write(writing, b".")
        time.sleep(60)
        self.note("late")
        os._exit(0)

    def note(self, word: str) -> None:
        with open(self.survivors, "a", encoding="ascii") as file:
            file.write(f"{word}\n")


def write_everywhere(content: bytes) -> Any:
    """Write to every open file above the standard streams, and leave."""
    for descriptor in range(3, 64):
        with suppress(OSError):
            os.write(descriptor, content)
    os._exit(0)
