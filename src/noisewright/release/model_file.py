"""Releases in files: what ``noisewright release -o`` writes and ``noisewright apply`` reads.

A file is strict JSON that may be passed on: it holds the noised vector, the card and nothing else about the
pool. A reader rebuilds the model from these; nothing is unpickled, and sizes are bounded.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Floats
from noisewright.errors import BadTable, InvalidParameter, NoisewrightError
from noisewright.guarantees import PACPrivacy
from noisewright.io.documents import DocumentKind
from noisewright.release.algorithms.base import Facts
from noisewright.release.algorithms.catalogue import rebuild
from noisewright.release.card import Card

FORMAT: Final = 1
LARGEST: Final = 64 << 20
"""Bytes of the largest file that is read."""

MOST_UNNAMED: Final = 10_000
"""Unnamed features that a file may claim beyond those it has numbers for; each gets a made-up name."""

DIGITS: Final = 12
"""Digits of a statistic, counted from its largest number: the rest are rounding errors."""

MOST_PLACES: Final = 300
"""Decimal places that a float can be rounded to."""

RELEASE: Final = DocumentKind(
    "release", "release", FORMAT, LARGEST, ("label", "coordinates", "vector", "card")
)


@dataclass(frozen=True, eq=False)
class SavedRelease:
    """A release read from a model file, without its data.

    Attributes:
        vector: Noised numbers.
        coordinates: A name for each of them.
        card: Privacy card.
        label: Name of the column that the model predicts; None if it predicts none.
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
            raise InvalidParameter(
                f"must be {self.card.numbers:,} texts, one for each number", field="coordinates"
            )
        if self.card.names is None and self.card.features > max(self.card.numbers, MOST_UNNAMED):
            raise InvalidParameter(
                f"features of the card must be at most {MOST_UNNAMED:,}, or as many as the numbers released, "
                "if they have no names"
            )
        if not (self.label is None or isinstance(self.label, str)):
            raise InvalidParameter("must be text or null", field="label")

    @property
    def facts(self) -> Facts:
        """The public facts about the pool, without the reference of the worlds, which is exact."""
        return Facts(self.card.records, self.card.features, classes=self.card.classes, names=self.card.names)

    @property
    def guarantee(self) -> PACPrivacy | None:
        """The guarantee of the release; None for a rule without a proof."""
        return None if self.card.nats is None else PACPrivacy(self.card.nats)

    @property
    def from_function(self) -> bool:
        """Whether a user's own function was released: then the file has a vector, but no model."""
        return self.card.parameters.get("name") == "function"

    @cached_property
    def model(self) -> Any:
        """The model that the vector describes, built anew."""
        return rebuild(self.card.parameters).model(self.vector, self.facts)

    @property
    def takes_rows(self) -> bool:
        """Whether the release is a model that predicts or transforms rows, rather than a statistic."""
        return not self.from_function and any(hasattr(self.model, name) for name in ("predict", "transform"))

    def apply(self, rows: Floats) -> dict[str, NDArray[Any]]:
        """Return the predicted label, cluster or number of each row, or its components, by name of a column.

        Args:
            rows: The features of the release, (rows, features), in the order of ``facts.columns()``.
        """
        model = _without_names(self.model)
        if hasattr(model, "predict"):
            name = "cluster" if self.label is None else f"predicted {self.label}"
            return {name: _finite(model.predict(rows))}
        found = _finite(model.transform(rows))
        return {f"component {place}": found[:, place] for place in range(found.shape[1])}

    def statistic(self) -> tuple[tuple[str, ...], Floats]:
        """Return the names and the numbers of a statistic, after free post-processing."""
        if self.from_function:
            return self.coordinates, self.vector
        return self.model.names, self.model.value

    def check_model(self) -> None:
        """Reject a vector that does not fit its algorithm; the model comes first, because it checks sizes."""
        if self.from_function:
            return
        if self.model is None or rebuild(self.card.parameters).coordinates(self.facts) != self.coordinates:
            raise InvalidParameter("must be those of the algorithm", field="coordinates")

    def to_dict(self) -> dict[str, Any]:
        """Return the release in plain JSON values."""
        return {
            "label": self.label,
            "coordinates": list(self.coordinates),
            "vector": self.vector.tolist(),
            "card": self.card.to_dict(),
        }

    @classmethod
    def from_dict(cls, described: Mapping[str, Any]) -> Self:
        """Return the release of :meth:`to_dict`, without trusting anything in it."""
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
    """Write a release as a model file, whole or not at all; return its path.

    Args:
        path: File to write.
        released: A ``Released`` or an ``UnboundedReleased``.
        card: Its card; None makes one.
        label: Name of the column that the model predicts; None if it predicts none.
    """
    names = released.algorithm.coordinates(released.facts)
    saved = SavedRelease(released.vector, names, Card.of(released) if card is None else card, label)
    return RELEASE.write(path, saved.to_dict())


def load(path: str | os.PathLike[str]) -> SavedRelease:
    """Return the release of a file with its model rebuilt, or raise an error that says what is wrong.

    Args:
        path: File that :func:`save` or ``noisewright release -o`` wrote.
    """
    content = RELEASE.read(path)
    try:
        saved = SavedRelease.from_dict(content)
        saved.check_model()
    except (NoisewrightError, TypeError, ValueError, LookupError, AttributeError, ArithmeticError) as broken:
        # in our own words: Python's messages name no field that a reader knows
        ours = str(broken)[:300] if isinstance(broken, NoisewrightError) else ""
        reason = ours or "a field is missing or of another kind"
        raise BadTable(f"the release in {path} is refused: {reason}") from None
    return saved


def without_rounding(values: Floats) -> Floats:
    """Round numbers of one column, such as the shares of its cells, to ``DIGITS`` of the largest among them.

    A column of one number is left as it is: a number smaller than another column need not be rounding.

    >>> without_rounding(np.array([[0.25, 0.75, 9.99e-17]])).tolist()
    [[0.25, 0.75, 0.0]]
    """
    if values.ndim < 2:
        return values
    rounded = values.copy()
    for column in rounded:
        largest = abs(column).max()
        if largest > 0:
            column[:] = column.round(min(DIGITS - 1 - math.floor(math.log10(largest)), MOST_PLACES))
    return rounded


def _finite(answers: NDArray[Any]) -> NDArray[Any]:
    """Return answers unchanged; numbers among them must be finite."""
    if answers.dtype.kind == "f" and not np.isfinite(answers).all():
        raise FloatingPointError
    return answers


def _without_names(model: Any) -> Any:
    """Return the model without column names: scikit-learn warns if a model has names and rows do not."""
    for part in [model, *(step for _, step in getattr(model, "steps", []))]:
        if "feature_names_in_" in vars(part):
            del part.feature_names_in_
    return model
