"""Reports as a ledger keeps them: cells of numbers and labels as whole numbers, codes as bytes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewright.collect.book import Stored
from noisewright.domains.codes import Codes
from noisewright.mechanisms import Mechanism


def stored(mechanism: Mechanism, drawn: NDArray[Any]) -> list[Stored]:
    """What a mechanism drew for some cells, as rows hold it."""
    if not isinstance(mechanism.reports, Codes):
        cells: list[Stored] = drawn.tolist()
        return cells
    return [row.tobytes() for row in mechanism.reports.to_bytes(drawn)]


def returned(mechanism: Mechanism, rows: Sequence[Any]) -> NDArray[Any]:
    """Reports from what rows hold, as :meth:`Mechanism.perturb` returns them."""
    codes = mechanism.reports
    if not isinstance(codes, Codes):
        return np.asarray(codes.centres(rows))
    joined = np.frombuffer(b"".join(rows), dtype=np.uint8)
    return codes.from_bytes(joined.reshape(len(rows), codes.width))


def one_of(mechanism: Mechanism, reports: NDArray[Any]) -> Any:
    """The only report there is; a code stays what an array of codes is made of."""
    return reports[0] if isinstance(mechanism.reports, Codes) else reports.tolist()[0]
