"""A folder for outputs on private inputs: its owner's alone, and nothing else in it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from noisewright.engine.private_files import open_to_others
from noisewright.errors import BadMechanism, InvalidParameter

ABOUT: Final = "README.txt"


def make_private(folder: Path) -> None:
    """Make the folder for its owner alone; one that is there and open to others is refused."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if open_to_others(folder):
        raise BadMechanism(
            f"the folder {folder} would hold outputs for private inputs and is open to others; take their "
            "rights away with chmod 700, or name a folder that does not exist yet"
        )


def check_empty(folder: Path) -> None:
    """Refuse a folder with files that are not ours."""
    if any(each.name != ABOUT and each.name[0] != "." for each in folder.iterdir()):
        raise BadMechanism(f"the folder {folder} holds other files; name an empty or a new one")


def cannot_keep(folder: Path, error: OSError) -> InvalidParameter:
    """The refusal for a folder that the system does not let us use."""
    return InvalidParameter(f"outputs cannot be kept in {folder}: {error.strerror}; name another folder")
