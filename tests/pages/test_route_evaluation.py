"""What is said of private routes: marks of the best, files of one space, honest words, and the tour's stop."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from noisewright.errors import BadTable
from noisewright.pages.route_comparison import MethodRow, RouteComparison
from noisewright.pages.route_counts import WIDE, CountRequest, RouteCounts, reports_of
from noisewright.pages.route_evaluation import SHARES, Entry, evaluate_all
from noisewright.pages.route_evaluation_page import evaluation_page
from noisewright.pages.route_evaluation_text import best_places
from noisewright.pages.template import Section, page
from noisewright.pages.tour.clinic import clinic
from noisewright.pages.tour.route_stop import EPSILON, POINTS, REPORTS, VEHICLES, following_routes
from noisewright.pages.tour.trip import Trip
from noisewright.randomness import SeededSource
from noisewright.trajectory import Budget, Collection, Rectangle, Routes, TraCSC, TraCSD
from noisewright.trajectory.budgets import DEFENSIBLE
from noisewright.trajectory.collection import PRIVATE
from pages.checking import check

SQUARE = Rectangle(0, 0, 1, 1)
TRUE = Routes.of([np.random.default_rng(1).random((length, 2)) for length in (30, 1, 12)])


def drawn(space=SQUARE, budget=None, mechanism=None):
    budget = budget or Budget(8.0)
    return Collection.draw(mechanism or TraCSC(space, budget.of_location), budget, TRUE, SeededSource(2))


@pytest.fixture(scope="module")
def found():
    exact = Collection(TRUE, TraCSC(SQUARE, 8.0), Budget(8.0), np.ones(43, dtype=np.bool_), PRIVATE)
    return evaluate_all("truth.csv", TRUE, [Entry(Path("<i>.csv"), drawn()), Entry(Path("exact.csv"), exact)])


def test_the_better_file_has_all_the_marks(found):
    for _, words, numbers in found.rows():
        assert len(words) == len(numbers) == 2
        assert best_places(numbers) in ({1}, set())
    assert found.radii == pytest.approx([share * math.sqrt(2) for share in SHARES])
    assert found.files[1].within == (1.0,) * 4
    assert found.files[1].evaluation.average_error == 0
    assert found.files[0].evaluation.average_error > 0


def test_the_page_escapes_names_and_warns(found):
    text = evaluation_page(found)
    parsed = check(text)
    assert "<i>.csv" not in text
    assert "NOT private" in parsed.prose
    assert parsed.count("svg") == 3
    json.dumps(found.to_dict(), allow_nan=False)


def test_files_of_different_spaces_are_not_compared():
    other = drawn(Rectangle(0, 0, 2, 2))
    with pytest.raises(BadTable, match="different spaces"):
        evaluate_all("truth.csv", TRUE, [Entry(Path("a.csv"), drawn()), Entry(Path("b.csv"), other)])


def test_only_reports_are_evidence():
    thinned = drawn(budget=Budget(32.0, "route", reports=4))
    reports = reports_of(thinned)
    assert reports.lengths.tolist() == [4, 1, 4]
    assert reports.points.tolist() == thinned.routes.points[thinned.reported].tolist()


@pytest.mark.parametrize("mechanism", [TraCSC(SQUARE, 8.0, split="even"), TraCSD(SQUARE, 8.0, split="even")])
def test_wide_intervals_are_explained(mechanism):
    counts = RouteCounts(drawn(mechanism=mechanism), (), None, None, None, 0.95)
    assert (WIDE in counts.notes) == isinstance(mechanism, TraCSD)
    assert not CountRequest().anything


def test_a_method_that_spends_more_than_it_says_is_never_best():
    rows = [MethodRow("honest", 4.0, 4.0, 0.5, "proved"), MethodRow("broken", 4.0, math.inf, 0.1, "it leaks")]
    table = RouteComparison(tuple(rows), 4.0, SQUARE, 1, 1, 1)
    assert table.best.name == "honest"
    assert rows[1].real_words == "∞"
    assert MethodRow("above", 4.0, 4.0001, 0.1, "").real_words == "4.001"  # rounded up, never down to 4
    assert any("broken does not keep its ε: it leaks." in note for note in table.notes)
    json.dumps(table.to_dict(), allow_nan=False)


@pytest.mark.slow
def test_the_stop_of_the_tour(tmp_path):
    """Seeded, so that it cannot fail by chance: estimates err less, and the count's interval holds."""
    stop = following_routes(Trip(clinic(), tmp_path, SeededSource(5)))
    reports, estimates = stop.facts["evaluation"]["files"]
    assert reports["locations"] == VEHICLES * POINTS
    assert reports["epsilon"] * REPORTS <= EPSILON <= DEFENSIBLE
    assert estimates["average_error"] < 0.95 * reports["average_error"]
    count = stop.facts["count"]
    assert count["low"] <= stop.facts["true_count"] <= count["high"]
    parsed = check(page("A stop", "", [Section(stop.heading, stop.content)], ""))
    assert "NOT PRIVATE" in parsed.prose  # the noise is seeded
    assert parsed.count("svg") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["places.csv", "trips.geojson"]
    json.dumps(stop.facts, allow_nan=False)
