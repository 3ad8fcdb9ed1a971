"""What is shown of a lesson: everything, on the safe side, and nobody's values."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from noisewright import Categories, Circle, Interval
from noisewright.errors import InvalidParameter
from noisewright.learn import LearningResult, LearnRequest, Method, Scorecard, read_schema
from noisewright.learn.plots import MOST_PANELS, evidence_of, plot_evidence, plot_weights
from noisewright.learn.questions.rounds import read_chance
from noisewright.learn.report import (
    NOT_SHOWN,
    PASSED_ON,
    SIMULATED_CLIENTS,
    UNLISTED,
    asked_words,
    caveats,
    features,
    lead,
    spent_words,
)
from noisewright.learn.result import AskedClients, ClientTable
from noisewright.learn.rules import AdditiveRule, Axis, ConstantRule, LinearRule
from noisewright.learn.scorecard.report import verdict
from noisewright.learn.simulation import Tally, learn_rows
from noisewright.randomness import SIMULATED
from noisewright.report.html import render_page
from report.checking import check

NASTY = "\x1b[2J\x9b31m\u202e\r\n<script>alert(1)</script>$\\frac"
DOMAINS = {"age": Interval(20, 120), "wakes": Circle(24), "sex": Categories(["f", "m"])}
SCHEMA = read_schema(DOMAINS, 3)
CLASSES = ("no", "yes")


def lesson(method=None, classes=CLASSES, domains=None, epsilon=3.0, clients=600, seed=1, **changes):
    """Learn from made-up clients, whose first feature tells their class."""
    schema = read_schema(DOMAINS if domains is None else domains, 3)
    generator = np.random.default_rng(seed)
    units = generator.uniform(-1, 1, (clients, schema.width))
    codes = np.digitize(units[:, 0], np.linspace(-1, 1, len(classes) + 1)[1:-1])
    table = changes.pop("table", ClientTable("people.csv", "ill", ("id",)))
    found = learn_rows(table, schema, classes, units, codes, epsilon, method or Method(), read_chance(seed))
    return replace(found, **{"simulated": False, **changes})


@pytest.fixture(scope="module")
def usual() -> LearningResult:
    return lesson()


def test_the_page_stands_alone_and_shows_everything(usual):
    page = check(render_page(usual.report("model.json")))
    assert page.count("svg") == 2
    headings = ("At a glance", "How good it is", "What each feature says", "Questions asked",
                "What was chosen, and why", "What these numbers mean")  # fmt: skip
    for text in (
        *headings,
        lead(usual),
        spent_words(usual),
        SIMULATED_CLIENTS,
        *caveats(usual),
        "model.json",
    ):
        assert text in page.prose
    for row in usual.asked:
        assert asked_words(row) in page.prose
    card = usual.scorecard
    for rate in (card.accuracy, card.majority, card.balanced_accuracy):
        assert f"{100 * rate.value:.1f} %" in page.prose


def test_intervals_are_rounded_outward(usual):
    low, high = (
        float(end) for end in verdict(usual.scorecard).split("about ")[1].split(" %")[0].split(" to ")
    )
    assert 0 <= 100 * usual.scorecard.accuracy.low - low < 0.1
    assert 0 <= high - 100 * usual.scorecard.accuracy.high < 0.1


def test_the_text_fits_a_screen_and_has_the_card(usual):
    text = str(usual)
    assert max(map(len, text.splitlines())) <= 110
    assert str(usual.scorecard).splitlines()[0] in text
    assert "540  reported one feature (binned) and their label" in text
    assert "left out  id" in text


def test_neither_seed_nor_test_goes_unsaid(usual):
    seeded = replace(usual, simulated=True)
    assert f"The noise was {SIMULATED}." in caveats(seeded)
    assert PASSED_ON in caveats(usual)
    assert PASSED_ON not in caveats(seeded)
    units = np.random.default_rng(2).uniform(-1, 1, (200, usual.schema.width))
    card = Scorecard.measured(usual.rule, units, (units[:, 0] > 0).astype(int), classes=CLASSES)
    tested = replace(seeded, test=card, tested="other.csv")
    assert any("NOT private" in said for said in caveats(tested))
    page = check(render_page(tested.report()))
    assert "How good it is on other.csv" in page.prose
    assert SIMULATED in page.prose
    assert page.count("svg") == 3
    assert "measured, NOT private" in str(tested)
    assert tested.model.to_dict() == seeded.model.to_dict()


def test_public_lists_and_doubtful_results_are_told_apart(usual):
    assert UNLISTED in caveats(usual)
    assert UNLISTED not in caveats(replace(usual, table=ClientTable("a", "b", listed=True)))
    assert NOT_SHOWN not in caveats(usual)
    poor = lesson(epsilon=0.05)
    assert poor.scorecard.beats_majority == "not shown"
    assert NOT_SHOWN in caveats(poor)
    assert "is not shown to be better" in lead(poor)


def test_evidence_is_in_the_units_of_people():
    """A table that jumps in the middle of an interval, on a circle's right half, and for one of two labels."""
    jump = np.zeros((4, 2))
    jump[2:, 1] = 2.0
    axes = [Axis(0, 1, 4), Axis(1, 2, 4), Axis(3, 4, 2, ordered=False)]
    rule = AdditiveRule(axes, [jump, jump / 2, [[0.0, 0.0], [0.0, 0.5]]], [0.0, 0.0])
    age, wakes, sex = evidence_of(rule, SCHEMA)
    assert [each.block.name for each in (age, wakes, sex)] == ["age", "wakes", "sex"]
    assert age.values[age.scores[:, 1] > 1].min() == pytest.approx(70, abs=0.2)
    late = wakes.values[wakes.scores[:, 1] > 0.5]
    assert ((late < 6) | (late > 18)).all()
    assert len(late) == len(wakes.values) // 2
    assert dict(zip(sex.values, sex.scores[:, 1].tolist(), strict=True)) == {"f": 0.0, "m": 0.5}
    drawn = plot_evidence([age, wakes, sex], CLASSES)
    assert [axes.get_title() for axes in drawn.axes] == ["age", "wakes", "sex"]
    assert len({axes.get_ylim() for axes in drawn.axes}) == 1


