"""Black boxes in Python: functions of one or of many outputs a call, and objects with ``perturb``.

A function that cannot be called as an audit would call it is refused at once, where its signature tells.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from inspect import Parameter, Signature
from typing import Any, ClassVar, Final

import numpy as np

from noisewright.audit.basics.outputs import Outputs
from noisewright.audit.blackbox.base import BlackBox, check_timeout, global_chance, own_generator, time_limit
from noisewright.errors import BadMechanism, InvalidParameter
from noisewright.randomness import SeededSource

GENERATOR: Final = "generator"
"""The parameter that gets a NumPy generator."""

PLACED: Final = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)

DATA: Final = ("data",)

MANY: Final = ("data", "count")
"""What a function of one output a call, and one of many, are called with."""


def signature_of(function: Callable[..., Any]) -> Signature | None:
    """Return what a function takes; None where it does not tell, as functions written in C need not."""
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):
        return None


def wants_generator(function: Callable[..., Any]) -> bool:
    """Return whether a function has a parameter named ``generator``.

    >>> wants_generator(lambda data, generator: 0), wants_generator(max)
    (True, False)
    """
    signature = signature_of(function)
    return signature is not None and GENERATOR in signature.parameters


def check_signature(function: Callable[..., Any], given: Sequence[str]) -> None:
    """Refuse a function that cannot be called with the ``given`` arguments, and a generator if it wants one.

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
        named = ", ".join(signature.parameters)
        takes = f"nothing but ({named})" if named else "no argument"
        return f"the function takes {takes}; it must take {'(data, count)' if vectorized else 'the data'}"
    if vectorized and len(placed) < len(given):
        return f"the function takes ({', '.join(placed)}) only; vectorized functions take (data, count)"
    if len(needed) > len(given):
        called = f"the function needs ({', '.join(needed)}), and an audit calls it with ({', '.join(given)})"
        if needed[1:] == ["count"]:
            return f"{called}; say vectorized=True if it returns so many outputs at once"
        return f"{called}; give the others default values, or audit a function that fills them in"
    return f"the function's parameter {GENERATOR} must come after ({', '.join(given)})"


# -- functions -----------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class FunctionBox(BlackBox):
    """A Python function that is called with what ``given`` names; ``timeout`` holds for every call.

    A parameter named ``generator`` gets a NumPy generator. A function that cannot be called so is refused at
    once, where its signature tells; otherwise its first call will.
    """

    function: Callable[..., Any]
    timeout: float = 60.0
    given: ClassVar[Sequence[str]]

    def __post_init__(self) -> None:
        object.__setattr__(self, "timeout", check_timeout(self.timeout))
        check_signature(self.function, self.given)

    @property
    def title(self) -> str:
        return name_of(self.function)

    @contextmanager
    def calling(self, seed: int) -> Generator[Callable[..., Any]]:
        """The function with its chance from the seed, its patience, and its failures told in sentences."""
        options = {GENERATOR: own_generator(seed)} if wants_generator(self.function) else {}
        with global_chance(seed), time_limit(self.timeout) as patience:
            yield partial(patience.call, self.function, **options)


def name_of(function: Callable[..., Any]) -> str:
    """Return what to call a function: its own name, or that of the class of a callable object."""
    wrapped = getattr(function, "func", function)  # a partial is named after what it completes
    return str(getattr(wrapped, "__name__", type(wrapped).__name__))


@dataclass(frozen=True, eq=False)
class Calls(FunctionBox):
    """``function(data)``, asked again and again; a parameter named ``generator`` gets a NumPy generator.

    An object that carries a random state of its own is never handed to workers: it is always this one that is
    called, so its state goes on from call to call.

    Args:
        function: Takes the data, and perhaps a generator.
        timeout: Seconds that one call may take.

    >>> Calls(lambda data, generator: sum(data) + generator.laplace()).draw([1, 2], 3, seed=7).width
    1
    """

    block: ClassVar[int] = 1024
    given = DATA

    def draw(self, subject: Any, count: int, seed: int) -> Outputs:
        with self.calling(seed) as call:  # reading what came may run code of the mechanism, too
            return Outputs.of([call(subject) for _ in range(count)])

    def describe(self) -> Any:
        return "calls", self.function


@dataclass(frozen=True, eq=False)
class Vectorized(FunctionBox):
    """``function(data, count)``, an array or a list of independent outputs; ``generator`` as in Calls.

    Args:
        function: Takes the data and a count, and perhaps a generator.
        timeout: Seconds that one call may take.

    >>> noisy = lambda data, count, generator: sum(data) + generator.laplace(size=count)
    >>> len(Vectorized(noisy).draw([1, 2], 5, seed=7))
    5
    """

    block: ClassVar[int] = 1 << 16
    together: ClassVar[bool] = True
    quick: ClassVar[bool] = True
    given = MANY

    def draw(self, subject: Any, count: int, seed: int) -> Outputs:
        with self.calling(seed) as call:  # reading what came may run code of the mechanism, too
            return read_outputs(call(subject, count), count)

    def describe(self) -> Any:
        return "vectorized", self.function


def read_outputs(raw: Any, count: int) -> Outputs:
    """Outputs of one call for many; another number of them than asked for is refused."""
    if hasattr(raw, "__array__") and not isinstance(raw, np.ndarray):  # a column of a frame, a tensor
        raw = np.asarray(raw)
    outputs = Outputs.of(raw)
    if len(outputs) != count:
        raise BadMechanism(
            f"the vectorized mechanism gave {len(outputs)} outputs when asked for {count}; let it return one "
            "for each, or leave out vectorized=True for a function of the data alone"
        )
    return outputs


# -- mechanisms ----------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class MechanismBox(BlackBox):
    """``mechanism.perturb`` of one true value, as many times as asked.

    Where reports of one call depend on each other, as on a route or with shared coins, a mechanism has
    ``independent_reports(value, count)``, and that is called instead: bounds rest on independent runs.
    The reports are drawn as they would be in earnest, from the secure source: seeds are of no use here.
    ``simulated`` draws them from a seeded source instead, for tests that are to be repeated exactly.

    Args:
        mechanism: One of our mechanisms, or any object with ``perturb``.
        timeout: Seconds that one call may take.
        simulated: Whether to draw from a seeded source, for tests that are to be repeated exactly.

    >>> from noisewright import Interval
    >>> from noisewright.mechanisms import OGPM
    >>> MechanismBox(OGPM(Interval(0, 1), epsilon=1.0)).draw(0.5, 4, seed=0).numbers.shape
    (4, 1)
    """

    mechanism: Any
    timeout: float = 60.0
    simulated: bool = False
    block: ClassVar[int] = 1 << 16
    together: ClassVar[bool] = True
    quick: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "timeout", check_timeout(self.timeout))

    @property
    def title(self) -> str:
        return type(self.mechanism).__name__

    def draw(self, subject: Any, count: int, seed: int) -> Outputs:
        options = {"source": SeededSource(seed)} if self.simulated else {}
        apart = getattr(self.mechanism, "independent_reports", None)
        with time_limit(self.timeout) as patience:
            if apart is None:
                values = np.repeat(np.asarray([subject]), count, axis=0)
                reports = patience.call(self.mechanism.perturb, values, **options)
            else:
                reports = patience.call(apart, subject, count, **options)
            return read_outputs(reports, count)

    def describe(self) -> Any:
        return "mechanism", self.mechanism, self.simulated
