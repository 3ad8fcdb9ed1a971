"""Numbers as they are typed; what is none is refused in the words of the project."""

from __future__ import annotations

from noisewright.errors import InvalidParameter
from noisewright.parameters import EPSILON


def read_number(text: str, whole: str, wanted: str) -> float:
    """The number of a text; a refusal quotes the whole option and says what it wants.

    >>> read_number("71.5", "71.5", "--at wants a number")
    71.5
    """
    try:
        return float(text)
    except ValueError:
        raise InvalidParameter(f"{wanted}; got {whole!r}") from None


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
    try:
        return int(low), int(high)
    except ValueError:
        raise InvalidParameter(f"{wanted}; got {whole!r}") from None


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
