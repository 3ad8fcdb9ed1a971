"""How many of (rows, labels, seed) a function wants, read off its signature."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from itertools import takewhile
from typing import Any, NamedTuple

from noisewright.errors import InvalidParameter

KNOWN_NAMES = ((), ("labels", "y"), ("seed", "random_state"))
"""What optional parameters in each place must be called to be handed something."""

BY_PLACE = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


class Arguments(NamedTuple):
    """How many arguments a function gets, and how many of them it cannot do without."""

    passed: int
    required: int


def read_arguments(function: Callable[..., Any]) -> Arguments:
    """What a function gets: 1 for (rows), 2 for (rows, labels), 3 for (rows, labels, seed).

    Optional parameters count only under their names: ``axis`` of ``numpy.mean`` must not be given labels.

    >>> read_arguments(lambda rows, axis=0: 0), read_arguments(lambda rows, y=None, seed=0: 0)
    (Arguments(passed=1, required=1), Arguments(passed=3, required=1))
    """
    if not callable(function):
        raise InvalidParameter(f"the function must be callable, got a {type(function).__name__}")
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # some compiled functions do not tell
        return Arguments(1, 1)
    by_place = [one for one in parameters if one.kind in BY_PLACE]
    required = sum(one.default is inspect.Parameter.empty for one in by_place)
    if required > 3 or not _takes_rows(parameters) or _demands_names(parameters):
        raise InvalidParameter("the function must take (rows), (rows, labels) or (rows, labels, seed)")
    sure = max(1, required)
    optional = zip(by_place[sure:], KNOWN_NAMES[sure:], strict=False)
    handed = takewhile(lambda pair: pair[0].name in pair[1], optional)
    return Arguments(sure + len(list(handed)), required)


def _takes_rows(parameters: list[inspect.Parameter]) -> bool:
    return any(one.kind in (*BY_PLACE, inspect.Parameter.VAR_POSITIONAL) for one in parameters)


def _demands_names(parameters: list[inspect.Parameter]) -> bool:
    """Whether something must be given by name, which nobody here would do."""
    named = inspect.Parameter.KEYWORD_ONLY
    return any(one.kind is named and one.default is inspect.Parameter.empty for one in parameters)
