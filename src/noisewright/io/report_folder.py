"""A folder of reports that is drawn once, by tasks that their engine may retry, double or kill.

**The trap.** Engines of clusters repeat work: they retry a task whose worker died, start a second copy of a
slow one, and compute a lazy frame again for each use. A repeated draw gives the same person fresh noise, and
averaging undoes it. So reports are written here, once, and only read afterwards.

**How.** A task writes its part to a draft under a random name, and then gives it the one name of its part,
which only one draft can take. A task that finds its part there draws nothing; a copy that comes second
removes its draft. Attempts are counted before they draw, so that parts of frames which may come out
differently are not drawn a second time. When all parts are there, ``_noisewright.json`` lists them, with the
number of rows, the bytes and the random mark of each. Until then ``_unfinished.json`` stands in the folder,
and nothing reads it. A part that is lost, cut short, added or exchanged later does not fit that list, and the
folder is refused.

The draft of a task that was killed is never read, and is removed at the end of the run.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from itertools import chain, count
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from noisewright import __version__
from noisewright.errors import BadTable
from noisewright.io.description import LARGEST_LIST, LIST, Description
from noisewright.io.file_access import reading
from noisewright.io.files import Written, parquet_writer
from noisewright.io.location import Location
from noisewright.io.strict_json import strict_json

UNFINISHED: Final = "_unfinished.json"
DRAFTS: Final = "_noisewright_drafts"
MARK: Final = b"noisewright.part"
"""Metadata of a part: the random mark of its draw, and which attempt drew it."""

FORMAT: Final = 1
PART_NAME: Final = re.compile(r"part-\d{5,9}\.parquet")


@dataclass(frozen=True)
class Part:
    """One part of a folder of reports.

    Attributes:
        number: Which part of the table it is, from 0.
        rows: Number of its reports; a part without rows has no file.
        bytes: Size of its file.
        mark: The name of its run and a random number, which its file carries too.
        attempt: Which attempt of its task wrote it, from 0.
    """

    number: int
    rows: int
    bytes: int
    mark: str
    attempt: int = 0

    @property
    def name(self) -> str:
        """The name of its file."""
        return f"part-{self.number:05d}.parquet"


@dataclass(frozen=True)
class ReportFolder:
    """A folder for the reports of one run.

    Attributes:
        address: The folder: a path, or an address of a store.
        run: A random name of the run.
    """

    address: str
    run: str

    @property
    def location(self) -> Location:
        """The folder as a location."""
        return Location(self.address)

    # -- the one who starts the run ------------------------------------------------------------------

    @classmethod
    def begin(cls, address: str, *, replace: bool = False) -> ReportFolder:
        """Make the folder; refuse one that holds anything, unless it holds reports that may be replaced.

        Args:
            address: The folder: a path, or an address of a store.
            replace: Whether reports of an earlier run are removed first.
        """
        folder = Location(address)
        if folder.size() is not None:
            raise BadTable(f"cannot write {folder}: it is a file, and reports of several parts need a folder")
        if before := _published(folder):
            _clear(folder, before, replace=replace)
        # Tasks may run in another working folder.
        place = address if folder.local is None else str(folder.local.absolute())
        started = cls(place, secrets.token_hex(8))
        folder.child(DRAFTS).make_folder()
        draft = folder.child(f"{DRAFTS}/run-{started.run}.json")
        draft.write(json.dumps({"format": FORMAT, "run": started.run}).encode())
        if not draft.take_name(folder.child(UNFINISHED)):
            raise BadTable(f"another run is writing to {folder} at this moment; choose another folder")
        if _published(folder) != [UNFINISHED]:  # another run began and ended since this one looked
            folder.child(UNFINISHED).remove()
            raise BadTable(f"another run has just written to {folder}; choose another folder")
        return started

    def finish(self, parts: Iterable[Part], about: Mapping[str, Any]) -> FinishedFolder:
        """Check that all parts are there and list them: from now on the folder is one collection.

        Args:
            parts: What the tasks wrote.
            about: The description of the reports, in plain JSON values.
        """
        listed = sorted((part for part in parts if part.rows), key=lambda part: part.number)
        if not listed:
            self.abandon()
            raise BadTable("the table has no rows; there is nothing to randomize")
        done = FinishedFolder(self.address, self.run, about, tuple(listed))
        self._refuse_ended()
        done.check()
        if not self.location.takes_a_name_once:  # a later writer may have won
            done.check_marks()
        self.location.child(DRAFTS).remove()
        self.location.child(LIST).write(done.to_json().encode())
        self.location.child(UNFINISHED).remove()
        return done

    def abandon(self) -> None:
        """Remove everything that the run wrote: no report has left. A run that took its place stays."""
        if self._is_running():
            _empty(self.location)
        local = self.location.local
        if local is not None and not local.is_symlink():
            with suppress(OSError):  # something else is in it
                local.rmdir()

    # -- one of its tasks ----------------------------------------------------------------------------

    def write(self, number: int, tables: Iterator[pa.Table], *, repeatable: bool = True) -> Part:
        """Write one part, or nothing if an attempt before has written it.

        Args:
            number: Which part of the table it is, from 0.
            tables: The reports, drawn as they are asked for.
            repeatable: Whether the part has the same rows whenever it is computed. If that is not known,
                a second attempt is refused: a row that moved to this part could have a report in another.
        """
        self._refuse_ended()
        target = self.location.child(Part(number, 0, 0, "").name)
        if target.size() is not None:
            return self._there(number)
        mark, attempt = f"{self.run}-{secrets.token_hex(8)}", self._attempt(number)
        if attempt and not repeatable:
            raise BadTable(
                "its task failed, and it is not drawn again: it cannot be known whether it has the same rows "
                "when it is computed a second time. Write the frame to files, and randomize those"
            )
        first = next(tables, None)
        if first is None:
            return Part(number, 0, 0, mark, attempt)
        draft = self.location.child(f"{DRAFTS}/{number:05d}-{mark}.parquet")
        about = {"mark": mark, "attempt": attempt}
        schema = first.schema.with_metadata({**(first.schema.metadata or {}), MARK: json.dumps(about)})
        rows = 0
        with draft.sink() as sink, closing(parquet_writer(sink, schema)) as writer:
            for table in chain([first], tables):
                writer.write_table(table.replace_schema_metadata(schema.metadata))
                rows += table.num_rows
        size = draft.size() or 0
        self._refuse_ended()
        return Part(number, rows, size, mark, attempt) if draft.take_name(target) else self._there(number)

    def _attempt(self, number: int) -> int:
        """Note that a part is begun, and return how often it was begun before."""
        return next(
            before for before in count() if self.location.child(f"{DRAFTS}/{number:05d}-{before}").claim()
        )

    def _refuse_ended(self) -> None:
        """Refuse a task that its engine forgot: the run is over, and nobody waits for this part."""
        if not self._is_running():
            raise BadTable(f"the run that wrote to {self.location} is over; this part of it is not written")

    def _is_running(self) -> bool:
        try:
            said = strict_json(self.location.child(UNFINISHED).read(1 << 16) or b"", UNFINISHED)
        except BadTable:
            return False
        return isinstance(said, Mapping) and said.get("run") == self.run

    def _there(self, number: int) -> Part:
        """Return the part that another attempt wrote."""
        file = self.location.child(Part(number, 0, 0, "").name)
        with reading(file), file.open() as opened:
            found = pq.ParquetFile(opened)
            rows, about = found.metadata.num_rows, mark_of(found.schema_arrow)
        if not about[0].startswith(self.run):
            raise BadTable(f"{file} was written by a task of another run; choose another folder")
        return Part(number, rows, file.size() or 0, *about)


@dataclass(frozen=True)
class FinishedFolder:
    """A folder of reports that is whole.

    Attributes:
        address: The folder: a path, or an address of a store.
        run: The random name of the run that wrote it.
        about: The description of the reports, in plain JSON values.
        parts: Its parts, in the order of the table.
    """

    address: str
    run: str
    about: Mapping[str, Any]
    parts: tuple[Part, ...]

    @cached_property
    def description(self) -> Description:
        """What reports of columns say of themselves, their mechanisms rebuilt and proved again."""
        return Description.from_dict(self.about, str(Location(self.address)))

    @property
    def rows(self) -> int:
        """Number of all reports."""
        return sum(part.rows for part in self.parts)

    @property
    def files(self) -> list[Location]:
        """The file of each part."""
        return [Location(self.address).child(part.name) for part in self.parts]

    def to_written(self) -> Written:
        """Return the folder in the form that all functions return which write reports."""
        where = Location(self.address)
        return Written(self.rows, where.local or where, None, self.description, len(self.parts))

    def to_json(self) -> str:
        """Return the list of parts as it is stored."""
        return json.dumps(
            {
                "format": FORMAT,
                "package": __version__,
                "run": self.run,
                "description": dict(self.about),
                "parts": [asdict(part) for part in self.parts],
            },
            ensure_ascii=False,
        )

    @classmethod
    def find(cls, address: str) -> FinishedFolder | None:
        """Return what a folder lists, checked against what it holds; None if it was not written by a run.

        Args:
            address: The folder: a path, or an address of a store.
        """
        folder = Location(address)
        text = folder.child(LIST).read(LARGEST_LIST)
        if text is None:
            if folder.child(UNFINISHED).size() is not None:
                raise BadTable(
                    f"{folder} is unfinished: the run that writes it is not done, or was killed; nothing "
                    "in it may be used. Run it again with another folder, or with replace=True"
                )
            return None
        found = cls(address, *_read_list(text, str(folder)))
        found.check()
        return found

    def check(self) -> None:
        """Refuse the folder if a part is missing, has another size, or is not in the list."""
        folder = Location(self.address)
        present = {name: size for name, size in folder.files().items() if not hidden_name(name)}
        for part in self.parts:
            if part.name not in present:
                raise BadTable(f"{folder} has lost {part.name}, one of its {len(self.parts):,} parts")
            if present.pop(part.name) != part.bytes:
                raise BadTable(f"{part.name} of {folder} is not the file that was written: its size differs")
        if present:
            raise BadTable(
                f"{folder} holds {len(present):,} files that its run did not write, among them "
                f"{min(present)}; reports of other runs belong in folders of their own"
            )

    def check_marks(self) -> None:
        """Refuse the folder if a part comes from another draw than the list; reads the end of each file."""

        def check(part: Part) -> None:
            file = Location(self.address).child(part.name)
            with reading(file), file.open() as opened:
                found = pq.ParquetFile(opened)
                same = (found.metadata.num_rows, mark_of(found.schema_arrow)[0]) == (part.rows, part.mark)
            if not same:
                raise BadTable(f"{file} is not the file that was written: it comes from another draw")

        with ThreadPoolExecutor(16) as workers:
            list(workers.map(check, self.parts))


def hidden_name(name: str) -> bool:
    """Return whether a file is not data, by the custom of all engines.

    >>> hidden_name("_SUCCESS"), hidden_name("year=2026/.part.crc"), hidden_name("a_b.parquet")
    (True, True, False)
    """
    return any(part.startswith(("_", ".")) and "=" not in part for part in name.split("/"))


def _published(folder: Location) -> list[str]:
    """Return the names of the files in a folder, without the drafts of this or a killed run."""
    return [name for name in folder.files() if not name.startswith(f"{DRAFTS}/")]


def _clear(folder: Location, before: Sequence[str], *, replace: bool) -> None:
    """Remove the reports of an earlier run, if that is allowed; refuse to touch anything else."""
    ours = LIST in before or UNFINISHED in before
    if not replace or not ours:
        why = (
            "reports already, and a second draw from the same data spends the budget a second time"
            if ours
            else "files already"
        )
        remedy = ", or pass replace=True to replace them" if ours else ""
        raise BadTable(f"{folder} holds {why}; choose another folder{remedy}")
    others = [name for name in before if not hidden_name(name) and not PART_NAME.fullmatch(name)]
    if others:
        raise BadTable(
            f"{folder} holds {min(others)}, which no run wrote; move it away before reports are replaced"
        )
    _empty(folder)


def _empty(folder: Location) -> None:
    """Remove what a run wrote, in such an order that what is left at any moment is not read as whole."""
    folder.child(UNFINISHED).write(b"{}")  # from now on no task of that run publishes its part
    folder.child(LIST).remove()
    folder.child(DRAFTS).remove()
    for name in folder.files():
        if PART_NAME.fullmatch(name):
            folder.child(name).remove()
    folder.child(UNFINISHED).remove()


def mark_of(schema: pa.Schema) -> tuple[str, int]:
    """Return the random mark of a part and its attempt, from the metadata of its file."""
    found = strict_json((schema.metadata or {}).get(MARK, b"{}"), "the mark of a part")
    mark, attempt = (found.get("mark"), found.get("attempt")) if isinstance(found, Mapping) else (None, None)
    return mark if isinstance(mark, str) else "", attempt if type(attempt) is int else 0


def _read_list(text: bytes, where: str) -> tuple[str, Mapping[str, Any], tuple[Part, ...]]:
    found = strict_json(text, f"the list of {where}", largest=LARGEST_LIST)
    broken = BadTable(f"{LIST} of {where} is broken, or was not written by Noisewright")
    if not isinstance(found, Mapping) or type(found.get("format")) is not int:
        raise broken
    if found["format"] > FORMAT:
        raise BadTable(f"{where} was written by a newer Noisewright; upgrade to read it")
    parts, run = found.get("parts"), found.get("run")
    if not isinstance(parts, Sequence) or not parts or not isinstance(run, str):
        raise broken
    names = {each.name: int if each.name != "mark" else str for each in fields(Part)}
    for part in parts:
        if not isinstance(part, Mapping) or {name: type(value) for name, value in part.items()} != names:
            raise broken
        if not 0 <= part["number"] < 10**9 or part["rows"] < 1 or part["bytes"] < 1:
            raise broken
    if [part["number"] for part in parts] != sorted({part["number"] for part in parts}):
        raise broken
    about = found.get("description")
    if not isinstance(about, Mapping):
        raise broken
    return run, about, tuple(Part(**part) for part in parts)
