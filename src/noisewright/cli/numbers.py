"""Numbers as they are typed; what is none is refused in the words of the project."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from typing import Any, Final

import typer

from noisewright.errors import InvalidParameter
from noisewright.parameters import EPSILON, shown

WHOLE: Final = re.compile(r"[+-]?\d+(_\d+)*(\.\d+)?([eE]\+?\d{1,2})?", re.ASCII)
"""A number that may be whole. A comma is none of its signs: in options it parts the items of a list."""

AS_TYPED: Final = "a whole number is typed as 10000, 10_000 or 1e4"
LONGEST: Final = 40
"""Letters of the longest whole number that is read."""


def read_number(text: str, whole: str, wanted: str) -> float:
    """The number of a text; a refusal quotes the whole option and says what it wants.

    >>> read_number("71.5", "71.5", "--at wants a number")
    71.5
    """
    try:
        return float(text)
    except ValueError:
        raise InvalidParameter(f"{wanted}; got {whole!r}") from None


def read_whole(text: str, whole: str, wanted: str) -> int:
    """The whole number of a text, exactly; a refusal quotes the whole option and says what it wants.

    >>> [read_whole(text, text, "--people wants a number") for text in ("10000", "10_000", "1e4", "2.5e3")]
    [10000, 10000, 10000, 2500]
    """
    typed = text.strip()
    if len(typed) <= LONGEST and WHOLE.fullmatch(typed):
        number = Decimal(typed)  # a double would round what is larger than 2**53
        if number == number.to_integral_value():
            return int(number)
    raise InvalidParameter(f"{wanted}; got {shown(whole)}")


def whole_option(*names: str, metavar: str = "N", **settings: Any) -> Any:
    """An option of the command line that takes a whole number, typed in any of the usual ways.

    Args:
        names: the option's names, if they do not follow from the parameter's.
        metavar: what stands for the number in the help.
        settings: as for ``typer.Option``.
    """
    return typer.Option(*names, metavar=metavar, parser=_whole, **settings)


def _whole(typed: Any) -> int:
    """What typer calls for an option, and in some versions for its default."""
    try:
        return typed if isinstance(typed, int) else read_whole(typed, typed, AS_TYPED)
    except InvalidParameter as refusal:
        raise typer.BadParameter(str(refusal)) from None


def read_ends(text: str, whole: str, wanted: str) -> tuple[float, float]:
    """The two ends of an interval, which a colon parts.

    >>> read_ends("-40:60", "temp=-40:60", "--interval wants name=low:high")
    (-40.0, 60.0)
    """
    low, _, high = text.rpartition(":")
    return read_number(low, whole, wanted), read_number(high, whole, wanted)


def read_whole_ends(text: str, whole: str, wanted: str) -> tuple[int, int]:
    """The least and the greatest of some whole numbers, which a colon parts.

    >>> read_whole_ends("-40:60", "temp=-40:60", "--integers wants name=low:high")
    (-40, 60)
    """
    low, _, high = text.rpartition(":")
    return read_whole(low, whole, wanted), read_whole(high, whole, wanted)


def read_epsilon(text: str) -> float:
    """One budget.

    >>> read_epsilon("2")
    2.0
    """
    try:
        number = float(text)
    except ValueError:
        return EPSILON.check(text)
    return EPSILON.check(number)


def read_at_least(option: str, value: float | None, least: float, what: str) -> None:
    """Refuse a number below the least that has a meaning, and what is no number."""
    if value is not None and not (math.isfinite(value) and value >= least):
        raise InvalidParameter(f"{option} must be {what}; got {value:g}")


def read_list(option: str, text: str | None) -> tuple[str, ...]:
    """Names separated by commas, each once.

    >>> read_list("--features", "age, bmi")
    ('age', 'bmi')
    """
    if text is None:
        return ()
    names = tuple(part.strip() for part in text.split(","))
    if not all(names):
        raise InvalidParameter(f"{option} wants names separated by commas; got {text!r}")
    for name in names:
        if names.count(name) > 1:
            raise InvalidParameter(f"{option} names {name!r} twice")
    return names
