"""What a search leaves on disk: its seed, its runs, and those that bounds rest on, a folder for each pair.

Whoever asks again searches as before and finds the same pair, whatever the chance of the mechanism.
"""

from __future__ import annotations

import re
from os import PathLike
from pathlib import Path
from typing import Any, Final

from noisewright.audit.experiment.private_folder import cannot_keep, outputs_folder
from noisewright.audit.experiment.seeds import root_seed
from noisewright.engine.digest import digest
from noisewright.engine.private_files import write_private
from noisewright.engine.private_folder import ABOUT, PrivateFolder
from noisewright.errors import BadMechanism

SEED: Final = "seed.txt"
README: Final = """This folder is PRIVATE.

It holds the seed of a search for the most exposed pair of databases, the outputs that the search has seen,
and, in a folder for each pair that was bounded, outputs of the mechanism, drawn very many times; the names of
these folders tell who is exposed. Asked again, the audit draws none of them anew. Delete the folder when the
audit is done.
"""


def kept_seed(folder: Path | None, seed: int | None) -> int:
    """The seed to use: the one given, the one kept in the folder, or else a fresh one, kept from now on.

    It undoes noise that comes from it, so the folder is for its owner alone.
    """
    if folder is None:
        return root_seed(seed)
    private = outputs_folder(folder)
    try:
        private.make()
        return _kept(private, seed)
    except OSError as error:
        raise cannot_keep(private, error) from None


def search_folder(folder: Path, *search: Any) -> Path:
    """Where one search is kept, by whatever it depends on: the box, the database, the options."""
    return folder / f"search-{digest(*search)[:16]}"


def pair_folder(folder: Path, name: str) -> Path:
    """Where the runs of a pair are kept within its search.

    >>> str(pair_folder(Path("kept"), "random half 2: row 7 removed"))
    'kept/random-half-2-row-7-removed'
    """
    return folder / re.sub(r"\W+", "-", name).strip("-")


def keeps_runs(folder: str | PathLike[str]) -> bool:
    """Whether an audit of a pair or of a database left runs in its folder that it need not draw again."""
    return any(Path(folder).rglob("*.parquet"))


def _kept(folder: PrivateFolder, seed: int | None) -> int:
    path = folder.path / SEED
    if not path.exists():
        _begin(folder, root_seed(seed))
    text = path.read_text(errors="replace")
    if not (text.isascii() and text.isdigit()):
        raise BadMechanism(f"{path} is damaged; name an empty or a new folder")
    wanted = {} if seed is None else {"seed": root_seed(seed)}
    folder.check_same({"seed": int(text)}, wanted, "outputs of another audit")
    return root_seed(int(text))


def _begin(folder: PrivateFolder, seed: int) -> None:
    folder.check_empty()
    write_private(folder.path / ABOUT, README.encode())
    write_private(folder.path / SEED, str(seed).encode())
