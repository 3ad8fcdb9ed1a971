"""Certificates of black boxes against the truth, which is found by asking everywhere on a small lattice."""

from __future__ import annotations

from functools import reduce

import numpy as np
import pytest

from noisewright import Interval
from noisewright.errors import InvalidParameter
from noisewright.randomness import SeededSource
from noisewright.utility import Asking, predict_utility
from noisewright.utility.core.curve import make_curve
from noisewright.utility.sampling import average_interval, certify_by_queries
from utility.sampling.query_cases import box_of, network, records_of, true_utility

ALPHA = 0.01 / 384
"""Six mechanisms at 64 values of ε, all intervals together at 99 %."""


def certified(model, units, curve, *, queries, alpha=ALPHA, **options):
    records, box = records_of(units), box_of(model)
    references = model(units).astype(np.int64)
    found = certify_by_queries(box, records, references, curve, alpha=alpha, queries=queries, **options)
    assert box.queries == found.queries <= queries
    return found


def test_a_network_with_two_features_is_known_to_half_a_percent():
    curve = make_curve(
        ["OGPM", "PMC", "SWC", "TruncatedLaplace", "Exponential", "BinnedKRR"],
        np.linspace(0.5, 8, 6),
        lattice=1024,
        points=100,
    )
    model, units = network(2, seed=7), np.array([[0.35, 0.62]])
    found = certified(model, units, curve, queries=100_000, source=1)
    truth = true_utility(model, units[0], curve)
    assert (found.low[0] <= truth).all()
    assert (truth <= found.high[0]).all()
    assert (truth - found.low[0]).max() < 0.005
    assert np.abs(found.low[0] - truth)[4:].max() < 1e-8  # grids are enumerated
    assert 0.5 < truth.min() < 0.8 < truth.max()


@pytest.mark.parametrize(
    ("features", "mechanisms", "lattice", "queries", "gap"),
    [
        (1, ["OGPM", "Laplace", "Gaussian", "PM"], 4096, 8_000, 0.05),
        (2, ["OGPM", "SWC", "TPM"], 512, 20_000, 0.08),
        (3, ["OGPM", "SWC"], 64, 30_000, 0.05),
        (5, ["OGPM", "SWC"], 12, 20_000, 0.12),
        (5, ["PM", "SW"], 12, 20_000, 0.12),
    ],
)
def test_bounds_hold_with_every_method(features, mechanisms, lattice, queries, gap):
    """At α = 10⁻⁶ an interval: a miss would be a bug."""
    curve = make_curve(mechanisms, [0.5, 2.0, 6.0], lattice=lattice)
    model, units = network(features, seed=8, steepness=2.0), np.full((1, features), 0.4)
    found = certified(model, units, curve, queries=queries, alpha=1e-6, source=2)
    truth = true_utility(model, units[0], curve)
    assert (found.low[0] <= truth).all()
    assert (truth <= found.high[0]).all()
    assert (truth - found.low[0]).max() < gap


def test_many_records_with_few_queries_each_average_well():
    curve = make_curve(["OGPM", "SWC"], [1.0, 4.0], lattice=128)
    model, units = network(2, seed=9), np.random.default_rng(3).random((30, 2))
    found = certified(model, units, curve, queries=30 * 400, alpha=1e-4, source=4)
    low, estimate, high = average_interval(found.moments, 1e-4)
    truth = np.array([true_utility(model, unit, curve) for unit in units])
    assert (low <= truth.mean(axis=0)).all()
    assert (truth.mean(axis=0) <= high).all()
    assert (high - low).max() < 0.35 * (found.high - found.low).max(axis=(1, 2)).mean()
    assert np.abs(estimate - truth.mean(axis=0)).max() < 0.05


def test_a_width_saves_queries_and_is_reached():
    curve = make_curve(["OGPM", "SWC"], [1.0, 4.0], lattice=1024)
    model, units = network(2, seed=7), np.array([[0.35, 0.62]])
    wide = certified(model, units, curve, queries=200_000, width=0.03, source=5)
    assert (wide.high - wide.low).max() <= 0.03
    assert wide.queries < 100_000
    truth = true_utility(model, units[0], curve)
    assert ((wide.low[0] <= truth) & (truth <= wide.high[0])).all()


