"""Provenance: the time, versions, command and inputs of a result, so that others can check it.

Nothing here names a machine or a person. Files are given by their name without folders, and by their SHA-256,
which ``sha256sum`` prints as well. A digest hides a file only from people who cannot guess its content:
whoever has, or tries, the right content can confirm it.
"""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from importlib import import_module
from typing import Any, Final

from noisewright.text import canonical_json

VERSION: Final[str] = import_module("noisewright").__version__
"""The version of this package; imported by name, since its stub names rooms that import this one."""

LIBRARIES: Final = ("numpy", "scipy", "scikit-learn")


def describe_environment() -> dict[str, str]:
    """Return the versions that a result was computed with, and nothing that identifies the machine.

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
        name: Its name without folders.
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
    """The subject of a result: a program, a function, an address, one of our mechanisms.

    Args:
        kind: Its kind in a word.
        name: The name that people use.
        parts: The files, or the description, that make it up.
    """

    kind: str
    name: str
    parts: tuple[Digest, ...] = ()

    @property
    def sha256(self) -> str:
        """The digest of the whole target: equal targets have equal digests."""
        return Digest.of_value(self.name, asdict(self)).sha256

    def to_dict(self) -> dict[str, Any]:
        """Return the target in strict JSON values."""
        return {**asdict(self), "parts": [asdict(part) for part in self.parts], "sha256": self.sha256}


@dataclass(frozen=True)
class Provenance:
    """The origin of a result: its command, inputs, time and versions.

    Args:
        command: The words of the command line, without secrets and private values.
        seed: The seed of the computation's random numbers; None if they were fresh, or if there were none.
        target: The subject of the result, if it is not one of the inputs.
        inputs: The files that were read.
        time: When the work began, in UTC, in ISO 8601.
        version: The version of this package.
        environment: Versions of Python and of libraries that may affect the result, and the kind of system.
        random: Whether the result depends on random numbers.
    """

    command: tuple[str, ...]
    seed: int | None = None
    target: Target | None = None
    inputs: tuple[Digest, ...] = ()
    time: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))
    version: str = VERSION
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
