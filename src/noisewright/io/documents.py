"""Noisewright's own documents in files: strict JSON with a head that names its kind and format.

A file may come from a stranger: its size is bounded, its head and the names of its fields are checked, and
nothing in it is run.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from noisewright import __version__
from noisewright.errors import BadTable
from noisewright.io.file_access import published, read_json, writing

HEAD: Final = ("noisewright", "format", "package")


@dataclass(frozen=True)
class DocumentKind:
    """One kind of document: what it is called, the verb that writes it, its fields and its largest size.

    >>> import tempfile
    >>> kind = DocumentKind("lunch", "cook", format=1, largest=1000, parts=("dish",))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     kind.read(kind.write(Path(folder) / "today.json", {"dish": "soup"}))["dish"]
    'soup'
    """

    name: str
    verb: str
    format: int
    largest: int
    parts: tuple[str, ...]

    @property
    def fields(self) -> tuple[str, ...]:
        """All fields, those of the head first."""
        return (*HEAD, *self.parts)

    def write(self, path: str | os.PathLike[str], parts: Mapping[str, Any]) -> Path:
        """Write a document, whole or not at all, and return its path."""
        head = zip(HEAD, (self.name, self.format, __version__), strict=True)
        text = json.dumps({**dict(head), **parts}, allow_nan=False, ensure_ascii=False)
        target = Path(path).resolve()  # what a link points to is replaced, not the link
        with writing(target), published(target) as (draft,):
            draft.write_text(text + "\n", encoding="utf-8")
        return target

    def read(self, path: str | os.PathLike[str]) -> Mapping[str, Any]:
        """Return the fields of a document, or say what is wrong with the file."""
        content = read_json(path, self.largest, self.name)
        if not isinstance(content, Mapping) or content.get("noisewright") != self.name:
            raise BadTable(f"{path} is not a {self.name} that noisewright {self.verb} wrote")
        form = content.get("format")
        if type(form) is int and form > self.format:
            raise BadTable(f"{path} was written by a newer Noisewright (format {form}); upgrade to read it")
        if set(content) != set(self.fields) or type(form) is not int or form != self.format:
            raise BadTable(f"{path} is broken: its fields must be exactly {', '.join(self.fields)}")
        return content
