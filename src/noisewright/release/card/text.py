"""The card in the terminal: one page of 80 columns."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from noisewright.release.card import words
from noisewright.release.card.released import released_words, taken_as_public
from noisewright.release.card.shown import percent_up
from noisewright.text import plain

if TYPE_CHECKING:
    from noisewright.release.card.card import Card

WIDTH: Final = 80
INDENT: Final = 11
NAME: Final = 28
"""Letters that the name of a group of numbers has room for."""


def told(card: Card) -> str:
    """The whole card as text."""
    banner = _wrapped(f"*** {words.NOT_PRIVATE} ***") if card.simulated else []
    parts = [
        (words.heading(card).upper(), banner),
        ("What was released", _pairs(released_words(card))),
        ("The promise", _promise(card)),
        ("What is NOT promised", _bullets(words.not_promised(card))),
        ("Taken as public, and told without noise", _bullets(taken_as_public(card))),
        ("The noise", [words.noise_words(card), *_groups(card), "", *_wrapped(words.HIDES, "")]),
    ]
    return "\n\n".join("\n".join([name, *(f"  {line}".rstrip() for line in lines)]) for name, lines in parts)


def _promise(card: Card) -> list[str]:
    lines = _wrapped(words.WOULD) if card.simulated else []
    lines += [*_wrapped(words.bound(card), ""), ""]
    lines += _pairs([
        ("carries", words.nats_words(card)), ("a nat", words.A_NAT), ("compare", words.epsilon_words(card)),
    ])  # fmt: skip
    return [*lines, "", *_guesses(card)] if card.guesses else lines


def _guesses(card: Card) -> list[str]:
    table = [
        f"{guess.question:<54}{percent_up(guess.blind):>9}{words.at_most(card, guess):>12}"
        for guess in card.guesses
    ]
    note = [] if card.worlds is None else _wrapped(words.LIST, "")
    return [f"{'how often a guess is right':<54}{'blind':>9}{'at most':>12}", *table, *note]


def _groups(card: Card) -> list[str]:
    head = f"{'released numbers':<{NAME}}{'':>7}{'noise ±':>14}{'from half to half ±':>22}"
    rows = [
        f"{_cut(group.name):<{NAME}}{_count(group.numbers):>7}{group.deviation:>14.3g}{group.moved:>22.3g}"
        for group in card.groups
    ]
    return ["", head, *rows]


def _count(numbers: int) -> str:
    return f"×{numbers:,}" if numbers > 1 else ""


def _cut(name: str) -> str:
    text = plain(name)
    return text if len(text) <= NAME else f"{text[: NAME - 1].rstrip()}…"


def _pairs(pairs: Iterable[tuple[str, str]]) -> list[str]:
    return [line for name, text in pairs for line in _wrapped(f"{name:<{INDENT}}{text}", " " * INDENT)]


def _bullets(sentences: Iterable[str]) -> list[str]:
    return [line for sentence in sentences for line in _wrapped(f"• {sentence}")]


def _wrapped(text: str, indent: str = "  ") -> list[str]:
    return textwrap.wrap(text, WIDTH - 2, subsequent_indent=indent)
