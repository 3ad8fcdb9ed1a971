"""Algorithm 3: distributional differential privacy, for databases whose rows are independent.

The unknown other rows take the place of noise. So mechanisms without noise can be judged, and the judgement
is worth as much as the laws that the user gives for the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewright.audit.basics.claim import read_epsilons
from noisewright.audit.basics.outputs import Outputs
from noisewright.audit.blackbox import BlackBox, black_box
from noisewright.audit.blackbox.base import TimeLimit, check_timeout, ends_the_process, time_limit
from noisewright.audit.blackbox.functions import name_of
from noisewright.domains import Floats
from noisewright.errors import BadMechanism, InvalidParameter, NoisewrightError
from noisewright.parameters import whole
from noisewright.published.eureka.database_arrays import column_of, set_row, stack_columns
from noisewright.published.eureka.pair import LABEL, PairEstimate, eureka_pair

# -- databases by chance -------------------------------------------------------------------------------


Sampler = Callable[[np.random.Generator, int], Any]
"""Gives one row for ``count`` databases, ``sampler(generator, count)``: an array, or a list of anything."""


@dataclass(frozen=True)
class Population:
    """One sampler for each row, all independent; rows that depend on each other cannot be said this way.

    A row may be a number or a text, or have several attributes: samplers return arrays (count, attributes),
    or lists of tuples or whatever a row is, which stays one thing. Rows of different kinds keep them, in an
    array of objects.

    Attributes:
        rows: The law of each row, as a sampler.

    >>> coins = Population.alike(lambda generator, count: generator.integers(0, 2, count), rows=3)
    >>> coins.databases(2, np.random.default_rng(5)).shape
    (2, 3)
    """

    rows: tuple[Sampler, ...]

    @classmethod
    def alike(cls, sampler: Sampler, rows: int) -> Population:
        """Rows that all follow one law."""
        return cls((sampler,) * whole("rows", rows, 1, 1 << 24))

    def databases(self, count: int, random: np.random.Generator) -> NDArray[Any]:
        """Databases one below the other: (count, rows), or (count, rows, attributes)."""
        return stack_columns(self.columns(count, random))

    def columns(self, count: int, random: np.random.Generator) -> list[NDArray[Any]]:
        """Return the same row by row: the values of each in ``count`` databases."""
        return [column_of(sampler(random, count), count) for sampler in self.rows]


@dataclass(frozen=True)
class Fixed:
    """The condition that one row has a value, all others following their laws.

    Where rows have several attributes the value has all of them, as a tuple or an array.

    Attributes:
        row: Which row of every database is fixed.
        value: The value that it has.
    """

    row: int
    value: Any


@dataclass(frozen=True, eq=False)
class FreshData(BlackBox):
    """A mechanism run on a new database each time: its outputs mix the chance of data and mechanism.

    The input is a :class:`Fixed`; setting a row is the same as conditioning on it only because rows are
    independent.

    Databases hold all ``values`` exactly, so only the row distinguishes them. With integers for a 0 and
    floats for a ½, every row would.

    Args:
        mechanism: A black box, run once on each database, or a function (databases, generator) that
            answers for all of them at once.
        population: Where databases come from.
        timeout: Seconds that one call may take.
        values: Values that a row will be fixed to: databases are of a type that holds all of them
            exactly.

    >>> coins = Population.alike(lambda generator, count: generator.integers(0, 2, count), rows=3)
    >>> ones = FreshData(lambda databases, generator: databases.sum(axis=1), coins)
    >>> ones.draw(Fixed(0, 1), 1000, seed=4).numbers.min()
    np.float64(1.0)
    """

    mechanism: BlackBox | Callable[..., Any]
    population: Population
    timeout: float = 60.0
    values: tuple[Any, ...] = ()
    block: ClassVar[int] = 1 << 12
    quick: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "timeout", check_timeout(self.timeout))

    @property
    def title(self) -> str:
        return self.mechanism.title if isinstance(self.mechanism, BlackBox) else name_of(self.mechanism)

    def draw(self, subject: Fixed, count: int, seed: int) -> Outputs:
        own, inner = np.random.SeedSequence(seed).spawn(2)
        databases = self._databases(subject, count, np.random.default_rng(own))
        if isinstance(self.mechanism, BlackBox):
            return _one_by_one(self.mechanism, databases, inner)
        with time_limit(self.timeout) as patience:
            raw = patience.call(self.mechanism, databases, np.random.default_rng(inner))
        outputs = Outputs.of(raw)
        if len(outputs) != count:
            raise BadMechanism(
                f"the mechanism gave {len(outputs)} outputs for {count} databases; return one each"
            )
        return outputs

    def _databases(self, subject: Fixed, count: int, random: np.random.Generator) -> NDArray[Any]:
        rows = len(self.population.rows)
        if not 0 <= subject.row < rows:
            raise InvalidParameter(f"row {subject.row} is not one of the {rows} rows")
        databases = stack_columns(self._columns(count, random), (*self.values, subject.value))
        set_row(databases, subject.row, subject.value)
        return databases

    def _columns(self, count: int, random: np.random.Generator) -> list[NDArray[Any]]:
        try:
            with TimeLimit(self.timeout) as patience:
                columns: list[NDArray[Any]] = patience.call(self.population.columns, count, random)
        except (KeyboardInterrupt, NoisewrightError):
            raise
        except BaseException as error:  # a sampler may raise anything
            if ends_the_process(error):
                raise
            raise BadMechanism(
                f"no databases could be drawn ({type(error).__name__}); call the sampler of each row with a "
                "generator and a count to see why"
            ) from None
        return columns

    def describe(self) -> Any:
        inner = self.mechanism.describe() if isinstance(self.mechanism, BlackBox) else self.mechanism
        return "fresh data", self.population.rows, self.values, inner


def _one_by_one(box: BlackBox, databases: NDArray[Any], seeds: np.random.SeedSequence) -> Outputs:
    # a box may use any part of its seed, so each gets one of full length
    words = seeds.generate_state(4 * len(databases)).reshape(len(databases), 4)
    runs = zip(databases, words, strict=True)
    return Outputs.join([box.draw(one, 1, int.from_bytes(word.tobytes(), "little")) for one, word in runs])


# -- the estimate --------------------------------------------------------------------------------------


ASSUMPTION = "the rows of a database are independent and follow the given laws"


@dataclass(frozen=True, eq=False)
class DistributionalEstimate:
    """The largest estimated δ over distributions, rows and ordered pairs of values, and where it was found.

    Attributes:
        epsilons: The ε that were asked for.
        deltas: The largest δ of all comparisons at each ε.
        worst: The (distribution, row) of the largest δ at each ε; values are not shown.
        comparisons: How many comparisons there were.
        samples: Runs of each.
        assumption: What the estimate rests on.
        label: Its name beside bounds.
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
    """Estimate δ(ε) between two ``values`` of a row, with the other rows random.

    A database is an array (rows,), or (rows, attributes) where values have all attributes; ``together`` puts
    an axis for databases before. It holds rows and values exactly: as numbers or text if all of them are,
    and as objects otherwise.

    Args:
        mechanism: A function of a database, or one of our mechanisms.
        populations: Laws of databases by name.
        values: The values that a row is given.
        epsilons: The ε at which δ is wanted: one number or an array, from 0 to 700.
        positions: The rows to try, None for all of them; one is enough where rows are alike and the
            mechanism does not care for their order.
        samples: Runs for each comparison.
        classifier: As in :func:`eureka_pair`.
        together: Whether the mechanism is a function (databases, generator) that answers for many
            databases at once.
        timeout: Seconds that one call may take.
        seed: The seed of data, mechanism and classifiers; None draws a fresh one.
        progress: Called with the number of comparisons made so far.

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
