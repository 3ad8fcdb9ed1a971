"""The status of all people, in numbers, in words and in a picture."""

from __future__ import annotations

import json

import numpy as np
import pytest

from noisewright import Interval, PureLDP
from noisewright.ledger import Ledger
from noisewright.mechanisms import OGPM
from noisewright.report.html import render_page
from report.checking import check

MECHANISM = OGPM(Interval(0, 100, cells=100), epsilon=0.5)


@pytest.fixture
def ledger(tmp_path) -> Ledger:
    """Ten people: all spend ½ on x, four 1 on x, two 2 in all; the budget of x is 1."""
    made = Ledger.create(tmp_path / "people.db", budget=2.0, columns={"x": 1.0, "z": 0.25})
    people = [f"p{i}" for i in range(10)]
    made.perturb_many(people, "x", np.full(10, 10.0), MECHANISM)
    made.perturb_many(people[:4], "x", np.full(4, 20.0), MECHANISM)
    for person in people[:2]:
        made.spend(person, "y", PureLDP(1.0))
    return made


def test_a_status_counts_people_reports_and_who_is_stuck(ledger):
    status = ledger.status()
    assert (status.people, status.reports, status.exhausted) == (10, 16, 2)
    assert status.spent == (0.5,) * 6 + (1.0,) * 2 + (2.0,) * 2
    columns = {c.name: (c.budget, c.people, c.reports, c.exhausted) for c in status.columns}
    assert columns == {"x": (1.0, 10, 14, 4), "y": (None, 2, 2, 2), "z": (0.25, 0, 0, 0)}


def test_quantiles_are_of_people(ledger):
    found = ledger.status().quantiles()
    assert list(found.values()) == [0.5, 0.5, 0.5, 1.0, 2.0]


def test_a_status_is_strict_json(ledger):
    status = ledger.status()
    again = json.loads(json.dumps(status.to_dict(), allow_nan=False))
    assert again["people"] == 10
    assert again["columns"][0] == {"name": "x", "budget": 1.0, "people": 10, "reports": 14, "exhausted": 4}
    json.dumps(ledger.statement("p0").to_dict(), allow_nan=False)


def test_an_empty_ledger_has_a_status(tmp_path):
    status = Ledger.create(tmp_path / "people.db", budget=1.0).status()
    assert (status.people, status.reports, status.exhausted, status.columns) == (0, 0, 0, ())
    assert status.to_dict()["spent"] == {}
    assert "Nobody has spent anything yet" in str(status)


def test_reports_that_cost_nothing_exhaust_nobody(tmp_path):
    ledger = Ledger.create(tmp_path / "people.db", budget=1.0)
    ledger.spend("anna", "x", PureLDP(0.0))
    assert ledger.status().exhausted == 0


def test_words_say_what_the_numbers_say(ledger):
    told = str(ledger.status())
    assert "Everybody may spend epsilon 2 in all, at most 1 on x, 0.25 on z." in told
    assert "10 people, 16 reports; 2 of them cannot pay for another." in told
    assert "up to  25 %  ████████████████████████████████████████ 6" in told
    assert [line.split() for line in told.splitlines()[-3:]] == [
        ["x", "10", "14", "1", "4"],
        ["y", "2", "2", "2"],
        ["z", "0", "0", "0.25", "0"],
    ]


def test_a_statement_in_words(ledger):
    told = str(ledger.statement("p0"))
    assert "Epsilon 2 in all. An observer of all reports together" in told
    assert "Epsilon 0 in all" in told
    assert told.splitlines()[-1].split() == ["y", "epsilon", "1", "elsewhere"]
    assert told.count("OGPM") == 2


def test_a_simulated_ledger_says_so_everywhere(tmp_path):
    ledger = Ledger.create(tmp_path / "people.db", budget=1.0, simulated=True)
    for told in (str(ledger.status()), str(ledger.statement("anna"))):
        assert "NOT PRIVATE" in told
    assert "NOT PRIVATE" in ledger.status().plot().get_title()


def test_a_plot_shows_every_person(ledger):
    axes = ledger.status().plot()
    assert sum(patch.get_height() for patch in axes.patches) == 10
    assert axes.get_xlabel() == "ε spent"
    assert ledger.status().plot(axes) is axes


def test_pages_stand_alone_and_say_what_the_terminal_says(ledger):
    for found, drawings in ((ledger.status(), 1), (ledger.statement("p0"), 0)):
        parsed = check(render_page(found.report()))
        assert parsed.count("svg") == drawings
        assert found.report().lead in parsed.prose
        assert found.report().lead in str(found)
