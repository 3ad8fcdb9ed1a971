"""EM: it climbs, its short cut arrives at the same place, and smoothing helps where it should."""

from __future__ import annotations

import numpy as np
import pytest

from noisewright import Circle, Interval
from noisewright.estimate import Tally, distribution
from noisewright.estimate.em import (
    LADDER,
    REFUTED,
    Evidence,
    fit_best,
    fit_smoothly,
    maximize,
    settle,
    smoother,
)
from noisewright.estimate.partition import equal_bins
from noisewright.mechanisms import OGPM, PM, SW, CircularOGPM
from noisewright.randomness import SeededSource
from populations import mixture, shares, total_variation

COUNT = 100_000


def collect(mechanism, values, seed=1):
    return Tally.of(mechanism.perturb(values, SeededSource(seed)), mechanism)


def raw_histogram(tally: Tally, bins: int) -> np.ndarray:
    """The estimator of the source: the reports themselves, those beyond the domain in its outer bins."""
    (group,) = tally.groups
    reports, parts = group.mechanism.reports, group.counts.size
    places = reports.start + (np.arange(parts) + 0.5) * reports.length / parts
    return np.histogram(np.clip(places, 0, 1), bins, (0, 1), weights=group.counts)[0] / tally.count


@pytest.mark.parametrize("kind", [SW, OGPM, PM])
def test_a_step_never_lowers_the_likelihood(kind):
    tally = collect(kind(Interval(0, 1), 1.0), mixture(5000, np.random.default_rng(1)))
    evidence = Evidence.of(tally, equal_bins(tally.domain, 40))
    now = np.full(40, 1 / 40)
    climb = []
    for _ in range(30):
        climb.append(evidence.likelihood(now))
        now = evidence.step(now)
        assert now.min() >= 0
        assert now.sum() == pytest.approx(1)
    assert (np.diff(climb) >= -1e-9 * abs(climb[0])).all()
    assert climb[-1] > climb[0] + 3


def test_jumps_arrive_where_steps_arrive():
    tally = collect(SW(Interval(0, 1), 2.0), mixture(20_000, np.random.default_rng(2)))
    evidence = Evidence.of(tally, equal_bins(tally.domain, 30), 8)
    smooth = smoother(30, 0.02, around=False)

    def step(now):
        return smooth(evidence.step(now))

    slow = np.full(30, 1 / 30)
    for _ in range(3000):
        slow = step(slow)
    fast, taken = settle(step, np.full(30, 1 / 30))
    assert np.abs(fast - slow).sum() < 1e-4
    assert taken < 300


@pytest.mark.parametrize("around", [False, True])
@pytest.mark.parametrize("bins", [2, 7, 64, 300])
def test_smoothing_keeps_people_and_makes_nothing_negative(around, bins):
    random = np.random.default_rng(3)
    spiky = np.zeros(bins)
    spiky[random.integers(bins)] = 1
    for strength in LADDER:
        flow = smoother(bins, strength, around=around)(spiky)
        assert flow.sum() == pytest.approx(1)
        assert flow.min() >= 0
        assert flow.argmax() == spiky.argmax()
    even = np.full(bins, 1 / bins)
    assert smoother(bins, 0.1, around=around)(even) == pytest.approx(even)


def test_heat_wraps_round_a_circle_and_is_held_by_walls():
    spike = np.zeros(50)
    spike[0] = 1
    assert smoother(50, 0.04, around=True)(spike)[-1] == pytest.approx(
        smoother(50, 0.04, around=True)(spike)[1]
    )
    assert smoother(50, 0.04, around=False)(spike)[-1] < 1e-9


@pytest.mark.parametrize("kind", [SW, OGPM, PM])
def test_smoothed_em_is_at_least_twice_as_good_as_the_raw_histogram_on_a_beta_mixture(kind):
    values = mixture(COUNT, np.random.default_rng(4))
    tally = collect(kind(Interval(0, 1), 1.0), values)
    truth = shares(values, 50)
    raw = total_variation(raw_histogram(tally, 50), truth)
    assert total_variation(fit_smoothly(tally, 50).shares, truth) < raw / 2
    assert total_variation(distribution(tally, bins=50).value, truth) < raw / 2


def test_the_strength_follows_the_data():
    random = np.random.default_rng(6)
    mechanism = SW(Interval(0, 1), 1.0)
    flat = fit_smoothly(collect(mechanism, random.random(COUNT)), 50)
    peaked = fit_smoothly(collect(mechanism, random.normal(0.5, 0.02, COUNT).clip(0, 1)), 50)
    assert flat.strength > 4 * peaked.strength


def test_a_fine_fit_agrees_with_a_coarse_one():
    tally = collect(SW(Interval(0, 1), 1.0), mixture(COUNT, np.random.default_rng(7)))
    fine, coarse = (fit_smoothly(tally, bins).shares for bins in (1024, 64))
    assert total_variation(fine.reshape(64, 16).sum(axis=1), coarse) < 0.01


