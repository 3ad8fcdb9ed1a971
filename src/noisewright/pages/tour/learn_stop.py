"""The stop about learning: a classifier from patients who hand over nothing but one randomized answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from noisewright.domains import Cells, Floats, Interval
from noisewright.errors import MissingExtra
from noisewright.guarantees.words import epsilon_words
from noisewright.pages.figures import figure
from noisewright.pages.markup import Html, paragraph, tag
from noisewright.pages.publish import write_text
from noisewright.pages.tables import number, table
from noisewright.pages.tour.trip import EPSILON, Stop, Trip

if TYPE_CHECKING:
    from noisewright.learn import Scorecard
    from noisewright.pages.learn_lesson import Lesson

HEADING = "A classifier that saw nobody"
FEATURES = {"age": "age", "bmi": "bmi", "blood_pressure": "bp", "triglycerides": "s5"}
"""Our names of the features, and scikit-learn's."""

DOMAINS = {
    "age": Interval(0, 100),
    "bmi": Interval(10, 60),
    "blood_pressure": Interval(50, 150),
    "triglycerides": Interval(2, 8),
}
"""Where a living adult may be: from textbooks, not from the table."""

CLASSES = ("better", "worse")
WORSE = 180
"""From which score of the study on a patient's diabetes got much worse: about one patient in three."""

CLIENTS = 4000
_SEED = 2027


@dataclass(frozen=True, eq=False)
class _Crowd:
    """Made-up patients in the likeness of the public study: rows of features, and a code of their class."""

    rows: Floats
    codes: Cells

    def to_csv(self) -> str:
        lines = [
            ",".join([*(f"{value:.2f}" for value in row), CLASSES[code]])
            for row, code in zip(self.rows.tolist(), self.codes.tolist(), strict=True)
        ]
        return "\n".join([",".join([*DOMAINS, "outcome"]), *lines, ""])


def learning(trip: Trip) -> Stop:
    """What randomized answers teach, beside MRMA as published and no classifier at all."""
    try:
        lesson, published, measured = _lessons(trip)
    except MissingExtra as missing:
        said = f"Learning was left out: {missing}"
        return Stop(HEADING, [said], {"lesson": None}, [said])
    from noisewright.pages.learn_charts import scorecard  # noqa: PLC0415  (scikit-learn is slow to load)
    from noisewright.pages.learn_page import asked_table, features  # noqa: PLC0415

    card = lesson.card
    assert card is not None
    told = [_first(lesson), _second(measured)]
    drawn = figure(
        "learn-scorecard", scorecard(card),
        title="Accuracy, majority-class rate and balanced accuracy with intervals, and the calibration.",
        caption="What the checking clients said, one randomized answer each, within the same ε.",
    )  # fmt: skip
    content = [told[0], asked_table(lesson), drawn, *features(lesson), told[1], _beside(
        [("Ours", card, measured[0]), ("MRMA as published", published.card, measured[1])]
    ), _commands()]  # fmt: skip
    facts = {"lesson": lesson.to_dict(), "mrma": published.to_dict(),
             "measured": {"local": measured[0].to_dict(), "mrma": measured[1].to_dict()}}  # fmt: skip
    return Stop(HEADING, told, facts, content)


def _lessons(trip: Trip) -> tuple[Lesson, Lesson, tuple[Scorecard, Scorecard]]:
    """Ours and the published method from the same clients, each measured on as many other made-up people."""
    from noisewright.learn import Scorecard, read_schema  # noqa: PLC0415  (scikit-learn is slow to load)
    from noisewright.learn.chance import Chance  # noqa: PLC0415
    from noisewright.learn.model_file import save_model  # noqa: PLC0415
    from noisewright.pages.learn_lesson import Lesson, Source  # noqa: PLC0415
    from noisewright.pages.learn_playing import Method, play  # noqa: PLC0415

    clients, others = _crowds()
    write_text(trip.folder / "clients.csv", clients.to_csv())
    schema = read_schema(DOMAINS, list(DOMAINS))
    # Which client is asked what may be known to all; a tour that is to be repeated repeats that, too.
    chance = Chance(trip.source, np.random.default_rng(None if trip.source.private else _SEED))
    source, units = Source("clients.csv", "outcome", listed=True), schema.encode(clients.rows)
    found = [
        Lesson(
            source, schema, CLASSES, EPSILON, method,
            play(schema, CLASSES, units, clients.codes, EPSILON, method, chance), chance.simulated,
        )
        for method in (Method(), Method("mrma"))
    ]  # fmt: skip
    save_model(found[0].model, trip.folder / "learned.json")
    far = schema.encode(others.rows)
    ours, theirs = (
        Scorecard.measured(each.played.rule, far, others.codes, classes=CLASSES) for each in found
    )
    return found[0], found[1], (ours, theirs)


