"""Where files and folders lie: on this machine, or in a store that Arrow reaches by an address.

``reports/`` and ``file:///data/reports`` are folders of this machine, ``s3://bucket/reports``,
``gs://…``, ``abfss://…`` and ``hdfs://…`` those of a store. Credentials come from where the store's own tools
look for them; those in an address are used and never shown.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import pyarrow as pa
from pyarrow import fs

from noisewright.errors import BadTable
from noisewright.io.file_access import mode_beside, published, reading, sync, writing

ADDRESS: Final = re.compile(r"^([A-Za-z][A-Za-z0-9+.-]+)://(?:[^/?#:]*:(?![0-9]+/)[^?#]*@)?([^?#]*)")
"""A scheme of two letters or more (one is a drive of Windows), perhaps a name with a password, and the place.

A password may have a slash in it that should have been escaped; a name without one is a part of the place.
"""

ALIASES: Final = {"s3a": "s3", "s3n": "s3"}
"""Schemes of Hadoop by Arrow's name for the same store."""

ONE_RENAME: Final = ("local", "hdfs")
"""Kinds of stores where a file takes a name at once, and only if nobody has that name."""

RETRIES: Final = 50
"""How often a folder is removed anew: tasks that nobody waits for may still write to it, each one file."""

PLAIN: Final = "/=:@!$&'()*+,;~"
"""Signs of a name that need no escape in an address."""


