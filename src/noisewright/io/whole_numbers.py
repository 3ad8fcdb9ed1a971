"""Columns of whole numbers that were declared as intervals: a sentence before anything is randomized.

Whether all values are whole is a fact about private data. It goes to whoever holds the data and runs the
program, and never into a file of reports or its description.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import pyarrow as pa

from noisewright.domains import Integers, Interval
from noisewright.errors import InvalidParameter, NoisewrightError
from noisewright.io.columns import ColumnPlan
from noisewright.io.file_errors import warn_caller
from noisewright.io.numbers import ArrowColumn, floats

FEWEST: Final = 10
"""Values, at least, that a warning may speak of: fewer may be those of one person, and warnings reach logs.
A column of integer type needs no such care, since its type is no secret."""

WORTH_TELLING: Final = 0.05
"""By how much, at least, the mean's interval becomes wider if it is to be told: whole numbers are padded by
half a step at both ends, which is half of the width for 0, 1 and 2 and nothing much for ages."""


class WholeNumbers(UserWarning):
    """A column declared as an interval holds whole numbers only; ``Integers`` would serve it better."""


@dataclass(frozen=True)
class WholeColumn:
    """A column of whole numbers, with the domain that would suit it: the whole numbers of its interval."""

    name: str
    domain: Integers
    rows: int
    complete: bool

    @property
    def what(self) -> str:
        """What was found, without any value."""
        if self.complete:
            return f"every value of {self.name!r} is a whole number"
        return f"the first {self.rows:,} values of {self.name!r} are all whole numbers"

    def advice(self, integers: str, labels: str) -> str:
        """Return the whole sentence: what was found, and what to declare instead.

        Args:
            integers: how the caller writes the whole numbers of this column.
            labels: how the caller writes them as labels, which is best for two.
        """
        if self.domain.size == 2:
            return f"{self.what}: declare {labels}, which tells the share of each with the least noise"
        sentence = (
            f"{self.what}: declare {integers} to get narrower intervals of bins and quantiles, and bins that "
            "end between whole numbers"
        )
        wider = 1 / (self.domain.size - 1)
        if wider < WORTH_TELLING:
            return sentence
        return f"{sentence}; the mean's interval becomes about {wider:.0%} wider"


Notice = Callable[[WholeColumn], None]
"""Tells whoever holds the data."""


def warn(found: WholeColumn) -> None:
    """Tell a Python program, as a warning at its own line that called for the randomizing."""
    labels = f"Categories([{found.domain.first}, {found.domain.last}])"
    warn_caller(found.advice(repr(found.domain), labels), WholeNumbers)


def tell_whole_numbers(
    plan: ColumnPlan, table: pa.Table, notice: Notice | None = None, *, complete: bool
) -> None:
    """Name every column that is declared as an interval and holds whole numbers only.

    Args:
        plan: which column goes through which mechanism.
        table: the true values, or the first part of them.
        notice: is called once for each such column, however short; a warning of ``FEWEST`` values or more
            if not given.
        complete: whether ``table`` holds all rows.
    """
    for name, domain in _declared(plan):
        column = table.column(name)
        enough = notice is not None or pa.types.is_integer(column.type) or len(column) >= FEWEST
        if enough and _all_whole(column, name, domain):
            (notice or warn)(WholeColumn(name, domain, len(column), complete))


def _declared(plan: ColumnPlan) -> Iterator[tuple[str, Integers]]:
    """Columns on a plain interval, each with the whole numbers of that interval if it has two or more."""
    for name, mechanism in plan.mechanisms.items():
        domain = mechanism.domain
        if type(domain) is Interval:
            with suppress(InvalidParameter):  # a single whole number, or more than a lattice has cells
                yield name, Integers(math.ceil(domain.low), math.floor(domain.high), cells=domain.cells)


def _all_whole(column: ArrowColumn, name: str, domain: Integers) -> bool:
    with suppress(NoisewrightError):  # what is no number is refused where it is drawn
        return bool(domain.contains(floats(column, name, 0)).all())
    return False
