"""What a card promises and what not, in sentences; the same in the terminal and on the page.

Every bound is rounded up to the digits that are shown.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from noisewright.release.card.shown import nats_up, number_up, percent_down, percent_up
from noisewright.text import plain

if TYPE_CHECKING:
    from noisewright.release.card.card import Card
    from noisewright.release.card.guesses import Guess

NOT_PRIVATE: Final = (
    "NOT PRIVATE: simulated with a seed. Whoever has the seed can undo the noise, so nothing is promised. Do "
    "not publish this release."
)
WOULD: Final = "Nothing. A private run with the same settings would promise this:"
A_NAT: Final = (
    "the unit of information: 0 nats tell nothing, one bit is 0.69 nats, and from there on one record could "
    "be known for certain"
)
LIST: Final = "The list of halves is public, so a blind guess that names many records may follow it."
HIDES: Final = (
    "Noise hides which half was used by being large beside what moves from half to half. How good the "
    "numbers are is another question: compare the noise with the numbers themselves."
)
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
    return f"Privacy card of {plain(card.title)}"


def promise(card: Card) -> str:
    """What is promised, in one sentence."""
    return NOT_PRIVATE if card.simulated else bound(card)


def bound(card: Card) -> str:
    """What the noise would promise if it was drawn in secret."""
    if card.covered is None:
        return UNPROVED
    if card.success >= 1:
        return (
            f"With {nats_up(card.covered)} the proof bounds what is told about the half as a whole "
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
            f"of {percent_down(card.certificate.confidence)}"
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
    if card.total is None or card.added is None:
        return f"at most {nats_up(card.nats)} about which half was used"
    told = f"this one adds at most {nats_up(card.added)} about which half was used"
    if card.added < card.nats:
        told += f"; with the earlier ones at most {number_up(card.nats)}"
    return f"{told}; all releases from the same half may come to {number_up(card.total)}"


def at_most(card: Card, guess: Guess) -> str:
    """The bound on a guess; a simulated release has none."""
    return "no bound" if card.simulated else percent_up(guess.at_most)


def not_promised(card: Card) -> list[str]:
    """What nobody may read into the card, the most important first."""
    failing = (
        "The proof rests on a simulation. With a probability of up to "
        f"{number_up(card.failure or 1)} that one misled us, and then the bounds above do not hold."
    )
    return [POOL, AVERAGE, *([] if card.failure is None else [failing]), ADDS_UP]


def noise_words(card: Card) -> str:
    """The noise in all."""
    shape = {
        "optimal": "the least total",
        "paper": "as published, by coordinates",
        "isotropic": "alike in all",
    }
    kind = f" ({shape.get(card.noise, plain(card.noise))})" if card.noise is not None else ""
    return f"total variance {card.total_variance:.3g}{kind}"


def _seen(card: Card) -> str:
    return "this release" if card.total is None else "all releases from the same half"
