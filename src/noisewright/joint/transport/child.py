"""Programs that a run starts and talks to: one JSON object a line, in on stdin and out on stdout.

A child says ``{"error": sentence}`` when it refuses. It ends when its stdin does, so that none is left behind
when the run is interrupted or killed; a Ctrl-C in the terminal reaches the run alone, which then stops them.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final, Self

from noisewright.errors import NoisewrightError, ProtocolError

GRACE: Final = 5.0
"""Seconds a child has to end by itself before it is killed."""

POLL: Final = 0.02
"""Seconds that one child is listened to before the next is."""

Said = dict[str, Any]


class Ended(ProtocolError):
    """A child is gone: killed, or run out of memory."""


class Child:
    """A program of this package, started as a process of its own; ``what`` names it in errors."""

    def __init__(self, module: str, what: str = "a process") -> None:
        self.what = what
        debugging = bool(os.environ.get("NOISEWRIGHT_DEBUG"))
        self._process = subprocess.Popen(  # noqa: S603  (this interpreter, a module of this package)
            [sys.executable, "-m", module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=None if debugging else subprocess.DEVNULL,  # a traceback might quote what is private
            text=True,
            encoding="utf-8",
            start_new_session=True,
        )
        self._said: queue.Queue[Said | None] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith("{"):
                self._said.put(json.loads(line))
        self._said.put(None)

    @property
    def running(self) -> bool:
        """Whether the process is still there."""
        return self._process.poll() is None

    @property
    def number(self) -> int:
        """The number that the system gave the process."""
        return self._process.pid

    def say(self, **message: Any) -> None:
        """Send one message."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()
        except (BrokenPipeError, ValueError):
            raise ProtocolError(f"{self.what} has ended; run again") from None

    def hear(self, timeout: float) -> Said:
        """The next message that is not about progress."""
        return hear_all([self], timeout)[0]

    def poll(self, patience: float) -> Said | None:
        """The next message, if there is one soon; a child that refuses or has ended raises its sentence."""
        try:
            said = self._said.get(timeout=patience)
        except queue.Empty:
            return None
        if said is None:
            raise Ended(f"{self.what} has ended without an answer; run again")
        if "error" in said:
            raise ProtocolError(str(said["error"]))
        return said

    def stop(self) -> None:
        """End the process, gently if it lets us."""
        if self._process.stdin is not None:
            with suppress(BrokenPipeError):
                self._process.stdin.close()
        try:
            self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def hear_all(
    children: Sequence[Child],
    timeout: float,
    progress: Callable[[int, Said], None] = lambda place, said: None,
    instead: Said | None = None,
) -> list[Said]:
    """One answer of each child; when one fails the others are not waited for.

    Messages about progress are handed on, with the child's place, and keep the clock from running out. A
    child that has ended answers ``instead``, if that is given.
    """
    answers: dict[int, Said] = {}
    heard = time.monotonic()
    while waiting := [place for place in range(len(children)) if place not in answers]:
        for place in waiting:
            said = _heard(children[place], instead)
            if said is None:
                continue
            heard = time.monotonic()
            if "progress" in said:
                progress(place, said)
            else:
                answers[place] = said
        if time.monotonic() - heard > timeout:
            raise ProtocolError(
                f"{children[waiting[0]].what} has said nothing for {timeout:g} seconds; run again"
            )
    return [answers[place] for place in range(len(children))]


def _heard(child: Child, instead: Said | None) -> Said | None:
    try:
        return child.poll(POLL)
    except Ended:
        if instead is None:
            raise
        return instead


class Parent:
    """The other end, in the child: what it is told, and how it answers.

    ``tidy`` is what must be done should the run end in the middle of the work. The end of the run waits for
    who holds ``undisturbed``: a file that is half made would be left behind.
    """

    def __init__(self) -> None:
        self._told: queue.Queue[Said] = queue.Queue()
        self.tidy: Callable[[], None] = lambda: None
        self.undisturbed = threading.Lock()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for line in sys.stdin:
            self._told.put(json.loads(line))
        with self.undisturbed:
            try:
                self.tidy()
            finally:
                os._exit(0)  # the run is gone or done: whatever this process is busy with serves nobody

    def told(self) -> Said:
        """The next message from the run."""
        return self._told.get()

    def answer(self, **message: Any) -> None:
        """One message to the run."""
        sys.stdout.write(json.dumps(message) + "\n")
        sys.stdout.flush()


def serve(work: Callable[[Parent], None]) -> None:
    """Do a child's work; whatever goes wrong is told to the run as one sentence, without private values."""
    parent = Parent()
    try:
        work(parent)
    except NoisewrightError as refusal:
        parent.answer(error=str(refusal))
    except Exception as error:
        if os.environ.get("NOISEWRIGHT_DEBUG"):
            raise
        parent.answer(error=f"an unexpected {type(error).__name__} stopped a process of the run")
    parent.told()  # stays until its stdin ends, so that the answer is read before the pipe closes