def test_features_that_a_rule_ignores_have_no_panel():
    rule = AdditiveRule([Axis(0, 1, 2)], [[[0.0, 0.0], [0.0, 1.0]]], [0.0, 0.0])
    assert [each.block.name for each in evidence_of(rule, SCHEMA)] == ["age"]


def test_a_picture_has_room_for_a_dozen_features_and_three_classes():
    schema = read_schema({f"feature {place}": Interval(0, 1) for place in range(20)}, 20)
    tables = [np.outer(np.arange(2), [0.0, 1.0, place]) for place in range(20)]
    found = evidence_of(AdditiveRule([Axis(at, at + 1, 2) for at in range(20)], tables, np.zeros(3)), schema)
    drawn = plot_evidence(found, ("a", "b", "c"))
    assert len(drawn.axes) == MOST_PANELS
    assert drawn.axes[0].get_title() == "feature 19"
    assert [text.get_text() for text in drawn.legends[0].get_texts()] == ["a", "b", "c"]


def test_weights_of_a_linear_rule_are_drawn_by_size():
    drawn = plot_weights(LinearRule([0.1, -2.0, 0.0, 0.5]), SCHEMA)
    names = [label.get_text() for label in drawn.axes[0].get_yticklabels()]
    assert names == ["cos wakes", "sex", "age", "sin wakes"]


