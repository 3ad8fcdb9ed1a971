"""k-RR on equal parts; the conformance suite checks what all mechanisms have in common."""

from __future__ import annotations

import math

import numpy as np
import pytest

from noisewright import Circle, Interval
from noisewright.errors import InvalidParameter
from noisewright.mechanisms import BinnedKRR
from noisewright.mechanisms.catalogue import applicable, find
from noisewright.randomness import SeededSource

DOMAINS = [Interval(-1, 3), Circle(24)]
both = pytest.mark.parametrize("domain", DOMAINS, ids=["interval", "circle"])


@both
@pytest.mark.parametrize("points", [2, 7, 100])
@pytest.mark.parametrize("epsilon", [0.1, 2.0, 8.0])
def test_the_law_is_that_of_k_ary_randomized_response(domain, points, epsilon):
    mechanism = BinnedKRR(domain, epsilon, points)
    other = 1 / (points - 1 + math.exp(epsilon))
    expected = np.full((points, points), other)
    np.fill_diagonal(expected, math.exp(epsilon) * other)
    assert mechanism.table.masses == pytest.approx(expected, rel=1e-9)


@both
def test_reports_are_the_centres_of_the_parts(domain):
    mechanism = BinnedKRR(domain, 1.0, points=5)
    reports = np.unique(mechanism.perturb(np.full(2000, 1.0), source=SeededSource(5)))
    assert reports == pytest.approx(domain.start + (np.arange(5) + 0.5) * domain.length / 5)


def test_a_value_on_a_border_belongs_to_the_part_that_begins_there():
    law = BinnedKRR(Interval(0, 1), 4.0, points=8).law([0.375 - 1e-6, 0.375, 0.5 - 1e-6])
    assert np.argmax(law.mass_of_run, axis=1).tolist() == [2, 3, 3]


@both
@pytest.mark.parametrize("epsilon", [0.01, 1.0, 8.0])
def test_the_whole_budget_is_spent(domain, epsilon):
    assert BinnedKRR(domain, epsilon).epsilon_upper == pytest.approx(epsilon, rel=1e-6)


def test_it_is_found_by_name_and_offered_for_every_numeric_domain():
    assert find("binned k-RR") is BinnedKRR
    assert all(BinnedKRR in applicable(domain) for domain in DOMAINS)


@pytest.mark.parametrize("points", [1, 0, 2.5, 2000, "100"])
def test_numbers_of_parts_that_make_no_sense_are_refused(points):
    with pytest.raises(InvalidParameter, match="points must be a whole number"):
        BinnedKRR(Interval(0, 1), 1.0, points=points)


@pytest.mark.parametrize(
    ("name", "usual"), [("Exponential", 512), ("BoundedLaplace", 512), ("BinnedKRR", 100)]
)
def test_grids_have_their_usual_points_and_never_more_than_cells(name, usual):
    kind = find(name)
    assert kind(Interval(0, 1), 1.0).points == usual
    assert kind(Interval(0, 1, cells=100), 1.0).points == 100
    few = kind(Interval(0, 1, cells=12), 1.0)
    assert few.points == 12
    assert few.epsilon_upper <= 1.0
    assert set(few.perturb(np.linspace(0, 1, 500), source=SeededSource(1))) <= set(
        few.reports.centres(range(12))
    )
    assert kind(Interval(0, 1, cells=12), 1.0, points=12) == few
    with pytest.raises(InvalidParameter, match="points must be a whole number from 2 to 12"):
        kind(Interval(0, 1, cells=12), 1.0, points=usual)
