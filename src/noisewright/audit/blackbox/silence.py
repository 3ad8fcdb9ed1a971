"""Silence for code under audit: what it prints goes nowhere, and the audit itself is still heard.

A mechanism that prints would flood the terminal, break a JSON document, and may print the very data that it
should hide. So standard output and error lead nowhere while it runs: in Python, below it at the level of file
descriptors, and in workers and programs, which inherit those.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from typing import Final, TextIO

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
