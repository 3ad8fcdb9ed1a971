"""A program that reads a file and prints outputs.

Reading has a bound on time and size, and waiting never exceeds it. A program is killed with everything that
it started, except processes that began a session of their own. Such a process may hold the program's output
open for ever, so nobody waits for its end.
"""

from __future__ import annotations

import hashlib
import os
import re
import selectors
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Final, Self

from noisewright.audit.basics.outputs import Outputs
from noisewright.audit.blackbox.base import BlackBox, check_timeout, single_seeds
from noisewright.audit.blackbox.exchange import as_file, parse_output
from noisewright.errors import BadMechanism, InvalidParameter

SEED: Final = "NOISEWRIGHT_SEED"
"""The environment variable that gives a program a fresh seed, which it may use."""

LARGEST: Final = 1 << 20
"""Bytes of one output."""

PIECE: Final = 1 << 16
TICK: Final = 0.02
"""Seconds between looks whether a silent program has ended."""


class Program:
    """A running program whose output is read; its stderr may be private and is ignored."""

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
        """Return everything that it prints until it ends."""
        content = bytearray()
        while more := self._more():
            content += more
            self._check_size(content)
        self._end_well()
        return bytes(content)

    def lines(self, count: int) -> list[bytes]:
        """Return the ``count`` lines that it prints until it ends; fewer or more are refused."""
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
                f"the command printed {printed} lines when {count} outputs were wanted; let it print one per "
                "line and nothing else, and give it the number with {count}"
            )
        return found

    def _more(self) -> bytes:
        """Return what it prints next; nothing once its output is closed, or it has ended and all was read."""
        while (left := self._until - time.monotonic()) > 0:
            ended = self._has_ended()  # asked before reading its last output
            if self._selector.select(0 if ended else min(left, TICK)):
                self._silent = False
                return os.read(self._stdout.fileno(), PIECE)
            if ended:
                return b""
        raise self._late()

    def _has_ended(self) -> bool:
        """Return whether it has ended, in failure or with an output; its children may still print one."""
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
        with suppress(ProcessLookupError, PermissionError):  # nothing of its session is left
            os.killpg(self._process.pid, signal.SIGKILL)  # what it started, too
        self._selector.close()
        self._stdout.close()
        self._process.wait()


# -- the black box -------------------------------------------------------------------------------------


PLACE: Final = re.compile(r"\{input\}|\{count\}")


@dataclass(frozen=True, eq=False)
class Command(BlackBox):
    """A command line with ``{input}`` where the input file goes; no shell reads it.

    It prints JSON, a number, or else a category. It is started once for every output. With ``{count}`` in its
    line it is started once for many, and prints that number of outputs, one per line. Each start finds a
    fresh seed in the environment variable ``NOISEWRIGHT_SEED``. ``timeout`` holds for every output.

    Args:
        template: The command line, with ``{input}`` where the input file goes, and perhaps ``{count}``.
        timeout: Seconds that one output may take.

    >>> Command("./vendor_tool --in {input}").title
    'vendor_tool'
    """

    template: str
    timeout: float = 60.0
    arguments: tuple[str, ...] = field(init=False, repr=False)
    block: ClassVar[int] = 16
    apart: ClassVar[bool] = True
    many: ClassVar[int] = 1024
    """Outputs per start of a command that prints many."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "timeout", check_timeout(self.timeout))
        try:
            arguments = tuple(shlex.split(self.template))
        except ValueError:
            raise InvalidParameter("the command has a quotation mark that is not closed") from None
        if not any("{input}" in argument for argument in arguments[1:]):
            raise InvalidParameter(
                'the command must say where the input file goes, as in "./tool --in {input}"'
            )
        object.__setattr__(self, "arguments", arguments)
        if self.lines:
            object.__setattr__(self, "block", self.many)
            object.__setattr__(self, "together", True)

    @property
    def lines(self) -> bool:
        """Whether one start prints many outputs."""
        return "{count}" in self.template

    @property
    def title(self) -> str:
        return Path(self.arguments[0]).name

    def draw(self, subject: Any, count: int, seed: int) -> Outputs:
        with tempfile.TemporaryDirectory() as folder:  # for its owner alone
            path = as_file(subject, Path(folder))
            if self.lines:
                with self._start(path, count, single_seeds(seed, 1)[0]) as program:
                    texts = program.lines(count)
            else:
                texts = []
                for own_seed in single_seeds(seed, count):
                    with self._start(path, 1, own_seed) as program:
                        texts.append(program.output())
        return Outputs.of([parse_output(text) for text in texts])

    def _start(self, path: Path, count: int, seed: int) -> Program:
        places = {"{input}": str(path), "{count}": str(count)}
        filled = [PLACE.sub(lambda place: places[place[0]], argument) for argument in self.arguments]
        return Program(filled, seed, self.timeout)

    def describe(self) -> Any:
        """Return the command line, and digests of the files that it names: a changed tool is another one."""
        return "command", self.arguments, [_content(argument) for argument in self.arguments]


def _content(argument: str) -> str | None:
    path = Path(shutil.which(argument) or argument)
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None
    except OSError:
        return None
