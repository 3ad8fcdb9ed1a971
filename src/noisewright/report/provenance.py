"""Provenance: when, with what and from what a result came about, so that others can check it.

Nothing here names a machine or a person. Files go by their name, without folders, and by their SHA-256,
which ``sha256sum`` prints as well. A digest hides a file only from those who cannot guess it: whoever has,
or tries, the right content can confirm it.
"""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from noisewright import __version__
from noisewright.text import canonical_json

LIBRARIES: Final = ("numpy", "scipy", "scikit-learn")


def describe_environment() -> dict[str, str]:
    """Return what a result was computed with, and nothing that tells whose machine it was.

    >>> sorted(describe_environment())[:3]
    ['numpy', 'platform', 'python']
    """
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415  (slow to load)

    found = {"python": platform.python_version(), "platform": f"{platform.system()} {platform.machine()}"}
    for library in LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:  # an extra that is not installed
            continue
    return found


@dataclass(frozen=True)
class Digest:
    """The SHA-256 of a file, or of something described in JSON values.

    Attributes:
        name: What it is called, without folders.
        sha256: Its SHA-256 in hexadecimal.
    """

    name: str
    sha256: str

    @classmethod
    def of_value(cls, name: str, value: Any) -> Digest:
        """Take the SHA-256 of a value's canonical JSON: sorted keys, no spaces, ASCII.

        >>> Digest.of_value("law", {"b": 1, "a": 2}) == Digest.of_value("law", {"a": 2, "b": 1})
        True
        """
        return cls(name, hashlib.sha256(canonical_json(value)).hexdigest())


@dataclass(frozen=True)
class Target:
    """What a result is about: a program, a function, an address, one of our mechanisms.

    Args:
        kind: What it is, in a word.
        name: What people call it.
        parts: The files, or the description, that make it up.
    """

    kind: str
    name: str
    parts: tuple[Digest, ...] = ()

    @property
    def sha256(self) -> str:
        """The digest of all of it: two targets that share it are one."""
        return Digest.of_value(self.name, asdict(self)).sha256

    def to_dict(self) -> dict[str, Any]:
        """Return the target in strict JSON values."""
        return {**asdict(self), "parts": [asdict(part) for part in self.parts], "sha256": self.sha256}


@dataclass(frozen=True)
class Provenance:
    """How a result came about.

    Args:
        command: The words of the command line, without secrets and private values.
        seed: The seed of the computation's own chance; None if it was fresh, or if there was none.
        target: What the result is about, where that is not in the inputs.
        inputs: The files that were read.
        time: When the work began, in UTC, as ISO 8601 has it.
        version: The version of this package.
        environment: The versions of Python and of libraries that may move a result, and the kind of system.
        random: Whether chance had a part in the result.
    """

    command: tuple[str, ...]
    seed: int | None = None
    target: Target | None = None
    inputs: tuple[Digest, ...] = ()
    time: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))
    version: str = __version__
    environment: Mapping[str, str] = field(default_factory=describe_environment)
    random: bool = True

    def to_dict(self) -> dict[str, Any]:
        """Return the provenance in strict JSON values."""
        return {
            "time": self.time,
            "version": self.version,
            "command": list(self.command),
            "target": None if self.target is None else self.target.to_dict(),
            "inputs": [asdict(each) for each in self.inputs],
            "environment": dict(self.environment),
            "seed": self.seed,
        }
