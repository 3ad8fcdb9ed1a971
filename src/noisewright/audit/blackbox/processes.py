"""Programs that are started, read with a bound on time and size, and never waited for beyond it.

A program is killed with all that it started, except what has gone into a session of its own. Such a process
may hold the program's output open for ever, so nobody waits for the end of that.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, Self

from noisewright.errors import BadMechanism

SEED: Final = "NOISEWRIGHT_SEED"
"""The environment variable that hands a program a fresh seed, should it want one."""

LARGEST: Final = 1 << 20
"""Bytes of one output."""

PIECE: Final = 1 << 16

TICK: Final = 0.02
"""Seconds between looks whether a silent program has ended."""


class Program:
    """A running program whose output is read; what it says on stderr may be private and is not looked at."""

    def __init__(self, arguments: Sequence[str], seed: int, timeout: float) -> None:
        self.timeout = timeout
        try:
            self._process = subprocess.Popen(  # noqa: S603  (the user's own command, and no shell)
                arguments,
                bufsize=0,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=os.environ | {SEED: str(seed)},
                start_new_session=True,
            )
        except OSError as error:
            raise BadMechanism(f"the command cannot be started: {error.strerror}; check its path") from None
        assert self._process.stdout is not None
        self._stdout = self._process.stdout
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._stdout, selectors.EVENT_READ)
        self._silent = True
        self._until = time.monotonic() + timeout

    def output(self) -> bytes:
        """All that it prints until it ends."""
        content = bytearray()
        while more := self._more():
            content += more
            self._check_size(content)
        self._end_well()
        return bytes(content)

    def lines(self, count: int) -> list[bytes]:
        """The lines that it prints until it ends; fewer or more than so many are refused."""
        found: list[bytes] = []
        begun = b""
        while len(found) <= count and (more := self._more()):
            *whole, begun = (begun + more).split(b"\n")
            self._check_size(*whole, begun)
            if whole:
                found += whole
                self._until = time.monotonic() + self.timeout
        found += [begun] if begun else []
        if len(found) <= count:
            self._end_well()
        if len(found) != count:
            printed = f"{len(found)}" if len(found) < count else f"more than {count}"
            raise BadMechanism(
                f"the command printed {printed} lines when {count} outputs were wanted; let it print one a "
                "line and nothing else, and tell it how many with {count}"
            )
        return found

    def _more(self) -> bytes:
        """What it prints next; nothing once its output is closed, or it has ended and all was read."""
        while (left := self._until - time.monotonic()) > 0:
            ended = self._has_ended()  # asked before looking for its last words
            if self._selector.select(0 if ended else min(left, TICK)):
                self._silent = False
                return os.read(self._stdout.fileno(), PIECE)
            if ended:
                return b""
        raise self._late()

    def _has_ended(self) -> bool:
        """Whether it has ended, in failure or with an output: what it started may yet print one for it."""
        code = self._process.poll()
        return code is not None and not (code == 0 and self._silent)

    def _end_well(self) -> None:
        try:
            code = self._process.wait(max(self._until - time.monotonic(), 0))
        except subprocess.TimeoutExpired:
            raise self._late() from None
        if code:
            ended = f"with exit code {code}" if code > 0 else f"by signal {-code}"
            raise BadMechanism(f"the command ended {ended}; run it on that input by hand to see why")

    def _late(self) -> BadMechanism:
        return BadMechanism(
            f"the command gave no output within {self.timeout:g} seconds; allow more with timeout=..., "
            "or run it on that input by hand to see where it waits"
        )

    @staticmethod
    def _check_size(*contents: bytes | bytearray) -> None:
        if max(map(len, contents)) > LARGEST:
            raise BadMechanism(
                f"the command printed an output of more than {LARGEST} bytes; let it print less"
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(ProcessLookupError, PermissionError):  # none of its session is left
            os.killpg(self._process.pid, signal.SIGKILL)  # what it started, too
        self._selector.close()
        self._stdout.close()
        self._process.wait()
