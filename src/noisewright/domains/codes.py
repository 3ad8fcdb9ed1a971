"""Domains of reports that are not values: bits for every label, a hash with its seed, a place in a code.

Such reports are stored as a fixed number of bytes. Reading checks them as far as possible without
knowing the person: an analyst never counts a report that no mechanism can have made.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewright.domains.base import Domain
from noisewright.errors import OutOfDomain
from noisewright.parameters import whole

Bytes = NDArray[np.uint8]

MOST_BITS = 1 << 20
"""Bits of the longest report: one for each label of the longest list."""

SEEDED = np.dtype([("seed", "<u8"), ("value", "<u2")])
"""Memory layout of a hashed report: ten bytes, the seed first."""


class Codes(Domain):
    """Reports of a fixed number of bytes."""

    @property
    @abstractmethod
    def width(self) -> int:
        """Number of bytes of a report."""

    @property
    @abstractmethod
    def bits(self) -> float:
        """Number of bits that distinguish one report from all others."""

    @abstractmethod
    def checked(self, reports: ArrayLike) -> NDArray[Any]:
        """Return reports as an array; refuse those that no mechanism can have made."""

    @abstractmethod
    def to_bytes(self, reports: ArrayLike) -> Bytes:
        """Return reports as rows of bytes, checked."""

    @abstractmethod
    def from_bytes(self, rows: Bytes) -> NDArray[Any]:
        """Return reports from rows of bytes; refuse those that no mechanism can have made."""

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "size": self.size}  # type: ignore[attr-defined]

    @classmethod
    def _from_fields(cls, fields: Mapping[str, Any]) -> Self:
        return cls(fields["size"])  # type: ignore[call-arg]

    def _rows(self, rows: Bytes) -> Bytes:
        found = np.asarray(rows)
        if found.dtype != np.uint8 or found.ndim != 2 or found.shape[1] != self.width:
            raise OutOfDomain(f"reports of this kind are rows of {self.width} bytes")
        return found


@dataclass(frozen=True)
class BitStrings(Codes):
    """One bit for each label, packed; the first label is the lowest bit of the first byte.

    Attributes:
        size: Number of labels, at least 2.

    >>> BitStrings(10).from_bytes(np.array([[5, 2]], dtype=np.uint8))
    array([[5, 2]], dtype=uint8)
    """

    size: int
    kind: ClassVar[str] = "bit strings"

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", whole("the number of bits", self.size, 2, MOST_BITS))

    @property
    def width(self) -> int:
        return -(-self.size // 8)

    @property
    def bits(self) -> float:
        return float(self.size)

    def to_bytes(self, reports: ArrayLike) -> Bytes:
        return self.checked(reports)

    def from_bytes(self, rows: Bytes) -> Bytes:
        return self.checked(rows)

    def checked(self, reports: ArrayLike) -> Bytes:
        found = self._rows(np.asarray(reports))
        spare = 8 * self.width - self.size
        if spare and (found[:, -1] >> np.uint8(8 - spare)).any():
            raise OutOfDomain(f"a report has bits beyond the {self.size} labels")
        return found


@dataclass(frozen=True)
class HashedLabels(Codes):
    """A seed of 64 bits that names a hash function, and one of the values that it can take.

    Attributes:
        size: Number of hash values, from 2 to 65,536.

    >>> reports = np.array([(7, 3)], dtype=SEEDED)
    >>> HashedLabels(4).from_bytes(HashedLabels(4).to_bytes(reports)) == reports
    array([ True])
    """

    size: int
    kind: ClassVar[str] = "hashed labels"

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", whole("the number of hash values", self.size, 2, 1 << 16))

    @property
    def width(self) -> int:
        return SEEDED.itemsize

    @property
    def bits(self) -> float:
        return 64.0 + float(np.log2(self.size))

    def to_bytes(self, reports: ArrayLike) -> Bytes:
        found = np.ascontiguousarray(self.checked(reports))
        return found.view(np.uint8).reshape(found.size, self.width)

    def from_bytes(self, rows: Bytes) -> NDArray[Any]:
        return self.checked(np.ascontiguousarray(self._rows(rows)).view(SEEDED).reshape(-1))

    def checked(self, reports: ArrayLike) -> NDArray[Any]:
        found = np.asarray(reports)
        if found.dtype != SEEDED or found.ndim != 1:
            raise OutOfDomain("hashed reports are pairs of a seed and a value")
        if (found["value"] >= self.size).any():
            raise OutOfDomain(f"a report has a hash value outside 0 to {self.size - 1}")
        return found


@dataclass(frozen=True)
class Places(Codes):
    """One of the whole numbers from 0 to ``size`` − 1.

    Attributes:
        size: Number of places, from 2 to 2³¹.

    >>> Places(300).to_bytes([258]).tolist()
    [[2, 1, 0, 0]]
    """

    size: int
    kind: ClassVar[str] = "places"

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", whole("the number of places", self.size, 2, 1 << 31))

    @property
    def width(self) -> int:
        return 4

    @property
    def bits(self) -> float:
        return float(np.log2(self.size))

    def to_bytes(self, reports: ArrayLike) -> Bytes:
        found = self.checked(reports)
        return np.ascontiguousarray(found, dtype="<u4").view(np.uint8).reshape(found.size, self.width)

    def from_bytes(self, rows: Bytes) -> NDArray[np.int64]:
        numbers = np.ascontiguousarray(self._rows(rows)).view("<u4").reshape(-1)
        return self.checked(numbers.astype(np.int64))

    def checked(self, reports: ArrayLike) -> NDArray[Any]:
        found = np.asarray(reports)
        if found.dtype.kind not in "iu" or found.ndim != 1:
            raise OutOfDomain("reports of this kind are whole numbers")
        if found.size and (found.min() < 0 or found.max() >= self.size):
            raise OutOfDomain(f"a report is a number outside 0 to {self.size - 1}")
        return found
