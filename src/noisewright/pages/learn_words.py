"""A lesson in sentences; the same on the page and in the terminal."""

from __future__ import annotations

from fractions import Fraction
from math import isnan
from typing import Any, Final

from noisewright.domains import Circle, Interval
from noisewright.guarantees.words import epsilon_words
from noisewright.learn import Scorecard
from noisewright.learn.learners.catalogue import CONSTANT
from noisewright.learn.schema import Block
from noisewright.learn.scorecard.words import outward
from noisewright.pages.learn_lesson import Lesson, chosen_facts
from noisewright.pages.learn_playing import UNTRAINED, Asked
from noisewright.pages.wording import short, span
from noisewright.text import plain

TOLD: Final = {
    "cells": "told where they stand in one feature, and their label",
    "split": "told every feature and their label, at a share of ε each",
    "sampled": "told some of their features and their label",
    "product": "told a product of features and label",
    "feedback": "told whether a rule is right about them, in one bit",
    "comparison": "told which of a rule and the constant answer is right about them, if only one is",
    "confusion": "told what a rule says of them, and their label",
    "score": "told what a rule makes of them, and their label",
    "check": "told where the finished classifier puts them, and their label",
}
"""What an answer of each kind tells, before it is randomized."""

WHY: Final = {
    "learn": "to learn from",
    "choose": "to choose by",
    "check": "to check the result, with no part in making it",
}


def title(lesson: Lesson) -> str:
    """What the lesson is about."""
    return f"Learning {plain(lesson.source.label)} from randomized answers"


def lead(lesson: Lesson) -> str:
    """The result in one sentence."""
    learned = f"{lesson.clients:,} simulated clients, asked once each at ε = {epsilon_words(lesson.epsilon)}"
    found = "Nobody checked it." if lesson.card is None else verdict(lesson.card)
    return f"A classifier taught by {learned}. {found}"


def verdict(card: Scorecard) -> str:
    """How good the classifier is, and whether that is better than none."""
    right, without = (
        f"{low:.1f} to {high:.1f} %" for low, high in map(outward, (card.accuracy, card.majority))
    )
    found = {
        "yes": "it is better than no classifier",
        "no": "it is worse than no classifier",
        "not shown": "it is not shown to be better than no classifier",
    }[card.beats_majority]
    return (
        f"The classifier is right about {right} of people, and always answering {card.majority_class!r} "
        f"about {without}: {found}."
    )


def clients_words(lesson: Lesson) -> str:
    """Who played the clients."""
    return f"{lesson.clients:,} rows of {plain(lesson.source.data)}, each simulates a client"


def spent_words(lesson: Lesson) -> str:
    """What everybody spent, exactly."""
    spent = lesson.played.spent
    if set(spent) == {Fraction(lesson.epsilon)}:
        return f"every client exactly ε = {epsilon_words(lesson.epsilon)}, for features and label together"
    parts = [f"{count:,} clients exactly ε = {epsilon_words(float(total))}" for total, count in spent.items()]
    return f"{', '.join(parts)}, for features and label together"


def asked_words(row: Asked) -> str:
    """What some clients were asked, and why."""
    return f"{TOLD.get(row.kind, 'answered another question')}: {WHY[row.purpose]}"


def feature_words(block: Block) -> str:
    """A feature with its public domain.

    >>> feature_words(Block("age", Interval(0, 100), 0, 1)), feature_words(Block("hour", Circle(24), 0, 2))
    ('age from 0 to 100', 'hour round a circle of 24')
    """
    name = plain(block.name)
    match block.domain:
        case Interval() as interval:
            return f"{name} {span(*interval.ends)}"
        case Circle() as circle:
            return f"{name} round a circle of {short(circle.period)}"
    return f"{name} of {block.labels} labels" if block.labels else name


def features_words(lesson: Lesson) -> str:
    """All features with their domains."""
    return "; ".join(feature_words(block) for block in lesson.schema.blocks)


def classes_words(lesson: Lesson) -> str:
    """The classes, and where their list is from."""
    where = "a public list" if lesson.source.listed else "read off the table"
    return f"{', '.join(plain(name) for name in lesson.classes)} ({where})"


def method_words(lesson: Lesson) -> str:
    """How it was learned."""
    method = lesson.method
    if method.name == "local":
        return f"the best of: {', '.join(method.learners)}"
    if method.base == UNTRAINED:
        return "MRMA with untrained random directions, weighed by feedback"
    return f"MRMA with {method.base} weak classifiers{'' if method.intercept else ' without intercept'}"


def chosen_words(lesson: Lesson) -> str:
    """What was taken, and why."""
    facts = chosen_facts(lesson.played.chosen)
    return _taken(facts) if "candidates" in facts else _mixed(facts)


def _taken(facts: dict[str, Any]) -> str:
    others = " and ".join(repr(row["name"]) for row in facts["candidates"] if row["name"] != facts["name"])
    taken = f"{facts['name']!r} was taken before {others}"
    if facts["name"] == CONSTANT:
        why = f"{taken}: the answers do not speak clearly enough for anything else."
    else:
        why = f"{taken}, by what the answers say for it and what the choosing clients said."
    said = " A hope is no accuracy: it is too high on average. How good the result is, the scorecard tells."
    return why + said + "".join(f" Note: {plain(note)}." for note in facts["notes"])


def _mixed(facts: dict[str, Any]) -> str:
    said = (
        f"A mixture of {facts['with_weight']:,} of {facts['weak']:,} weak classifiers, weighed by how often "
        f"clients said they are right; {facts['reversed']:,} of all were turned round."
    )
    return said + (" None passed the cut-off, so it was lowered." if facts["fallback"] else "")


def rate_words(share: float) -> str:
    """A share in percent; what cannot be told is unknown.

    >>> rate_words(0.8542), rate_words(float("nan"))
    ('85.4 %', 'unknown')
    """
    return "unknown" if isnan(share) else f"{100 * share:.1f} %"
