"""What a card must fulfil before anything on it is believed: it may have been read from a file of others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from noisewright.errors import InvalidParameter
from noisewright.parameters import real, whole
from noisewright.release.card.shown import SHOWN

if TYPE_CHECKING:
    from noisewright.release.card.card import Card

MOST: Final = 10_000_000
MOST_CLASSES: Final = 10_000


def check_counts(card: Card) -> None:
    """Refuse counts that cannot be, or that contradict each other."""
    for name in ("numbers", "records", "features"):
        whole(f"{name} of the card", getattr(card, name), 1, MOST)
    for name in ("noised", "directions"):
        whole(f"{name} of the card", getattr(card, name), 0, card.numbers)
    if card.names is not None and len(card.names) != card.features:
        raise InvalidParameter("the card must name every feature, or none")
    if len(card.exact) != min(card.numbers - card.noised, SHOWN):
        raise InvalidParameter(f"the card must name the first {SHOWN} numbers that have no noise")
    if card.worlds is not None:
        whole("worlds of the card", card.worlds, 2, MOST)
    if len(card.classes or ()) > MOST_CLASSES:
        raise InvalidParameter(f"a card has room for {MOST_CLASSES:,} classes")


def check_texts(card: Card) -> None:
    """Refuse values of the wrong kind where a card has text, an object, a truth value or a number."""
    texts = (card.title, *(card.names or ()), *card.exact)
    texts += tuple(text for text in (card.noise, card.search) if text is not None)
    if not all(isinstance(text, str) for text in texts) or not isinstance(card.parameters, Mapping):
        raise InvalidParameter(
            "title, names, exact, noise and search of the card must be text, its parameters an object"
        )
    if type(card.simulated) is not bool:
        raise InvalidParameter("simulated of the card must be true or false")
    if real("total_variance of the card", card.total_variance) < 0:
        raise InvalidParameter("total_variance of the card must not be negative")