def test_reports_of_several_budgets_tell_more_than_either_alone():
    random = np.random.default_rng(8)
    values = mixture(2 * COUNT, random)
    cautious, bold = SW(Interval(0, 1), 0.5), SW(Interval(0, 1), 2.0)
    one, two = collect(cautious, values[:COUNT]), collect(bold, values[COUNT:], 2)
    truth = shares(values, 30)
    together = distribution(one + two, bins=30)
    alone = distribution(two, bins=30)
    assert total_variation(together.value, truth) < total_variation(distribution(one, bins=30).value, truth)
    assert together.stderr.mean() < alone.stderr.mean()


def test_plain_em_finds_the_distribution_where_the_noise_is_small():
    values = mixture(COUNT, np.random.default_rng(9))
    tally = collect(SW(Interval(0, 1), 6.0), values)
    found, steps = maximize(Evidence.of(tally, equal_bins(tally.domain, 20)), 20)
    assert total_variation(found, shares(values, 20)) < 0.02
    assert 1 < steps < 5000


def test_several_collections_at_once_are_each_alone():
    """Plain EM of several rows of counts stops each row where it stops by itself."""
    values, mechanism = mixture(20_000, np.random.default_rng(11)), SW(Interval(0, 1), 3.0)
    tallies = [collect(mechanism, values[:many], many) for many in (2000, 8000, 20_000)]
    alone = [Evidence.of(tally, equal_bins(tally.domain, 20), 8) for tally in tallies]
    rows = Evidence(alone[0].channels, [np.array([one.counts[0] for one in alone])])
    found, steps = maximize(rows, 20)
    each = [maximize(one, 20) for one in alone]
    assert len({taken for _, taken in each}) > 1
    assert steps == max(taken for _, taken in each)
    assert found == pytest.approx(np.array([shares for shares, _ in each]), abs=1e-9)
    likely = [one.likelihood(shares) for one, (shares, _) in zip(alone, each, strict=True)]
    assert rows.likelihood(found) == pytest.approx(np.array(likely))


def test_a_circle_has_no_seam():
    values = np.random.default_rng(10).normal(0.0, 1.5, COUNT) % 24
    tally = collect(CircularOGPM(Circle(24), 2.0), values)
    found = distribution(tally, bins=24)
    truth = np.histogram(values, 24, (0, 24))[0] / COUNT
    assert total_variation(found.value, truth) < 0.05
    assert found.value[0] == pytest.approx(found.value[-1], abs=0.03)


@pytest.mark.slow
def test_heaps_that_held_back_reports_do_not_show_are_seen_by_all_reports():
    """Half of the people round to a multiple of 64; in this collection four splits prefer smoothing."""
    chances = np.exp(-0.5 * ((np.arange(1024) - 400) / 150) ** 2)
    chances /= chances.sum()
    heaped = chances / 2
    np.add.at(heaped, np.minimum(64 * np.rint(np.arange(1024) / 64).astype(int), 1023), chances / 2)
    for law, strength in ((heaped, 0.0), (chances, None)):
        values = np.random.default_rng(1).choice(np.arange(1024.0), COUNT, p=law)
        tally = collect(SW(Interval(-0.5, 1023.5), 4.0), values)
        found = fit_best(tally, 256)
        assert found.strength == 0.0 if strength == 0.0 else found.strength > 0.0


def test_the_misfit_of_a_right_law_is_what_chance_leaves():
    """Mean 0 and deviation 1 over 200 collections, to four standard errors; a wrong law is refuted."""
    mechanism, random = SW(Interval(0, 1), 1.0), np.random.default_rng(3)
    edges = equal_bins(Interval(0, 1), 16)
    right, wrong = np.full(16, 1 / 16), np.linspace(1, 2, 16) / np.linspace(1, 2, 16).sum()
    found = []
    for seed in range(200):
        evidence = Evidence.of(collect(mechanism, random.random(4000), seed), edges, 8)
        found.append(evidence.misfit(right))
    assert abs(np.mean(found)) < 4 / np.sqrt(200)
    assert abs(np.std(found) - 1) < 4 / np.sqrt(2 * 200) * 1.5
    many = Evidence.of(collect(mechanism, random.random(200_000)), edges, 8)
    assert many.misfit(right) < REFUTED < many.misfit(wrong)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("kind", [SW, OGPM, PM])
def test_two_reports_are_enough_for_every_split(kind):
    """A fifth may hold both reports: then nothing is left to fit, and the fit stays where it began."""
    for seed in range(8):
        tally = collect(kind(Interval(0, 1), 1.0), np.array([0.2, 0.7]), seed)
        assert np.isfinite(fit_best(tally, 16).shares).all()
