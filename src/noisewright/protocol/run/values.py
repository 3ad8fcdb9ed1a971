"""The true values of the users that one worker holds; they are read there and never leave it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from noisewright.domains import Categories, Cells
from noisewright.errors import BadTable


@dataclass(frozen=True)
class Holding:
    """What a worker holds: how many users there are in all, and the labels of its own, every so-many-th."""

    total: int
    labels: list[Any]


def hold(people: Mapping[str, Any], domain: Categories, index: int, workers: int) -> Holding:
    """The labels of users index, index + workers, … , from a file or made up; unknown labels are refused."""
    if people["file"] is None:
        cells = _simulated(people["count"], people["share"])
    else:
        cells = read_cells(Path(people["file"]), people["column"], domain)
    return Holding(cells.size, [domain.labels[cell] for cell in cells[index::workers].tolist()])


def _simulated(count: int, share: float) -> Cells:
    """Made-up people: the first of them have the second of two labels."""
    return (np.arange(count) < round(count * share)).astype(np.int64)


def read_cells(path: Path, column: str, domain: Categories) -> Cells:
    """Places in the public list of one column of a file, looked up just as when a file is randomized."""
    from noisewright.engine.labels import LabelList  # noqa: PLC0415  (Arrow takes a moment to load)
    from noisewright.engine.naming import check_names  # noqa: PLC0415
    from noisewright.engine.reading import open_input  # noqa: PLC0415

    file, known = open_input(path), LabelList(domain)
    check_names([column], file.names, where=str(path))
    pieces: list[Cells] = []
    rows = 0
    for batch in file.batches([], [column]):
        pieces.append(known.places(batch.column(0), column, rows))
        rows += batch.num_rows
    if not rows:
        raise BadTable(f"{path} has columns but no rows; there is nobody to take part")
    return np.concatenate(pieces)
