"""An explanation says what the law says, for every mechanism there is."""

from __future__ import annotations

import json

import numpy as np
import pytest

from catalogue import KINDS, NAMES, build
from noisewright import Circle, Interval
from noisewright.design.explain_report import BLOCKS, column_shares, text_plot
from noisewright.design.explanation import explain, usual_values
from noisewright.design.law_words import in_words
from noisewright.errors import InvalidParameter
from noisewright.mechanisms import (
    OGPM,
    PM,
    TSW,
    BinnedKRR,
    CircularOGPM,
    Duchi,
    Gaussian,
    Hybrid,
    Laplace,
    Mechanism,
)
from noisewright.report.html import render_page
from noisewright.text import epsilon_words
from report.checking import check

PULSE = Interval(40, 200)


@pytest.mark.parametrize(("kind", "domain"), KINDS, ids=NAMES)
def test_every_mechanism_can_be_explained(kind, domain):
    mechanism = build(kind, domain, 2.0)
    found = explain(mechanism)
    law = mechanism.law(usual_values(mechanism.domain))
    assert [e.expected_absolute for e in found.examples] == law.expected("absolute").tolist()
    assert [e.expected_squared for e in found.examples] == law.expected("squared").tolist()
    assert [e.mean_report for e in found.examples] == law.mean().tolist()
    assert found.worst_absolute == mechanism.worst_error("absolute")
    assert found.average_squared == mechanism.average_error("squared")
    assert in_words.dispatch(kind) is not in_words.dispatch(Mechanism), "no words for this family"
    json.dumps(found.to_dict(), allow_nan=False)
    text = str(found)
    assert mechanism.guarantee.explain() in " ".join(text.split())
    assert found.purpose in " ".join(text.split())


@pytest.mark.parametrize(("kind", "domain"), KINDS, ids=NAMES)
def test_half_and_most_of_the_reports_lie_where_it_says(kind, domain):
    mechanism = build(kind, domain, 2.0)
    for example in explain(mechanism).examples:
        law = mechanism.law(example.value)
        for share, distance in ((0.5, example.half_within), (0.95, example.most_within)):
            # a cell counts when its centre is reached, and on a circle the far side is reached all at once
            reach = min(distance + 1e-9, getattr(mechanism.reports, "period", np.inf) / 2)
            assert law.mass(example.value - reach, example.value + reach) >= share - 1e-9
            less = distance * (1 - 1e-6) - mechanism.reports.pitch
            assert less < 0 or law.mass(example.value - less, example.value + less) < share


def test_a_window_is_given_in_the_units_of_the_user():
    (example,) = explain(OGPM(PULSE, 2.0), at=[71.0]).examples
    width = 160 / (np.e + 1)
    assert example.window == pytest.approx((71 - width / 2, 71 + width / 2), abs=1e-3)
    low, middle, high = explain(OGPM(PULSE, 2.0)).examples
    assert (low.value, middle.value, high.value) == (40, 120, 200)
    assert low.window[0] == 40
    assert high.window[1] == pytest.approx(200)


def test_the_mass_inside_the_window_is_what_the_words_say():
    mechanism = PM(PULSE, 1.0)
    (example,) = explain(mechanism, at=[100.0]).examples
    anywhere = mechanism.window.anywhere
    inside = 1 - anywhere + anywhere * mechanism.window.width / mechanism.window.cells
    assert mechanism.law(100.0).mass(*example.window) == pytest.approx(inside, abs=1e-5)
    assert f"With probability {100 * anywhere:.1f} %" in in_words(mechanism)[0]


def test_a_window_on_a_circle_wraps():
    (example,) = explain(CircularOGPM(Circle(24), 2.0), at=[23.0]).examples
    assert example.window[0] == pytest.approx(23 - 12 / (np.e + 1), abs=1e-3)
    assert example.window[1] == pytest.approx(12 / (np.e + 1) - 1, abs=1e-3)
    assert "round to" in str(explain(CircularOGPM(Circle(24), 2.0), at=[23.0]))


@pytest.mark.parametrize(
    ("mechanism", "words"),
    [
        (OGPM(PULSE, 1.0), 1),
        (TSW(PULSE, 1.0), 1),
        (Laplace(PULSE, 1.0), 2),
        (Duchi(PULSE, 1.0), 2),
        (Hybrid(PULSE, 1.0), 4),
    ],
)
def test_random_words_are_counted(mechanism, words):
    assert mechanism.words_per_report() == words


@pytest.mark.parametrize(("at", "shown"), [(39.9, "39.9"), (float("nan"), "nan"), (float("inf"), "inf")])
def test_a_value_outside_the_domain_is_refused(at, shown):
    with pytest.raises(
        InvalidParameter, match=f"at must be a value of the interval from 40 to 200, got {shown}"
    ):
        explain(OGPM(PULSE, 1.0), at=[at])


def test_a_weaker_promise_is_called_weaker():
    mechanism = Gaussian(Interval(0, 1), 1.0, 1e-5)
    text = " ".join(str(explain(mechanism)).split())
    assert "(ε, δ)-LDP, a weaker promise" in text
    assert f"{mechanism.delta_upper:.6g}" in text
    assert explain(mechanism).to_dict()["delta_upper"] == mechanism.delta_upper


@pytest.mark.parametrize(
    ("mechanism", "drawings"),
    [(OGPM(PULSE, 2.0), 2), (CircularOGPM(Circle(24), 2.0), 2), (TSW(PULSE, 2.0), 2), (Duchi(PULSE, 2.0), 2)],
)
def test_the_page_stands_alone(mechanism, drawings):
    found = explain(mechanism)
    parsed = check(render_page(found.report()))
    assert parsed.count("svg") == drawings
    assert mechanism.guarantee.explain() in parsed.prose
    assert epsilon_words(mechanism.epsilon_upper, 10) in parsed.prose
    assert ("A stem is a single report" in parsed.prose) is isinstance(mechanism, TSW | Duchi)


@pytest.mark.parametrize(("kind", "domain"), KINDS, ids=NAMES)
def test_the_columns_of_a_text_plot_are_exact_probabilities(kind, domain):
    mechanism = build(kind, domain, 2.0)
    value = usual_values(mechanism.domain)[1]
    law = mechanism.law(value)
    low, high = mechanism.reports.start, mechanism.reports.start + mechanism.reports.length
    shares = column_shares(law, low, high, 64)
    assert shares.sum() == pytest.approx(1)
    lines = text_plot(law, columns=40, rows=5)
    assert {len(line) for line in lines} == {40}
    assert set("".join(lines[:5])) <= set(BLOCKS)
    assert max(lines[0]) == BLOCKS[-1], "the tallest column fills the height"
    assert lines[5].strip() == "^"


def test_a_text_plot_shows_atoms_as_bars():
    tall = text_plot(TSW(PULSE, 2.0).law(45.0), columns=40, rows=6)
    assert tall[0][0] == BLOCKS[-1]
    assert tall[0][1:].strip() == ""


def test_randomized_response_on_parts_is_not_said_to_prefer_neighbours():
    words = " ".join(in_words(BinnedKRR(Interval(0, 100), 2.0)))
    assert "With probability 6.95 %" in words  # e²/(99 + e²)
    assert "equally likely, near or far" in words
