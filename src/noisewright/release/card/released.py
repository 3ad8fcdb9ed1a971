"""What a card says was released, and of which pool; the same in the terminal and on the page."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from noisewright.release.card.shown import counted, listed
from noisewright.text import plain

if TYPE_CHECKING:
    from noisewright.release.card.card import Card

FEW_RECORDS: Final = 64
"""More records than these have more halves than any list."""


def released_words(card: Card) -> list[tuple[str, str]]:
    """What was released, as names and values."""
    return [
        ("algorithm", f"{plain(card.title)}{_settings(card.parameters)}"),
        ("numbers", _numbers(card)),
        ("pool", _size(card)),
        ("used", f"one half, drawn {'by the seed' if card.simulated else 'in secret'} from {_halves(card)}"),
    ]


def taken_as_public(card: Card) -> list[str]:
    """What follows from the whole pool and is told without noise."""
    told = [f"There are {_size(card)}."]
    if card.names is not None:
        told.append(f"Features: {listed(card.names)}.")
    if card.classes is not None:
        told.append(f"Classes: {listed(card.classes)}.")
    if card.search is not None:
        told.append(f"Parameters were chosen on the whole pool: {plain(card.search)}.")
    if card.noised < card.numbers:
        told.append(f"Told exactly, being alike in all halves: {_exact(card)}.")
    told.append("How large the noise is follows from the pool, too.")
    return told


def _numbers(card: Card) -> str:
    same = card.numbers - card.noised
    told = "all of them with noise" if card.numbers > 1 else "with noise"
    if same:
        are = "is" if same == 1 else "are"
        told = f"{card.noised:,} of them with noise; {same:,} {are} alike in all halves and told exactly"
    if card.directions < card.noised:
        across = "it is" if card.directions == 1 else "these are"
        directions = counted(card.directions, "direction")
        told += f"; the noise has {directions}, and sums that lie across {across} exact"
    return f"{card.numbers:,}, {told}"


def _exact(card: Card) -> str:
    more = card.numbers - card.noised - len(card.exact)
    return listed(card.exact) + (f" and {more:,} more" if more else "")


def _size(card: Card) -> str:
    return f"{counted(card.records, 'record')} with {counted(card.features, 'feature')}"


def _halves(card: Card) -> str:
    """What the half was drawn from; a list longer than there are halves repeats some."""
    if card.worlds is None:
        return "all halves"
    sizes = 1 + card.records % 2  # of an odd pool, both halves of a pair
    possible = sizes * math.comb(card.records, card.records // 2) if card.records < FEW_RECORDS else math.inf
    if possible < card.worlds:
        return f"{card.worlds:,} public draws of a half, at most {possible:,} of them different"
    return f"{card.worlds:,} public halves"


def _settings(parameters: Any) -> str:
    """Parameters in brackets; the name of the algorithm itself is told already."""
    told = [f"{plain(key)} {_setting(value)}" for key, value in _flat(parameters) if value is not None]
    return f" ({', '.join(told)})" if told else ""


def _flat(parameters: Any) -> list[tuple[str, Any]]:
    pairs: list[tuple[str, Any]] = []
    for key, value in parameters.items():
        if isinstance(value, dict):
            pairs += _flat(value)
        elif key not in ("algorithm", "name", "kind"):
            pairs.append((key, value))
    return pairs


def _setting(value: Any) -> str:
    if isinstance(value, list | tuple):
        return f"[{listed(value)}]"
    return f"{value:g}" if isinstance(value, float) else plain(value)
