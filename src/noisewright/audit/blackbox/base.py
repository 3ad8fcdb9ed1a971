"""What an audit knows of a mechanism, and what it is run under: chance from a seed, a time limit, silence.

A block's seed follows from the side and the number of the block, whichever process draws it. Functions draw
from a generator that they are given, or from the global states of NumPy and ``random``. Both follow from the
seed of the block, so workers that hold copies of one state never repeat each other.

In the main thread of a process, where joblib's workers run too, an alarm stops code that takes too long. In
other threads, and on systems without alarms, such code is left running in a thread of its own. Code that
neither returns to the interpreter nor waits for the system (an endless loop in C) cannot be stopped from
inside. Run such a mechanism as a command, whose process can be killed.

A mechanism that prints would flood the terminal, break a JSON document, and may print the very data that it
should hide. So standard output and error are discarded while it runs: in Python, at the level of file
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
    """A source of random outputs for an input; the audit knows nothing else about it.

    Boxes can be pickled, so that workers get them. Failures are :class:`~noisewright.errors.BadMechanism`.
    Their sentences name at most the type of an exception, as its text may quote the input.
    """

    block: ClassVar[int]
    """The most outputs that one call of :meth:`draw` is asked for; they share a seed."""

    quick: ClassVar[bool] = False
    """Whether the box works on whole arrays, so that workers are started only on request."""

    together: ClassVar[bool] = False
    """Whether many outputs at once cost little more than one."""

    apart: ClassVar[bool] = False
    """Whether another process makes every output, so that the box itself has no state to copy."""

    @property
    @abstractmethod
    def title(self) -> str:
        """The name that people see; it never shows the input."""

    @abstractmethod
    def draw(self, subject: Any, count: int, seed: int) -> Outputs:
        """Return ``count`` outputs for one input; all randomness under our control comes from the seed."""

    @abstractmethod
    def describe(self) -> Any:
        """Return a description that distinguishes the box from others, for ``noisewright.io.digest``."""


# -- a state of its own --------------------------------------------------------------------------------


GENERATORS: Final = (np.random.Generator, np.random.RandomState, random.Random)


def carries_state(box: BlackBox, subject: Any) -> bool:
    """Return whether a draw changes a state that workers would get a copy of.

    The first call is left out, as it may fill caches. Workers get the box itself, and the random generators
    of the module that they import the mechanism from. Other imported states are not seen here.

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
    """Return everything a worker would begin with; None if it cannot be pickled."""
    held = [getattr(thing, "func", thing) for thing in vars(box).values()]  # a partial completes another
    modules = [sys.modules.get(str(getattr(thing, "__module__", None))) for thing in held]
    beside = [value for module in modules if module for value in vars(module).values()]
    try:
        generators = [value for value in beside if isinstance(value, GENERATORS)]
        return pickle.dumps((wrap_non_picklable_objects(box), generators))
    except Exception:  # pickling runs the mechanism's code
        return None


# -- chance --------------------------------------------------------------------------------------------


SIDES: Final = {"left": 0, "right": 1, "pilot": 2}
"""Streams of seeds: one for each input, and one for the trials that measure the pace of a box."""

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
    """Return a seed of 63 bits for every output of a block, where each output has a process of its own."""
    words = np.random.SeedSequence(seed, spawn_key=(SINGLE,)).generate_state(count, np.uint64)
    return [int(word) >> 1 for word in words]


@contextmanager
def global_chance(seed: int) -> Generator[None]:
    """Set the global states of NumPy and ``random`` from the seed inside, and restore them afterwards."""
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
"""Number of times the alarm looks within the time allowed: setting it for every call would cost more."""

TERMINATED: Final = 128 + signal.SIGTERM
"""The exit code of a process that was asked to end."""


class TookTooLong(BaseException):
    """The time for a call is over; not an Exception, which the code under audit might catch."""


