"""Options of ``noisewright predict`` as they are typed, read into numbers and names."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from noisewright.cli.assignments import about, assignment, once
from noisewright.cli.numbers import read_ends, read_number, read_whole_ends
from noisewright.cli.one_domain import read_epsilons
from noisewright.domains import Integers, Interval
from noisewright.errors import InvalidParameter
from noisewright.pages.predict_numbers import ROUND
from noisewright.parameters import EPSILON, as_float, is_number

SENSITIVE: Final = "--sensitive wants NAME=LOW:HIGH, for example age=0:100"
INTEGERS: Final = "--integers wants NAME=LOW:HIGH in whole numbers, for example age=0:99"
RANGE: Final = "--epsilon wants a range such as 0.5:8, numbers such as 0.5,1,2, or one number"

POINTS: Final = 64
"""Values of ε between the two ends of a range."""


def read_sensitive(texts: Sequence[str], integers: Sequence[str] = ()) -> dict[str, Interval]:
    """The features that are randomized, each with the interval or whole numbers that its values lie in.

    >>> read_sensitive(["bmi=10:60"], ["age=0:99"])
    {'bmi': Interval(10.0, 60.0), 'age': Integers(0, 99)}
    """
    if not texts and not integers:
        raise InvalidParameter("name at least one feature that is randomized; " + SENSITIVE)
    pairs: list[tuple[str, Interval]] = []
    for text in texts:
        name, ends = assignment(text, SENSITIVE)
        pairs.append((name, about(name, Interval, *read_ends(ends, text, SENSITIVE))))
    for text in integers:
        name, ends = assignment(text, INTEGERS)
        pairs.append((name, about(name, Integers, *read_whole_ends(ends, text, INTEGERS))))
    return once(pairs, "--sensitive or --integers")


def read_curve(text: str) -> tuple[float, ...]:
    """The values of ε of a curve, in order and each once.

    >>> read_curve("2, 0.5")
    (0.5, 2.0)
    >>> len(read_curve("0.5:8")), read_curve("0.5:8")[-3:], {1.0, 2.0, 4.0} <= set(read_curve("0.5:8"))
    (64, (7.326, 7.656, 8.0), True)
    """
    if ":" not in text:
        return tuple(sorted(set(read_epsilons([text]))))
    first, _, last = text.partition(":")
    low, high = (EPSILON.check(read_number(end, text, RANGE)) for end in (first, last))
    if not low < high:
        raise InvalidParameter(f"--epsilon wants a range from a smaller to a larger number; got {text!r}")
    return spread(low, high)


def spread(low: float, high: float, points: int = POINTS) -> tuple[float, ...]:
    """Values of ε at equal ratios, written with four digits, and with the round ones among them.

    >>> spread(0.9, 1.1, 3)
    (0.9, 1.0, 1.1)
    """
    step = math.log(high / low) / (points - 1)
    inner = [float(f"{low * math.exp(step * place):.4g}") for place in range(1, points - 1)]
    for wanted in ROUND:
        if inner and low < wanted < high:
            inner[min(range(len(inner)), key=lambda place: abs(inner[place] - wanted))] = wanted
    return tuple(sorted({low, *(value for value in inner if low < value < high), high}))


def read_share(option: str, value: float | None, example: str) -> float | None:
    """A number strictly between 0 and 1.

    >>> read_share("--target", 0.9, "0.9")
    0.9
    """
    if value is None:
        return None
    if not (is_number(value) and 0 < as_float(value) < 1):
        raise InvalidParameter(f"{option} must be between 0 and 1, for example {example}; got {value:g}")
    return float(value)


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
