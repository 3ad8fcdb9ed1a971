"""Whole numbers: the domain, and what mechanisms make of it."""

from __future__ import annotations

import dataclasses
import json
import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noisewright import Circle, Domain, Integers, Interval
from noisewright.errors import InvalidParameter, OutOfDomain
from noisewright.ledger import Ledger
from noisewright.mechanisms import (
    OGPM,
    PM,
    SW,
    BinnedKRR,
    DesignedLaw,
    Hybrid,
    Laplace,
    Mechanism,
    TruncatedLaplace,
    fused,
)
from noisewright.randomness import SeededSource

domains = st.builds(
    lambda low, size, more: Integers(low, low + size - 1, cells=size + more),
    st.integers(-(10**6), 10**6),
    st.integers(2, 5000),
    st.integers(0, 1 << 16),
)


@given(domains, st.data())
def test_the_cell_of_a_whole_number_is_its_own_and_holds_it(domain, data):
    number = data.draw(st.integers(domain.first, domain.last))
    near = data.draw(st.floats(number - 0.499, number + 0.499))
    cell = int(domain.snap(number))
    assert int(domain.snap(near)) == cell
    assert abs(float(domain.centres(cell)) - number) <= domain.pitch / 2 * (1 + 1e-6) + 1e-9 * abs(number)


@given(domains)
def test_different_whole_numbers_have_different_cells(domain):
    cells = domain.snap(domain.values)
    assert (np.diff(cells) >= 1).all()
    assert 0 <= cells[0] <= cells[-1] < domain.lattice
    if domain.size == domain.cells:
        np.testing.assert_array_equal(cells, np.arange(domain.size))


@given(domains, st.floats(-3e6, 3e6))
def test_only_whole_numbers_of_the_range_are_admitted_and_clipping_finds_the_nearest(domain, value):
    inside = value == math.floor(value) and domain.first <= value <= domain.last
    assert bool(domain.contains(value)) == inside
    moved = float(domain.admit(value, out_of_domain="clip"))
    assert domain.contains(moved)
    assert abs(moved - value) == pytest.approx(np.abs(domain.values - value).min())
    if not inside:
        with pytest.raises(OutOfDomain):
            domain.admit(value)


@given(domains)
def test_descriptions_and_pickles_rebuild_the_domain(domain):
    assert Domain.from_dict(json.loads(json.dumps(domain.to_dict()))) == domain
    assert pickle.loads(pickle.dumps(domain)) == domain
    assert eval(repr(domain)) == domain
    assert hash(eval(repr(domain))) == hash(domain)
    assert domain != domain.as_interval()
    assert domain.as_interval() == Interval(domain.low, domain.high, cells=domain.cells)


@given(domains, st.integers(2, 300))
def test_places_are_whole_numbers_from_end_to_end(domain, count):
    places = domain.places(count)
    assert domain.contains(places).all()
    assert (places[0], places[-1]) == (domain.first, domain.last)
    assert places.size == min(count, domain.size)
    assert np.diff(places).max() <= (domain.size - 1) / (count - 1) + 1 or count >= domain.size


def test_places_of_intervals_and_circles():
    assert Interval(2, 4).places(5).tolist() == [2.0, 2.5, 3.0, 3.5, 4.0]
    assert Circle(24).places(3).tolist() == [0.0, 8.0, 16.0]


@pytest.mark.parametrize("bad", [
    (1, 1), (2, 1), (0.0, 9), (0, 9.5), ("0", 9), (None, 9), (True, 9), (math.nan, 9), (0, math.inf),
    (0, 1 << 60), (-(1 << 60), 0), (0, 1 << 20), ((1 << 49), (1 << 49) + 5),
])  # fmt: skip
def test_senseless_ranges_are_refused(bad):
    with pytest.raises(InvalidParameter):
        Integers(*bad)


def test_more_whole_numbers_than_cells_are_refused_with_the_remedy():
    with pytest.raises(InvalidParameter, match=r"8 whole numbers, more than its lattice of 7 cells; declare"):
        Integers(1, 8, cells=7)
    assert Integers(1, 8, cells=8).size == 8


def test_refusals_name_the_place_and_the_remedy_but_not_the_value():
    for value, sentence in (
        (30.4375, r"age\[1\] is not a whole number; round it, declare an Interval"),
        (-0.5, r"age\[1\] is not a whole number"),
        (100, r"age\[1\] lies above Integers\(0, 99\); widen the range"),
        (-7.25, r"age\[1\] lies below Integers\(0, 99\)"),
        (math.nan, r"age\[1\] is missing"),
    ):
        with pytest.raises(OutOfDomain, match=sentence) as refusal:
            Integers(0, 99).admit([30, value], name="age")
        assert "4375" not in str(refusal.value)
        assert "7.25" not in str(refusal.value)
    with pytest.raises(OutOfDomain, match="missing"):
        Integers(0, 99).admit([1, math.nan], out_of_domain="clip")


def test_a_copy_with_other_fields_is_never_silently_another_range():
    with pytest.raises(InvalidParameter, match="whole number"):
        dataclasses.replace(Integers(0, 9), cells=64)