def _crowds() -> tuple[_Crowd, _Crowd]:
    """Two crowds in the likeness of 442 patients of a public study: drawn again, and moved a little."""
    from sklearn.datasets import load_diabetes  # noqa: PLC0415  (only the tour wants it, and it is slow)

    study = load_diabetes(scaled=False)
    columns = [list(study.feature_names).index(name) for name in FEATURES.values()]
    rows, worse = study.data[:, columns], (study.target > WORSE).astype(np.int64)
    dice = np.random.default_rng(_SEED)
    return _crowd(rows, worse, dice), _crowd(rows, worse, dice)


def _crowd(rows: Floats, worse: Cells, dice: np.random.Generator) -> _Crowd:
    drawn = dice.integers(len(rows), size=CLIENTS)
    moved = rows[drawn] + 0.1 * rows.std(axis=0) * dice.normal(size=(CLIENTS, len(FEATURES)))
    return _Crowd(np.round(moved, 2), worse[drawn])


def _first(lesson: Lesson) -> str:
    from noisewright.pages.learn_words import verdict  # noqa: PLC0415  (scikit-learn is slow to load)

    assert lesson.card is not None
    return (
        f"Whose diabetes gets much worse? {lesson.clients:,} made-up patients, in the likeness of the public "
        f"study, answer one randomized question each at ε = {epsilon_words(lesson.epsilon)}: most about one "
        "feature and their outcome, some about what was learned, and the last say how good it is. "
        f"{verdict(lesson.card)}"
    )


def _second(measured: Sequence[Scorecard]) -> str:
    ours, theirs = (100 * card.accuracy.value for card in measured)
    none = 100 * measured[0].majority.value
    return (
        f"Since all of it is made up, the truth may be looked at: on {CLIENTS:,} other people the classifier "
        f"is right about {ours:.1f} %, MRMA as published, in a lesson of its own with the same clients, "
        f"about {theirs:.1f} %, and always answering {measured[0].majority_class!r} about {none:.1f} %."
    )


def _beside(rows: Sequence[tuple[str, Any, Scorecard]]) -> Html:
    """What clients said of both classifiers, and what is true of them."""
    from noisewright.learn.scorecard.words import rate_words  # noqa: PLC0415  (scikit-learn is slow to load)

    def share(value: float) -> str:
        return f"{100 * value:.1f} %"

    cells = [
        [name, "nobody checked" if card is None else rate_words(card.accuracy),
         number(share(true.accuracy.value)), number(share(true.balanced_accuracy.value)),
         number(share(true.majority.value))]
        for name, card, true in rows
    ]  # fmt: skip
    header = ["Classifier", "Accuracy, from randomized answers", "Accuracy", "Balanced accuracy",
              "Always the same answer"]  # fmt: skip
    caption = "The last three columns are measured on other made-up people, who may be looked at"
    return table(caption, header, cells)


def _commands() -> Html:
    options = " ".join(
        f"--interval {name}={domain.low:g}:{domain.high:g}" for name, domain in DOMAINS.items()
    )
    learn = (
        f"noisewright learn clients.csv --label outcome --epsilon {EPSILON:g} {options} --html lesson.html"
    )
    classify = "noisewright classify patients.csv --model learned.json -o predictions.csv"
    return paragraph(
        "Clients and classifier are beside this page. To do it: ", tag("code", learn), ". To use it: ",
        tag("code", classify),
    )  # fmt: skip
