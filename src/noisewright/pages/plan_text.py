"""A plan in the terminal, and the words and rows that its page shares."""

from __future__ import annotations

import textwrap

from noisewright.design.plan import PlannedEstimate
from noisewright.pages.plans import Model, Plan, Question
from noisewright.pages.wording import percent, short
from noisewright.text import plain

WIDTH = 100
NEVER = "no number of people"
TOO_FEW = "even ten billion people are too few"
FAR_OFF = 0.9
"""A share whose interval is this wide is not told at all."""


def told(plan: Plan) -> str:
    """The whole plan as text."""
    parts = [_lead(plan)]
    parts += ["\n".join([heading(each), *_indented(_body(each))]) for each in plan.questions]
    if plan.model is not None:
        lines = [line for text in model_words(plan.model) for line in _wrapped(text)]
        parts.append("\n".join(["a classifier", *_indented(lines)]))
    parts.append("\n".join(_wrapped(MEANING)))
    return "\n\n".join(parts)


MEANING = (
    "Widths of means come from the exact laws, all others from the estimator itself, on the reports that are "
    "expected. Where hardly anybody has a label, its interval ends at 0, and its width varies more from one "
    "collection to the next."
)


def heading(question: Question) -> str:
    """What is asked, through what, at which budget."""
    mechanism = question.planned.mechanism
    name = type(mechanism).title if type(mechanism).designed else type(mechanism).__name__
    return f"{plain(question.name)}: {question.about}, through {name}, epsilon {short(mechanism.epsilon)}"


def rows(question: Question) -> list[tuple[str, str, str]]:
    """Each number with the width of its interval, and the people needed for the width that was asked for."""
    return [(each.what, width_words(each), people_words(each)) for each in question.planned.estimates]


def width_words(estimate: PlannedEstimate) -> str:
    """A width for a reader; shares in percentage points.

    >>> width_words(PlannedEstimate("mean", 2.5, share=False))
    '2.5'
    >>> width_words(PlannedEstimate("a bin of 20", 0.031, share=True))
    '3.1 points'
    """
    if not estimate.share:
        return short(estimate.width, 3)
    return "cannot be told" if estimate.width >= FAR_OFF else f"{short(100 * estimate.width, 3)} points"


def people_words(estimate: PlannedEstimate) -> str:
    """How many people it takes for the width that was asked for; empty if none was.

    >>> people_words(PlannedEstimate("a bin of 20", 0.031, share=True, wanted=0.02, people=24_100))
    '24,100 people for 2 points'
    >>> people_words(PlannedEstimate("mean", 12.0, share=False, wanted=5.0))
    'even ten billion people are too few for 5'
    """
    if estimate.wanted is None:
        return ""
    wanted = f"{short(100 * estimate.wanted, 3)} points" if estimate.share else short(estimate.wanted, 3)
    many = TOO_FEW if estimate.people is None else f"{estimate.people:,} people"
    return f"{many} for {wanted}"


def remarks(question: Question) -> list[str]:
    """Why this mechanism, what was assumed, and what the reports will leave open."""
    planned = question.planned
    said = [f"Why: {question.reason}."] if question.reason else []
    said.append(f"Assumed: {planned.guess}.")
    if planned.unplanned:
        said.append(f"Not planned: {planned.unplanned}.")
    return [*said, *(f"Left open: {spot}." for spot in planned.left_open)]


def model_words(model: Model) -> list[str]:
    """What to expect of a classifier."""
    setting = model.advice.setting
    said = [
        f"{setting.width} features, epsilon {short(setting.epsilon)}: MRMA is expected to be right for "
        f"{percent(model.advice.accuracy)} of people if the best linear rule is for "
        f"{percent(setting.best_accuracy)}; half of them, in two classes alike, by guessing.",
        model.advice.explain(),
    ]
    if model.accuracy is not None:
        many = NEVER if model.people is None else f"about {model.people:,} people"
        said.append(f"For {percent(model.accuracy)}: {many}.")
    return said


def _lead(plan: Plan) -> str:
    level = f"{100 * plan.level:g} %"
    return f"{plan.people:,} people, one report each to every question; widths of {level} intervals"


def _body(question: Question) -> list[str]:
    table = rows(question)
    widths = [max(len(row[place]) for row in table) for place in range(3)]
    lines = [
        "  ".join([what.ljust(widths[0]), width.rjust(widths[1]), people.rjust(widths[2])]).rstrip()
        for what, width, people in table
    ]
    return [*lines, *(line for text in remarks(question) for line in _wrapped(text))]


def _indented(lines: list[str]) -> list[str]:
    return [f"  {line}".rstrip() for line in lines]


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, subsequent_indent="  ")
