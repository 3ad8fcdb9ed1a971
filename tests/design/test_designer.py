"""The designer's table: its numbers are those of the mechanisms, its order and its bounds are true."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from design.samples import best_bound
from noisewright import Categories, Circle, Interval
from noisewright.design import best_window, optimal_law
from noisewright.design.design_table import Bound
from noisewright.design.designer import tabulate
from noisewright.design.rivals import exponential, randomized_response, tight_exponential
from noisewright.domains import MetricSpace
from noisewright.errors import InvalidParameter, NoisewrightError
from noisewright.mechanisms import OGPM, CircularOGPM, Laplace, Mechanism, OptimalWindow, Purkayastha
from noisewright.mechanisms.basics.finite import loss_matrix
from noisewright.text import at_least

UNIT, DAY = Interval(0, 1), Circle(24)
HOURS = np.arange(1, 25) / 300


def stops() -> MetricSpace:
    """Twelve stops of a line, at uneven distances."""
    places = np.cumsum([0, 1, 1, 2, 1, 3, 1, 1, 4, 1, 2, 1])
    return MetricSpace([f"stop {place}" for place in range(12)], np.abs(places[:, None] - places))


@pytest.fixture(scope="module")
def worst_case():
    return tabulate(UNIT, 1.0, inputs=32)


def row(table, name):
    return next(each for each in table.rows if each.name == name)


# -- numbers -----------------------------------------------------------------------------------------


def test_rows_have_the_numbers_of_the_mechanisms(worst_case):
    law, window = optimal_law(UNIT, 1.0, inputs=32), best_window(UNIT, 1.0)
    expected = {
        "Optimal law": law,
        "Best window": window,
        "OGPM": OGPM(UNIT, 1.0),
        "Laplace": Laplace(UNIT, 1.0),
    }
    for name, mechanism in expected.items():
        found = row(worst_case, name)
        assert found.mechanism == mechanism
        assert found.worst == found.value == mechanism.worst_error("absolute")
        assert found.average == mechanism.average_error("absolute")
    assert row(worst_case, "OGPM").bits == 20
    assert worst_case.optimal.bits == math.log2(len(law.outputs))
    assert {each.name for each in worst_case.rows} == {
        "Optimal law", "Best window", "OGPM", "Laplace", "TruncatedLaplace", "BoundedLaplace", "Staircase",
    }  # fmt: skip


def test_the_best_is_first_and_no_row_is_below_the_bound(worst_case):
    assert worst_case.best is worst_case.optimal is worst_case.rows[0]
    values = [each.value for each in worst_case.rows]
    assert values == sorted(values)
    assert worst_case.bound.value == best_bound(1.0, "absolute") <= min(values)
    assert worst_case.bound.sentence == "no ε-LDP mechanism whatsoever can be below 0.316168"


def test_sentences_say_what_is_given_away(worst_case):
    excess = row(worst_case, "OGPM").value / worst_case.bound.value - 1
    bits = f"20 bits instead of {worst_case.optimal.bits:.0f}"
    assert row(worst_case, "OGPM").sentence == f"{100 * excess:.0f} % above the best possible; {bits}"
    assert 0.19 < excess < 0.2
    assert "its average is 29 % above that of OGPM" in worst_case.optimal.sentence


def test_an_average_over_a_prior_with_a_cap():
    found = tabulate(DAY, 2.0, "squared", "average", prior=HOURS, cap_worst=1.1, inputs=24)
    assert found.best is found.optimal
    assert found.optimal.worst <= found.limit * (1 + 1e-6)
    assert found.optimal.average == pytest.approx(found.optimal.value, rel=1e-4)
    assert found.optimal.value < found.window.value < row(found, "CircularOGPM").value
    assert not row(found, "Purkayastha").admitted
    assert row(found, "Purkayastha").sentence.startswith("its worst case of 26.92 is above the limit of 20.")
    assert "24 parts and 24 possible reports with a worst case of at most" in found.bound.sentence
    values, weights = np.arange(24 * 50) / 50 + 0.01, np.repeat(HOURS, 50) / 50
    by_hand = weights @ found.optimal.mechanism.law(values).expected("squared")
    assert found.optimal.value == pytest.approx(by_hand, rel=1e-4)


def test_on_a_circle_ogpm_is_proved_optimal_for_the_absolute_error():
    found = tabulate(DAY, 2.0)
    assert isinstance(found.best.mechanism, OptimalWindow)
    assert row(found, "CircularOGPM").sentence == "as good as the best possible"
    assert row(found, "CircularOGPM").mechanism == CircularOGPM(DAY, 2.0)
    assert row(found, "Purkayastha").worst == Purkayastha(DAY, 2.0).worst_error("absolute")
    assert found.bound.value <= found.best.value <= found.bound.value * (1 + 1e-6)


def test_a_point_on_a_circle_is_bounded_under_its_limit_only():
    found = tabulate(DAY, 2.0, "squared", "point", point=3.0)
    assert found.limit == found.optimal.worst
    assert "with a worst case of at most" in found.bound.sentence
    assert not row(found, "CircularOGPM").admitted


def test_a_point_on_an_interval():
    found = tabulate(UNIT, 1.0, objective="point", point=0.2, inputs=16)
    ogpm = row(found, "OGPM")
    assert ogpm.value == pytest.approx(OGPM(UNIT, 1.0).law(0.2).expected("absolute"), rel=1e-12)
    assert found.window.value == pytest.approx(0.241, abs=1e-3)  # Zheng 2026, example 8
    assert found.optimal.value < found.window.value < ogpm.value


def test_unbiased_tasks_rule_out_biased_mechanisms():
    found = tabulate(UNIT, 1.0, "squared", unbiased=True, inputs=33)
    admitted = [each.name for each in found.rows if each.admitted]
    assert set(admitted) == {"Optimal law", "Hybrid", "Duchi", "PM", "Laplace", "Staircase"}
    assert found.best is found.optimal
    assert all(each.unbiased is each.admitted for each in found.rows)
    assert row(found, "OGPM").sentence.startswith("biased, which this task rules out")
    assert "unbiased ε-LDP law of 33 knots" in found.bound.sentence


@pytest.mark.slow
def test_lexicographic_keeps_the_best_worst_case_and_lowers_the_average(worst_case):
    found = tabulate(UNIT, 1.0, objective="lexicographic", inputs=32)
    assert found.optimal.worst <= worst_case.optimal.worst * (1 + 1e-6)
    assert found.optimal.average < worst_case.optimal.average
    assert found.bound == worst_case.bound
    assert found.limit is None


def test_what_nothing_is_proved_about_says_so():
    found = tabulate(UNIT, 14.0, "squared", "average", inputs=8)
    assert found.bound is None
    assert found.best.sentence == "as good as the best of these"
    assert row(found, "OGPM").sentence.endswith("% above the best of these")
    assert found.floor == found.best.value


def test_who_cannot_be_built_is_named_and_the_rest_goes_on():
    found = tabulate(UNIT, 1e-5, inputs=4)
    assert "Laplace" not in [each.name for each in found.rows]
    assert any(reason.startswith("Laplace: ") for reason in found.absent)


# -- labels ------------------------------------------------------------------------------------------


def test_a_line_of_twelve_stops_is_served_best_by_the_optimal_law():
    found = tabulate(stops(), 1.0)
    assert found.window is None
    assert found.rows[0].name == "Optimal law"
    assert {each.name for each in found.rows} == {"Optimal law", "k-RR", "Exponential", "Tight exponential"}
    rivals = [each.value for each in found.rows[1:]]
    assert found.best.value < 0.95 * min(rivals)
    assert found.bound.value <= found.best.value <= found.bound.value + 1e-6
    assert all(each.unbiased is None for each in found.rows)
    assert found.bound.sentence.startswith("no ε-LDP mechanism that reports these labels can be below")


def test_randomized_response_is_proved_optimal_for_wrong_answers():
    found = tabulate(Categories("abcd"), 2.0, "zero-one", "average", prior=[0.25] * 4)
    assert row(found, "k-RR").value == pytest.approx(3 / (math.e**2 + 3), rel=1e-9)
    assert row(found, "k-RR").sentence == "as good as the best possible"


def test_a_prior_over_labels_and_a_single_label():
    prior = [0.45] + [0.05] * 11
    found = tabulate(stops(), 1.0, objective="average", prior=prior)
    for each in found.rows:
        errors = each.mechanism.law(stops().labels).expected("absolute")
        assert each.average == pytest.approx(np.dot(prior, errors))
        assert each.worst == errors.max()
    one = tabulate(stops(), 1.0, "squared", "point", point="stop 3", cap_worst=1.2)
    assert row(one, "k-RR").value == pytest.approx(
        row(one, "k-RR").mechanism.law(["stop 3"]).expected("squared")[0]
    )
    assert one.optimal.worst <= one.limit * (1 + 1e-6)


def test_lexicographic_labels_are_bounded_by_their_worst_case():
    found = tabulate(stops(), 1.0, objective="lexicographic")
    assert found.bound.value <= found.optimal.worst <= found.bound.value * (1 + 1e-6)


@pytest.mark.parametrize("epsilon", [0.05, 1.0, 6.0])
def test_tables_of_labels_are_the_formulas_in_integers(epsilon):
    space, size = stops(), 12
    losses = loss_matrix(space, "absolute")
    response = randomized_response(space, epsilon).matrix
    assert response[0, 0] == pytest.approx(math.exp(epsilon) / (math.exp(epsilon) + size - 1), rel=1e-6)
    assert response[0, 1] == pytest.approx(1 / (math.exp(epsilon) + size - 1), rel=1e-6)
    scores = np.exp(-epsilon * losses / (2 * losses.max()))
    textbook = exponential(space, epsilon, losses)
    assert textbook.matrix == pytest.approx(scores / scores.sum(axis=1, keepdims=True), rel=1e-6)
    tight = tight_exponential(space, epsilon, losses)
    assert textbook.epsilon_upper < tight.epsilon_upper <= epsilon
    assert tight.epsilon_upper == pytest.approx(epsilon, rel=1e-5)


# -- shape and refusals ------------------------------------------------------------------------------


def test_the_json_form_is_strict_and_complete(worst_case):
    back = json.loads(json.dumps(worst_case.to_dict(), allow_nan=False))
    assert back["best"] == "Optimal law"
    assert back["bound"]["value"] == worst_case.bound.value
    assert [each["worst_error"] for each in back["rows"]] == [each.worst for each in worst_case.rows]
    assert all(each["epsilon_upper"] <= 1 for each in back["rows"])
    matrix = tabulate(Categories("ab"), 1.0, [[0, 1], [5, 0]])
    assert json.loads(json.dumps(matrix.to_dict(), allow_nan=False))["loss"] == [[0, 1], [5, 0]]


def test_the_plot_draws_what_matters(worst_case):
    labels = [line.get_label() for line in worst_case.plot().get_lines()]
    assert labels == ["Optimal law", "Best window", "OGPM"]
    for_labels = tabulate(stops(), 1.0).plot()
    assert len(for_labels.get_lines()) == 4
    assert [text.get_text() for text in for_labels.get_xticklabels()] == list(stops().labels)


@pytest.mark.parametrize("value", [0.31616897, 26.5, 1e-9, 123456789.123, 0.1, 1 - 1e-12])
def test_a_bound_is_printed_rounded_down(value):
    printed = float(at_least(value, 6).replace(",", ""))
    assert value * (1 - 1e-5) <= printed <= value
    assert Bound(value, "law").sentence == f"no law can be below {at_least(value, 6)}"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"epsilon": 0}, "epsilon must be a number above 0"),
        ({"loss": math.nan}, "loss must be a number"),
        ({"loss": "cubic"}, "a loss is"),
        ({"loss": "zero-one"}, "is for labels"),
        ({"objective": "best"}, "objective must be one of"),
        ({"objective": "average", "prior": [0.5, 0.4]}, "sum to one, got 0.9"),
        ({"objective": "average", "prior": [-0.5, 1.5]}, "at least zero"),
        ({"prior": [1.0]}, "a prior has no effect"),
        ({"objective": "point"}, "go together"),
        ({"objective": "point", "point": 2.0}, "point must lie in"),
        ({"inputs": 1}, "inputs must be a whole number from 2"),
        ({"objective": "average", "cap_worst": 0.5}, "cap_worst must be a number"),
        ({"cap_worst": 1.1}, "go with objective"),
        ({"objective": "average", "worst_at_most": 0.1, "inputs": 8}, "the least possible is 0.31"),
        ({"domain": DAY, "unbiased": True}, "an unbiased law needs an interval"),
        ({"domain": Categories("ab"), "inputs": 8}, "inputs has no meaning"),
    ],
)  # fmt: skip
def test_what_has_no_meaning_is_refused(arguments, said):
    with pytest.raises(NoisewrightError, match=said):
        tabulate(**({"domain": UNIT, "epsilon": 1.0} | arguments))


def test_progress_names_what_is_worked_on():
    told: list[str] = []
    tabulate(DAY, 1.0, progress=told.append)
    assert told == ["the optimal law", "what no mechanism can do", "CircularOGPM", "Purkayastha"]


def test_every_row_is_a_mechanism_that_can_be_saved():
    for each in tabulate(Categories("abc"), 1.0).rows:
        assert Mechanism.from_dict(json.loads(json.dumps(each.mechanism.to_dict()))) == each.mechanism
    with pytest.raises(InvalidParameter):
        tabulate("nowhere", 1.0)
