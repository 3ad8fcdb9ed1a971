"""What an audit knows of a mechanism, and what it is run under: chance from a seed, a time limit, silence.

A block's seed follows from the side and the number of the block, whoever draws it and whenever. Functions
draw from a generator that they are handed, or from the global states of NumPy and ``random``. Both follow
from the seed of the block, so that a worker that was given a copy of a state never repeats another.

In the main thread of a process, where joblib's workers run too, an alarm stops code that takes too long; in
other threads and on systems without alarms it is left behind in a thread of its own. Code that neither comes
back to the interpreter nor waits for the system (an endless loop in C, say) cannot be stopped from inside:
run such a mechanism as a command, whose process can be killed.

A mechanism that prints would flood the terminal, break a JSON document, and may print the very data that it
should hide. So standard output and error lead nowhere while it runs: in Python, below it at the level of file
descriptors, and in workers and programs, which inherit those.
"""

from __future__ import annotations

import ctypes
import os
import pickle
import random
import secrets
import signal
import sys
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Final, Self, TextIO

import numpy as np
from joblib import wrap_non_picklable_objects

from noisewright.audit.basics.outputs import Outputs
from noisewright.errors import BadMechanism, InvalidParameter
from noisewright.parameters import real, whole


class BlackBox(ABC):
    """Something that answers an input with a random output, and that nothing else is known of.

    Boxes can be pickled, so that workers get them. Failures are :class:`~noisewright.errors.BadMechanism`;
    their sentences name the type of an exception at most, as its text may quote the input.
    """

    block: ClassVar[int]
    """Outputs that one call of :meth:`draw` is asked for at most: they share a seed."""

    quick: ClassVar[bool] = False
    """Whether the box works on whole arrays, so that workers are started only on request."""

    together: ClassVar[bool] = False
    """Whether many outputs at once cost little more than one."""

    apart: ClassVar[bool] = False
    """Whether every output is the work of another process, so that the box itself has no state to copy."""

    @property
    @abstractmethod
    def title(self) -> str:
        """What people call it; never the input."""

    @abstractmethod
    def draw(self, subject: Any, count: int, seed: int) -> Outputs:
        """Return ``count`` outputs for one input; all chance that we govern comes from the seed."""

    @abstractmethod
    def describe(self) -> Any:
        """Return what tells the box from others, for ``noisewright.io.digest``."""


# -- a state of its own --------------------------------------------------------------------------------


GENERATORS: Final = (np.random.Generator, np.random.RandomState, random.Random)


def carries_state(box: BlackBox, subject: Any) -> bool:
    """Whether a draw changes what workers would have; the first call is left out, as it may fill caches.

    That is what they are sent, and the random generators of the module that they import the mechanism from.
    Other states that they import are not seen here.

    Args:
        box: What would be sent to workers.
        subject: An input to try it on, twice.

    >>> from noisewright.audit.blackbox import black_box
    >>> rng = np.random.default_rng(1)
    >>> carries_state(black_box(lambda data, rng=rng: data + rng.normal()), 0.0)
    True
    >>> carries_state(black_box(lambda data, generator: data + generator.normal()), 0.0)
    False
    """
    if box.apart:
        return False
    box.draw(subject, 1, seed=0)
    before = _state(box)
    box.draw(subject, 1, seed=1)
    return before is not None and _state(box) != before


def _state(box: BlackBox) -> bytes | None:
    """All that a worker would begin with; None if it cannot be sent, which sending it will tell."""
    held = [getattr(thing, "func", thing) for thing in vars(box).values()]  # a partial completes another
    modules = [sys.modules.get(str(getattr(thing, "__module__", None))) for thing in held]
    beside = [value for module in modules if module for value in vars(module).values()]
    try:
        generators = [value for value in beside if isinstance(value, GENERATORS)]
        return pickle.dumps((wrap_non_picklable_objects(box), generators))
    except Exception:  # pickling runs anybody's code
        return None


# -- chance --------------------------------------------------------------------------------------------


SIDES: Final = {"left": 0, "right": 1, "pilot": 2}
"""Who has seeds of its own: both inputs, and the trials that measure the pace of a box."""

BITS: Final = 128


def root_seed(seed: int | None) -> int:
    """Return the seed from which all others of an experiment come; a fresh one for None."""
    return secrets.randbits(BITS) if seed is None else whole("seed", seed, 0, (1 << BITS) - 1)


