"""Calling code that may never return."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextvars import copy_context
from typing import TypeVar


class TookTooLong(Exception):
    """The call was still running when its time was up."""


T = TypeVar("T")


def within(seconds: float | None, call: Callable[[], T]) -> T:
    """What the call returns or raises, or :class:`TookTooLong` after so many seconds.

    The call runs in a daemon thread: Python cannot stop it, but the caller goes on and the interpreter can
    exit. Code that hangs without ever releasing the interpreter's lock is beyond this.

    >>> within(5.0, lambda: 6 * 7)
    42
    """
    if seconds is None:
        return call()
    outcome: list[T] = []
    failure: list[BaseException] = []

    def work() -> None:
        try:
            outcome.append(call())
        except BaseException as error:  # handed to the caller, whatever it is
            failure.append(error)

    thread = threading.Thread(target=copy_context().run, args=(work,), daemon=True, name="asked model")
    thread.start()
    thread.join(min(seconds, threading.TIMEOUT_MAX))
    if failure:
        raise failure[0]
    if not outcome:
        raise TookTooLong
    return outcome[0]
