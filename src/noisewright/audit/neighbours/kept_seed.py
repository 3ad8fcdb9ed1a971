"""The seed of a relative audit whose samples are kept: asked again, it must search and draw as before."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from noisewright.audit.experiment.seeds import root_seed
from noisewright.engine.private_files import write_private
from noisewright.errors import BadMechanism, InvalidParameter

SEED: Final = "seed.txt"


def kept_seed(folder: Path | None, seed: int | None) -> int:
    """The seed to use: the one given, the one kept in the folder, or else a fresh one, kept from now on.

    It undoes noise that comes from it, so the folder is for its owner alone.
    """
    if folder is None:
        return root_seed(seed)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return _kept(folder / SEED, seed)
    except OSError as error:
        raise InvalidParameter(
            f"outputs cannot be kept in {folder}: {error.strerror}; name another folder"
        ) from None


def _kept(path: Path, seed: int | None) -> int:
    if not path.exists():
        write_private(path, str(root_seed(seed)).encode())
    text = path.read_text(errors="replace")
    if not (text.isascii() and text.isdigit()):
        raise BadMechanism(f"{path} is damaged; name an empty or a new folder")
    if seed is not None and root_seed(seed) != int(text):
        raise BadMechanism(
            f"the folder {path.parent} holds outputs of another audit (different: seed); repeat that one as "
            "it was, or name an empty or a new folder"
        )
    return root_seed(int(text))
