"""Read a page as its reader does: save what it says to save, type what it says to type, look at what is printed.

A page is a list of fenced blocks. One after "Save this as `NAME`" is a file; one marked ``python`` is typed into
one session that lasts for the page; one that begins with a command of ours is typed into a shell; any other shows
what the block before it prints. Numbers there are kinds and not digits: noise is drawn anew every time.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from noisewright.cli.main import main

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
SAVED = re.compile(r"Save this as `([\w.]+)`[^\n]*\n\n$")
SHELL = ("noisewright ", "make ", "openssl ", "pip ")
NUMBER = re.compile(r"[-+−]?\d+([,.]\d+)*(e[-+]?\d+)?( ?%)?|∞|–")
SPREAD = re.compile(r" ± #")
BARS = re.compile("[█▓░]+")
GAP = "…"


@dataclass(frozen=True)
class Block:
    """One fenced block: what to do with it, and where it stands."""

    kind: str
    text: str
    line: int
    name: str = ""


def blocks(page: str) -> Iterator[Block]:
    """The blocks of a page in order; of kind "file", "python", "shell" or "printed"."""
    text = (ROOT / page).read_text(encoding="utf-8")
    for found in BLOCK.finditer(text):
        language, content = found.groups()
        line = text.count("\n", 0, found.start()) + 1
        if saved := SAVED.search(text, 0, found.start()):
            yield Block("file", content, line, saved.group(1))
        elif language:
            yield Block(language, content, line)
        else:
            yield Block("shell" if content.startswith(SHELL) else "printed", content, line)


def commands(text: str) -> Iterator[str]:
    """The commands of a block, a continued one as one line."""
    yield from filter(None, text.replace("\\\n", " ").splitlines())


def kinds(text: str) -> str:
    """The words of a text: every number is the same one, lines may break anywhere, and ± need not be said."""
    return SPREAD.sub("", NUMBER.sub("#", " ".join(BARS.sub("", text).split())))


def missing(printed: str, output: str, by_chance: Collection[str] = ()) -> list[str]:
    """The lines that a page shows and the program did not print; "…" stands for what the page leaves out.

    Of a line with one of the words ``by_chance`` only what stands before and in that word is held to.
    """
    said = kinds(output)
    lines = [line for line in printed.replace(GAP, "\n").splitlines() if line.strip()]
    for word in by_chance:
        lines = [line[: line.index(word) + len(word)] if word in line else line for line in lines]
    return [line for line in lines if kinds(line) not in said]


@dataclass
class Reader:
    """Works through the blocks of a page in the current folder.

    ``shorter`` replaces parts of a block where a reader has more time than a test; ``not_run`` has the commands
    that are left alone, each with the reason; ``exits`` the exit codes of commands that do not end with 0;
    ``by_chance`` the words after which luck decides what a line says. What goes wrong is in ``faults``.
    """

    shorter: Mapping[str, str] = field(default_factory=dict)
    not_run: Mapping[str, str] = field(default_factory=dict)
    exits: Mapping[str, int] = field(default_factory=dict)
    by_chance: Collection[str] = ()
    session: dict[str, object] = field(default_factory=dict)
    left_alone: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    output: str = ""

    def read(self, page: str, seen: Callable[[Block], None] = lambda block: None) -> None:
        """Do what every block says; ``seen`` is told of each that is done."""
        for block in blocks(page):
            where = f"{page}, line {block.line}"
            if block.kind == "file":
                Path(block.name).write_text(block.text, encoding="utf-8")
            elif block.kind == "printed":
                lost = missing(block.text, self.output, self.by_chance)
                self.faults += [f"{where}: not printed: {line}\n{self.output}" for line in lost]
            else:
                self.output = "".join(self._do(block, where))
            seen(block)

    def _do(self, block: Block, where: str) -> Iterator[str]:
        text = block.text
        for long, short in self.shorter.items():
            text = text.replace(long, short)
        if block.kind == "python":
            with contextlib.redirect_stdout(io.StringIO()) as out:
                try:
                    exec(compile(text, where, "exec"), self.session)
                except Exception as error:  # the rest of the page is read all the same
                    self.faults.append(f"{where}: {error!r}")
            yield out.getvalue()
            return
        for command in commands(text):
            yield self._type(command, where)

    def _type(self, command: str, where: str) -> str:
        """What a command prints; ``> FILE`` at its end writes it to a file."""
        words = shlex.split(command, comments=True)
        typed = shlex.join(words)
        if typed in self.not_run:
            self.left_alone.append(typed)
            return ""
        if words[0] != "noisewright":
            self.faults.append(f"{where}: {words[0]} is not ours, and no reason says why it is not run")
            return ""
        target = words[words.index(">") + 1] if ">" in words else None
        words = words[: words.index(">")] if target else words
        with (
            contextlib.redirect_stdout(io.StringIO()) as out,
            contextlib.redirect_stderr(io.StringIO()) as err,
        ):
            code = main(words[1:])
        if code != next((other for part, other in self.exits.items() if part in command), 0):
            self.faults.append(f"{where}: {command}\nended with {code}: {err.getvalue()}")
        if target:
            Path(target).write_text(out.getvalue(), encoding="utf-8")
        return out.getvalue() + err.getvalue()
