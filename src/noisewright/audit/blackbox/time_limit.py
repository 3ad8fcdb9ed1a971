"""Time limits for code that may never return, or may raise anything.

In the main thread of a process, where joblib's workers run too, an alarm stops the code; in other threads and
on systems without alarms it is left behind in a thread of its own. Code that neither comes back to the
interpreter nor waits for the system (an endless loop in C, say) cannot be stopped from inside: run such a
mechanism as a command, whose process can be killed.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, Final, Self

from noisewright.errors import BadMechanism, InvalidParameter
from noisewright.parameters import real

LONGEST: Final = 1e6
"""Seconds that may be waited for one answer: about eleven days."""


def check_timeout(seconds: object) -> float:
    """Return how long to wait for one answer, in seconds.

    >>> check_timeout(60)
    60.0
    """
    if not 0 < real("timeout", seconds) <= LONGEST:
        raise InvalidParameter(
            f"must be above 0 and at most {LONGEST:g} seconds, got {seconds}", field="timeout"
        )
    return real("timeout", seconds)


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
            self._rewind()

    def _rewind(self) -> None:
        """Set the alarm of somebody else again, less the time that has gone by."""
        left, every = self._timer
        if left:
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
