from __future__ import annotations

import itertools
import math
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noisewright import Circle, Interval
from noisewright.design.allocation import allocate, fit_shares, share_out
from noisewright.design.splits import Column, blind_error, ogpm_error, split, split_polar
from noisewright.errors import InvalidParameter
from noisewright.mechanisms import OGPM, PM, CircularOGPM

POLAR = 1 + 2 * math.pi


@given(st.floats(1e-300, 32), st.lists(st.floats(0, 1e3), min_size=1, max_size=40).filter(any))
def test_the_exact_sum_of_the_shares_never_exceeds_the_budget(epsilon, wanted):
    shares = fit_shares(epsilon, wanted)
    total = sum(map(Fraction, shares))
    assert total <= Fraction(epsilon)
    assert total > Fraction(math.nextafter(epsilon, 0)), "rounded up, the sum is the budget"
    assert all(share == 0 for share, part in zip(shares, wanted, strict=True) if part == 0)
    assert shares == pytest.approx(np.array(wanted) / sum(wanted) * epsilon, rel=1e-9, abs=1e-12 * epsilon)


@pytest.mark.parametrize("wanted", [[], [0.0], [1.0, -0.1], [math.nan], ["1"]])
def test_senseless_shares_are_refused(wanted):
    with pytest.raises(InvalidParameter, match="share"):
        fit_shares(1.0, wanted)


@given(st.lists(st.lists(st.floats(0, 9), min_size=4, max_size=6), min_size=1, max_size=4), st.integers(0, 6))
def test_units_are_shared_out_as_by_trying_everything(tables, units):
    arrays = [np.array(table) for table in tables]
    ways = itertools.product(*(range(array.size) for array in arrays))
    totals = [
        sum(array[take] for array, take in zip(arrays, way, strict=True)) for way in ways if sum(way) == units
    ]
    if totals:
        found = share_out(arrays, units)
        assert sum(found) == units
        assert sum(array[take] for array, take in zip(arrays, found, strict=True)) == pytest.approx(
            min(totals)
        )


def test_a_valley_that_a_descent_would_miss_is_found():
    """Two error curves with a cliff each: from an even split every small step makes the total worse."""
    cliff = [
        lambda share: 1.0 if share < 0.7 else 0.2 + 0.1 / share,
        lambda share: 1.0 + 0.3 * math.exp(-share),
    ]
    shares = allocate(cliff, 1.0, [math.inf, math.inf])
    grid = np.linspace(0.001, 0.999, 99_801)
    totals = [cliff[0](share) + cliff[1](1 - share) for share in grid]
    assert sum(curve(share) for curve, share in zip(cliff, shares, strict=True)) <= min(totals) + 1e-6


@pytest.mark.parametrize("epsilon", [2.0, 5.0, POLAR, 12.0])
def test_the_best_split_of_two_columns_by_trying_many(epsilon):
    found = split_polar(epsilon)
    first, second = ogpm_error(Interval(0, 1)), ogpm_error(Circle())
    tried = np.linspace(0, epsilon, 20_001)[40:-40]
    totals = np.array([first(share) + second(epsilon - share) for share in tried])
    assert found.total <= totals.min() * (1 + 1e-9)


def test_polar_coordinates():
    """Zheng 2026, C.2.6: the quoted 1.32 and 5.69 do not sum to 1 + 2π."""
    found = split_polar(POLAR)
    assert [round(share, 4) for share in found.epsilons.values()] == [1.2985, 5.9846]
    assert sum(map(Fraction, found.epsilons.values())) <= Fraction(POLAR)
    assert abs(1.32 + 5.69 - POLAR) > 0.27
    first = OGPM(Interval(0, 1), found.epsilons["distance"])
    second = CircularOGPM(Circle(), found.epsilons["angle"])
    exact = first.worst_error("squared") + second.worst_error("squared")
    assert found.total == pytest.approx(exact, rel=2e-5)
    assert found.total == pytest.approx(0.36507, abs=1e-5)
    assert "distance ε = 1.299, angle ε = 5.985" in found.sentence


