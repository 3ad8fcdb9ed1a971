"""Wall and processor time of a piece of work, that of its workers included."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from joblib.externals.loky import get_reusable_executor


@dataclass
class Spent:
    """Seconds, known when the work is done."""

    wall: float = 0.0
    processor: float = 0.0

    def __str__(self) -> str:
        return f"{self.wall:.1f} s wall, {self.processor:.1f} s CPU"


@contextmanager
def clocked() -> Iterator[Spent]:
    """Measure a block. Workers end with it: only then does the system tell what they used."""
    get_reusable_executor().shutdown(wait=True)
    spent, wall, processor = Spent(), time.perf_counter(), _processor()
    yield spent
    spent.wall = time.perf_counter() - wall
    get_reusable_executor().shutdown(wait=True)
    spent.processor = _processor() - processor


def _processor() -> float:
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system
