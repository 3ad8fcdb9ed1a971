"""Our exact laws against the paper's closed forms, and the numbers that the paper works out."""

from __future__ import annotations

import math

import numpy as np
import pytest

from noisewright import Interval
from noisewright.mechanisms import OGPM, BinnedKRR, ExtendedGaussian
from noisewright.mechanisms.piecewise import wave_share
from noisewright.published.classifier_utility import (
    PAPER_MECHANISMS,
    ball_masses,
    box_masses,
    interval_masses,
)
from noisewright.utility import make_curve
from published.classifier_utility.closed_forms import (
    PiecewiseLaw,
    exponential_masses,
    gaussian_deviation,
    gaussian_mass,
    krr_mass,
    laplace_mass,
)

EPSILONS = [0.5, 1.0, 2.0, 4.0, 8.0]
INTERVALS = [(0.2, 0.8), (0.0, 0.3), (0.63, 1.0), (0.0, 1.0), (0.45, 0.55)]
VALUES = [0.0, 0.1, 0.5, 0.79, 1.0]
CURVE = make_curve(PAPER_MECHANISMS, EPSILONS, points=100)


def channel(name: str, epsilon: float):
    return CURVE.channels[CURVE.where(name)][EPSILONS.index(epsilon)]


def masses(name: str, epsilon: float, value: float) -> list[float]:
    lows, highs = np.array(INTERVALS).T
    return interval_masses(channel(name, epsilon), value, lows, highs).tolist()


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("value", VALUES)
def test_window_laws_are_those_of_definitions_11_and_12(epsilon, value):
    for name, law in (("PM", PiecewiseLaw.pm(epsilon)), ("SW", PiecewiseLaw.sw(epsilon))):
        expected = [law.mass(value, low, high) for low, high in INTERVALS]
        assert masses(name, epsilon, value) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("value", VALUES)
def test_laplace_law(epsilon, value):
    expected = [laplace_mass(epsilon, value, low, high) for low, high in INTERVALS]
    assert masses("Laplace", epsilon, value) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("value", [0.005, 0.505, 0.785])
def test_grid_laws_on_the_centres_of_100_parts(epsilon, value):
    centres = (np.arange(100) + 0.5) / 100
    spread = exponential_masses(epsilon * 100 / 99, value, centres)  # d_max is 0.99 from centre to centre
    within = [(centres >= low) & (centres <= high) for low, high in INTERVALS]
    assert masses("Exponential", epsilon, value) == pytest.approx([spread[w].sum() for w in within], abs=1e-9)
    other = 1 / (99 + math.exp(epsilon))
    expected = [
        krr_mass(epsilon, 100, w.sum()) if low <= value <= high else w.sum() * other
        for w, (low, high) in zip(within, INTERVALS, strict=True)
    ]
    assert masses("k-RR", epsilon, value) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("epsilon", [1.0, 4.0])
def test_extended_gaussian_has_the_deviation_of_theorem_4(epsilon):
    mechanism = ExtendedGaussian(Interval(0, 1), epsilon, delta=0.1)
    assert mechanism.ideal_deviation == pytest.approx(gaussian_deviation(epsilon, 0.1), rel=1e-12)
    [one] = make_curve(["ExtendedGaussian"], [epsilon], delta=0.1).flat()
    expected = gaussian_mass(epsilon, 0.1, 0.22, 0.0, 0.72)
    assert interval_masses(one, 0.22, 0.0, 0.72) == pytest.approx(expected, abs=2e-3)


def test_deviation_of_theorem_4_solves_the_equation_of_its_proof():
    for epsilon, delta in [(0.5, 0.1), (1.0, 0.1), (8.0, 1e-5)]:
        deviation = gaussian_deviation(epsilon, delta)
        assert epsilon * deviation - 1 / (2 * deviation) == pytest.approx(math.sqrt(2 * math.log(2 / delta)))


def test_every_window_of_the_paper_is_a_law_and_its_windows_are_ours():
    for epsilon in EPSILONS:
        for law in (PiecewiseLaw.pm(epsilon), PiecewiseLaw.sw(epsilon)):
            assert law.mass(0.3, 0.0, 1.0) == pytest.approx(1.0)
        assert 2 * PiecewiseLaw.sw(epsilon).half == pytest.approx(wave_share(epsilon), rel=1e-9)
        assert 2 * PiecewiseLaw.pm(epsilon).half == pytest.approx(1 / (math.exp(epsilon / 2) + 1))


# -- worked numbers at x = 1/2, θ = 0.3; the paper quotes 0.46 / 5.2, 0.86 / 1.8 and 0.63 ----------------


def at_half(name: str, epsilon: float, low: float = 0.2, high: float = 0.8) -> float:
    [one] = make_curve({name: PAPER_MECHANISMS[name]}, [epsilon]).flat()
    return float(interval_masses(one, 0.5, low, high))


