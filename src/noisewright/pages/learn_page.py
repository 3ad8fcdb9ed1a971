"""The page of a lesson."""

from __future__ import annotations

from noisewright import __version__
from noisewright.guarantees.words import epsilon_words
from noisewright.learn import Scorecard
from noisewright.learn.rules import AdditiveRule, ConstantRule, LinearRule
from noisewright.learn.scorecard.words import outward
from noisewright.pages import learn_charts as charts
from noisewright.pages.figures import figure
from noisewright.pages.learn_caveats import PLAYED, caveats
from noisewright.pages.learn_evidence import evidence_of
from noisewright.pages.learn_lesson import Lesson, chosen_facts
from noisewright.pages.learn_words import (
    asked_words,
    chosen_words,
    classes_words,
    clients_words,
    features_words,
    lead,
    method_words,
    rate_words,
    spent_words,
    title,
    verdict,
)
from noisewright.pages.markup import Content, Html, bullets, facts, tag
from noisewright.pages.tables import number, table
from noisewright.pages.template import Section, page
from noisewright.randomness import SIMULATED
from noisewright.text import plain

RATES = "Rates that must be read together; the shade is how often always giving one answer is right."
CALIBRATION = (
    "Right, people by their predicted probability, a larger point for more people: on the broken line a "
    "probability means what it says."
)


def learn_page(lesson: Lesson, saved: str | None = None) -> str:
    """The whole document; ``saved`` is the file that holds the classifier."""
    sections = [
        Section("At a glance", _glance(lesson, saved)),
        Section("How good it is", _good(lesson.card, "private")),
        *_tested(lesson),
        Section("What each feature says", features(lesson)),
        Section("Who was asked what", [asked_table(lesson), f"In all {spent_words(lesson)}."]),
        Section("What was taken, and why", _taken(lesson)),
        Section("What these numbers mean", [bullets(caveats(lesson))]),
    ]
    footer = f"Written by noisewright learn, version {__version__}."
    return page(title(lesson), lead(lesson), sections, footer)


def _glance(lesson: Lesson, saved: str | None) -> list[Content]:
    warnings = [f"The noise was {SIMULATED}."] if lesson.simulated else []
    left_out = ", ".join(map(plain, lesson.source.left_out))
    told = facts([
        ("Clients", clients_words(lesson)),
        ("Spent", spent_words(lesson)),
        ("Features", features_words(lesson)),
        ("Classes", classes_words(lesson)),
        ("Method", method_words(lesson)),
        *([("Columns left out", left_out)] if left_out else []),
        *([] if saved is None else [("Classifier", plain(saved))]),
    ])  # fmt: skip
    return [*(tag("p", said, class_="warning") for said in (*warnings, PLAYED)), told]


def _good(card: Scorecard | None, name: str) -> list[Content]:
    if card is None:
        return ["Nobody checked the classifier: there were too few clients."]
    drawn = figure(
        f"scorecard-{name}",
        charts.scorecard(card),
        title="Accuracy, majority-class rate and balanced accuracy with intervals, and the calibration.",
        caption=RATES if card.calibration is None else f"Left, {RATES[0].lower()}{RATES[1:]} {CALIBRATION}",
    )
    return [verdict(card), drawn, card_table(card)]


def card_table(card: Scorecard) -> Html:
    """The rates of a scorecard with their intervals."""
    rates = [
        ("Accuracy", card.accuracy),
        (f"Always answering {card.majority_class!r}", card.majority),
        ("Balanced accuracy", card.balanced_accuracy),
        ("Advantage: accuracy less that, in points", card.advantage),
    ]
    rows = [[name, number(rate_words(rate.value)), number(_ends(outward(rate)))] for name, rate in rates]
    rows += [
        [f"Found of those who are {name!r}", number(rate_words(card.recall.value[place])),
         number(_ends(_outward_at(card, place)))]
        for place, name in enumerate(card.classes)
    ]  # fmt: skip
    how = "randomized answers" if card.private else "records that were looked at, NOT private"
    caption = f"From {card.accuracy.count:,} {how}; each interval holds by itself"
    return table(caption, ["Rate", "Estimate", f"{100 * card.accuracy.level:g} % interval"], rows)


def _outward_at(card: Scorecard, place: int) -> tuple[float, float]:
    one = type(card.recall)(*(getattr(card.recall, end)[place] for end in ("value", "stderr", "low", "high")))
    return outward(one)


def _ends(ends: tuple[float, float]) -> str:
    return f"{ends[0]:.1f} % to {ends[1]:.1f} %"


def _tested(lesson: Lesson) -> list[Section]:
    if lesson.test is None:
        return []
    warning = tag("p", "These numbers are measured on true records and are NOT private.", class_="warning")
    return [Section(f"How good it is on {plain(lesson.tested)}", [warning, *_good(lesson.test, "measured")])]


def features(lesson: Lesson) -> list[Content]:
    """What moves the classifier, as pictures where it can be pictured."""
    rule, second = lesson.played.rule, plain(lesson.classes[1])
    if isinstance(rule, AdditiveRule) and rule.axes:
        found = evidence_of(rule, lesson.schema)
        return [_speaks(lesson), figure(
            "evidence", charts.evidence(found, lesson.classes),
            title="What each feature adds to the score over its values, one panel a feature.",
            caption=f"{min(len(found), charts.MOST_PANELS)} of {len(lesson.schema.blocks)} features, the "
            "strongest first, all on one scale. Estimates without their error: small waves may be noise.",
        )]  # fmt: skip
    if isinstance(rule, LinearRule) and rule.weights.any():
        drawn = figure(
            "weights", charts.weights(rule, lesson.schema), title="The weight of each feature.",
            caption=f"The largest weights; to the right speaks for {second}.",
        )  # fmt: skip
        return [drawn]
    return [_silent(lesson)]


def _speaks(lesson: Lesson) -> str:
    if len(lesson.classes) > 2:
        return "The class with the largest sum of evidence over all features is the answer."
    first, second = map(plain, lesson.classes)
    return (
        f"Evidence adds up over features: above zero a value speaks for {second}, below for {first}. One "
        "unit multiplies the odds by 2.7. Where a feature cannot be told from noise, it says next to nothing."
    )


def _silent(lesson: Lesson) -> str:
    if isinstance(lesson.played.rule, ConstantRule | AdditiveRule | LinearRule):
        return "No feature is looked at: everybody gets the same answer."
    return "The classifier is a mixture whose parts have no picture of their own; the JSON holds all of them."


def asked_table(lesson: Lesson) -> Html:
    """Who was asked what."""
    rows = [
        [f"{row.clients:,}", asked_words(row), number(epsilon_words(lesson.epsilon))]
        for row in lesson.played.asked
    ]
    return table("Every client answered one question", ["Clients", "Before randomizing, they", "ε"], rows)


def _taken(lesson: Lesson) -> list[Content]:
    found = chosen_facts(lesson.played.chosen)
    if "candidates" not in found:
        return [chosen_words(lesson)]
    rows = [
        [row["name"], number(rate_words(row["hope"])),
         number(rate_words(row["worth"]), best=row["name"] == found["name"])]
        for row in found["candidates"]
    ]  # fmt: skip
    header = ["Candidate", "Hoped by its learner", "With the clients' comparisons"]
    return [chosen_words(lesson), table("Numbers to choose by, not accuracies", header, rows)]
