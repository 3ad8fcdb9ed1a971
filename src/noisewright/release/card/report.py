"""The card as a document: what was released, the promise, what is not promised, and the noise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from noisewright.release.card import words
from noisewright.release.card.words import percent_up, released_words, taken_as_public
from noisewright.report import Block, Bullets, Caution, Facts, Mark, Report, Section, Strong, Table, number
from noisewright.text import plain, shortened

if TYPE_CHECKING:
    from noisewright.release.card.card import Card

LONGEST: Final = 40
"""Letters of the longest name of a group of numbers."""


def card_report(card: Card) -> Report:
    """Describe a card as a document; of a simulated release, that nothing is promised comes first."""
    mark, lead = None, words.promise(card)
    if card.simulated:
        mark, lead = Mark("✗", words.VOID), lead.removeprefix(f"{words.VOID}: ")
    return Report(
        title=words.heading(card).upper(),
        lead=lead,
        sections=[
            Section("What was released", [Facts(released_words(card))]),
            Section("The promise", _promise(card)),
            Section("What is NOT promised", _not_promised(card)),
            Section("Taken as public, and told without noise", [Bullets(taken_as_public(card))]),
            Section("The noise", [words.noise_words(card).capitalize(), _noise(card), words.HIDES]),
        ],
        verb="release",
        data=card.to_dict(),
        mark=mark,
    )


def _promise(card: Card) -> list[Block]:
    would: list[Block] = [Strong(words.WOULD), words.bound(card)] if card.simulated else []
    facts = Facts([
        ("carries", words.nats_words(card)), ("a nat", words.A_NAT), ("compare", words.epsilon_words(card)),
    ])  # fmt: skip
    table: list[Block] = [_guesses(card)] if card.guesses else []
    note: list[Block] = [words.LIST] if card.guesses and card.worlds is not None else []
    return [*would, facts, *table, *note]


def _guesses(card: Card) -> Table:
    rows = [
        [guess.question, number(percent_up(guess.blind)), number(words.at_most(card, guess))]
        for guess in card.guesses
    ]
    caption = f"How often a guess is right; bounds are rounded up{words.certainty(card)}"
    return Table(caption, ["how often a guess is right", "blindly", "with the release, at most"], rows)


def _not_promised(card: Card) -> list[Block]:
    first, *others = words.not_promised(card)
    return [Caution(first), Bullets(others)]


def _noise(card: Card) -> Table:
    rows = [
        [shortened(plain(group.name), LONGEST), number(f"{group.numbers:,}"),
         number(f"{group.deviation:.3g}"), number(f"{group.moved:.3g}")]
        for group in card.groups
    ]  # fmt: skip
    caption = f"Noise of {words.noise_words(card)}; ± are standard deviations"
    return Table(caption, ["released numbers", "how many", "noise ±", "from half to half ±"], rows)
