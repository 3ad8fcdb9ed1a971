"""The public shape of a forest: which feature each level of each tree splits on."""

from __future__ import annotations

from typing import Any

import numpy as np

from noisewright.errors import InvalidParameter
from noisewright.parameters import whole

FeatureLists = tuple[tuple[int, ...], ...]


def drawn_lists(trees: int, depth: int, features: int, seed: int) -> FeatureLists:
    """Ordered features for each tree by public chance; a feature returns only after all the others.

    >>> drawn_lists(trees=2, depth=3, features=4, seed=0)
    ((2, 0, 1), (3, 2, 1))
    """
    generator = np.random.default_rng(seed)
    rounds = -(-depth // features)
    orders = [np.concatenate([generator.permutation(features) for _ in range(rounds)]) for _ in range(trees)]
    return tuple(tuple(order[:depth].tolist()) for order in orders)


def read_lists(lists: Any) -> FeatureLists | None:
    """Lists of column numbers as tuples, or a refusal."""
    if lists is None:
        return None
    try:
        read = tuple(tuple(whole("a feature", column, 0, 2**20) for column in tree) for tree in lists)
    except TypeError:
        read = ()
    if not read or not all(1 <= len(tree) <= 10 for tree in read):
        raise InvalidParameter("features must be one list of 1 to 10 column numbers for each tree")
    return read