def block_seed(root: int, side: str, number: int) -> int:
    """Return the seed of a block: the sides never share one, nor do two blocks of a side.

    These are the children that ``SeedSequence.spawn`` would give, found by their place.

    >>> len({block_seed(5, side, number) for side in SIDES for number in range(100)})
    300
    """
    child = np.random.SeedSequence(root, spawn_key=(SIDES[side], number))
    return int.from_bytes(child.generate_state(2, np.uint64).tobytes(), "little")


GLOBAL: Final = 0
HANDED: Final = 1
SINGLE: Final = 2

_turn = threading.RLock()
"""There is one global state: threads that need it wait for each other."""


def own_generator(seed: int) -> np.random.Generator:
    """Return the generator that a function gets as its argument ``generator``."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(HANDED,)))


def single_seeds(seed: int, count: int) -> list[int]:
    """A seed of 63 bits for every output of a block, where each is the work of a process of its own."""
    words = np.random.SeedSequence(seed, spawn_key=(SINGLE,)).generate_state(count, np.uint64)
    return [int(word) >> 1 for word in words]


@contextmanager
def global_chance(seed: int) -> Generator[None]:
    """The global states of NumPy and ``random`` follow the seed inside, and are as they were afterwards."""
    with _turn:
        numpy_state, python_state = np.random.get_state(), random.getstate()  # noqa: NPY002  (theirs, not ours)
        words = np.random.SeedSequence(seed, spawn_key=(GLOBAL,)).generate_state(8)
        np.random.seed(words[:4])  # noqa: NPY002
        random.seed(words[4:].tobytes())
        try:
            yield
        finally:
            np.random.set_state(numpy_state)  # noqa: NPY002
            random.setstate(python_state)


# -- time limits ---------------------------------------------------------------------------------------


LONGEST: Final = 1e6
"""Seconds that may be waited for one answer: about eleven days."""


def check_timeout(seconds: object) -> float:
    """Return how long to wait for one answer, in seconds.

    >>> check_timeout(60)
    60.0
    """
    limit = real("timeout", seconds)
    if not 0 < limit <= LONGEST:
        raise InvalidParameter(
            f"must be above 0 and at most {LONGEST:g} seconds, got {seconds}", field="timeout"
        )
    return limit


TICKS: Final = 8
"""The alarm looks so many times in the time allowed: setting it anew for every call would cost more."""

TERMINATED: Final = 128 + signal.SIGTERM
"""How a process says that it was asked to end."""


class TookTooLong(BaseException):
    """The time for a call is over; no Exception, which the code under audit might catch."""


class TimeLimit:
    """A time limit for each of many calls, one after the other.

    >>> with TimeLimit(60.0) as patience:
    ...     patience.call(max, 3, 5)
    5
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._started = time.monotonic()

    def __enter__(self) -> Self:
        main = threading.current_thread() is threading.main_thread()
        self._alarm = main and hasattr(signal, "setitimer") and signal.getsignal(signal.SIGALRM) is not None
        if self._alarm:
            self._entered = self._started = time.monotonic()
            self._timer = signal.setitimer(signal.ITIMER_REAL, 0)
            self._handler = signal.signal(signal.SIGALRM, self._ring)
            signal.setitimer(signal.ITIMER_REAL, self.seconds, self.seconds / TICKS)
        return self

    def call(self, function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        """Return what the function returns or raises, or :class:`TookTooLong`."""
        self._started = time.monotonic()
        if self._alarm:
            return function(*arguments, **options)
        return self._aside(function, arguments, options)

    def __exit__(self, *_: object) -> None:
        if self._alarm:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._handler)
            left, every = self._timer
            if left:  # the alarm of somebody else goes on, less the time that has gone by
                left = max(left - (time.monotonic() - self._entered), 1e-6)
                signal.setitimer(signal.ITIMER_REAL, left, every)

    def _ring(self, *_: object) -> None:
        if time.monotonic() - self._started >= self.seconds:
            raise TookTooLong

    def _aside(self, function: Callable[..., Any], arguments: Any, options: Any) -> Any:
        outcome: list[Any] = []
        failure: list[BaseException] = []

        def work() -> None:
            try:
                outcome.append(function(*arguments, **options))
            except BaseException as error:  # handed to the caller, whatever it is
                failure.append(error)

        thread = threading.Thread(target=work, daemon=True, name="mechanism under audit")
        thread.start()
        thread.join(self.seconds)
        if failure:
            raise failure[0]
        if not outcome:
            raise TookTooLong
        return outcome[0]


