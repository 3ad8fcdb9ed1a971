"""The page of a design says what the table says, stands alone, and shows the law."""

from __future__ import annotations

import re

import numpy as np
import pytest

from noisewright import Categories, Circle, Interval
from noisewright.design.design_report import (
    PUBLIC_PRIOR,
    bound_words,
    certificate_words,
    design_report,
    notes,
    usage,
)
from noisewright.design.designer import tabulate
from noisewright.design.explanation import explain
from noisewright.design.law_words import in_words
from noisewright.design.optimal_law import optimal_law
from noisewright.design.plots import SHADES, map_of_numbers, shade
from noisewright.design.task import error_words
from noisewright.report.html import render_page
from noisewright.report.plots import new_axes
from report.checking import check

HOURS = np.arange(1, 25) / 300


def design_page(found, file=None):
    return render_page(design_report(found, file))


@pytest.fixture(scope="module")
def table():
    return tabulate(Circle(24), 2.0, "squared", "average", prior=HOURS, cap_worst=1.1, inputs=24)


@pytest.mark.parametrize(
    "arguments",
    [
        {"domain": Circle(24), "loss": 1.5, "objective": "point", "point": 3.0},
        {"domain": Interval(0, 1), "loss": "squared", "objective": "average", "inputs": 8},
        {"domain": Interval(0, 1), "objective": "average", "unbiased": True, "inputs": 5},
        {"domain": Interval(0, 1), "objective": "average", "epsilon": 14.0, "inputs": 4},
        {"domain": Interval(0, 1), "objective": "average", "epsilon": 1e-4, "inputs": 4},
        {"domain": Categories(["<b>bold", "a & b", "c"]), "loss": "zero-one"},
        {"domain": Categories("ab"), "loss": [[0, 1], [5, 0]]},
    ],
    ids=["circle", "interval", "unbiased", "large", "small", "labels", "matrix"],
)
def test_the_page_of_every_kind_of_task_stands_alone(arguments):
    found = tabulate(**({"epsilon": 1.0} | arguments))
    text = design_page(found, "law.json")
    parsed = check(text)
    assert parsed.count("svg") == 2
    assert parsed.prose.count("★ best") == 1
    for row in found.rows:
        assert row.name in parsed.prose
        assert row.sentence in parsed.prose
    assert bound_words(found) in parsed.prose
    assert text == design_page(found, "law.json")


def test_the_page_names_the_certificate_the_limit_and_the_prior(table):
    prose = check(design_page(table)).prose
    certificate = table.optimal.mechanism.certificate
    assert f"The gap of {certificate.gap:.2g} is all that could be gained." in prose
    assert f"The worst case may be at most {table.limit:.6g}" in prose
    assert PUBLIC_PRIOR in prose
    assert "Its kind are the laws with 24 equal parts of the domain as inputs" in prose
    assert "Run noisewright design again with -o" in prose


def test_the_terminal_says_the_same_in_a_hundred_columns(table):
    out = str(table)
    assert max(map(len, out.splitlines())) <= 100
    told = " ".join(out.split())
    for row in table.rows:
        assert f"{row.name}: {row.sentence}." in told
    assert bound_words(table) in told
    assert "Purkayastha ✗" in told


def test_laws_that_merge_true_values_say_so():
    found = tabulate(Interval(0, 1), 1.0, objective="average", inputs=8)
    law = found.optimal.mechanism
    kinds = len(set(law.weights))
    assert kinds < 8
    (said,) = [note for note in notes(found) if "about one report" in note]
    assert f"has {len(law.outputs)} possible reports for 8 parts" in said
    assert f"so that {kinds} are distinct" in said
    assert not any("about one report" in note for note in notes(tabulate(Circle(24), 1.0)))


def test_words_of_a_task():
    assert error_words(tabulate(Categories("ab"), 1.0, 2.0).task) == "expected distance²"
    circle = tabulate(Circle(24), 1.0)
    assert "the best window is the best law" in certificate_words(circle)[1]
    assert usage(circle.task, "m.json")[1].startswith(
        "noisewright perturb readings.csv --epsilon NAME=1 --circle NAME=24 --mechanism NAME=@m.json"
    )


def test_bars_of_a_heat_map_are_the_probabilities():
    masses = np.array([[0.25, 0.75], [0.25, 0.75], [0.75, 0.25]])
    axes = new_axes()
    shade(axes, masses, np.arange(4.0), np.array([10.0, 20.0]), 2.0)
    dark = [bars for bars in axes.collections if bars.get_alpha() == 1]
    boxes = sorted(tuple(path.get_extents().extents.tolist()) for bars in dark for path in bars.get_paths())
    assert boxes == [(0.0, 19.0, 2.0, 21.0), (2.0, 9.0, 3.0, 11.0)]
    light = {bars.get_alpha() for bars in axes.collections} - {1}
    assert light == {np.ceil(SHADES * (1 / 3) ** 0.5) / SHADES}


@pytest.mark.parametrize("domain", [Interval(0, 1), Circle(24)], ids=["interval", "circle"])
def test_the_heat_map_of_a_law_covers_its_domain_and_stays_small(domain):
    prior = [0.4, 0.3, 0.2, 0.1]
    law = optimal_law(domain, 2.0, "squared", "average", prior=prior, inputs=16)
    axes = map_of_numbers(law).axes[0]
    assert axes.get_xlim() == (0, domain.length)
    paths = [path for bars in axes.collections for path in bars.get_paths()]
    covered = sum(np.prod(path.get_extents().size) for path in paths)
    low, high = axes.get_ylim()
    assert 0.3 < covered / domain.length / (high - low) <= 1 + 1e-9
    assert len(paths) < 32 * 16


@pytest.mark.parametrize("unbiased", [False, True])
def test_a_designed_law_is_explained_in_words_and_as_a_map(unbiased):
    law = optimal_law(Interval(40, 200), 1.0, "squared", "average", unbiased=unbiased, inputs=9)
    words = " ".join(in_words(law))
    assert ("9 knots lie at equal distances" in words) is unbiased
    assert ("is cut into 9 equal parts" in words) is not unbiased
    assert ("Reports may lie outside" in words) is unbiased
    assert re.search(rf"The report is one of {len(law.outputs)} values from ", words)
    prose = check(render_page(explain(law).report())).prose
    assert "the darker the likelier" in prose
    assert f"{len(law.outputs)} of {law.reports.lattice} places" in prose
