"""The card as a document for lay readers: the release, the promise and its limits, the noise.

The words are the same in the terminal and on the page. Every bound is rounded up to the digits that are
shown, and control characters in names are made visible.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import ROUND_CEILING, Context, Decimal
from typing import TYPE_CHECKING, Any, Final

from noisewright.release.card.parts import SHOWN
from noisewright.report import Block, Bullets, Caution, Facts, Mark, Report, Section, Strong, Table, number
from noisewright.text import confidence_words, counted, listed, plain, shortened

if TYPE_CHECKING:
    from noisewright.release.card.card import Card

LONGEST: Final = 40
"""Letters of the longest name of a group of numbers."""

VOID: Final = "NOT PRIVATE"
NOT_PRIVATE: Final = (
    f"{VOID}: simulated with a seed. Whoever has the seed can undo the noise, so nothing is promised. Do "
    "not publish this release."
)
WOULD: Final = "Nothing. A private run with the same settings would promise this:"
A_NAT: Final = (
    "the unit of information: 0 nats reveal nothing, one bit is 0.69 nats, and from there on one record "
    "could be known for certain"
)
LIST: Final = "The list of worlds is public, so a blind guess that names many records may follow it."
HIDES: Final = (
    "Noise hides which world was used by being large compared with the change from world to world. How good "
    "the numbers are is another question: compare the noise with the numbers themselves."
)
POOL: Final = (
    "MEMBERSHIP IN THE POOL IS NOT PROTECTED. Only which world (half of the pool) was used is. The release "
    "may show that somebody's record is in the pool at all, and whatever holds for the whole pool."
)
AVERAGE: Final = (
    "The bounds are averages over which world was drawn, and over the noise. They promise nothing about a "
    "single draw or a worst case."
)
ADDS_UP: Final = (
    "Releases add up. Releases from the same world add their nats; releases from worlds drawn anew each "
    "reveal as much about their own world. Drawing again until a release looks good is not covered at all."
)
UNPROVED: Final = (
    "NOTHING IS PROVED about this release: its noise follows the published stopping rule, which often gives "
    "too little."
)

FEW_RECORDS: Final = 64
"""A pool with more records has more halves than any list of worlds."""


def card_report(card: Card) -> Report:
    """Describe a card as a document; that of a simulated release begins with a warning."""
    mark, lead = None, promise(card)
    first, *others = not_promised(card)
    if card.simulated:
        mark, lead = Mark("✗", VOID), lead.removeprefix(f"{VOID}: ")
    return Report(
        title=f"Privacy card of {plain(card.title)}".upper(),
        lead=lead,
        sections=[
            Section("What was released", [Facts(released_words(card))]),
            Section("The promise", _promise(card)),
            Section("NOT promised", [Caution(first), Bullets(others)]),
            Section("Taken as public, and published without noise", [Bullets(taken_as_public(card))]),
            Section("The noise", [noise_words(card).capitalize(), _noise(card), HIDES]),
        ],
        verb="release",
        data=card.to_dict(),
        mark=mark,
    )


def _promise(card: Card) -> list[Block]:
    would: list[Block] = [Strong(WOULD), bound(card)] if card.simulated else []
    facts = Facts([
        ("carries", nats_words(card)), ("a nat", A_NAT), ("compare", epsilon_words(card)),
    ])  # fmt: skip
    table: list[Block] = [_guesses(card)] if card.guesses else []
    note: list[Block] = [LIST] if card.guesses and card.worlds is not None else []
    return [*would, facts, *table, *note]


def _guesses(card: Card) -> Table:
    rows = [
        [
            guess.question,
            number(percent_up(guess.blind), exact=guess.blind),
            number(
                "no bound" if card.simulated else percent_up(guess.at_most),
                exact=None if card.simulated else guess.at_most,
            ),
        ]
        for guess in card.guesses
    ]
    caption = f"How often a guess is right; bounds are rounded up{certainty(card)}"
    return Table(caption, ["how often a guess is right", "blindly", "with the release, at most"], rows)


def _noise(card: Card) -> Table:
    rows = [
        [shortened(plain(group.name), LONGEST), number(f"{group.numbers:,}"),
         number(f"{group.deviation:.3g}", exact=group.deviation),
         number(f"{group.moved:.3g}", exact=group.moved)]
        for group in card.groups
    ]  # fmt: skip
    caption = f"Noise of {noise_words(card)}; ± are standard deviations"
    return Table(caption, ["released numbers", "how many", "noise ±", "from world to world ±"], rows)


def promise(card: Card) -> str:
    """Return the promise in one sentence."""
    return NOT_PRIVATE if card.simulated else bound(card)


def bound(card: Card) -> str:
    """Return the promise of noise that is drawn in secret."""
    if card.covered is None:
        return UNPROVED
    if card.success >= 1:
        return (
            f"With {nats_up(card.covered)} the proof bounds what is revealed about the world as a whole "
            "but says nothing about single records: somebody may be right about one record every time."
        )
    seen = "this release" if card.total is None else "all releases from the same world"
    return (
        f"Whoever sees {seen} and knows everything except which world (half of the pool) was used is "
        f"right about whether one record was in that world at most {percent_up(card.success)} of the time, "
        f"where blind guessing is right 50 % of the time{certainty(card)}."
    )


def certainty(card: Card) -> str:
    """Return the conditions of the promise, if there are any."""
    parts = []
    if card.certificate is not None and card.certificate.trials:
        parts.append(
            f"found by simulating the best possible attack {card.certificate.trials:,} times, at a "
            f"confidence of {confidence_words(card.certificate.confidence)}"
        )
    if card.failure is not None:
        parts.append(f"unless the simulation behind it failed, which has a probability of {card.failure:g}")
    return f" ({'; '.join(parts)})" if parts else ""


def epsilon_words(card: Card) -> str:
    """Return a comparison with the ε of differential privacy that allows the same success."""
    if not math.isfinite(card.epsilon):
        return "no finite ε of differential privacy allows as much"
    return (
        f"ε = {number_up(card.epsilon)} of pure differential privacy allows the same success, but protects "
        "more: every record, in the worst case"
    )


def nats_words(card: Card) -> str:
    """Return the promise in nats."""
    if card.nats is None:
        return "no bound is proved"
    if card.total is None or card.added is None:
        return f"at most {nats_up(card.nats)} about which world was used"
    words = f"this one adds at most {nats_up(card.added)} about which world was used"
    if card.added < card.nats:
        words += f"; with the earlier ones at most {number_up(card.nats)}"
    return f"{words}; all releases from the same world may add up to {number_up(card.total)}"


def not_promised(card: Card) -> list[str]:
    """List what the card does not promise, the most important first."""
    failing = (
        "The proof depends on a simulation. With a probability of up to "
        f"{number_up(card.failure or 1)} it was misleading, and then the bounds above do not hold."
    )
    return [POOL, AVERAGE, *([] if card.failure is None else [failing]), ADDS_UP]


def noise_words(card: Card) -> str:
    """Describe the total noise."""
    shape = {
        "optimal": "the least total",
        "paper": "as published, by coordinates",
        "isotropic": "alike in all",
    }
    kind = f" ({shape.get(card.noise, plain(card.noise))})" if card.noise is not None else ""
    return f"total variance {card.total_variance:.3g}{kind}"


def released_words(card: Card) -> list[tuple[str, str]]:
    """Describe what was released, as names and values."""
    return [
        ("algorithm", f"{plain(card.title)}{_settings(card.parameters)}"),
        ("numbers", _numbers(card)),
        ("pool", _size(card)),
        ("used", f"one world, drawn {'by the seed' if card.simulated else 'in secret'} from {_worlds(card)}"),
    ]


def taken_as_public(card: Card) -> list[str]:
    """List what follows from the whole pool and is published without noise."""
    words = [f"There are {_size(card)}."]
    if card.names is not None:
        words.append(f"Features: {_names(card.names)}.")
    if card.classes is not None:
        words.append(f"Classes: {_names(card.classes)}.")
    if card.search is not None:
        words.append(f"Parameters were chosen on the whole pool: {plain(card.search)}.")
    if card.noised < card.numbers:
        more = card.numbers - card.noised - len(card.exact)
        others = f" and {more:,} more" if more else ""
        words.append(f"Published exactly, being the same in all worlds: {_names(card.exact)}{others}.")
    words.append("The size of the noise depends on the pool, too.")
    return words


def _numbers(card: Card) -> str:
    same = card.numbers - card.noised
    words = "all of them with noise" if card.numbers > 1 else "with noise"
    if same:
        are = "is" if same == 1 else "are"
        words = f"{card.noised:,} of them with noise; {same:,} {are} the same in all worlds and exact"
    if card.directions < card.noised:
        across = "it is" if card.directions == 1 else "these are"
        directions = counted(card.directions, "direction")
        words += f"; the noise has {directions}, and sums that lie across {across} exact"
    return f"{card.numbers:,}, {words}"


def _size(card: Card) -> str:
    return f"{counted(card.records, 'record')} with {counted(card.features, 'feature')}"


def _worlds(card: Card) -> str:
    """Return what the world was drawn from; a list longer than the number of halves repeats some."""
    if card.worlds is None:
        return "all halves of the pool"
    sizes = 1 + card.records % 2  # of an odd pool, both halves of a pair
    possible = sizes * math.comb(card.records, card.records // 2) if card.records < FEW_RECORDS else math.inf
    if possible < card.worlds:
        return f"{card.worlds:,} public worlds, at most {possible:,} of them different"
    return f"{card.worlds:,} public worlds, each a random half of the pool"


def _settings(parameters: Any) -> str:
    """Write parameters in brackets, without the name of the algorithm, which the title gives."""
    words = [f"{plain(key)} {_setting(value)}" for key, value in _flat(parameters) if value is not None]
    return f" ({', '.join(words)})" if words else ""


def _flat(parameters: Any) -> list[tuple[str, Any]]:
    pairs: list[tuple[str, Any]] = []
    for key, value in parameters.items():
        if isinstance(value, dict):
            pairs += _flat(value)
        elif key not in ("algorithm", "name", "kind"):
            pairs.append((key, value))
    return pairs


def _names(names: Sequence[object]) -> str:
    """List names with commas, as in a table; beyond a few of them, say how many more there are."""
    shown = [plain(name) for name in names]
    return listed(shown, most=SHOWN) if len(shown) > SHOWN else ", ".join(shown)


def _setting(value: Any) -> str:
    if isinstance(value, list | tuple):
        return f"[{_names(value)}]"
    return f"{value:g}" if isinstance(value, float) else plain(value)


def percent_up(share: float) -> str:
    """Write a share in per cent with two digits after the point, rounded up.

    A column of bounds and their blind guesses needs the same digits throughout, unlike ``text.percent``.

    >>> percent_up(0.5881578), percent_up(1.0), percent_up(1e-12)
    ('58.82 %', '100 %', '0.01 %')
    """
    shown = (100 * Decimal(repr(min(float(share), 1.0)))).quantize(Decimal("0.01"), rounding=ROUND_CEILING)
    return f"{shown.normalize():f} %"


def number_up(value: float) -> str:
    """Write a bound with four digits, rounded up; never with an exponent, which lay readers do not know.

    >>> number_up(0.25), number_up(0.356242), number_up(1e-6)
    ('0.25', '0.3563', '0.000001')
    """
    return f"{Context(prec=4, rounding=ROUND_CEILING).create_decimal(repr(float(value))).normalize():f}"


def nats_up(value: float) -> str:
    """Write an amount of information, rounded up.

    >>> nats_up(1.0), nats_up(0.25)
    ('1 nat', '0.25 nats')
    """
    return f"{number_up(value)} {'nat' if value == 1 else 'nats'}"
