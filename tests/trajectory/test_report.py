"""What is said of private routes: marks of the best, files of one space, honest words."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from noisewright.errors import BadTable
from noisewright.randomness import SeededSource
from noisewright.report.html import render_page
from noisewright.trajectory import Budget, Collection, Rectangle, Routes, TraCSC, TraCSD
from noisewright.trajectory.collection import PRIVATE
from noisewright.trajectory.counts import WIDE, CountRequest, RouteCounts, reports_of
from noisewright.trajectory.evaluation import SHARES, Entry, evaluate_all
from noisewright.trajectory.report import best_places
from report.checking import check

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
    text = render_page(found.report())
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
