"""Releases in files: what ``noisewright release -o`` writes and ``noisewright apply`` reads.

A file is strict JSON that may be passed on: it holds the noised vector, the card and nothing else about the
pool. Whoever reads it builds the model anew from these; nothing is unpickled, and sizes are bounded.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Self

import numpy as np

from noisewright.domains import Floats
from noisewright.engine.documents import DocumentKind
from noisewright.errors import BadTable, InvalidParameter, NoisewrightError
from noisewright.guarantees import PACPrivacy
from noisewright.release.algorithms.base import Facts
from noisewright.release.algorithms.catalogue import rebuild
from noisewright.release.card import Card

FORMAT: Final = 1
LARGEST: Final = 64 << 20
"""Bytes of the largest file that is read."""

MOST_UNNAMED: Final = 10_000
"""Features without names that a file may claim beyond those it has numbers for: names are made up for all."""

RELEASE: Final = DocumentKind(
    "release", "release", FORMAT, LARGEST, ("label", "coordinates", "vector", "card")
)


@dataclass(frozen=True, eq=False)
class SavedRelease:
    """A release that has left its data: the noised ``vector``, what its entries are called, and the card.

    ``label`` names the column that the model predicts, if it predicts one.
    """

    vector: Floats
    coordinates: tuple[str, ...]
    card: Card
    label: str | None = None

    def __post_init__(self) -> None:
        if not (self.vector.shape == (self.card.numbers,) and np.isfinite(self.vector).all()):
            raise InvalidParameter(
                f"the vector must be {self.card.numbers:,} finite numbers, as the card says"
            )
        if len(self.coordinates) != self.card.numbers or not all(
            isinstance(n, str) for n in self.coordinates
        ):
            raise InvalidParameter(f"coordinates must be {self.card.numbers:,} texts, one for each number")
        if self.card.names is None and self.card.features > max(self.card.numbers, MOST_UNNAMED):
            raise InvalidParameter(
                f"features of the card must be at most {MOST_UNNAMED:,}, or as many as the numbers released, "
                "if they have no names"
            )
        if not (self.label is None or isinstance(self.label, str)):
            raise InvalidParameter("label must be text or null")

    @property
    def facts(self) -> Facts:
        """What is public about the pool, without the reference of the worlds, which is exact."""
        return Facts(self.card.records, self.card.features, classes=self.card.classes, names=self.card.names)

    @property
    def guarantee(self) -> PACPrivacy | None:
        """What is proved about the release; None for a rule without a proof."""
        return None if self.card.nats is None else PACPrivacy(self.card.nats)

    @property
    def from_function(self) -> bool:
        """Whether somebody's own function was released: then there is a vector, but no model in the file."""
        return self.card.parameters.get("name") == "function"

    @cached_property
    def model(self) -> Any:
        """The model that the vector describes, built anew."""
        return rebuild(self.card.parameters).model(self.vector, self.facts)

    def check_model(self) -> None:
        """Refuse a vector that is not one of its algorithm; the model comes first, for it looks at sizes."""
        if self.from_function:
            return
        if self.model is None or rebuild(self.card.parameters).coordinates(self.facts) != self.coordinates:
            raise InvalidParameter("coordinates must be those of the algorithm")

    def to_dict(self) -> dict[str, Any]:
        """The release in plain JSON values."""
        return {
            "label": self.label,
            "coordinates": list(self.coordinates),
            "vector": self.vector.tolist(),
            "card": self.card.to_dict(),
        }

    @classmethod
    def from_dict(cls, described: Mapping[str, Any]) -> Self:
        """The release of :meth:`to_dict`, trusting nothing that is in it."""
        vector, coordinates = described["vector"], described["coordinates"]
        if not (isinstance(vector, list) and isinstance(coordinates, list)):
            raise InvalidParameter("vector and coordinates must be lists")
        if not all(type(entry) in (int, float) for entry in vector):
            raise InvalidParameter("the vector must hold numbers only")
        card = Card.from_dict(described["card"])
        return cls(np.array(vector, dtype=np.float64), tuple(coordinates), card, described["label"])


def save(
    path: str | os.PathLike[str], released: Any, card: Card | None = None, *, label: str | None = None
) -> Path:
    """Write a ``Released`` or ``UnboundedReleased``, whole or not at all; returns where it is."""
    names = released.algorithm.coordinates(released.facts)
    saved = SavedRelease(released.vector, names, Card.of(released) if card is None else card, label)
    return RELEASE.write(path, saved.to_dict())


def load(path: str | os.PathLike[str]) -> SavedRelease:
    """The release of a file with its model rebuilt, or a refusal that says what is wrong with it."""
    content = RELEASE.read(path)
    try:
        saved = SavedRelease.from_dict(content)
        saved.check_model()
    except (NoisewrightError, TypeError, ValueError, LookupError, AttributeError, ArithmeticError) as broken:
        raise BadTable(f"the release in {path} is refused: {_reason(broken)}") from None
    return saved


def _reason(broken: Exception) -> str:
    """What is wrong in our own words; those of Python name no field that a reader knows."""
    return (
        str(broken)[:300] if isinstance(broken, NoisewrightError) else "a field is missing or of another kind"
    )
