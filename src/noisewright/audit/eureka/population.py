"""Databases by chance, whose rows are independent: what distributional privacy leans on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from noisewright.audit.blackbox import BlackBox
from noisewright.audit.blackbox.base import check_timeout
from noisewright.audit.blackbox.functions import name_of
from noisewright.audit.blackbox.patience import Patience, ends_the_process, patiently
from noisewright.audit.eureka.stacking import column_of, set_row, stacked
from noisewright.audit.outputs import Outputs
from noisewright.errors import BadMechanism, InvalidParameter, NoisewrightError
from noisewright.parameters import whole

Sampler = Callable[[np.random.Generator, int], Any]
"""Gives one row for ``count`` databases, ``sampler(generator, count)``: an array, or a list of anything."""


@dataclass(frozen=True)
class Population:
    """One sampler for each row, all independent; rows that depend on each other cannot be said this way.

    A row may be a number or a text, or have several attributes: samplers return arrays (count, attributes),
    or lists of tuples or whatever a row is, which stays one thing. Rows of different kinds keep them, in an
    array of objects.

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
        return stacked(self.columns(count, random))

    def columns(self, count: int, random: np.random.Generator) -> list[NDArray[Any]]:
        """The same row by row: what each is in so many databases."""
        return [column_of(sampler(random, count), count) for sampler in self.rows]


@dataclass(frozen=True)
class Fixed:
    """The condition that one row has a value, all others following their laws.

    Where rows have several attributes the value has all of them, as a tuple or an array.
    """

    row: int
    value: Any


@dataclass(frozen=True, eq=False)
class FreshData(BlackBox):
    """A mechanism run on a new database each time: its outputs mix the chance of data and mechanism.

    The input is a :class:`Fixed`; setting a row is the same as conditioning on it only because rows are
    independent. ``mechanism`` is a black box, run once on each database, or a function (databases,
    generator) that answers for all of them at once.

    Databases are of a type that holds all ``values`` exactly, those that a row will be fixed to. Then nothing
    but the row tells one from another: were they integers for a 0 and floats for a ½, every row would.

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
        with patiently(self.timeout) as patience:
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
        databases = stacked(self._columns(count, random), (*self.values, subject.value))
        set_row(databases, subject.row, subject.value)
        return databases

    def _columns(self, count: int, random: np.random.Generator) -> list[NDArray[Any]]:
        try:
            with Patience(self.timeout) as patience:
                columns: list[NDArray[Any]] = patience.call(self.population.columns, count, random)
        except (KeyboardInterrupt, NoisewrightError):
            raise
        except BaseException as error:  # a sampler is anybody's code
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
    return Outputs.joined([box.draw(one, 1, int.from_bytes(word.tobytes(), "little")) for one, word in runs])
