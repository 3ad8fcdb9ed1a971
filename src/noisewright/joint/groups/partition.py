"""Random groups that follow from a seed: everyone who knows the seed computes the same, and can check it.

Each user gets a 64-bit word of an AES-256 counter stream keyed by the seed; the order of the words is the
order of the users, and neighbours form a group. If two words are equal all are drawn anew, so that every
order is equally likely (:mod:`noisewright.mechanisms.joint.shared_coins`).
"""

from __future__ import annotations

import hashlib
from typing import Final

import numpy as np
from numpy.typing import NDArray

from noisewright.mechanisms.joint.group_law import check_whole_groups
from noisewright.parameters import whole
from noisewright.randomness import NONCE_BYTES, Stream, uniform_order

PAIR: Final = 2
MOST_USERS: Final = 1 << 28
"""Beyond this many users two words of 64 bits would often be equal, and all be drawn again and again."""

_DOMAIN: Final = b"noisewright grouping 1\0"

Groups = NDArray[np.int64]
"""One row a group: the places of its users, in the order that gives them their roles."""


def group_users(seed: bytes, users: int, size: int = PAIR) -> Groups:
    """Return a uniformly random partition of users 0, 1, …, users − 1 into groups of one size, from a seed.

    >>> groups = group_users(b"s" * 32, users=6)
    >>> groups.shape, sorted(groups.ravel().tolist())
    ((3, 2), [0, 1, 2, 3, 4, 5])
    """
    check_division(users, size)
    stream = Stream(hashlib.sha256(_DOMAIN + seed).digest(), bytes(NONCE_BYTES), renewable=False)
    return uniform_order(users, stream).reshape(-1, size)


def check_division(users: int, size: int = PAIR) -> None:
    """Refuse a number of users that cannot be divided into groups.

    >>> check_division(7)
    Traceback (most recent call last):
    ...
    noisewright.errors.InvalidParameter: an odd number of users in pairs: 7 users leave 1 without ...
    """
    whole("the size of a group", size, 2, MOST_USERS)
    whole("users", users, size, MOST_USERS)
    check_whole_groups(users, size)


def partners(groups: Groups) -> Groups:
    """Return the partner of every user of a partition into pairs.

    >>> partners(np.array([[2, 0], [1, 3]])).tolist()
    [2, 3, 0, 1]
    """
    partner = np.empty(groups.size, dtype=np.int64)
    partner[groups[:, 0]], partner[groups[:, 1]] = groups[:, 1], groups[:, 0]
    return partner
