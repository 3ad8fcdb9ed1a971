"""The report of a simulation of learning: how good the classifier is, what it uses, who was asked what.

Intervals are rounded outward, and an accuracy never stands alone.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import PurePath
from typing import Any, Final

from noisewright.domains import Circle, Interval
from noisewright.guarantees import PureLDP
from noisewright.learn.learners.candidates import CONSTANT
from noisewright.learn.plots import MOST_PANELS, Evidence, evidence_of, plot_evidence, plot_weights
from noisewright.learn.result import UNTRAINED, AskedClients, LearningResult, chosen_facts
from noisewright.learn.rules import AdditiveRule, ConstantRule, LinearRule
from noisewright.learn.rules.schema import Block as Feature
from noisewright.learn.scorecard.report import card_blocks, share_words, verdict
from noisewright.randomness import SIMULATED
from noisewright.report import Block, Bullets, Caution, Facts, Figure, Report, Section, Table, number
from noisewright.report.terminal import align_columns
from noisewright.text import epsilon_words, plain, short, shortened, span

REPORTED: Final = {
    "cells": "reported one feature (binned) and their label",
    "split": "reported every feature and their label, at a share of ε each",
    "sampled": "reported some of their features and their label",
    "product": "reported a product of features and label",
    "feedback": "reported whether a rule is right about them, in one bit",
    "comparison": "reported which of a rule and the constant answer is right about them, if only one is",
    "confusion": "reported what a rule says of them, and their label",
    "score": "reported a rule's score of them, and their label",
    "check": "reported where the finished classifier puts them, and their label",
}
"""What an answer of each kind reports, before it is randomized."""

PURPOSES: Final = {
    "learn": "for training",
    "choose": "for the choice",
    "check": "to check the result, with no part in making it",
}

SIMULATED_CLIENTS: Final = (
    "The clients were simulated: one program held all rows and acted as every client. It shows what would be "
    "learned from people's devices, and protects nobody whose row is in the table. In the field a Client on "
    "each device and a Coordinator do the same, and no record leaves a device."
)
COVERED: Final = "ε covers the whole record, the label included, and every client answers once."
CHECKED: Final = (
    "The private scorecard is paid for within the same ε: clients who had no part in learning answered one "
    "randomized question each. Its intervals hold one by one, in 95 % of collections from such people."
)
PASSED_ON: Final = (
    "The classifier follows from randomized answers alone, so learning it from devices and passing it on "
    "costs nobody more than ε."
)
UNLISTED: Final = (
    "The classes were read off the table. In the field their list must be public: name it with --classes."
)
NOT_SHOWN: Final = (
    "Nothing shows that this classifier beats always giving the same answer. More clients, a larger ε, "
    "fewer features, or domains that fit where people are may help."
)
UNCALIBRATED: Final = "Scores of MRMA are not log odds, so its probabilities need not be calibrated."
NOT_PRIVATE: Final = "These numbers are measured on true records and are NOT private."


def learning_report(found: LearningResult, saved: str | None = None) -> Report:
    """Describe a result as a document; ``saved`` is the file that holds the classifier."""
    first = cautions(found)
    return Report(
        title=f"Learning {plain(found.table.label)} from randomized answers",
        lead=lead(found),
        cautions=first,
        sections=[
            Section("At a glance", [_glance(found, saved)]),
            Section("How good it is, from randomized answers", card_blocks(found.scorecard, "private")),
            *_tested(found),
            Section("What each feature says", features(found)),
            Section(
                "Questions asked",
                [
                    Facts([(f"{row.clients:,}", asked_words(row)) for row in found.asked]),
                    f"In all {spent_words(found)}.",
                ],
            ),
            Section("What was chosen, and why", _choice_blocks(found)),
            Section(
                "What these numbers mean", [Bullets([said for said in caveats(found) if said not in first])]
            ),
        ],
        verb="learn",
        data=found.to_dict(),
    )


def _glance(found: LearningResult, saved: str | None) -> Facts:
    where = "a public list" if found.table.listed else "read off the table"
    pairs = [
        ("clients", f"{found.clients:,} rows of {plain(found.table.data)}, each simulates a client"),
        ("spent", spent_words(found)),
        ("features", "; ".join(feature_words(block) for block in found.schema.blocks)),
        ("classes", f"{', '.join(plain(name) for name in found.classes)} ({where})"),
        ("method", method_words(found)),
    ]
    if found.table.left_out:
        pairs.append(("left out", ", ".join(map(plain, found.table.left_out))))
    return Facts([*pairs, *([] if saved is None else [("classifier", plain(PurePath(saved).name))])])


# -- how good it is --------------------------------------------------------------------------------------


def _tested(found: LearningResult) -> list[Section]:
    if found.test is None:
        return []
    heading = f"How good it is on {plain(found.tested)}: measured, NOT private"
    return [
        Section(heading, [Caution(NOT_PRIVATE), verdict(found.test), *card_blocks(found.test, "measured")])
    ]


def lead(found: LearningResult) -> str:
    """Return the result in one sentence."""
    learned = f"{found.clients:,} simulated clients, asked once each at ε = {epsilon_words(found.epsilon)}"
    good = "Nobody checked it." if found.scorecard is None else verdict(found.scorecard)
    return f"A classifier learned from {learned}. {good}"


# -- what each feature says ------------------------------------------------------------------------------


def features(found: LearningResult) -> list[Block]:
    """Return what drives the classifier, as pictures where there can be one."""
    rule = found.rule
    if isinstance(rule, AdditiveRule) and rule.axes:
        evidence = evidence_of(rule, found.schema)
        title = "What each feature adds to the score over its values, one panel a feature."
        caption = (
            f"{min(len(evidence), MOST_PANELS)} of {len(found.schema.blocks)} features, the strongest first, "
            "all on one scale. Estimates without their error: small waves may be noise."
        )
        panels = [(title, lambda: plot_evidence(evidence, found.classes))]
        lines = _evidence_lines(evidence, found.classes)
        return [_evidence_words(found), Figure("evidence", panels, caption, lines)]
    if isinstance(rule, LinearRule) and rule.weights.any():
        caption = f"The largest weights; to the right favours {plain(found.classes[1])}."
        panels = [("The weight of each feature.", lambda: plot_weights(rule, found.schema))]
        return [Figure("weights", panels, caption, [caption, *_weight_lines(rule, found)])]
    if isinstance(rule, ConstantRule | AdditiveRule | LinearRule):
        return ["No feature is used: everybody gets the same answer."]
    return [
        "The classifier is a mixture whose parts have no picture of their own; the JSON holds all of them."
    ]


def _evidence_words(found: LearningResult) -> str:
    if len(found.classes) > 2:
        return "The class with the largest sum of evidence over all features is the answer."
    first, second = map(plain, found.classes)
    return (
        f"Evidence adds up over features: above zero a value favours {second}, below {first}. One unit "
        "multiplies the odds by 2.7. A feature that cannot be told apart from noise adds next to nothing."
    )


def _evidence_lines(evidence: list[Evidence], classes: tuple[str, ...]) -> list[str]:
    """Return the range of each feature's evidence, the strongest first, for the terminal."""
    rows = []
    for each in evidence[:MOST_PANELS]:
        scores = each.scores[:, 1] - each.scores[:, 0] if len(classes) == 2 else each.scores
        rows.append([shortened(plain(each.block.name)), f"{scores.min():+.2f} to {scores.max():+.2f}"])
    return align_columns([["feature", "evidence"], *rows], [False, True])


