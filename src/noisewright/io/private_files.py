"""Files and folders for their owner alone: kept results of private data must not be readable by others."""

from __future__ import annotations

import json
import os
import secrets
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from noisewright.errors import BadDocument, NoisewrightError
from noisewright.io.strict_json import strict_json

ABOUT: Final = "README.txt"
MANIFEST: Final = "manifest.json"


def open_to_others(path: Path) -> bool:
    """Return whether others may read, write or enter a file or folder; False on unknown systems."""
    return os.name == "posix" and bool(path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO))


def write_private(path: Path, content: bytes) -> None:
    """Write a file for its owner alone, whole or not at all."""
    draft = path.with_name(f".{path.name}-{secrets.token_hex(4)}.part")
    try:
        with open(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


@dataclass(frozen=True)
class PrivateFolder:
    """A folder for the intermediate results of one piece of work, which it can resume.

    Each room raises its own kind of error, for the same reasons. Whatever the system does not allow stays an
    ``OSError``.

    Attributes:
        path: The folder.
        holds: What would be open to others, for a refusal.
        refusal: The error of the room that keeps it.

    >>> import tempfile
    >>> from noisewright.errors import BadRelease
    >>> with tempfile.TemporaryDirectory() as place:
    ...     folder = PrivateFolder(Path(place) / "kept", "exact outputs", BadRelease)
    ...     folder.make()
    ...     before = folder.manifest()
    ...     folder.begin("This folder is PRIVATE.", {"format": 1})
    ...     before, folder.manifest()
    (None, {'format': 1})
    """

    path: Path
    holds: str
    refusal: type[NoisewrightError]

    def make(self) -> None:
        """Make the folder for its owner alone; one that is there and open to others is refused."""
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        if open_to_others(self.path):
            raise self.refusal(
                f"the folder {self.path} would hold {self.holds} and is open to others; take their rights "
                "away with chmod 700, or name a folder that does not exist yet"
            )

    def check_empty(self) -> None:
        """Refuse a folder that holds other files."""
        if any(each.name != ABOUT and not each.name.startswith(".") for each in self.path.iterdir()):
            raise self.refusal(f"the folder {self.path} holds other files; name an empty or a new one")

    def begin(self, about: str, manifest: dict[str, Any]) -> None:
        """Mark the folder, for people and for programs, as belonging to this work."""
        write_private(self.path / ABOUT, about.encode())
        write_private(self.path / MANIFEST, json.dumps(manifest, indent=1).encode())

    def manifest(self) -> dict[str, Any] | None:
        """Return the manifest of the folder, or None for an empty one."""
        path = self.path / MANIFEST
        if not path.exists():
            self.check_empty()
            return None
        try:
            kept = strict_json(path.read_bytes(), MANIFEST)
        except BadDocument:
            kept = None
        if not isinstance(kept, dict):
            raise self.damaged()
        return kept

    def damaged(self) -> NoisewrightError:
        """Return the refusal of a manifest that is incomplete or unreadable."""
        return self.refusal(f"the manifest in {self.path} is damaged; name an empty or a new folder")

    def check_same(
        self, kept: dict[str, Any], wanted: dict[str, Any], another: str, again: str = "that one"
    ) -> None:
        """Refuse a folder of ``another`` piece of work, which differs in any wanted field."""
        other = [name for name in wanted if kept.get(name) != wanted[name]]
        if other:
            raise self.refusal(
                f"the folder {self.path} holds {another} (different: {', '.join(other)}); repeat {again} as "
                "it was, or name an empty or a new folder"
            )
