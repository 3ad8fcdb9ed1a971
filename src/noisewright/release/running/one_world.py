"""One world at a time: what the algorithm answers there, or why that answer cannot be used.

A failure is a value and not an exception, so that the first world that failed is named whatever order the
worlds were run in, and so that no traceback carries what another library's exception quotes from the data.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Floats
from noisewright.errors import BadRelease
from noisewright.release.algorithms.base import Algorithm, Facts, Labels

NUMBERS: Final = "fiub"
"""Kinds of array that hold real numbers."""


@dataclass(frozen=True, eq=False)
class Task:
    """What all worlds share: the algorithm, what is public about the pool, and the pool itself."""

    algorithm: Algorithm
    facts: Facts
    rows: Floats
    labels: Labels | None


@dataclass(frozen=True)
class Failure:
    """Why a world has no usable output, and what would help; never a value of the data."""

    world: int
    what: str
    remedy: str

    def refuse(self, count: int) -> BadRelease:
        """The error to raise.

        >>> print(Failure(17, "the algorithm raised ValueError", "try that world alone").refuse(1024))
        the algorithm raised ValueError in world 17 of 1024; nothing was released; try that world alone
        """
        return BadRelease(
            f"{self.what} in world {self.world} of {count}; nothing was released; {self.remedy}"
        )


def run_world(task: Task, world: int, member: NDArray[np.bool_], seed: int) -> Floats | Failure:
    """The output of one world, checked on its own."""
    labels = None if task.labels is None else task.labels[member]
    try:
        output = task.algorithm.fit(task.rows[member], labels, int(seed), task.facts)
    except BadRelease as error:  # our own words, which never quote the data
        return Failure(world, "the algorithm was refused", str(error))
    except Exception as error:  # the algorithm may be anybody's, and may raise anything
        return Failure(
            world,
            f"the algorithm raised {type(error).__name__}",  # its text may quote the data
            "run it on the rows of that world alone to see why",
        )
    return read_output(output, world)


def read_output(output: Any, world: int) -> Floats | Failure:
    """An output as a vector of finite floats.

    >>> read_output([1, 2], world=0)
    array([1., 2.])
    >>> read_output([1, float("nan")], world=3).what
    'the algorithm gave NaN or an infinite number'
    """
    try:
        vector = np.asarray(output)
    except ValueError:  # a ragged list
        vector = np.asarray(None)
    if vector.dtype.kind not in NUMBERS or vector.ndim != 1 or vector.size == 0:
        return Failure(
            world,
            "the algorithm gave no vector of numbers",
            "let it return one flat, non-empty array of floats",
        )
    if not np.isfinite(vector).all():
        return Failure(
            world,
            "the algorithm gave NaN or an infinite number",
            "let it return a fixed finite number where there is nothing to compute",
        )
    return np.array(vector, dtype=np.float64)


def check_length(vector: Floats, world: int, length: int) -> Floats | Failure:
    """Refuse an output that is not as long as the first world's."""
    if vector.size == length:
        return vector
    return Failure(
        world,
        f"the algorithm gave {vector.size} numbers, not {length} as elsewhere,",
        "let every world give the same entries, with a fixed number for what is missing there",
    )