def _weight_lines(rule: LinearRule, found: LearningResult) -> list[str]:
    order = sorted(range(rule.width), key=lambda place: -abs(float(rule.weights[place])))[:MOST_PANELS]
    rows = [[shortened(plain(found.schema.names[at])), f"{float(rule.weights[at]):+.3g}"] for at in order]
    return align_columns([["feature", "weight"], *rows], [False, True])


# -- who was asked what ----------------------------------------------------------------------------------


def asked_words(row: AskedClients) -> str:
    """Return what some clients were asked, and why."""
    return f"{REPORTED.get(row.kind, 'answered another question')}, {PURPOSES[row.purpose]}"


def spent_words(found: LearningResult) -> str:
    """Return what everybody spent, exactly."""
    spent = found.spent
    if set(spent) == {Fraction(found.epsilon)}:
        return f"every client exactly ε = {epsilon_words(found.epsilon)}, for features and label together"
    parts = [f"{count:,} clients exactly ε = {epsilon_words(float(total))}" for total, count in spent.items()]
    return f"{', '.join(parts)}, for features and label together"


def feature_words(block: Feature) -> str:
    """Return a feature with its public domain.

    >>> feature_words(Feature("hour", Circle(24), 0, 2))
    'hour round a circle of 24'
    """
    name = plain(block.name)
    match block.domain:
        case Interval() as interval:
            return f"{name} {span(*interval.ends)}"
        case Circle() as circle:
            return f"{name} round a circle of {short(circle.period)}"
    return f"{name} of {block.labels} labels" if block.labels else name