class TimeLimit:
    """A time limit for each of many calls, one after the other.

    >>> with TimeLimit(60.0) as patience:
    ...     patience.call(max, 3, 5)
    5
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._started = time.monotonic()
        self._over = False

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
        return self.calls(function, 1, *arguments, **options)[0]

    def calls(
        self, function: Callable[..., Any], times: int, /, *arguments: Any, **options: Any
    ) -> list[Any]:
        """Return the results of several equal calls, each with the whole time."""
        results: list[Any] = []

        def work() -> None:
            while len(results) < times and not self._over:
                self._started = time.monotonic()
                results.append(function(*arguments, **options))

        if self._alarm:
            work()
        else:
            self._aside(work)
        return results

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

    def _aside(self, work: Callable[[], None]) -> None:
        """Do all calls in one other thread, as starting it takes longer than most calls."""
        failure: list[BaseException] = []

        def watched() -> None:
            try:
                work()
            except BaseException as error:  # handed to the caller, whatever it is
                failure.append(error)

        self._started = time.monotonic()
        thread = threading.Thread(target=watched, daemon=True, name="mechanism under audit")
        thread.start()
        while thread.is_alive():
            left = self._started + self.seconds - time.monotonic()
            if left <= 0:
                self._over = True  # a call that returns after all is the last
                raise TookTooLong
            thread.join(left)
        if failure:
            raise failure[0]


class DiscreetTimeLimit(TimeLimit):
    """A time limit that reports only the type of an exception, never its text."""

    def calls(
        self, function: Callable[..., Any], times: int, /, *arguments: Any, **options: Any
    ) -> list[Any]:
        try:
            return super().calls(function, times, *arguments, **options)
        except (KeyboardInterrupt, TookTooLong):
            raise
        except BaseException as error:  # code under audit may raise anything, with any text
            raise _failure_of(error) from None


@contextmanager
def time_limit(seconds: float) -> Generator[TimeLimit]:
    """Give a time limit whose failures are plain refusals, without the text of the code that failed."""
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
    except BaseException as error:  # outputs may run code, too
        raise _failure_of(error) from None


def _failure_of(error: BaseException) -> BaseException:
    """Return the refusal for an exception without its text; a request to end this process stays as it is."""
    if ends_the_process(error):
        return error
    return BadMechanism(
        f"the mechanism raised {type(error).__name__}; call it on that input alone to see why"
    )


def ends_the_process(error: BaseException) -> bool:
    """Return whether this process was asked to end from outside the code under audit."""
    return isinstance(error, SystemExit) and error.code == TERMINATED


# -- silence -------------------------------------------------------------------------------------------


STREAMS: Final = ("stdout", "stderr")


@dataclass(frozen=True)
class Voice:
    """The streams on which the audit speaks while everything else is silent."""

    out: TextIO
    err: TextIO


@contextmanager
def muted(guard: Callable[[TextIO], TextIO] = lambda stream: stream) -> Iterator[Voice]:
    """Discard everything printed inside, except through the voice that it yields.

    Args:
        guard: Wraps the streams of the voice, for example to make hidden characters visible.

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
    """Return a file that discards everything; never closed, as modules and loggers may keep it."""
    return open(os.devnull, "w", encoding="utf-8")


@contextmanager
def _mute(name: str, descriptor: int, guard: Callable[[TextIO], TextIO]) -> Iterator[TextIO]:
    """Mute one stream, and the descriptor through which C code and other processes write to it."""
    stream: TextIO | None = getattr(sys, name)
    with ExitStack() as stack:
        own = silence() if stream is None else stack.enter_context(_own(stream))
        if getattr(sys, f"__{name}__") is not None:  # otherwise the descriptor may belong to something else
            stack.enter_context(_nowhere(stream, descriptor))
        setattr(sys, name, silence())
        stack.callback(setattr, sys, name, stream)
        yield guard(own)


@contextmanager
def _own(stream: TextIO) -> Iterator[TextIO]:
    """Yield the stream through a duplicate descriptor; the stream itself if it has none, as in a notebook."""
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
    """Point the descriptor at nothing; text left in buffers is discarded, too."""
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
