"""Black boxes in Python, functions and objects with ``perturb``; and a black box for anything, or by name.

A function that cannot be called as an audit would call it is refused at once, if its signature shows that.
"""

from __future__ import annotations

import importlib
import inspect
import os
import re
import sys
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from inspect import Parameter, Signature
from operator import attrgetter
from typing import Any, ClassVar, Final

import numpy as np

from noisewright.audit.basics.claim import Claim
from noisewright.audit.basics.outputs import Outputs
from noisewright.audit.blackbox.base import BlackBox, check_timeout, global_chance, own_generator, time_limit
from noisewright.audit.blackbox.command import Command
from noisewright.audit.blackbox.endpoint import Endpoint
from noisewright.domains import FiniteDomain, NumericDomain
from noisewright.errors import BadMechanism, InvalidParameter
from noisewright.guarantees import Guarantee
from noisewright.io.http_client import is_url
from noisewright.mechanisms import Mechanism
from noisewright.randomness import SeededSource

GENERATOR: Final = "generator"
"""The parameter that gets a NumPy generator."""

PLACED: Final = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)

DATA: Final = ("data",)

MANY: Final = ("data", "count")
"""Arguments of a function that returns one output per call, and of one that returns many."""


def signature_of(function: Callable[..., Any]) -> Signature | None:
    """Return what a function takes; None if it has no signature, like some functions written in C."""
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
    """Return why the function does not take these arguments; defaults and annotations are not shown."""
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
            return f"{called}; say vectorized=True if it returns that many outputs at once"
        return f"{called}; give the others default values, or audit a function that fills them in"
    return f"the function's parameter {GENERATOR} must come after ({', '.join(given)})"


# -- functions -----------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class FunctionBox(BlackBox):
    """A Python function that is called with what ``given`` names; ``timeout`` holds for every call.

    A parameter named ``generator`` gets a NumPy generator. A function that cannot be called this way is
    refused at once if its signature shows that, otherwise at its first call.
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
    def calling(self, seed: int) -> Generator[Callable[..., list[Any]]]:
        """Give the function with randomness from the seed, a time limit, and plain failures.

        Its first argument is the number of calls.
        """
        options = {GENERATOR: own_generator(seed)} if wants_generator(self.function) else {}
        with global_chance(seed), time_limit(self.timeout) as patience:
            yield partial(patience.calls, self.function, **options)


def name_of(function: Callable[..., Any]) -> str:
    """Return what to call a function: its own name, or that of the class of a callable object."""
    wrapped = getattr(function, "func", function)  # a partial is named after what it completes
    return str(getattr(wrapped, "__name__", type(wrapped).__name__))


@dataclass(frozen=True, eq=False)
class Calls(FunctionBox):
    """``function(data)``, called for every output; a parameter named ``generator`` gets a NumPy generator.

    An object that carries a random state of its own is never sent to workers. This one object is called each
    time, so its state goes on from call to call.

    Args:
        function: Takes the data, and perhaps a generator.
        timeout: Seconds that one call may take.

    >>> Calls(lambda data, generator: sum(data) + generator.laplace()).draw([1, 2], 3, seed=7).width
    1
    """

    block: ClassVar[int] = 1024
    given = DATA

    def draw(self, subject: Any, count: int, seed: int) -> Outputs:
        with self.calling(seed) as calls:  # reading outputs may run code of the mechanism, too
            return Outputs.of(calls(count, subject))

    def describe(self) -> Any:
        return "calls", self.function


@dataclass(frozen=True, eq=False)
class Vectorized(FunctionBox):
    """``function(data, count)`` returns an array or list of independent outputs; ``generator`` as in Calls.

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
        with self.calling(seed) as calls:  # reading outputs may run code of the mechanism, too
            return read_outputs(calls(1, subject, count)[0], count)

    def describe(self) -> Any:
        return "vectorized", self.function


def read_outputs(raw: Any, count: int) -> Outputs:
    """Return the outputs of one call; a number of them other than asked for is refused."""
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
    The reports are drawn from the secure source, as in production, so seeds have no effect here.
    ``simulated`` draws them from a seeded source instead, for repeatable tests.

    Args:
        mechanism: One of our mechanisms, or any object with ``perturb``.
        timeout: Seconds that one call may take.
        simulated: Whether to draw from a seeded source, for repeatable tests.

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