def method_words(found: LearningResult) -> str:
    """Return how it was learned."""
    method = found.method
    if method.name == "local":
        return f"the best of: {', '.join(method.learners)}"
    if method.base == UNTRAINED:
        return "MRMA with untrained random directions, weighted by feedback"
    return f"MRMA with {method.base} weak classifiers{'' if method.intercept else ' without intercept'}"


# -- what was chosen -------------------------------------------------------------------------------------


def _choice_blocks(found: LearningResult) -> list[Block]:
    facts = chosen_facts(found.chosen)
    if "candidates" not in facts:
        return [_mixture_words(facts)]
    rows = [
        [row["name"], number(share_words(row["hope"]), exact=row["hope"]),
         number(share_words(row["worth"]), best=row["name"] == facts["name"], exact=row["worth"])]
        for row in facts["candidates"]
    ]  # fmt: skip
    header = ["Candidate", "Its learner's hope", "With the clients' comparisons"]
    return [_choice_words(facts), Table("Numbers to choose by, not accuracies", header, rows)]


def _choice_words(facts: dict[str, Any]) -> str:
    others = " and ".join(repr(row["name"]) for row in facts["candidates"] if row["name"] != facts["name"])
    taken = f"{facts['name']!r} was chosen over {others}"
    if facts["name"] == CONSTANT:
        why = f"{taken}: the answers do not clearly favour anything else."
    else:
        why = f"{taken}, by the evidence of the answers and of the clients who chose."
    said = " A hope is not an accuracy: it is too high on average. The scorecard measures the result."
    return why + said + "".join(f" Note: {plain(note)}." for note in facts["notes"])


def _mixture_words(facts: dict[str, Any]) -> str:
    said = (
        f"A mixture of {facts['with_weight']:,} of {facts['weak']:,} weak classifiers, weighted by how often "
        f"clients said they are right; {facts['reversed']:,} of all were reversed."
    )
    return said + (" None passed the cut-off, so it was lowered." if facts["fallback"] else "")


# -- what must be said -----------------------------------------------------------------------------------


def cautions(found: LearningResult) -> list[str]:
    """Return what a reader must know first, so that nobody takes a simulation for protection."""
    return [*([f"The noise was {SIMULATED}."] if found.simulated else []), SIMULATED_CLIENTS]


def caveats(found: LearningResult) -> list[str]:
    """Return everything that must be said, the most important first."""
    card = found.scorecard
    return [
        *cautions(found),
        f"{COVERED} {PureLDP(found.epsilon).explain()}",
        *([] if card is None else [CHECKED]),
        *([NOT_SHOWN] if card is not None and card.beats_majority != "yes" else []),
        *([UNCALIBRATED] if found.method.name == "mrma" else []),
        *([] if found.table.listed else [UNLISTED]),
        *([] if found.test is None else [_not_private(found)]),
        *([] if found.simulated else [PASSED_ON]),
    ]


def _not_private(found: LearningResult) -> str:
    return (
        f"The records of {plain(found.tested)} were used as they are, so the measured scorecard is NOT "
        "private: keep it as confidential as these records. The saved classifier does not contain it."
    )
