"""A plan: how precise the estimates of a collection will be, computed before anybody is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from noisewright.design.plan import PlannedColumn, PlannedEstimate
from noisewright.report import Block, Bullets, Report, Reportable, Section, Table, number
from noisewright.report.terminal import render_text
from noisewright.text import percent, short

NEVER = "no number of people"
TOO_FEW = "even ten billion people are too few"
FAR_OFF = 0.9
"""The reports say nothing about a share whose interval is this wide."""

MEANING = (
    "Widths of means come from the exact laws, all others from the estimator itself, on the reports that are "
    "expected. Where hardly anybody has a label, its interval ends at 0, and its width varies more from one "
    "collection to the next."
)


@dataclass(frozen=True)
class Question:
    """One question to people: a column, a pair of columns, a place on a map.

    Attributes:
        name: Name of the column, or of what is asked.
        about: What true values are, in words.
        reason: Why it has this mechanism; empty if that was set by hand.
        planned: The widths to expect.
    """

    name: str
    about: str
    reason: str
    planned: PlannedColumn

    def to_dict(self) -> dict[str, Any]:
        """Return the question in strict JSON values."""
        return {"name": self.name, "about": self.about, "reason": self.reason, **self.planned.to_dict()}


@dataclass(frozen=True)
class PlannedModel:
    """A classifier that is to be learned from the same people, and what to expect of it.

    Attributes:
        features: Number of its features.
        epsilon: Budget of each client.
        best_accuracy: A public guess of how often the best linear rule is right.
        expected_accuracy: How often the learned one is expected to be right.
        advice: How to share out the clients, in words.
        wanted_accuracy: The accuracy that was asked for, if any.
        people: Number of people that this takes; None if no number is enough, or nothing was asked.
    """

    features: int
    epsilon: float
    best_accuracy: float
    expected_accuracy: float
    advice: str
    wanted_accuracy: float | None = None
    people: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the model in strict JSON values."""
        named = ("features", "epsilon", "best_accuracy", "expected_accuracy", "advice")
        facts = {name: getattr(self, name) for name in named}
        if self.wanted_accuracy is not None:
            facts |= {"wanted_accuracy": self.wanted_accuracy, "people": self.people}
        return facts


@dataclass(frozen=True)
class Plan(Reportable):
    """All questions of a collection, with the precision to expect.

    Attributes:
        people: How many will answer.
        level: How often each interval is to hold the truth.
        questions: The columns, pairs and maps.
        model: The classifier, if one is to be learned.
    """

    people: int
    level: float
    questions: tuple[Question, ...]
    model: PlannedModel | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the plan in strict JSON values."""
        facts: dict[str, Any] = {
            "people": self.people,
            "level": self.level,
            "questions": [question.to_dict() for question in self.questions],
        }
        return facts | ({} if self.model is None else {"model": self.model.to_dict()})

    def report(self) -> Report:
        """Describe the plan as a document."""
        model = [] if self.model is None else [Section("a classifier", _model(self.model))]
        return Report(
            title="A plan for a collection",
            lead=f"{self.people:,} people, one report each to every question; widths of "
            f"{100 * self.level:g} % intervals, before anybody is asked.",
            sections=[
                *(Section(heading(each), _question(each, self.level)) for each in self.questions),
                *model,
                Section("Where the widths come from", [MEANING]),
            ],
            verb="plan",
            data=self.to_dict(),
        )

    def __str__(self) -> str:
        return render_text(self.report())


def heading(question: Question) -> str:
    """Say what is asked, through what, at which budget."""
    mechanism = question.planned.mechanism
    name = type(mechanism).title if type(mechanism).designed else type(mechanism).__name__
    return f"{question.name}: {question.about}, through {name}, epsilon {short(mechanism.epsilon)}"


def _question(question: Question, level: float) -> list[Block]:
    estimates = question.planned.estimates
    wanted = any(each.wanted is not None for each in estimates)
    header = ["number", f"width of its {100 * level:g} % interval"]
    rows = [
        [each.what, number(width_words(each)), *([number(people_words(each) or "–")] if wanted else [])]
        for each in estimates
    ]
    header += ["people for the wanted width"] if wanted else []
    return [Table(f"What reports of {question.name} will show", header, rows), Bullets(remarks(question))]


def width_words(estimate: PlannedEstimate) -> str:
    """Write a width; shares in percentage points.

    >>> width_words(PlannedEstimate("mean", 2.5, share=False))
    '2.5'
    >>> width_words(PlannedEstimate("one of 20 bins", 0.031, share=True))
    '3.1 points'
    """
    if not estimate.share:
        return short(estimate.width, 3)
    return "unknown" if estimate.width >= FAR_OFF else f"{short(100 * estimate.width, 3)} points"


def people_words(estimate: PlannedEstimate) -> str:
    """Say how many people the wanted width takes; empty if none was asked for.

    >>> people_words(PlannedEstimate("one of 20 bins", 0.031, share=True, wanted=0.02, people=24_100))
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
    """Say why the mechanism was chosen, what was assumed, and what the reports will leave open."""
    planned = question.planned
    said = [f"Why: {question.reason}."] if question.reason else []
    said.append(f"Assumed: {planned.guess}.")
    if planned.unplanned:
        said.append(f"Not planned: {planned.unplanned}.")
    return [*said, *(f"Left open: {spot}." for spot in planned.left_open)]


def _model(model: PlannedModel) -> list[Block]:
    said: list[Block] = [
        f"{model.features} features, epsilon {short(model.epsilon)}: MRMA is expected to be right for "
        f"{percent(model.expected_accuracy)} of people if the best linear rule is for "
        f"{percent(model.best_accuracy)}; half of them, in two classes alike, by guessing.",
        model.advice,
    ]
    if model.wanted_accuracy is not None:
        many = NEVER if model.people is None else f"about {model.people:,} people"
        said.append(f"For {percent(model.wanted_accuracy)}: {many}.")
    return said