class DiscreetTimeLimit(TimeLimit):
    """Patience that tells what a function raises by its kind alone."""

    def call(self, function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        try:
            return super().call(function, *arguments, **options)
        except (KeyboardInterrupt, TookTooLong):
            raise
        except BaseException as error:  # anybody's code may raise anything, with anything in its words
            raise _failure_of(error) from None


@contextmanager
def time_limit(seconds: float) -> Generator[TimeLimit]:
    """Patience whose failures are told in a sentence, without the words of the code that failed."""
    try:
        with DiscreetTimeLimit(seconds) as patience:
            yield patience
    except TookTooLong:
        raise BadMechanism(
            f"the mechanism gave no output within {seconds:g} seconds; allow more with timeout=..., or call "
            "it on that input alone to see where it waits"
        ) from None
    except (BadMechanism, KeyboardInterrupt):
        raise
    except BaseException as error:  # outputs are somebody's, too
        raise _failure_of(error) from None


def _failure_of(error: BaseException) -> BaseException:
    """What code under audit raised, without its words; that somebody wants this process to end, as it is."""
    if ends_the_process(error):
        return error
    return BadMechanism(
        f"the mechanism raised {type(error).__name__}; call it on that input alone to see why"
    )


def ends_the_process(error: BaseException) -> bool:
    """Return whether somebody wants this process to end, and not the code under audit."""
    return isinstance(error, SystemExit) and error.code == TERMINATED


# -- silence -------------------------------------------------------------------------------------------


STREAMS: Final = ("stdout", "stderr")


@dataclass(frozen=True)
class Voice:
    """Where the audit speaks while everything else is silent."""

    out: TextIO
    err: TextIO


@contextmanager
def muted(guard: Callable[[TextIO], TextIO] = lambda stream: stream) -> Iterator[Voice]:
    """Within this nothing is printed but by the voice that it gives.

    Args:
        guard: What the streams of the voice are put behind, such as one that makes hidden characters visible.

    >>> with muted() as voice:
    ...     print("the secret is 42")
    ...     print("one audit", file=voice.out)
    one audit
    """
    with ExitStack() as stack:
        out, err = (stack.enter_context(_mute(name, place, guard)) for place, name in enumerate(STREAMS, 1))
        yield Voice(out, err)


@cache
def silence() -> TextIO:
    """A file that swallows everything; never closed, as modules and loggers under audit may hold on to it."""
    return open(os.devnull, "w", encoding="utf-8")


@contextmanager
def _mute(name: str, descriptor: int, guard: Callable[[TextIO], TextIO]) -> Iterator[TextIO]:
    """One stream, and the descriptor that C code and other processes know it by."""
    stream: TextIO | None = getattr(sys, name)
    with ExitStack() as stack:
        own = silence() if stream is None else stack.enter_context(_own(stream))
        if getattr(sys, f"__{name}__") is not None:  # otherwise the descriptor may be anybody's
            stack.enter_context(_nowhere(stream, descriptor))
        setattr(sys, name, silence())
        stack.callback(setattr, sys, name, stream)
        yield guard(own)


@contextmanager
def _own(stream: TextIO) -> Iterator[TextIO]:
    """The same stream by a descriptor of its own; itself where it has none, as in a notebook or a test."""
    stream.flush()
    try:
        copy = os.dup(stream.fileno())
    except (OSError, ValueError):
        yield stream
        return
    with open(copy, "w", encoding=stream.encoding, errors=stream.errors, buffering=1) as own:
        yield own


@contextmanager
def _nowhere(stream: TextIO | None, descriptor: int) -> Iterator[None]:
    """The descriptor leads nowhere; what was printed into buffers meanwhile does not come out afterwards."""
    former = os.dup(descriptor)
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, descriptor)
    os.close(nothing)
    try:
        yield
    finally:
        _empty_buffers(stream)
        os.dup2(former, descriptor)
        os.close(former)


def _empty_buffers(stream: TextIO | None) -> None:
    if stream is not None:
        with suppress(OSError, ValueError):
            stream.flush()
    with suppress(OSError, AttributeError, TypeError):  # where there is no C library of that kind
        ctypes.CDLL(None).fflush(None)