# -- a black box of anything ---------------------------------------------------------------------------


def black_box(
    thing: Any,
    *,
    vectorized: bool = False,
    timeout: float = 60.0,
    token_env: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> BlackBox:
    """Return the black box for a function, a mechanism, a command line with ``{input}``, or a web address.

    A function is called as ``f(data)``, or with ``vectorized`` as ``f(data, count)``; if it has a parameter
    named ``generator`` it gets a NumPy generator, the safest source of randomness. A command line with
    ``{count}`` prints one output per line.

    Args:
        thing: The thing to audit.
        vectorized: Whether a function returns many outputs at once.
        timeout: Seconds that one output may take.
        token_env: For a web address: the environment variable that holds a bearer token.
        headers: For a web address: further headers, each with the environment variable of its value.

    >>> black_box("./tool {input}").title, black_box(lambda data, count: [0] * count, vectorized=True).title
    ('tool', '<lambda>')
    """
    if (token_env is not None or headers) and not is_url(thing):
        raise InvalidParameter("token_env and headers are for web addresses; leave them out")
    match thing:
        case BlackBox():
            return thing
        case str() if is_url(thing):
            return Endpoint(thing, timeout, token_env=token_env, headers=headers or {})
        case str():
            return Command(thing, timeout)
        case _ if randomizes(thing):
            return MechanismBox(thing, timeout)
        case _ if callable(thing):
            return Vectorized(thing, timeout) if vectorized else Calls(thing, timeout)
    raise InvalidParameter(
        "a mechanism to audit is a function, an object with perturb, a command line with {input}, or a web "
        f"address, not {type(thing).__name__}"
    )


# -- names ---------------------------------------------------------------------------------------------


IN_MODULE: Final = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")


@contextmanager
def current_folder() -> Iterator[None]:
    """Let modules of the current folder be found, here and in every worker, after installed ones."""
    here = os.getcwd()
    sys.path.append(here)
    try:
        yield
    finally:
        sys.path.remove(here)


def import_target(text: str) -> Any:
    """Return the callable ``module:name``; a failure inside the module is reported by its type only."""
    module, name = text.split(":")
    try:
        found = importlib.import_module(module)
    except ModuleNotFoundError as error:
        missing = error.name
        if missing is None or not f"{module}.".startswith(f"{missing}."):
            why = f"the module {module} needs {missing}, which is not installed here"
        elif module.endswith(".py"):
            why = f"name the module without .py: {module.removesuffix('.py')}:function"
        else:
            why = f"there is no module {module} in this folder or among those installed"
        raise BadMechanism(why) from None
    except (Exception, SystemExit) as error:
        kind = type(error).__name__
        raise BadMechanism(
            f"the module {module} could not be imported ({kind}); import it in Python to see why"
        ) from None
    try:
        target = attrgetter(name)(found)
    except AttributeError:
        raise BadMechanism(f"the module {module} has nothing named {name}") from None
    if not (callable(target) or randomizes(target)):
        raise BadMechanism(f"{text} is a {type(target).__name__}; name a function or a mechanism")
    return target


def randomizes(thing: object) -> bool:
    """Return whether a thing is an object with ``perturb``, such as one of our mechanisms."""
    return callable(getattr(thing, "perturb", None)) and not isinstance(thing, type)


def own_claim(thing: object) -> Claim | None:
    """Return the claim that a thing makes itself, if it is an ε and perhaps a δ for any two inputs."""
    guarantee = getattr(thing, "guarantee", None)
    if not isinstance(guarantee, Guarantee):
        return None
    try:
        return Claim.from_guarantee(guarantee)
    except InvalidParameter:
        return None


def farthest(mechanism: Mechanism) -> tuple[Any, Any]:
    """Return two inputs of a mechanism that lie as far apart as its domain allows.

    >>> from noisewright import Interval
    >>> from noisewright.mechanisms import OGPM
    >>> farthest(OGPM(Interval(40, 200), 1.0))
    (40.0, 200.0)
    """
    domain = mechanism.domain
    if isinstance(domain, FiniteDomain):
        return domain.labels[0], domain.labels[-1]
    if not isinstance(domain, NumericDomain):
        raise InvalidParameter(f"give two inputs of {type(mechanism).__name__} with --left and --right")
    left, right = domain.places(2).tolist()
    return left, right
