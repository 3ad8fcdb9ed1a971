"""Groups of records, for asking whether privacy costs some people more than others."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewright.domains import Cells
from noisewright.errors import InvalidParameter

MOST_GROUPS = 100


def group_members(groups: ArrayLike | None, records: int, places: Cells) -> dict[str, Cells]:
    """The places of each group among the records that are looked at.

    >>> members = group_members(["f", "m", "f"], 3, np.array([0, 2]))
    >>> {name: which.tolist() for name, which in members.items()}
    {'f': [0, 1]}
    """
    if groups is None:
        return {}
    labels: NDArray[Any] = np.asarray(groups).reshape(-1)
    if labels.size != records:
        raise InvalidParameter(f"there are {labels.size} group labels for {records} records")
    texts = np.array([str(label) for label in labels.tolist()])[places]
    names = np.unique(texts)
    if names.size > MOST_GROUPS:
        raise InvalidParameter(
            f"the records fall into {names.size} groups; at most {MOST_GROUPS} can be compared"
        )
    return {str(name): np.flatnonzero(texts == name) for name in names}
