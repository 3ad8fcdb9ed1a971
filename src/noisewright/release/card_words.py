"""What a card says, sentence by sentence; the same in the terminal and on the page.

Every bound is rounded up to the digits that are shown.
"""

from __future__ import annotations

import math
from typing import Any, Final

from noisewright.randomness import SIMULATED
from noisewright.release.card import Card
from noisewright.release.card_shown import clean, listed, number_up, percent_up

NOT_PRIVATE: Final = f"The secret and the noise were {SIMULATED}. Do not publish this release."
POOL: Final = (
    "MEMBERSHIP IN THE POOL IS NOT PROTECTED. Only which half of the pool was used is. That somebody's "
    "record is in the pool at all may show, and so may whatever holds for the whole pool."
)
AVERAGE: Final = (
    "The bounds are averages over which half was drawn, and over the noise. No single draw and no worst case "
    "is promised anything."
)
ADDS_UP: Final = (
    "Releases add up. Those from one and the same half add their nats, and those from halves drawn anew each "
    "tell as much about their own half. Drawing again until a release looks good is not covered at all."
)
UNPROVED: Final = (
    "NOTHING IS PROVED about this release: its noise follows the published stopping rule, which often gives "
    "too little."
)


def heading(card: Card) -> str:
    """The title of a card."""
    return f"Privacy card of {clean(card.title)}"


def promise(card: Card) -> str:
    """The promise in one sentence."""
    if card.covered is None:
        return UNPROVED
    if card.success >= 1:
        return (
            f"With {number_up(card.covered)} nats the proof bounds what is told about the half as a whole "
            "but says nothing about single records: somebody may be right about one record every time."
        )
    certain = certainty(card)
    return (
        f"Whoever sees {_seen(card)} and knows everything but which half of the pool was used is right about "
        f"whether one record was in that half at most {percent_up(card.success)} of the time, where blind "
        f"guessing is right 50 % of the time{certain}."
    )


def certainty(card: Card) -> str:
    """What the promise itself hangs on, if on anything."""
    parts = []
    if card.certificate is not None and card.certificate.trials:
        parts.append(
            f"found by playing the best possible attack {card.certificate.trials:,} times, at a confidence "
            f"of {100 * card.certificate.confidence:g} %"
        )
    if card.failure is not None:
        parts.append(f"unless the simulation behind it failed, which has a probability of {card.failure:g}")
    return f" ({'; '.join(parts)})" if parts else ""


def epsilon_words(card: Card) -> str:
    """The same success in the currency of differential privacy."""
    if not math.isfinite(card.epsilon):
        return "no finite ε of differential privacy allows as much"
    return (
        f"ε = {number_up(card.epsilon)} of pure differential privacy allows the same success, but protects "
        "more: every record, in the worst case"
    )


def nats_words(card: Card) -> str:
    """The promise in nats."""
    if card.nats is None:
        return "no bound is proved"
    least = f"at most {number_up(card.nats)} nats about which half was used"
    if card.total is None:
        return least
    return f"{least}; all releases from the same half together at most {number_up(card.total)} nats"


def released_words(card: Card) -> list[tuple[str, str]]:
    """What was released, as names and values."""
    used = "one half, drawn in secret from all halves"
    if card.worlds is not None:
        used = f"one half, drawn in secret from {card.worlds:,} public halves"
    return [
        ("algorithm", f"{clean(card.title)}{_settings(card.parameters)}"),
        ("numbers", _numbers(card)),
        ("pool", f"{card.records:,} records with {card.features:,} features"),
        ("used", used),
    ]


def not_promised(card: Card) -> list[str]:
    """What nobody may read into the card, the most important first."""
    failing = (
        "The proof rests on a simulation. With a probability of up to "
        f"{number_up(card.failure or 1)} that one misled us, and then the bounds above do not hold."
    )
    return [POOL, AVERAGE, *([] if card.failure is None else [failing]), ADDS_UP]


def taken_as_public(card: Card) -> list[str]:
    """What follows from the whole pool and is told without noise."""
    told = [f"There are {card.records:,} records with {card.features:,} features."]
    if card.names is not None:
        told.append(f"Features: {listed(card.names)}.")
    if card.classes is not None:
        told.append(f"Classes: {listed(card.classes)}.")
    if card.search is not None:
        told.append(f"Parameters were chosen on the whole pool: {clean(card.search)}.")
    if card.noised < card.numbers:
        same = card.numbers - card.noised
        told.append(f"{same:,} of the published numbers are alike in all halves, and are told exactly.")
    told.append("How large the noise is follows from the pool, too.")
    return told


def noise_words(card: Card) -> str:
    """The noise in all."""
    shape = {
        "optimal": "the least total",
        "paper": "as published, by coordinates",
        "isotropic": "alike in all",
    }
    kind = f" ({shape.get(card.noise, clean(card.noise))})" if card.noise is not None else ""
    return f"total variance {card.total_variance:.3g}{kind}"


def _numbers(card: Card) -> str:
    if card.noised == card.numbers:
        return f"{card.numbers:,}, all of them with noise"
    same = card.numbers - card.noised
    return f"{card.numbers:,}, {card.noised:,} of them with noise; {same:,} are alike in all halves"


def _seen(card: Card) -> str:
    return "this release" if card.total is None else "all releases from the same half"


def _settings(parameters: Any) -> str:
    """Parameters in brackets; the name of the algorithm itself is told already."""
    told = [f"{clean(key)} {_setting(value)}" for key, value in _flat(parameters) if value is not None]
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
    return f"{value:g}" if isinstance(value, float) else clean(value)
