"""Exhibits that publish numbers follow their distribution functions, and a wrong scale would be noticed."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import ndtr

from noisewright.published.gallery import exhibit
from noisewright.published.gallery.maxima import NoisyMax
from noisewright.published.gallery.sparse_vector import SparseVector
from published.gallery.counted import counts_fit, counts_of, curve_fits, laplace_distribution

COUNT = 20_000


def drawn(name, data, seed=1, count=COUNT):
    return exhibit(name).mechanism(data, count, np.random.default_rng(seed))


@pytest.mark.parametrize(
    ("name", "scale"),
    [("laplace", 10), ("laplace-half", 5), ("noisy-histogram-1", 10), ("noisy-histogram-2", 0.1)],
)
def test_every_number_gets_laplace_noise_of_its_own(name, scale):
    data = exhibit(name).pairs[0][1]
    outputs = drawn(name, data)
    for column, centre in enumerate(data):
        assert curve_fits(outputs[:, column], laplace_distribution(centre, scale))
        assert not curve_fits(outputs[:, column], laplace_distribution(centre, scale * 1.5))
    assert np.unique(outputs).size == outputs.size


def test_copies_are_independent():
    outputs = drawn("laplace-parallel", (1.0,))
    assert outputs.shape == (COUNT, 20)
    assert curve_fits(outputs[:, 19], laplace_distribution(1.0, 200))
    # the difference of two copies, in units of the scale, has the law of two Laplace draws
    gaps = np.abs(outputs[:, 0] - outputs[:, 1]) / 200
    assert curve_fits(gaps, lambda x: 1 - (1 + x / 2) * np.exp(-x))
    assert not curve_fits(gaps, lambda x: 1 - np.exp(-x))


def test_a_sum_gets_the_noise_of_a_count():
    assert curve_fits(drawn("laplace-sum", (5.0, 3.0, 1.0))[:, 0], laplace_distribution(9.0, 1.0))


def test_normal_noise_has_its_deviation():
    for name in ("gaussian", "gaussian-variance"):
        outputs, deviation = drawn(name, (1.0,))[:, 0], exhibit(name).mechanism.deviation
        assert curve_fits(outputs, lambda x, sigma=deviation: ndtr((x - 1.0) / sigma))
        assert not curve_fits(outputs, lambda x, sigma=deviation: ndtr((x - 1.0) / sigma / 1.5))


def test_prefix_sums_add_up_noisy_entries():
    outputs = drawn("prefix-sum", (1.0,) * 10)
    entries = np.diff(outputs, axis=1, prepend=0.0)
    for column in (0, 9):
        assert curve_fits(entries[:, column], laplace_distribution(1.0, 10))
    assert not curve_fits(outputs[:, 9], laplace_distribution(10.0, 10))


def test_the_largest_answer_lies_below_x_if_all_do():
    answers = (0.0, 5.0, 5.0)
    for noise in ("laplace", "exponential"):
        outputs = NoisyMax(4.0, noise)(answers, COUNT, np.random.default_rng(2))
        single = laplace_distribution if noise == "laplace" else exponential_distribution
        assert curve_fits(outputs, lambda x, one=single: np.prod([one(q, 4.0)(x) for q in answers], axis=0))
        assert not curve_fits(outputs, single(5.0, 4.0))


def exponential_distribution(start, scale):
    return lambda x: -np.expm1(-np.maximum(x - start, 0) / scale)


def flags(outputs):
    return np.where(np.isnan(outputs), -1, np.isfinite(outputs).astype(int))


@pytest.mark.parametrize(("name", "scales"), [("svt-3", (20, 20, 1)), ("svt-numerical", (30, 120, 2))])
def test_published_numbers_stand_where_flags_would(name, scales):
    data, (threshold_scale, query_scale, positives) = (1.0, 0.0, 1.0, 0.0), scales
    law = SparseVector(1.0, threshold_scale, query_scale, positives).law(data)
    wrong = SparseVector(1.0, threshold_scale, query_scale / 3, positives).law(data)
    counts = counts_of(flags(drawn(name, data)), law)
    assert counts_fit(counts, law.shares)
    assert not counts_fit(counts, wrong.shares)


def test_the_number_of_form_3_is_the_one_that_was_compared():
    values = drawn("svt-3", (1.0,))[:, 0]
    values = values[np.isfinite(values)]
    grid = np.linspace(-400, 400, 80_001)
    density = np.exp(-np.abs(grid - 1) / 20) * laplace_distribution(1.0, 20)(grid)
    wanted = np.cumsum(density) / density.sum()
    assert curve_fits(values, lambda x: np.interp(x, grid, wanted))
    assert not curve_fits(values, laplace_distribution(1.0, 20))


def test_the_number_of_the_numerical_form_has_noise_of_its_own():
    values = drawn("svt-numerical", (1.0,))[:, 0]
    values = values[np.isfinite(values)]
    assert curve_fits(values, laplace_distribution(1.0, 60))
    assert not curve_fits(values, laplace_distribution(1.0, 120))


def test_two_forms_stand_side_by_side():
    outputs = drawn("svt-3-and-4", (1.0,) * 10, count=50)
    assert outputs.shape == (50, 20)
    assert set(np.unique(outputs[:, 10:])) <= {-1.0, 0.0, 1.0}
    assert (flags(outputs[:, :10]) == 1).sum(axis=1).max() == 2


@pytest.mark.parametrize("name", ["rappor", "rappor-one-time"])
def test_every_bit_of_rappor_is_reported_at_its_rate(name):
    mechanism, count = exhibit(name).mechanism, 40_000
    for value, other in ((3, 5), (5, 3)):
        ones = drawn(name, value, seed=value, count=count).sum(axis=0)
        assert bits_fit(ones, count, mechanism, value)
        assert not bits_fit(ones, count, mechanism, other)


def bits_fit(ones, count, mechanism, value):
    low, high = mechanism.rates
    rates = [high if bit in mechanism.filter_of(value) else low for bit in range(mechanism.bits)]
    return all(
        counts_fit(np.array([one, count - one]), np.array([rate, 1 - rate]))
        for one, rate in zip(ones, rates, strict=True)
    )


def test_rates_of_rappor_are_those_of_its_authors():
    low, high = exhibit("rappor").mechanism.rates
    # Erlingsson et al. 2014: q* = f(p + q)/2 + (1 − f)q, p* = f(p + q)/2 + (1 − f)p
    assert high == pytest.approx(0.375 * (0.45 + 0.55) + 0.25 * 0.55)
    assert low == pytest.approx(0.375 * (0.45 + 0.55) + 0.25 * 0.45)
    # one-time: 2h·ln((1 − f/2)/(f/2))
    assert exhibit("rappor-one-time").true_epsilon == pytest.approx(8 * math.log(0.525 / 0.475))
