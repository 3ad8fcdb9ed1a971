"""Files of routes as the verbs read and write them: refusals name the file and speak of options."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from noisewright.cli.assignments import assignment
from noisewright.errors import BadTable, InvalidParameter, NoisewrightError

if TYPE_CHECKING:
    from noisewright.domains import Floats
    from noisewright.trajectory.cells import CellReports
    from noisewright.trajectory.collection import Collection
    from noisewright.trajectory.files import RouteFile

COLUMN: Final = "--column wants name=column, for example route=trip_number"


def read_columns(texts: Sequence[str] | None) -> dict[str, str]:
    """Which column is which, as the options say.

    >>> read_columns(["route=trip", "time=when"])
    {'route': 'trip', 'time': 'when'}
    """
    found: dict[str, str] = {}
    for text in texts or []:
        name, column = assignment(text, COLUMN)
        if name in found:
            raise InvalidParameter(f"--column names {name} twice")
        found[name] = column
    return found


def read_file(path: Path, columns: Sequence[str] | None = None, *, one_route: bool = False) -> RouteFile:
    """The routes of a file, true or private."""
    from noisewright.trajectory.files import read_routes  # noqa: PLC0415  (mechanisms take a moment to load)

    with _in_words_of_options():
        return read_routes(path, columns=read_columns(columns), one_route=one_route)


def read_collection(path: Path) -> tuple[RouteFile, Collection]:
    """The private routes of a file, and what it says of how they were made."""
    from noisewright.trajectory.collection import Collection  # noqa: PLC0415

    file = read_file(path)
    try:
        return file, Collection.of_file(file)
    except NoisewrightError as refusal:
        raise BadTable(f"cannot use {path}: {refusal}") from None


def read_evidence(path: Path) -> tuple[RouteFile, Collection]:
    """The reports of a file, as they were drawn: what was changed since is no evidence any more."""
    file, collection = read_collection(path)
    if collection.processed is not None:
        raise BadTable(
            f"{path} no longer holds the reports as they were drawn, but {collection.processed}; "
            "use the file that routes perturb wrote before that"
        )
    return file, collection


def read_countable(path: Path) -> Collection | CellReports:
    """The reports of a file that can be counted: locations as they were drawn, or cells of a grid."""
    from noisewright.trajectory.cell_files import is_cell_file, read_cells  # noqa: PLC0415  (slow to load)

    return read_cells(path) if is_cell_file(path) else read_evidence(path)[1]


def read_points(path: str | None, coordinates: str) -> Floats | None:
    """The public points of a file, each once, in the same kind of coordinates as the routes."""
    if path is None:
        return None
    import numpy as np  # noqa: PLC0415

    file = read_file(Path(path), one_route=True)
    if file.coordinates != coordinates:
        raise BadTable(f"the points of {path} are not in the same kind of coordinates as the routes")
    return np.unique(file.routes.points, axis=0)


def check_routes_output(output: Path, original: Path, *, force: bool) -> None:
    """Refuse, before any work is done, an output that could not be written in the end."""
    from noisewright.engine.outputs import check_target  # noqa: PLC0415  (Arrow is slow to load)
    from noisewright.trajectory.files.kinds import kind_of  # noqa: PLC0415

    kind_of(output)
    check_target(output, original if original.exists() else None, replace=force)


@contextmanager
def _in_words_of_options() -> Iterator[None]:
    """Let refusals that name the argument ``columns`` of a function name the option instead."""
    try:
        yield
    except (BadTable, InvalidParameter) as refusal:
        raise type(refusal)(in_words_of_options(str(refusal))) from None


def in_words_of_options(message: str) -> str:
    """A refusal of a reader in the words of the command line.

    >>> in_words_of_options('say which by columns={"longitude": "lon", "latitude": "lat"}')
    'say which by --column longitude=lon --column latitude=lat'
    """
    message = re.sub(r"columns=\{(.*?)\}", lambda found: _options(found.group(1)), message)
    return message.replace("columns has the key", "--column has the name").replace(
        "columns gives", "--column gives"
    )


def _options(pairs: str) -> str:
    return " ".join(f"--column {name}={column}" for name, column in re.findall(r'"(.*?)": "(.*?)"', pairs))