class Location:
    """A file or folder, which need not exist.

    Args:
        address: A path of this machine, or an address such as ``s3://bucket/reports``.

    >>> str(Location("s3://key:secret@bucket/reports?region=eu"))
    's3://bucket/reports'
    """

    def __init__(self, address: str | os.PathLike[str]) -> None:
        self.address = os.fspath(address)
        found = ADDRESS.match(self.address)
        self.scheme = found[1].lower() if found else ""

    def __str__(self) -> str:
        found = ADDRESS.match(self.address)
        return f"{found[1]}://{found[2]}" if found else self.address

    def __repr__(self) -> str:
        return f"Location({str(self)!r})"

    def __fspath__(self) -> str:
        return self.address

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Location) and self.address == other.address

    def __hash__(self) -> int:
        return hash(self.address)

    @property
    def name(self) -> str:
        """The last part of the address."""
        return self.path.rstrip("/").rpartition("/")[2]

    @property
    def local(self) -> Path | None:
        """The path, if it is one of this machine."""
        if not self.scheme:
            return Path(self.address)
        return Path(self.path) if self.scheme == "file" else None

    @cached_property
    def _place(self) -> tuple[fs.FileSystem, str]:
        if not self.scheme:
            return fs.LocalFileSystem(), str(Path(self.address).absolute())
        scheme = ALIASES.get(self.scheme, self.scheme)
        try:
            return _reach(scheme + self.address[len(self.scheme) :], os.getpid())
        except (OSError, pa.ArrowException, ValueError, ImportError):
            raise BadTable(
                f"cannot reach {self}: the address is misspelt, or Arrow has no way to a store of the scheme "
                f"{self.scheme!r} here; s3, gs, abfss, hdfs and file are usual ones, hdfs needs Hadoop's own "
                "library, and a space is written as %20"
            ) from None

    @property
    def store(self) -> fs.FileSystem:
        """The store of Arrow that it lies in."""
        return self._place[0]

    @property
    def path(self) -> str:
        """The path within its store."""
        return self._place[1]

    @property
    def takes_a_name_once(self) -> bool:
        """Whether two writers of one name cannot both succeed."""
        return self.store.type_name in ONE_RENAME

    def child(self, name: str) -> Location:
        """Return a file or folder below this one."""
        return self.sibling(f"/{name}")

    def sibling(self, ending: str) -> Location:
        """Return the file whose address is this one with something at its end."""
        head, mark, query = self.address.partition("?") if self.scheme else (self.address, "", "")
        # Arrow takes the escapes out of an address, and fsspec does not.
        literal = not self.scheme or self.scheme.startswith("fsspec")
        found = Location(f"{head.rstrip('/')}{ending if literal else quote(ending, PLAIN)}{mark}{query}")
        if self.scheme:  # reached once for all files
            found._place = self.store, f"{self.path.rstrip('/')}{ending}"
        return found

    @property
    def parent(self) -> Location:
        """The folder that it lies in."""
        head, mark, query = self.address.partition("?") if self.scheme else (self.address, "", "")
        if not self.scheme:
            return Location(Path(head).parent)
        return Location(f"{head.rstrip('/').rpartition('/')[0]}{mark}{query}")

    def is_inside(self, folder: Location) -> bool:
        """Return whether this is a folder, or something in it."""
        if self.local is not None and folder.local is not None:
            return self.local.resolve().is_relative_to(folder.local.resolve())
        same = self.store.type_name == folder.store.type_name
        return same and f"{self.path}/".startswith(f"{folder.path.rstrip('/')}/")

    # -- looking -------------------------------------------------------------------------------------

    def size(self) -> int | None:
        """Return the bytes of a file; None if it is no file, or not there."""
        with reading(self):
            found = self.store.get_file_info(self.path)
        return int(found.size or 0) if found.type == fs.FileType.File else None

    def is_folder(self) -> bool:
        """Return whether this is a folder; in an object store, whether names begin like it."""
        with reading(self):
            return bool(self.store.get_file_info(self.path).type == fs.FileType.Directory)

    def files(self) -> dict[str, int]:
        """Return the files below this folder at any depth, by name within it in order, with their sizes."""
        with reading(self):
            found = self.store.get_file_info(fs.FileSelector(self.path, recursive=True, allow_not_found=True))
        start = len(self.path.rstrip("/")) + 1
        return {
            each.path[start:]: int(each.size or 0)
            for each in sorted(found, key=lambda each: each.path)
            if each.type == fs.FileType.File
        }

    def open(self) -> Any:
        """Open the file for reading at any place."""
        return self.store.open_input_file(self.path)

    def read(self, most: int) -> bytes | None:
        """Return the content of a small file; None if there is no such file."""
        size = self.size()
        if size is None:
            return None
        if size > most:
            raise BadTable(f"{self} is larger than {most >> 20} MiB and is not read")
        with reading(self), self.open() as file:
            return bytes(file.read())

    # -- writing -------------------------------------------------------------------------------------

    def make_folder(self) -> None:
        """Make a folder and those above it; one that exists already stays."""
        with writing(self):
            self.store.create_dir(self.path, recursive=True)

    def write(self, content: bytes) -> None:
        """Write a small file, whole or not at all, replacing one of that name."""
        with writing(self):
            if self.local is not None:
                with published(self.local) as (draft,):
                    draft.write_bytes(content)
                return
            with self.store.open_output_stream(self.path) as file:
                file.write(content)

    @contextmanager
    def sink(self) -> Iterator[Any]:
        """Open a new file for writing, readable by its owner alone until it takes another name.

        It is removed if the block fails, and forced to disk if it succeeds.
        """
        with writing(self):
            if self.local is not None:
                os.close(os.open(self.local, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            try:
                with self.store.open_output_stream(self.path) as file:
                    yield file
            except BaseException:
                with suppress(OSError):
                    self.store.delete_file(self.path)
                raise
            if self.local is not None:
                sync(self.local)

    def claim(self) -> bool:
        """Make an empty file of a name that nobody has; False if somebody has it."""
        with writing(self):
            if self.local is None:
                if self.size() is not None:
                    return False
                self.write(b"")
                return True
            try:
                os.close(os.open(self.local, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            except FileExistsError:
                return False
        return True

    def take_name(self, target: Location) -> bool:
        """Give this file a name that nobody has; False if somebody has it, and then this file is gone.

        A disk and HDFS decide that in one step. An object store has no such step: there two writers at the
        same moment could both succeed, and the later file would stay.
        """
        with writing(target):
            taken = target.size() is not None
            if not taken:
                try:
                    if self.local is not None and target.local is not None:
                        mode = mode_beside(self.local)
                        os.link(self.local, target.local)
                        target.local.chmod(mode)
                    else:
                        self.store.move(self.path, target.path)
                except OSError:
                    taken = target.size() is not None
                    if not taken:
                        raise
            if taken or self.local is not None:
                self.remove()
            if target.local is not None:
                sync(target.local.parent)
        return not taken

    def remove(self) -> None:
        """Remove the file, or the folder with all that is in it, if it is there."""
        with writing(self):
            for last in (*[False] * RETRIES, True):
                kind = self.store.get_file_info(self.path).type
                try:
                    if kind == fs.FileType.File:
                        self.store.delete_file(self.path)
                    elif kind == fs.FileType.Directory:
                        self.store.delete_dir(self.path)
                    return
                except OSError:
                    if last or kind != fs.FileType.Directory:
                        raise


@lru_cache(maxsize=64)
def _reach(address: str, process: int) -> tuple[fs.FileSystem, str]:
    """Return a store and a path in it: once for each process, since some stores are asked where they are."""
    return fs.FileSystem.from_uri(address)
