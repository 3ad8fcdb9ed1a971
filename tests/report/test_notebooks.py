"""Results in notebooks: a short text, and markup that stands alone and restyles nothing around it."""

from __future__ import annotations

import re

import numpy as np
import pytest

from noisewright import Categories, Circle, Interval
from noisewright.audit import audit
from noisewright.design import compare, explain, joint_plan
from noisewright.estimate import distribution, frequencies, mean
from noisewright.learn import Scorecard
from noisewright.mechanisms import KRR, OGPM, SW, CircularOGPM
from noisewright.randomness import SeededSource
from noisewright.report import Figure, Report, Section, Table
from noisewright.report.html import render_fragment
from noisewright.report.style import FRAGMENT_STYLE
from noisewright.trajectory import Rectangle, Routes, TraCSC
from noisewright.trajectory.aggregates.count import count_inside
from noisewright.trajectory.aggregates.density import density_map
from noisewright.trajectory.aggregates.trips import origin_destination
from noisewright.utility import predict_utility
from report.checking import Page


def values():
    return np.linspace(0.1, 0.9, 400)


def an_estimate():
    made = SW(Interval(0, 1), 2.0)
    return mean(made.perturb(values(), SeededSource(1)), made)


def a_histogram():
    made = SW(Interval(0, 1), 2.0)
    return distribution(made.perturb(values(), SeededSource(1)), made, bins=4)


def shares():
    made = KRR(Categories(["no", "yes <b>"]), 2.0)
    return frequencies(made.perturb(np.array(["no", "yes <b>"] * 100), SeededSource(1)), made)


def a_collection():
    made = TraCSC(Rectangle(0, 0, 1, 1), epsilon=8.0)
    points = np.random.default_rng(1).random((120, 2))
    return Routes.of(
        [made.perturb(points[place : place + 3], SeededSource(place)) for place in range(0, 120, 3)]
    ), made


def a_prediction():
    def model(rows):
        return (np.asarray(rows)[:, 0] > 0.5).astype(int)

    return predict_utility(
        model, np.array([[0.1], [0.8]]), sensitive={0: (0, 1)}, epsilons=[1.0, 2.0], seed=1
    )


def a_count():
    return count_inside(*a_collection(), (0, 0, 0.5, 0.5))


def a_card():
    class Model:
        classes_ = np.array(["no", "yes"])

        def predict(self, rows):
            return self.classes_[(np.asarray(rows)[:, 0] > 0.5).astype(int)]

        def predict_proba(self, rows):
            return np.column_stack([1 - np.asarray(rows)[:, 0], np.asarray(rows)[:, 0]])

    records = values()[:, None]
    return Scorecard.measured(Model(), records, np.where(records[:, 0] > 0.4, "yes", "no"))


RESULTS = {
    "estimate": an_estimate,
    "histogram": a_histogram,
    "frequencies": shares,
    "comparison": lambda: compare(Interval(0, 1), [1.0]),
    "explanation": lambda: explain(CircularOGPM(Circle(24), 1.0)),
    "joint plan": lambda: joint_plan(100, 1.0),
    "audit": lambda: audit(OGPM(Interval(0, 1), 1.0), 0.0, 1.0, samples=2000, seed=1),
    "card": a_card,
    "count": a_count,
    "density": lambda: density_map(*a_collection(), cells=(3, 3)),
    "trips": lambda: origin_destination(*a_collection(), cells=(2, 2)),
    "prediction": a_prediction,
}


@pytest.fixture(scope="module")
def shown():
    return {name: make() for name, make in RESULTS.items()}


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_shows_itself_in_a_notebook(shown, name):
    made = shown[name]._repr_html_()
    page = Page(made)  # every tag is closed
    assert made.startswith('<div class="noisewright"><style>')
    assert page.count("script") == 0
    ids = {attributes["id"] for _, attributes in page.tags if "id" in attributes}
    used = set(re.findall(r'(?:aria-labelledby="|href="#|url\(#)([^")]+)', made))
    assert used <= ids
    assert all(each.startswith("nw") for each in ids)
    assert not re.search(r"(?:src|href)=\"(?!#|data:text/csv)", made)
    assert "<b>" not in made


@pytest.mark.parametrize("name", RESULTS)
def test_the_text_of_a_result_has_no_long_lines_and_no_arrays(shown, name):
    lines = str(shown[name]).splitlines()
    assert max(map(len, lines)) <= 120
    assert "array(" not in str(shown[name])


def test_the_style_of_a_result_applies_to_nothing_else_and_fixes_no_colour_of_letters():
    selectors = re.findall(r"(?:^|\}\s*)([^{}]+)\{", FRAGMENT_STYLE)
    assert len(selectors) > 10
    for selector in ",".join(selectors).split(","):
        assert selector.strip().startswith(".noisewright"), selector
    assert re.findall(r"[ ;]color: (?!inherit)[^;]*", FRAGMENT_STYLE) == []
    assert "background: #" not in FRAGMENT_STYLE


def test_two_results_share_a_notebook_without_sharing_ids():
    both = [explain(OGPM(Interval(0, 1), epsilon))._repr_html_() for epsilon in (1.0, 2.0)]
    first, second = (set(re.findall(r' id="([^"]+)"', made)) for made in both)
    assert first
    assert first.isdisjoint(second)


def test_without_matplotlib_a_notebook_shows_everything_but_figures(monkeypatch):
    monkeypatch.setattr("noisewright.report.html.find_spec", lambda name: None)
    blocks = [Figure("f", [("t", lambda: pytest.fail("drawn"))], "drawn"), Table("c", ["a"], [["x"]])]
    made = render_fragment(Report("t", "l", [Section("s", blocks)], verb="test", data={}))
    assert "<figure" not in made
    assert "<table" in made


def test_a_notebook_leaves_out_what_is_confidential():
    sections = [Section("open", ["shown"]), Section("closed", ["exact"], confidential=True)]
    made = render_fragment(Report("t", "l", sections, verb="test", data={}))
    assert "shown" in made
    assert "exact" not in made
