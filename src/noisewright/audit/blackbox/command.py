"""A program that reads a file and prints an output."""

from __future__ import annotations

import hashlib
import re
import shlex
import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Final

from noisewright.audit.blackbox.base import BlackBox, check_timeout
from noisewright.audit.blackbox.chance import single_seeds
from noisewright.audit.blackbox.parsing import parse_output
from noisewright.audit.blackbox.processes import Program
from noisewright.audit.blackbox.subjects import as_file
from noisewright.audit.outputs import Outputs
from noisewright.errors import InvalidParameter

PLACE: Final = re.compile(r"\{input\}|\{count\}")


@dataclass(frozen=True, eq=False)
class Command(BlackBox):
    """A command line with ``{input}`` where the input file goes; no shell reads it.

    What it prints is JSON, a number, or else a category. It is started once for every output; with
    ``{count}`` in its line once for many, of which it prints so many, one a line. Each start finds a fresh
    seed in the environment variable ``NOISEWRIGHT_SEED``. ``timeout`` holds for every output.

    >>> Command("./vendor_tool --in {input}").title
    'vendor_tool'
    """

    template: str
    timeout: float = 60.0
    arguments: tuple[str, ...] = field(init=False, repr=False)
    block: ClassVar[int] = 16
    apart: ClassVar[bool] = True
    many: ClassVar[int] = 1024
    """Outputs of one start where it prints many."""

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
            texts = self._many(path, count, seed) if self.lines else self._one_by_one(path, count, seed)
        return Outputs.of([parse_output(text) for text in texts])

    def _many(self, path: Path, count: int, seed: int) -> list[bytes]:
        with self._started(path, count, single_seeds(seed, 1)[0]) as program:
            return program.lines(count)

    def _one_by_one(self, path: Path, count: int, seed: int) -> list[bytes]:
        texts = []
        for own_seed in single_seeds(seed, count):
            with self._started(path, 1, own_seed) as program:
                texts.append(program.output())
        return texts

    def _started(self, path: Path, count: int, seed: int) -> Program:
        places = {"{input}": str(path), "{count}": str(count)}
        filled = [PLACE.sub(lambda place: places[place[0]], argument) for argument in self.arguments]
        return Program(filled, seed, self.timeout)

    def describe(self) -> Any:
        """The command line, and the content of every file that it names: a changed tool is another one."""
        return "command", self.arguments, [_content(argument) for argument in self.arguments]


def _content(argument: str) -> str | None:
    path = Path(shutil.which(argument) or argument)
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None
    except OSError:
        return None
