"""Folders for outputs on private inputs, and in which words an audit refuses them."""

from __future__ import annotations

from pathlib import Path

from noisewright.engine.private_folder import PrivateFolder
from noisewright.errors import BadMechanism, InvalidParameter


def outputs_folder(path: Path) -> PrivateFolder:
    """The private folder at a path, for outputs under audit."""
    return PrivateFolder(path, "outputs for private inputs", BadMechanism)


def cannot_keep(folder: PrivateFolder, error: OSError) -> InvalidParameter:
    """The refusal for a folder that the system does not let us use."""
    return InvalidParameter(f"outputs cannot be kept in {folder.path}: {error.strerror}; name another folder")