def test_a_width_out_of_reach_takes_all_queries_and_still_holds():
    curve = make_curve(["OGPM"], [1.0, 4.0], lattice=12)
    model, units = network(5, seed=8, steepness=2.0), np.full((1, 5), 0.4)
    found = certified(model, units, curve, queries=5_000, width=1e-4, alpha=1e-6, source=6)
    truth = true_utility(model, units[0], curve)
    assert found.queries > 4_500
    assert ((found.low[0] <= truth) & (truth <= found.high[0])).all()


def test_seeds_repeat_and_progress_is_told():
    curve = make_curve(["OGPM"], [1.0])
    model, units = network(2, seed=7), np.random.default_rng(1).random((2, 2))
    told = []
    runs = [
        certified(model, units, curve, queries=6_000, source=source, progress=lambda *at: told.append(at)).low
        for source in (7, 7, 8, SeededSource(7), SeededSource(7), None)
    ]
    assert (runs[0] == runs[1]).all()
    assert (runs[3] == runs[4]).all()
    assert not (runs[0] == runs[2]).all()
    assert not (runs[0] == runs[5]).all()
    assert told[:2] == [(1, 2), (2, 2)]
    with pytest.raises(InvalidParameter, match="source must be"):
        certified(model, units, curve, queries=6_000, source=-1)


def test_images_are_sampled_channel_by_channel():
    curve = make_curve(["OGPM", "PMC"], [1.0, 4.0])
    model, units = network(30, seed=10, steepness=0.5), np.full((2, 30), 0.6)
    found = certified(model, units, curve, queries=40_000, source=9)
    assert found.method == ("channel samples",) * 2
    assert (found.high - found.low).max() < 0.08
    assert np.allclose(found.moments.largest, 1 / 5_000)


def share_above(threshold, channel, unit):
    """P(the sum of so many reports > threshold) by adding up their laws, one feature after the other."""
    cells = channel.lattice.cells
    laws = [channel.law(float(one)).mass(np.arange(cells)) for one in unit]
    sums = reduce(np.convolve, laws)
    values = (np.arange(sums.size) + unit.size / 2) / cells
    return sums[values > threshold].sum()


@pytest.mark.slow
def test_an_image_of_49_pixels_is_known_to_one_percent():
    """40,000 queries for each mechanism and ε. Truth is exact: sums of reports on a lattice of 64 cells."""
    unit = np.random.default_rng(49).uniform(0.35, 0.85, 49)
    threshold, pixels = 49 / 2, {pixel: Interval(0, 1, cells=64) for pixel in range(49)}
    found = predict_utility(
        lambda rows: rows.sum(axis=1) > threshold, unit[None], sensitive=pixels, epsilons=[1.0, 8.0],
        mechanisms=["OGPM", "SWC"], queries=4 * 40_000, exact=False, seed=1,
        asking=Asking(classes=(False, True)),
    )  # fmt: skip
    truth = [share_above(threshold, channel, unit) for channel in found.curve.flat()]
    short = np.reshape(truth, (2, 2)) - found.certificate.low[0]
    assert (short >= 0).all()
    assert short.max() <= 0.01
    assert 0.6 < min(truth) < 0.95 < max(truth)


def test_too_few_queries_are_refused_before_anything_is_asked():
    curve = make_curve(["OGPM", "Exponential"], [1.0, 4.0])
    box = box_of(network(2, seed=7))
    with pytest.raises(InvalidParameter, match="40 queries are too few for 3 records; allow at least 48"):
        certify_by_queries(
            box, records_of(np.full((3, 2), 0.4)), np.zeros(3, dtype=np.int64), curve, alpha=0.01, queries=40
        )
    assert box.queries == 0


@pytest.mark.parametrize("queries", [16, 100, 2_000])
@pytest.mark.parametrize("width", [None, 0.1])
def test_few_queries_say_little_but_nothing_wrong(queries, width):
    curve = make_curve(["OGPM", "TPM"], [1.0, 4.0], lattice=256)
    model, units = network(2, seed=7), np.array([[0.35, 0.62]])
    found = certified(model, units, curve, queries=max(queries, 24), width=width, alpha=1e-6, source=3)
    truth = true_utility(model, units[0], curve)
    assert ((found.low[0] <= truth) & (truth <= found.high[0])).all()
