"""A lesson in the terminal: one screen."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from noisewright.learn import Scorecard
from noisewright.pages.learn_caveats import caveats
from noisewright.pages.learn_lesson import Lesson
from noisewright.pages.learn_words import (
    asked_words,
    chosen_words,
    classes_words,
    clients_words,
    features_words,
    method_words,
    spent_words,
    title,
)
from noisewright.text import plain

WIDTH = 100
INDENT = 12
CARD = 19
"""Where the numbers of a scorecard begin."""


def told(lesson: Lesson) -> str:
    """The whole lesson as text."""
    parts = [
        (title(lesson), _glance(lesson)),
        ("Who was asked what", _asked(lesson)),
        ("What was taken", _wrapped(chosen_words(lesson))),
        ("How good it is, from randomized answers", _card(lesson.card)),
        *_tested(lesson),
        ("What these numbers mean", _bullets(caveats(lesson))),
    ]
    return "\n\n".join("\n".join([name, *(f"  {line}".rstrip() for line in lines)]) for name, lines in parts)


def _glance(lesson: Lesson) -> list[str]:
    facts = [
        ("clients", clients_words(lesson)),
        ("spent", spent_words(lesson)),
        ("features", features_words(lesson)),
        ("classes", classes_words(lesson)),
        ("method", method_words(lesson)),
    ]
    if lesson.source.left_out:
        facts.append(("left out", ", ".join(map(plain, lesson.source.left_out))))
    return [line for name, text in facts for line in _wrapped(f"{name:<{INDENT}}{text}", " " * INDENT)]


def _asked(lesson: Lesson) -> list[str]:
    rows = [(f"{row.clients:,}", asked_words(row)) for row in lesson.played.asked]
    wide = max(len(count) for count, _ in rows)
    return [line for count, text in rows for line in _wrapped(f"{count:>{wide}}  {text}", " " * (wide + 2))]


def _card(card: Scorecard | None) -> list[str]:
    if card is None:
        return ["nobody checked it: there were too few clients"]
    return [part for line in str(card).splitlines() for part in _wrapped(line, " " * CARD)]


def _tested(lesson: Lesson) -> list[tuple[str, list[str]]]:
    if lesson.test is None:
        return []
    return [(f"How good it is on {plain(lesson.tested)}: measured, NOT private", _card(lesson.test))]


def _bullets(sentences: Iterable[str]) -> list[str]:
    return [line for sentence in sentences for line in _wrapped(f"• {sentence}")]


def _wrapped(text: str, indent: str = "  ") -> list[str]:
    return textwrap.wrap(text, WIDTH, subsequent_indent=indent)
