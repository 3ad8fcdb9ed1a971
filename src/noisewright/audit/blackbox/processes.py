"""Programs that are started, read with a bound on time and size, and never left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, Final, Self

from noisewright.errors import BadMechanism

SEED: Final = "NOISEWRIGHT_SEED"
"""The environment variable that hands a program a fresh seed, should it want one."""

LARGEST: Final = 1 << 20
"""Bytes of one output."""


class Program:
    """A running program whose output is read; what it says on stderr may be private and is not looked at."""

    def __init__(self, arguments: Sequence[str], seed: int, timeout: float) -> None:
        self.timeout = timeout
        try:
            self._process = subprocess.Popen(  # noqa: S603  (the user's own command, and no shell)
                arguments,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=os.environ | {SEED: str(seed)},
                start_new_session=True,
            )
        except OSError as error:
            raise BadMechanism(f"the command cannot be started: {error.strerror}; check its path") from None
        self._late = False
        self._heard = time.monotonic()
        self._over = threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    @property
    def _stdout(self) -> IO[bytes]:
        assert self._process.stdout is not None
        return self._process.stdout

    def output(self) -> bytes:
        """All that it prints until it ends."""
        content = self._bounded(self._stdout.read(LARGEST + 1))
        self._end_well()
        return content

    def lines(self, count: int) -> list[bytes]:
        """The first lines that it prints; should it end before, that is refused."""
        found: list[bytes] = []
        while len(found) < count and (line := self._stdout.readline(LARGEST + 1)):
            self._heard = time.monotonic()
            found.append(self._bounded(line))
        if len(found) < count:
            self._end_well()
            raise BadMechanism(
                f"the command printed {len(found)} lines when {count} outputs were wanted; let it print one "
                "a line, and tell it how many with {count}"
            )
        return found

    def _bounded(self, content: bytes) -> bytes:
        if len(content) > LARGEST:
            raise BadMechanism(
                f"the command printed an output of more than {LARGEST} bytes; let it print less"
            )
        return content

    def _end_well(self) -> None:
        code = self._process.wait()
        if self._late:
            raise BadMechanism(
                f"the command gave no output within {self.timeout:g} seconds; allow more with timeout=..., "
                "or run it on that input by hand to see where it waits"
            )
        if code:
            ended = f"with exit code {code}" if code > 0 else f"by signal {-code}"
            raise BadMechanism(f"the command ended {ended}; run it on that input by hand to see why")

    def _watch(self) -> None:
        while (left := self._heard + self.timeout - time.monotonic()) > 0:
            if self._over.wait(left):
                return
        self._late = True
        self._kill()

    def _kill(self) -> None:
        with suppress(ProcessLookupError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)  # its children, too
            else:
                self._process.kill()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        if self._process.poll() is None:
            self._kill()
        self._stdout.close()
        self._process.wait()
