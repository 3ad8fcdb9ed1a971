"""Algorithm 3: distributional differential privacy, for databases whose rows are independent.

What stands in for noise is that nobody knows the other rows. So mechanisms without noise can be judged, and
the judgement is worth as much as the laws that the user gives for the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from noisewright.audit.blackbox import black_box
from noisewright.audit.coordinates import read_epsilons
from noisewright.audit.eureka.pair import LABEL, PairEstimate, eureka_pair
from noisewright.audit.eureka.population import Fixed, FreshData, Population
from noisewright.domains import Floats
from noisewright.errors import InvalidParameter

ASSUMPTION = "the rows of a database are independent and follow the given laws"


@dataclass(frozen=True, eq=False)
class DistributionalEstimate:
    """The largest estimated δ over distributions, rows and ordered pairs of values, and where it was found.

    ``worst`` has for every ε the (distribution, row) of the largest; values are not told.
    """

    epsilons: Floats
    deltas: Floats
    worst: tuple[tuple[str, int], ...]
    comparisons: int
    samples: int
    assumption: str = ASSUMPTION
    label: str = LABEL


def eureka_distributional(
    mechanism: Any,
    populations: Mapping[str, Population],
    values: Sequence[Any],
    epsilons: ArrayLike,
    *,
    positions: Sequence[int] | None = None,
    samples: int = 20_000,
    classifier: Any = "auto",
    together: bool = False,
    timeout: float = 60.0,
    seed: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> DistributionalEstimate:
    """δ(ε) between a row having one of the ``values`` and having another, the other rows left to chance.

    ``positions`` are the rows to try, all of them unless given (one is enough where rows are alike and the
    mechanism does not care for their order). ``together``: the mechanism is a function (databases, generator)
    that answers for many databases at once. ``timeout`` is in seconds and for each of its calls.

    A database is an array (rows,), or (rows, attributes) where values have all attributes; ``together`` puts
    an axis for databases before. It holds rows and values exactly: as numbers or text if all of them are,
    and as objects otherwise.

    >>> coins = Population.alike(lambda generator, count: generator.integers(0, 2, count), rows=9)
    >>> found = eureka_distributional(
    ...     lambda databases, generator: databases.sum(axis=1), {"coins": coins}, [0, 1], [0.0],
    ...     positions=[0], samples=4000, together=True, seed=1,
    ... )
    >>> found.comparisons, bool(abs(found.deltas[0] - 0.2734) < 0.08)  # 8 choose 4, over 2⁸
    (2, True)
    """
    grid = np.atleast_1d(read_epsilons(epsilons))
    tasks = _tasks(populations, values, positions)
    inner = mechanism if together else black_box(mechanism, timeout=timeout)
    found: list[PairEstimate] = []
    for (name, row, pair), one in zip(tasks, np.random.SeedSequence(seed).spawn(len(tasks)), strict=True):
        box = FreshData(inner, populations[name], timeout, tuple(values))
        left, right = (Fixed(row, value) for value in pair)
        number = int(one.generate_state(1, np.uint64)[0])
        found.append(eureka_pair(box, left, right, grid, samples=samples, classifier=classifier, seed=number))
        if progress is not None:
            progress(len(found))
    deltas = np.array([one.deltas for one in found])
    worst = tuple(tasks[place][:2] for place in deltas.argmax(axis=0).tolist())
    return DistributionalEstimate(grid, deltas.max(axis=0), worst, len(found), samples)


def _tasks(
    populations: Mapping[str, Population], values: Sequence[Any], positions: Sequence[int] | None
) -> list[tuple[str, int, tuple[Any, Any]]]:
    """Every distribution, row and ordered pair of different values: both directions are among them."""
    pairs = list(permutations(values, 2))
    tasks = [
        (name, int(row), pair)
        for name, population in populations.items()
        for row in (range(len(population.rows)) if positions is None else positions)
        for pair in pairs
    ]
    if not tasks:
        raise InvalidParameter(
            "there is nothing to compare; give at least one population, one of its rows, and at least two "
            "values that a row may have"
        )
    return tasks
