"""Public parameters, each declared once.

A :class:`Parameter` knows its range, its meaning and its usual values. The error message, the help of
the command line and the property tests all read the same declaration.

    >>> EPSILON.check(2)
    2.0
    >>> EPSILON.check(0)
    Traceback (most recent call last):
    ...
    noisewright.errors.InvalidParameter: epsilon must be a number above 0 and at most 32, got 0; ...
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from noisewright.errors import InvalidParameter

Choice = TypeVar("Choice")


@dataclass(frozen=True)
class Parameter:
    """A real number above ``above`` and at most ``at_most``."""

    name: str
    meaning: str
    above: float
    at_most: float
    usual: tuple[float, ...]

    @property
    def range(self) -> str:
        """The admissible values in words."""
        return f"above {self.above:g} and at most {self.at_most:g}"

    @property
    def help(self) -> str:
        """The text of the parameter in the help of the command line."""
        return f"{self.meaning} ({self.range}; usual values: {', '.join(f'{v:g}' for v in self.usual)})"

    def check(self, value: object) -> float:
        """Return the value as a float, or refuse it with the range and the usual values."""
        if is_number(value):
            number = as_float(value)
            if self.above < number <= self.at_most:
                return number
        usual = ", ".join(f"{v:g}" for v in self.usual)
        raise InvalidParameter(
            f"must be a number {self.range}, got {shown(value)}; usual values: {usual}", field=self.name
        )


SHOWN = 60
"""Letters of a value that an error message repeats."""

LONG = 10**12
"""From here on a power of two is written as one."""

EPSILON = Parameter(
    name="epsilon",
    meaning="privacy budget: an observer's odds between two values move by at most e^epsilon",
    above=0,
    at_most=32,
    usual=(0.5, 1, 2, 4),
)

DELTA = Parameter(
    name="delta",
    meaning="share of reports in which the bound may fail",
    above=1e-12,
    at_most=0.5,
    usual=(1e-6, 1e-5, 1e-3),
)


def shown(value: object) -> str:
    """Write a value for an error message, cut short so that a stranger cannot make it endless.

    >>> shown("x" * 1000)
    "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…"
    """
    words = repr(value) if not isinstance(value, str | bytes) or len(value) <= SHOWN else repr(value[:SHOWN])
    words = words.removesuffix(".0") if isinstance(value, float) else words
    return words if len(words) <= SHOWN else f"{words[:SHOWN]}…"


def is_number(value: object) -> bool:
    """Return whether a value is an integer or a float; a boolean is neither."""
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)


def as_float(value: object) -> float:
    """Return a number as a float; an integer too large for one becomes infinite."""
    try:
        return float(value)  # type: ignore[arg-type]
    except OverflowError:
        return math.inf


def real(field: str, value: object) -> float:
    """Return a finite float, or refuse the value by the name of its field."""
    if is_number(value) and math.isfinite(as_float(value)):
        return as_float(value)
    raise InvalidParameter(f"must be a finite number, got {shown(value)}", field=field)


def whole(field: str, value: object, low: int, high: int) -> int:
    """Return an integer in a range, or refuse the value by its field and the range."""
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool) and low <= value <= high:
        return int(value)
    ends = f"{_limit(low)} to {_limit(high)}"
    raise InvalidParameter(f"must be a whole number from {ends}, got {shown(value)}", field=field)


def _limit(number: int) -> str:
    """Write the end of a range so that it can be read: with commas, or as a power of two.

    >>> _limit(1024), _limit(1_000_000), _limit(-(1 << 50)), _limit((1 << 128) - 1)
    ('1024', '1,000,000', '-2^50', '2^128 - 1')
    """
    size = abs(number)
    if size < LONG:
        return f"{number:,}" if size > 9999 else str(number)
    rest = size & (size + 1) == 0
    if not rest and size & (size - 1):
        return f"{number:,}"
    return f"{'-' if number < 0 else ''}2^{size.bit_length() - 1 + rest}{' - 1' if rest else ''}"


def one_of(field: str, value: Choice, choices: Iterable[Choice]) -> Choice:
    """Return a value that is one of the choices, or refuse it by its field and list them.

    >>> one_of("purpose", "means", ("mean", "bins"))
    Traceback (most recent call last):
    ...
    noisewright.errors.InvalidParameter: purpose must be one of mean, bins, got 'means'
    """
    known = list(choices)
    if value in known:
        return value
    raise InvalidParameter(f"must be one of {', '.join(map(str, known))}, got {shown(value)}", field=field)