def test_not_asking_for_the_distance_at_all_beats_the_best_split():
    lean = split_polar(POLAR, leave_out=True)
    assert lean.left_out == ["distance"]
    assert lean.epsilons == {"distance": 0.0, "angle": POLAR}
    assert lean.total == pytest.approx(0.25 + ogpm_error(Circle())(POLAR))
    assert lean.total < split_polar(POLAR).total
    assert "would bring it to 0.3383" in split_polar(POLAR).sentence
    assert "leave out distance" in lean.sentence


def test_with_enough_budget_nothing_is_left_out():
    assert split_polar(12.0, leave_out=True) == split_polar(12.0)


@pytest.mark.parametrize("domain", [Interval(2, 5), Circle(24)], ids=["interval", "circle"])
@pytest.mark.parametrize("loss", ["absolute", "squared", 3.0])
def test_error_curves_are_those_of_the_mechanisms(domain, loss):
    known = OGPM if isinstance(domain, Interval) else CircularOGPM
    for epsilon in (0.3, 2.0, 6.0):
        assert ogpm_error(domain, loss)(epsilon) == pytest.approx(
            known(domain, epsilon).worst_error(loss), rel=2e-5
        )


@pytest.mark.parametrize("power", [0.5, 1.0, 2.0, 4.0])
def test_a_blind_guess_is_the_best_of_two(power):
    values = np.linspace(0, 1, 1001)
    middle = np.max(np.abs(values - 0.5) ** power)
    even = np.max([np.mean(np.abs(values - value) ** power) for value in values])
    assert blind_error(Interval(0, 1), power) == pytest.approx(min(middle, even), rel=2e-3)


def test_equal_columns_get_equal_shares_and_weights_move_them():
    columns = {name: Column(Interval(0, 1)) for name in "abc"}
    assert list(split(columns, 9.0).epsilons.values()) == pytest.approx([3.0] * 3, rel=1e-5)
    heavier = split({**columns, "a": Column(Interval(0, 1), weight=4.0)}, 9.0)
    wider = split({**columns, "a": Column(Interval(0, 2))}, 9.0)
    assert heavier.epsilons["a"] > 3.1
    assert list(heavier.epsilons.values()) == pytest.approx(list(wider.epsilons.values()), rel=1e-6)
    assert heavier.total == pytest.approx(4 * heavier.errors["a"] + heavier.errors["b"] + heavier.errors["c"])


def test_inverse_square_errors_are_split_by_cube_roots():
    columns = {f"c{n}": Column(Interval(0, 1), error=lambda share, n=n: n / share**2) for n in (1, 8, 27)}
    assert list(split(columns, 6.0).epsilons.values()) == pytest.approx([1.0, 2.0, 3.0], rel=1e-6)


def test_an_exact_law_can_be_the_error():
    domain = Interval(-1, 1, cells=1 << 12)

    @cache
    def curve(share):
        return PM(domain, share).worst_error("squared")

    found = split({"a": Column(domain, error=curve), "b": Column(domain, error=curve, weight=3.0)}, 2.0)
    tried = np.linspace(0.2, 1.8, 400)
    assert found.total <= min(curve(share) + 3 * curve(2.0 - share) for share in tried) * (1 + 1e-6)
    assert found.left_out == []


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: split({}, 1.0), "at least one column"),
        (lambda: split({"a": Column(Interval(0, 1))}, 0.0), "epsilon must be"),
        (lambda: Column(Interval(0, 1), weight=0.0), "weight of a column must be above zero"),
        (lambda: Column(Interval(0, 1), loss="cubic"), "a loss is"),
        (lambda: split({"a": Column(Interval(0, 1), error=lambda _: math.nan)}, 1.0), "error of a column"),
        (lambda: split({"a": Column(Interval(0, 1), error=lambda _: -1.0)}, 1.0), "error of a column"),
    ],
)
def test_a_senseless_split_is_refused(call, sentence):
    with pytest.raises(InvalidParameter, match=sentence):
        call()