# -- mechanisms ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [OGPM, PM, SW])
@pytest.mark.parametrize("domain", [Integers(0, 99), Integers(-40, -39), Integers(-3, 700, cells=1 << 12)])
def test_the_fused_loop_draws_what_numpy_draws(kind, domain, monkeypatch):
    if fused.kernels() is None:
        pytest.skip("numba is not installed")
    mechanism = kind(domain, 1.0)
    values = np.random.default_rng(5).integers(domain.first, domain.last, 20_000, endpoint=True)
    monkeypatch.setattr(fused, "WORTH_COMPILING", 1)
    quick = mechanism.perturb(values, SeededSource(8))
    values = values.astype(np.float64)
    for place, bad in ((19_999, domain.first + 0.25), (0, domain.last + 1), (7, math.nan), (9, math.inf)):
        broken = values.copy()
        broken[place] = bad
        with pytest.raises(OutOfDomain, match=rf"value\[{place}\]"):
            mechanism.perturb(broken, SeededSource(8))
    monkeypatch.setattr(fused, "WORTH_COMPILING", 1 << 62)
    np.testing.assert_array_equal(quick, mechanism.perturb(values, SeededSource(8)))


@pytest.mark.parametrize("kind", [OGPM, SW, Laplace, BinnedKRR])
@pytest.mark.parametrize("loss", ["absolute", "squared"])
def test_errors_are_those_of_whole_numbers(kind, loss):
    domain = Integers(-2, 4, cells=1 << 10)
    mechanism = kind(domain, 2.0)
    centres = mechanism.reports.centres(np.arange(mechanism.reports.lattice))
    exact = []
    for number in range(-2, 5):
        counts, total = mechanism.word_counts(int(domain.snap(number)))
        shares = np.array([count / total for count in counts])
        exact.append(float(shares @ np.abs(centres - number) ** (1 if loss == "absolute" else 2)))
    assert mechanism.worst_error(loss) == pytest.approx(max(exact), rel=1e-6)
    assert mechanism.average_error(loss) == pytest.approx(sum(exact) / 7, rel=1e-6)


@pytest.mark.parametrize("kind", [OGPM, BinnedKRR, PM, TruncatedLaplace])
def test_errors_of_very_many_whole_numbers_are_found_by_search(kind):
    domain = Integers(0, kind.most_values + 900)
    mechanism = kind(domain, 1.0)
    errors = mechanism.law(domain.values).expected("absolute")
    assert mechanism.worst_error() == pytest.approx(errors.max(), rel=1e-9)
    assert mechanism.average_error() == pytest.approx(errors.mean(), rel=1e-3)


@pytest.mark.parametrize("kind", [OGPM, SW, PM, Hybrid])
@pytest.mark.parametrize("number", [0, 1])
def test_everybody_alike_at_an_end_of_the_shortest_range(kind, number):
    mechanism = kind(Integers(0, 1), 1.0)
    reports = mechanism.perturb(np.full(20_000, number), SeededSource(3))
    law = mechanism.law(number)
    # five standard errors: a false alarm in fewer than one of a million seeds
    assert abs(reports.mean() - law.mean()) < 5 * math.sqrt(law.variance() / 20_000)
    other = mechanism.law(1 - number)
    assert abs(reports.mean() - other.mean()) > 5 * math.sqrt(other.variance() / 20_000)


def test_a_dithered_design_works_on_whole_numbers():
    quarter = 1 << 50
    rows = ((3 * quarter, quarter), (quarter, 3 * quarter))
    law = DesignedLaw(Integers(0, 9), 1.2, Interval(-14.5, 23.5, cells=2), (0, 1), rows, dithered=True)
    assert law.law([0, 9]).mean() == pytest.approx([0.25, 8.75], abs=0.5)
    assert law.perturb([0, 9, 4]).shape == (3,)
    again = Mechanism.from_dict(json.loads(json.dumps(law.to_dict())))
    assert again == law
    assert pickle.loads(pickle.dumps(law)) == law
    with pytest.raises(InvalidParameter, match="same kind"):
        DesignedLaw(Integers(0, 9), 1.2, Integers(0, 1, cells=2), (0, 1), rows)


def test_numbers_of_every_width_are_whole_numbers():
    mechanism = OGPM(Integers(0, 99), 1.0)
    for dtype in (np.int8, np.uint8, np.int64, np.uint64, np.float32, np.float64):
        assert mechanism.perturb(np.array([0, 99], dtype=dtype)).shape == (2,)
    assert isinstance(mechanism.perturb(7), float)


def test_a_ledger_remembers_whole_numbers(tmp_path):
    ledger = Ledger.create(tmp_path / "people.db", budget=4, simulated=True)
    mechanism, source = OGPM(Integers(0, 99), 1.0), SeededSource(4)
    first = ledger.perturb("anna", "age", 30, mechanism, source)
    assert ledger.perturb("anna", "age", 30.0, mechanism, source) == first
    many = ledger.perturb_many(["bert", "carl"], "age", [0, 99], mechanism, source)
    assert many.shape == (2,)
    with pytest.raises(OutOfDomain, match="age is not a whole number"):
        ledger.perturb("anna", "age", 30.5, mechanism, source)
    assert ledger.perturb("dora", "age", 41.2, mechanism, source, out_of_domain="clip") == pytest.approx(
        ledger.perturb("dora", "age", 41, mechanism, source)
    )
