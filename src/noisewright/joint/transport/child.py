"""Programs that a run starts and talks to: one JSON object a line, in on stdin and out on stdout.

A child sends ``{"error": sentence}`` when it refuses. It ends when its stdin does, so none is left behind
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
"""Seconds to wait for a message of one child before the next child is polled."""

Message = dict[str, Any]


class Ended(ProtocolError):
    """A child is gone: killed, or out of memory."""


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
        self._messages: queue.Queue[Message | None] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith("{"):
                self._messages.put(json.loads(line))
        self._messages.put(None)

    @property
    def running(self) -> bool:
        """Whether the process is still there."""
        return self._process.poll() is None

    @property
    def number(self) -> int:
        """The number that the system gave the process."""
        return self._process.pid

    def send(self, **message: Any) -> None:
        """Send one message."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()
        except (BrokenPipeError, ValueError):
            raise ProtocolError(f"{self.what} has ended; run again") from None

    def receive(self, timeout: float) -> Message:
        """Return the next message that is not about progress."""
        return receive_all([self], timeout)[0]

    def poll(self, patience: float) -> Message | None:
        """Return the next message, if one comes soon; raise the error of a child that refuses or is gone."""
        try:
            message = self._messages.get(timeout=patience)
        except queue.Empty:
            return None
        if message is None:
            raise Ended(f"{self.what} has ended without an answer; run again")
        if "error" in message:
            raise ProtocolError(str(message["error"]))
        return message

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


def receive_all(
    children: Sequence[Child],
    timeout: float,
    progress: Callable[[int, Message], None] = lambda place, message: None,
    instead: Message | None = None,
) -> list[Message]:
    """Return one answer of each child; when one fails, do not wait for the others.

    Messages about progress go to ``progress``, with the child's place, and restart the clock. A child that
    has ended answers ``instead``, if that is given.
    """
    answers: dict[int, Message] = {}
    last = time.monotonic()
    while waiting := [place for place in range(len(children)) if place not in answers]:
        for place in waiting:
            message = _poll(children[place], instead)
            if message is None:
                continue
            last = time.monotonic()
            if "progress" in message:
                progress(place, message)
            else:
                answers[place] = message
        if time.monotonic() - last > timeout:
            raise ProtocolError(
                f"{children[waiting[0]].what} has said nothing for {timeout:g} seconds; run again"
            )
    return [answers[place] for place in range(len(children))]


def _poll(child: Child, instead: Message | None) -> Message | None:
    try:
        return child.poll(POLL)
    except Ended:
        if instead is None:
            raise
        return instead


class Parent:
    """The run, as a child sees it: instructions in, answers out.

    ``tidy`` cleans up if the run ends in the middle of the work. The end waits for the lock ``undisturbed``:
    without it, a half-made file could be left behind.
    """

    def __init__(self) -> None:
        self._inbox: queue.Queue[Message] = queue.Queue()
        self.tidy: Callable[[], None] = lambda: None
        self.undisturbed = threading.Lock()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for line in sys.stdin:
            self._inbox.put(json.loads(line))
        with self.undisturbed:
            try:
                self.tidy()
            finally:
                os._exit(0)  # the run is gone or done: nobody needs what this process is doing

    def receive(self) -> Message:
        """Return the next message from the run."""
        return self._inbox.get()

    def answer(self, **message: Any) -> None:
        """Send one message to the run."""
        sys.stdout.write(json.dumps(message) + "\n")
        sys.stdout.flush()


def serve(work: Callable[[Parent], None]) -> None:
    """Do a child's work; send any failure to the run as one sentence, without private values."""
    parent = Parent()
    try:
        work(parent)
    except NoisewrightError as refusal:
        parent.answer(error=str(refusal))
    except Exception as error:
        if os.environ.get("NOISEWRIGHT_DEBUG"):
            raise
        parent.answer(error=f"an unexpected {type(error).__name__} stopped a process of the run")
    parent.receive()  # lasts until its stdin ends, so that the answer is read before the pipe closes