@pytest.mark.parametrize("base", ["logistic", "random"])
def test_mrma_says_what_became_of_its_classifiers(base):
    found = lesson(Method("mrma", base=base, intercept=False))
    flat = " ".join(str(found).split())
    assert "weak classifiers" in flat
    assert "Scores of MRMA are not log odds" in flat
    assert ("reported every feature" in flat) == (base == "logistic")


def test_three_classes_have_pictures_but_no_calibration():
    found = lesson(classes=("a", "b", "c"), clients=900)
    assert found.scorecard.calibration is None
    assert "largest sum of evidence" in features(found)[0]
    several = lesson(Method("mrma"), classes=("a", "b", "c"), clients=900)
    assert "no picture of their own" in features(several)[0]
    assert several.to_dict()["chosen"]["weak"] >= 3
    linear = features(lesson(Method("mrma", intercept=False)))
    assert "to the right favours yes" in linear[0].caption


def test_what_cannot_be_drawn_is_said(usual):
    """A rule that looks at nobody, and that nobody checked."""
    bare = replace(usual, rule=ConstantRule(1), scorecard=None)
    page = check(render_page(bare.report()))
    assert page.count("svg") == 0
    assert "everybody gets the same answer" in page.prose
    assert "Nobody checked" in page.prose
    assert "Nobody checked the classifier" in str(bare)
    assert bare.to_dict()["scorecard"] is None


def test_different_totals_are_told_one_by_one(usual):
    spent = Counter({Fraction(0): 2, Fraction(3): 598})
    odd = replace(usual, spent=spent)
    assert spent_words(odd).startswith("2 clients exactly ε = 0, 598 clients exactly ε = 3")


def test_names_can_neither_steer_a_terminal_nor_run_in_a_page():
    domains = {f"n{NASTY}": Interval(0, 1), "c": Circle(24), f"l{NASTY}": Categories([f"f{NASTY}", "m"])}
    table = ClientTable(f"d{NASTY}", f"y{NASTY}", (f"o{NASTY}",))
    nasty = lesson(classes=(f"a{NASTY}", f"b{NASTY}"), domains=domains, table=table)
    text, page = str(nasty), render_page(nasty.report(f"m{NASTY}"))
    assert all(line.isprintable() for line in text.split("\n"))
    assert "<script>alert" not in page
    assert not set("\x1b\x9b\u202e") & set(page)
    check(page)
    assert json.loads(json.dumps(nasty.to_dict(), allow_nan=False))["model"]["label"] == f"y{NASTY}"


def test_every_client_is_counted_where_learning_asks_for_feedback(usual):
    found = lesson(Method(learners=("directions",)))
    assert [(row.purpose, row.kind, row.clients) for row in found.asked] == [
        ("learn", "feedback", 420), ("choose", "comparison", 120), ("check", "check", 60),
    ]  # fmt: skip
    assert Tally(3).rows == ()
    assert asked_words(AskedClients("check", "something new", 3)).startswith("answered another question")


@pytest.mark.parametrize("method", [Method("forest"), Method(base="forest"), Method(learners=("forest",))])
def test_methods_without_a_meaning_are_refused(method):
    with pytest.raises(InvalidParameter, match="forest"):
        method.check()
    with pytest.raises(InvalidParameter, match="forest"):
        LearnRequest("ill", 1.0, DOMAINS, method=method)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"domains": {}}, "at least one feature"),
        ({"label": "age"}, "both label=... and a feature"),
        ({"classes": ("yes",)}, "names one class only"),
        ({"classes": ("no", "yes"), "method": Method(default="maybe")}, "default must be one of classes"),
        ({"out_of_domain": "drop"}, "out_of_domain must be refuse or clip"),
        ({"epsilon": 0.0}, "epsilon must be a number above 0"),
    ],
)
def test_requests_without_a_meaning_are_refused_before_a_file_is_read(changes, said):
    with pytest.raises(InvalidParameter, match=said):
        LearnRequest(**{"label": "ill", "epsilon": 1.0, "domains": DOMAINS, **changes})
