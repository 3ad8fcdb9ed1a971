"""Domains: snapping, distances, descriptions, and refusals that name the place."""

from __future__ import annotations

import json
import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noisewright import Categories, Circle, Domain, Interval, MetricSpace, Product
from noisewright.domains import as_floats
from noisewright.errors import InvalidParameter, OutOfDomain

ends = st.floats(-1e6, 1e6)
domains = st.one_of(
    st.builds(
        lambda low, size, cells: Interval(low, low + size, cells=cells),
        ends,
        st.floats(1e-2, 1e6),
        st.integers(1, 1 << 20),
    ),
    st.builds(
        lambda period, cells: Circle(period, cells=cells), st.floats(1e-3, 1e6), st.integers(1, 1 << 20)
    ),
)


@given(domains, st.floats(0, 1, exclude_max=True))
def test_a_value_lies_in_the_cell_it_is_snapped_to(domain, place):
    value = domain.start + place * domain.length
    if domain.contains(value):
        cell = int(domain.snap(value))
        assert 0 <= cell < domain.lattice
        assert abs(float(domain.centres(cell)) - value) <= domain.pitch / 2 * (1 + 1e-6) + 1e-9 * abs(value)


@given(domains, st.data())
def test_the_centre_of_a_cell_snaps_back_to_the_cell(domain, data):
    cell = data.draw(st.integers(0, domain.lattice - 1))
    assert int(domain.snap(domain.centres(cell))) == cell


@given(domains)
def test_descriptions_and_pickles_rebuild_the_domain(domain):
    assert Domain.from_dict(json.loads(json.dumps(domain.to_dict()))) == domain
    assert pickle.loads(pickle.dumps(domain)) == domain
    assert eval(repr(domain)) == domain


@given(
    st.floats(0, 24, exclude_max=True), st.floats(0, 24, exclude_max=True), st.floats(0, 24, exclude_max=True)
)
def test_distance_on_a_circle_is_a_metric(a, b, c):
    day = Circle(24)
    assert day.distance(a, b) == day.distance(b, a)
    assert 0 <= day.distance(a, b) <= 12
    assert day.distance(a, c) <= day.distance(a, b) + day.distance(b, c) + 1e-9


def test_ends_belong_to_an_interval_and_a_period_is_its_own_start():
    assert Interval(0, 1).contains([0.0, 1.0]).all()
    assert Circle(24).contains([0.0, 24.0]).tolist() == [True, False]
    assert Interval(0, 1, cells=4).snap([0.0, 0.25, 0.999, 1.0]).tolist() == [0, 1, 3, 3]


@pytest.mark.parametrize("bad", [
    (1, 1), (2, 1), (math.nan, 1), (0, math.inf), ("0", 1), (None, 1), (True, 2), (-1e308, 1e308), (1e17, 1e17 + 64), (0, 1e-305), (0, 1e20),
])  # fmt: skip
def test_senseless_intervals_are_refused(bad):
    with pytest.raises(InvalidParameter):
        Interval(*bad)


@pytest.mark.parametrize("bad", [0, -24, math.nan, math.inf, "24", None, 1e-305])
def test_senseless_circles_are_refused(bad):
    with pytest.raises(InvalidParameter):
        Circle(bad)


@pytest.mark.parametrize("cells", [0, -1, 1.5, "8", True, 1 << 60])
def test_senseless_lattices_are_refused(cells):
    with pytest.raises(InvalidParameter, match="cells"):
        Interval(0, 1, cells=cells)


def test_refusals_name_the_place_the_side_and_the_remedy():
    with pytest.raises(
        OutOfDomain, match=r"pulse\[1\] lies above Interval\(40.0, 200.0\) \(and 1 more\); .*clip"
    ):
        Interval(40, 200).admit([80.0, 300.0, 500.0], name="pulse")
    with pytest.raises(OutOfDomain, match=r"pulse\[0\] is missing \(NaN\)"):
        Interval(40, 200).admit([math.nan], name="pulse")
    with pytest.raises(OutOfDomain, match=r"pulse is infinite"):
        Interval(40, 200).admit(math.inf, name="pulse")
    with pytest.raises(
        OutOfDomain, match=r"wake\[0\] is a full turn or more, outside \[0, 24\).*0, or pass .*wrap"
    ):
        Circle(24).admit([24.0], name="wake")
    with pytest.raises(OutOfDomain, match=r"wake\[0\] is negative"):
        Circle(24).admit([-0.5], name="wake")
    with pytest.raises(OutOfDomain, match=r"pulse\[1, 0\] lies below"):
        Interval(40, 200).admit([[80.0, 90.0], [3.0, 90.0]], name="pulse")


