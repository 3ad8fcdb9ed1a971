"""Data sets of several files: folders, globs, and folders by value as Hive lays them out.

``people/region=north/part-0.parquet`` is a partition whose rows all have the region "north", though no
column of the file says so. A folder that a run of Noisewright wrote (``report_folder.py``) is read by its
list, and refused if something is missing; any other folder is all the files in it.
"""

from __future__ import annotations

import glob
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from noisewright.errors import BadTable
from noisewright.io.description import LIST
from noisewright.io.file_access import reading
from noisewright.io.location import Location
from noisewright.io.report_folder import PART_NAME, FinishedFolder, Part, hidden_name, mark_of
from noisewright.io.table_files import KINDS, InputFile, ParquetInput, open_input
from noisewright.report.provenance import Digest

NO_VALUE: Final = "__HIVE_DEFAULT_PARTITION__"
MAGIC: Final = frozenset("*?[")


@dataclass(frozen=True)
class Partition:
    """One file of a data set.

    Attributes:
        file: Where it is.
        fixed: The values that its folders give to all of its rows; None stands for a missing one.
        part: The part of a folder of reports that it is, if a run of Noisewright wrote that.
        folder: That folder; otherwise the file itself.
    """

    file: Location
    fixed: Mapping[str, str | None] = field(default_factory=dict)
    part: Part | None = None
    folder: str = ""

    def __str__(self) -> str:
        return str(self.file)

    def open(self) -> InputFile:
        """Open the file, and refuse one that is not the part that was written."""
        file = open_input(self.file.address)
        if self.part is not None and isinstance(file, ParquetInput):
            mark, _ = mark_of(file.file.schema_arrow)
            if (file.rows, mark) != (self.part.rows, self.part.mark):
                raise BadTable(f"{self} is not the file that was written: it comes from another draw")
        return file


def find_partitions(given: str | os.PathLike[str]) -> list[Partition]:
    """Return the files of a data set in order: those of a folder, those that a glob matches, or one file.

    Args:
        given: A file, a folder, or a glob such as ``reports/*.parquet``; or the address of one in a store.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> (folder / "region=north").mkdir()
    >>> (folder / "region=north" / "a.csv").touch()
    >>> [(each.file.name, each.fixed) for each in find_partitions(folder)]
    [('a.csv', {'region': 'north'})]
    """
    where = Location(given)
    if not _is_glob(where):
        return _at(where)
    if where.local is None:
        raise BadTable(f"{where} is a glob, and only files of this machine are found by one; name the folder")
    find = cache(FinishedFolder.find)  # once for a folder, not for each of its files
    found = [part for match in _matches(str(where.local)) for part in _at(Location(match), find)]
    if not found:
        raise BadTable(f"no file of a known kind matches {where}: {', '.join(KINDS)}")
    return found


def _is_glob(where: Location) -> bool:
    return bool(MAGIC.intersection(str(where))) and (where.local is None or not where.local.exists())


def _matches(pattern: str) -> Iterator[str]:
    """Yield the folders and files of known kinds that a glob matches, but nothing inside such a folder."""
    folders: set[Path] = set()
    for match in sorted(glob.glob(pattern, recursive=True)):
        path = Path(match)
        if hidden_name(path.name) or folders.intersection(path.parents):
            continue
        if path.is_dir():
            folders.add(path)
        if path.is_dir() or _is_known(match):
            yield match


def _is_known(name: str) -> bool:
    return Path(name).suffix.lower() in KINDS


Find = Callable[[str], FinishedFolder | None]


def _at(where: Location, find: Find = FinishedFolder.find) -> list[Partition]:
    if not where.is_folder():
        return [_one_file(where, find)]
    if (folder := find(where.address)) is not None:
        return _parts(folder)
    names = [name for name in where.files() if not hidden_name(name) and _is_known(name)]
    if not names:
        raise BadTable(f"{where} holds no file of a known kind: {', '.join(KINDS)}")
    for name in names:
        if PART_NAME.fullmatch(name.rpartition("/")[2]) and _has_mark(where.child(name)):
            raise BadTable(
                f"{where} holds {name}, a part of a run, without the list {LIST} that says whether all parts "
                "are there; restore the list, or name the files one by one"
            )
    above = _fixed(_names(where))
    return [Partition(where.child(name), above | _fixed(name.split("/")[:-1])) for name in names]


def _has_mark(file: Location) -> bool:
    """Return whether a file is a part that a run drew."""
    found = open_input(file.address)
    return isinstance(found, ParquetInput) and bool(mark_of(found.file.schema_arrow)[0])


def _parts(folder: FinishedFolder) -> list[Partition]:
    return [
        Partition(file, {}, part, str(Location(folder.address)))
        for file, part in zip(folder.files, folder.parts, strict=True)
    ]


def _one_file(where: Location, find: Find) -> Partition:
    """Return a file by itself; a part of a folder of reports only if that folder is finished and whole."""
    if PART_NAME.fullmatch(where.name) and (folder := find(where.parent.address)) is not None:
        for each in _parts(folder):
            if each.file.name == where.name:
                return replace(each, file=where)
    return Partition(where, _fixed(_names(where)[:-1]))


def _names(where: Location) -> list[str]:
    """Return the names along a path, as far as it was given."""
    return (where.path if where.scheme else str(where)).split("/")


def _fixed(folders: Iterable[str]) -> dict[str, str | None]:
    """Return the values that names of folders such as ``region=north`` give."""
    pairs = (folder.partition("=") for folder in folders)
    return {
        unquote(name): None if value == NO_VALUE else unquote(value)
        for name, sign, value in pairs
        if name and sign
    }


def is_data_set(given: str | os.PathLike[str]) -> bool:
    """Return whether a name stands for a folder or a glob rather than for one file."""
    where = Location(given)
    return where.is_folder() or _is_glob(where)


def digests(given: str | os.PathLike[str]) -> list[Digest]:
    """Return the SHA-256 of each file of a data set; of a folder of reports, that of the list of its parts.

    Args:
        given: A file of any kind, or a data set as for :func:`find_partitions`.
    """
    where = Location(given)
    listing = where.child(LIST)
    if where.is_folder() and listing.size() is not None:
        files = [(f"{where.name}/{LIST}", listing)]
    else:
        files = [(each.file.name, each.file) for each in find_partitions(given)]
    found = []
    for name, file in files:
        with reading(file), file.open() as opened:
            found.append(Digest(name, hashlib.file_digest(opened, "sha256").hexdigest()))
    return found


def without_repeats(partitions: Sequence[Partition]) -> list[Partition]:
    """Refuse a file that is there twice: its people would count double, and intervals would be too short."""
    seen: set[str] = set()
    for each in partitions:
        local = each.file.local
        place = each.file.address if local is None else str(local.resolve())
        if place in seen:
            raise BadTable(f"{each} is given twice; its reports can be counted only once")
        seen.add(place)
    return list(partitions)
