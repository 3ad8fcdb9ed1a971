"""The card in the terminal: one page of 80 columns."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import Final

from noisewright.release import card_words as words
from noisewright.release.card import Card
from noisewright.release.card_shown import clean, percent_up

WIDTH: Final = 80
INDENT: Final = 11
NAME: Final = 28
"""Letters that the name of a group of numbers has room for."""


def told(card: Card) -> str:
    """The whole card as text."""
    banner = [f"*** NOT PRIVATE *** {words.NOT_PRIVATE}"] if card.simulated else []
    parts = [
        (words.heading(card).upper(), [line for text in banner for line in _wrapped(text)]),
        ("What was released", _pairs(words.released_words(card))),
        ("The promise", _promise(card)),
        ("What is NOT promised", _bullets(words.not_promised(card))),
        ("Taken as public, and told without noise", _bullets(words.taken_as_public(card))),
        ("The noise", [words.noise_words(card), *_groups(card)]),
    ]
    return "\n\n".join("\n".join([name, *(f"  {line}".rstrip() for line in lines)]) for name, lines in parts)


def _promise(card: Card) -> list[str]:
    lines = [*_wrapped(f"{words.promise(card)}", ""), ""]
    lines += _pairs([("carries", words.nats_words(card)), ("compare", words.epsilon_words(card))])
    if not card.guesses:
        return lines
    table = [f"{guess.question:<54}{percent_up(guess.blind):>9}{percent_up(guess.at_most):>12}"
             for guess in card.guesses]  # fmt: skip
    return [*lines, "", f"{'how often a guess is right':<54}{'blind':>9}{'at most':>12}", *table]


def _groups(card: Card) -> list[str]:
    head = f"{'released numbers':<{NAME}}{'':>7}{'noise deviation':>18}{'signal/noise':>15}"
    rows = [
        f"{_cut(group.name):<{NAME}}{_count(group.numbers):>7}{group.deviation:>18.3g}{group.signal_to_noise:>15.3g}"
        for group in card.groups
    ]
    return ["", head, *rows]


def _count(numbers: int) -> str:
    return f"×{numbers:,}" if numbers > 1 else ""


def _cut(name: str) -> str:
    text = clean(name)
    return text if len(text) <= NAME else f"{text[: NAME - 1].rstrip()}…"


def _pairs(pairs: Iterable[tuple[str, str]]) -> list[str]:
    return [line for name, text in pairs for line in _wrapped(f"{name:<{INDENT}}{text}", " " * INDENT)]


def _bullets(sentences: Iterable[str]) -> list[str]:
    return [line for sentence in sentences for line in _wrapped(f"• {sentence}")]


def _wrapped(text: str, indent: str = "  ") -> list[str]:
    return textwrap.wrap(text, WIDTH - 2, subsequent_indent=indent)
