"""Whether a function can be called as an audit would call it, as far as its signature tells."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from inspect import Parameter, Signature
from typing import Any, Final

from noisewright.errors import InvalidParameter

GENERATOR: Final = "generator"
"""The parameter that gets a NumPy generator."""

PLACED: Final = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)

DATA: Final = ("data",)
MANY: Final = ("data", "count")
"""What a function of one output a call, and one of many, are called with."""


def signature_of(function: Callable[..., Any]) -> Signature | None:
    """What a function takes; None where it does not tell, as functions written in C need not."""
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):
        return None


def wants_generator(function: Callable[..., Any]) -> bool:
    """Whether a function has a parameter named ``generator``.

    >>> wants_generator(lambda data, generator: 0), wants_generator(max)
    (True, False)
    """
    signature = signature_of(function)
    return signature is not None and GENERATOR in signature.parameters


def check_signature(function: Callable[..., Any], given: Sequence[str]) -> None:
    """Refuse a function that cannot be called with so many arguments, and a generator if it wants one.

    >>> check_signature(lambda data: 0, MANY)
    Traceback (most recent call last):
    ...
    noisewright.errors.InvalidParameter: the function takes (data) only; vectorized functions take ...
    """
    signature = signature_of(function)
    if signature is None:
        return
    options = {GENERATOR: None} if wants_generator(function) else {}
    try:
        signature.bind(*given, **options)
    except TypeError:
        raise InvalidParameter(_unfitting(signature, given)) from None


def _unfitting(signature: Signature, given: Sequence[str]) -> str:
    """Why the function does not take what it is given; defaults and annotations are not shown."""
    parameters = [each for each in signature.parameters.values() if each.name != GENERATOR]
    placed = [each.name for each in parameters if each.kind in PLACED]
    needed = [
        each.name
        for each in parameters
        if each.default is Parameter.empty and each.kind in (*PLACED, Parameter.KEYWORD_ONLY)
    ]
    vectorized = tuple(given) == MANY
    if not placed:
        return f"{_none(signature)}; it must take {'(data, count)' if vectorized else 'the data'}"
    if vectorized and len(placed) < len(given):
        return f"the function takes ({', '.join(placed)}) only; vectorized functions take (data, count)"
    if len(needed) > len(given):
        return _too_much(needed, given)
    return f"the function's parameter {GENERATOR} must come after ({', '.join(given)})"


def _none(signature: Signature) -> str:
    named = ", ".join(signature.parameters)
    return f"the function takes nothing but ({named})" if named else "the function takes no argument"


def _too_much(needed: Sequence[str], given: Sequence[str]) -> str:
    called = f"the function needs ({', '.join(needed)}), and an audit calls it with ({', '.join(given)})"
    if needed[1:] == ["count"]:
        return f"{called}; say vectorized=True if it returns so many outputs at once"
    return f"{called}; give the others default values, or audit a function that fills them in"