def test_clipping_moves_to_the_ends_and_turns_round_the_circle():
    assert Interval(0, 1).admit([-3.0, 0.5, 9.0], out_of_domain="clip").tolist() == [0.0, 0.5, 1.0]
    assert Circle(24).admit([25.0, -1.0, -1e-30], out_of_domain="clip").tolist() == [1.0, 23.0, 0.0]


@pytest.mark.parametrize(
    "bad", ["abc", ["1", "2"], [None], [1j], [True, False], [[1.0], [1.0, 2.0]], np.array([], dtype=float)]
)
def test_only_numbers_are_numbers(bad):
    with pytest.raises(OutOfDomain):
        as_floats(bad)


def test_masked_values_are_refused_and_unmasked_ones_are_not():
    with pytest.raises(OutOfDomain, match="masked"):
        as_floats(np.ma.array([0.2, 0.9], mask=[False, True]))
    assert as_floats(np.ma.array([0.2, 0.9], mask=[False, False])).tolist() == [0.2, 0.9]


def test_a_refusal_of_text_tells_nothing_of_the_text():
    with pytest.raises(OutOfDomain, match="diagnosis holds text values") as refusal:
        as_floats(["HIV positive"], "diagnosis")
    assert not any(digit in str(refusal.value) for digit in "0123456789")


def test_categories_keep_their_order_and_refuse_strangers():
    answers = Categories(["no", "yes", "maybe"])
    assert answers.snap(np.array(["maybe", "no"])).tolist() == [2, 0]
    assert answers.centres([1, 1, 2]).tolist() == ["yes", "yes", "maybe"]
    with pytest.raises(OutOfDomain, match=r"answer\[1\]") as refusal:
        answers.snap(["no", "secret"], name="answer")
    assert "secret" not in str(refusal.value)
    assert Domain.from_dict(answers.to_dict()) == answers
    for labels in (["one"], [], ["a", "a"]):
        with pytest.raises(InvalidParameter):
            Categories(labels)


def test_products_describe_themselves():
    record = Product(pulse=Interval(40, 200), wake=Circle(24), smokes=Categories(["no", "yes"]))
    assert Domain.from_dict(json.loads(json.dumps(record.to_dict()))) == record
    assert len(record) == 3
    assert hash(record) == hash(
        Product(pulse=Interval(40, 200), wake=Circle(24), smokes=Categories(["no", "yes"]))
    )
    one, other = Product(a=Circle(24), b=Circle(7)), Product(b=Circle(7), a=Circle(24))
    assert one == other
    assert hash(one) == hash(other)
    with pytest.raises(InvalidParameter):
        Product()
    with pytest.raises(InvalidParameter, match="pulse"):
        Product(pulse=(40, 200))


@pytest.mark.parametrize("broken", [{}, {"kind": "torus"}, {"kind": "interval"}, {"kind": "interval", "low": 0, "high": 1},
                                    {"kind": "circle", "period": "x", "cells": 4}, {"kind": "categories", "labels": 3},
                                    {"kind": "product", "parts": 1}])  # fmt: skip
def test_broken_descriptions_are_refused(broken):
    with pytest.raises(InvalidParameter):
        Domain.from_dict(broken)


TRIANGLE = [[0, 1, 3], [1, 0, 2], [3, 2, 0]]


def test_a_metric_space_keeps_its_distances_and_describes_itself():
    stops = MetricSpace(["A", "B", "C"], TRIANGLE)
    assert stops.distances.tolist() == TRIANGLE
    assert Domain.from_dict(json.loads(json.dumps(stops.to_dict()))) == stops
    assert eval(repr(stops), {"MetricSpace": MetricSpace}) == stops
    assert stops.snap(["C", "A"]).tolist() == [2, 0]


@pytest.mark.parametrize(
    ("distances", "sentence"),
    [
        ([[0, 1], [1, 0]], "3 × 3"),
        ([[0, 1, 9], [1, 0, 2], [9, 2, 0]], "triangle"),
        ([[0, 1, 3], [2, 0, 2], [3, 2, 0]], "both directions"),
        ([[1, 1, 3], [1, 0, 2], [3, 2, 0]], "to itself"),
        ([[0, 0, 3], [0, 0, 2], [3, 2, 0]], "above 0"),
        ([[0, -1, 3], [-1, 0, 2], [3, 2, 0]], "not negative"),
        ([[0, math.nan, 3], [1, 0, 2], [3, 2, 0]], "finite"),
        ([["x"] * 3] * 3, "numbers"),
    ],
)
def test_distances_that_are_no_metric_are_refused(distances, sentence):
    with pytest.raises(InvalidParameter, match=sentence):
        MetricSpace(["A", "B", "C"], distances)