def test_laplace_at_one_half():
    assert at_half("Laplace", 2.0) == pytest.approx(0.451, abs=5e-4)
    assert at_half("Laplace", 5.365) == pytest.approx(0.8, abs=2e-4)
    assert at_half("Laplace", 5.2) < 0.79  # the ε that the paper calls enough


def test_pm_at_one_half():
    assert at_half("PM", 2.0) == pytest.approx(0.853, abs=5e-4)
    assert 2 * 0.3 * math.exp(1) > 1.6  # the branch that the paper names: no probability at all


def test_pm_reaches_a_utility_of_0_8_only_from_1_970_on():
    """ρ has the factor (1 − ω)(1 − τ), which the paper fixes at ω = 0.05 and τ = 0.01 "for all analyses"."""
    factor = (1 - 0.05) * (1 - 0.01)
    assert factor == pytest.approx(0.9405)
    assert factor * at_half("PM", 1.970) == pytest.approx(0.8, abs=1e-4)
    assert factor * at_half("PM", 1.8) == pytest.approx(0.788, abs=5e-4)  # the ε that the paper names


def test_krr_on_100_parts_has_60_of_them_in_the_ball():
    assert at_half("k-RR", 2.0) == pytest.approx(0.6240, abs=5e-5)
    assert krr_mass(2.0, 100, 60) == pytest.approx(0.6240, abs=5e-5)  # the formula that the paper prints
    points = np.arange(101) / 100  # the set that the paper prints
    inside = int(((points >= 0.2 - 1e-9) & (points <= 0.8 + 1e-9)).sum())
    assert (inside, krr_mass(2.0, points.size, inside)) == (61, pytest.approx(0.6275, abs=5e-5))


@pytest.mark.parametrize("epsilon", [0.7, 1.0, 1.3, 1.6, 2.0, 4.0])
def test_pm_in_both_branches_of_appendix_c_4_2(epsilon):
    half = math.expm1(epsilon / 2) / (2 * math.expm1(epsilon))
    grown = math.exp(epsilon / 2)
    assert half < 0.21  # the value 0.79 is further than that from 1, so the window is centred
    inside = 0.79 - half <= 0.63
    expected = (0.79 - half) / grown + (half - 0.16) * grown if inside else 0.63 / grown
    assert OGPM(Interval(0, 1), epsilon).law(0.79).cdf(0.63) == pytest.approx(expected, abs=1e-5)


def test_appendix_c_4_2_forgets_the_window_that_lies_at_the_end():
    # below ε = 0.646 the window no longer fits around 0.79, and the second branch is too small
    law, grown = PiecewiseLaw.pm(0.4), math.exp(0.2)
    printed = (0.79 - law.half) / grown + (law.half - 0.16) * grown
    true = law.cumulative(0.79, 0.63)
    assert OGPM(Interval(0, 1), 0.4).law(0.79).cdf(0.63) == pytest.approx(true, abs=1e-5)
    assert (true, printed) == (pytest.approx(0.5481, abs=1e-4), pytest.approx(0.5420, abs=1e-4))


def test_branches_of_appendix_c_4_2_meet_where_the_window_begins_at_the_box():
    # C(ε) = 0.16: below that ε the first end of the box lies inside the window
    assert PiecewiseLaw.pm(1.5).half > 0.16 > PiecewiseLaw.pm(1.6).half


# -- balls and boxes of records --------------------------------------------------------------------------


def test_a_box_is_the_product_over_features_and_a_ball_is_a_box():
    units = np.array([[0.79, 0.48], [0.1, 0.9]])
    low, high = np.array([[0.63, 0.0], [0.0, 0.5]]), np.array([[1.0, 1.0], [0.4, 0.95]])
    found = box_masses(CURVE, units, low, high)
    assert found.shape == (2, *CURVE.shape)
    for record in range(2):
        for at, one in enumerate(CURVE.flat()):
            parts = [
                one.mechanism.law(units[record, axis]).mass(low[record, axis], high[record, axis])
                for axis in range(2)
            ]
            assert found[record].reshape(-1)[at] == pytest.approx(math.prod(parts), abs=1e-9)
    assert ball_masses(CURVE, units, 0.2) == pytest.approx(box_masses(CURVE, units, units - 0.2, units + 0.2))
    apart = ball_masses(CURVE, units, [0.2, 0.3])
    assert apart[1] == pytest.approx(ball_masses(CURVE, units[1:], 0.3)[0])


def test_boxes_are_closed_so_a_report_on_their_side_is_inside():
    krr = make_curve({"k-RR": BinnedKRR}, [1.0]).flat()[0]
    assert interval_masses(krr, 0.1, 0.205, 0.205) == pytest.approx(1 / (99 + math.e), rel=1e-9)


def test_reports_outside_the_unit_interval_are_lost():
    assert interval_masses(channel("Laplace", 1.0), 0.5, 0.0, 1.0) == pytest.approx(
        1 - math.exp(-0.5), abs=1e-4
    )
    assert interval_masses(channel("PM", 1.0), 0.5, 0.0, 1.0) == pytest.approx(1.0)
