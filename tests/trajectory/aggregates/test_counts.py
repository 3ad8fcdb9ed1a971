"""Counts, maps, trips and hotspots: what they say, and what they refuse."""

from __future__ import annotations

import json

import numpy as np
import pytest

from noisewright.errors import InvalidParameter
from noisewright.randomness import SeededSource
from noisewright.trajectory import Rectangle, Routes, TraCSC, TraCSD
from noisewright.trajectory.aggregates import count_inside, density_map, hotspots, origin_destination
from noisewright.trajectory.spaces import Disk, LocalMap, LonLatBox, Parallelogram, Sphere

SQUARE = Rectangle(0, 0, 1, 1)
BOX = (0.25, 0.25, 0.75, 0.75)


def even_reports(mechanism, count, seed=1):
    points = mechanism.space.spread(count)
    return points, Routes.of([mechanism.perturb(points, SeededSource(seed))])


def test_more_reports_and_more_budget_narrow_the_interval():
    widths = {}
    for epsilon, count in [(2.0, 1000), (2.0, 30_000), (8.0, 30_000)]:
        mechanism = TraCSC(SQUARE, epsilon)
        points, reports = even_reports(mechanism, count)
        truth = ((points >= 0.25) & (points <= 0.75)).all(axis=1).sum()
        found = count_inside(reports, mechanism, BOX)
        assert found.low <= truth <= found.high
        assert found.total == count
        if found.estimate is not None:
            assert abs(found.share.estimate - 0.25) < 0.1
        widths[epsilon, count] = found.share.high - found.share.low
    assert found.estimate is not None
    assert widths[8.0, 30_000] < 0.25
    assert widths[8.0, 30_000] < widths[2.0, 30_000] < widths[2.0, 1000]


def test_the_whole_space_holds_everybody():
    mechanism = TraCSC(SQUARE, 1.0)
    found = count_inside(even_reports(mechanism, 500)[1], mechanism, (-1, -1, 2, 2))
    assert (found.low, found.estimate, found.high) == pytest.approx((500, 500, 500), abs=1e-6)


def test_a_box_across_the_antimeridian():
    homes = np.repeat([(179.5, 10.0), (-175.0, 12.0)], [3000, 1000], axis=0)
    for space in (LonLatBox(170, 0, -170, 20), Sphere()):
        mechanism = TraCSC(space, 16.0)
        reports = Routes.of([mechanism.perturb(homes, SeededSource(2))])
        found = count_inside(reports, mechanism, (175.0, 5.0, -178.0, 15.0))
        assert found.low <= 3000 <= found.high
        assert found.share.high - found.share.low < (0.2 if isinstance(space, LonLatBox) else 1.0)


def test_a_box_that_is_skew_to_the_axes_has_honest_ends():
    space = Parallelogram((0, 0), (1, 0.2), (0.2, 1))
    mechanism = TraCSC(space, 12.0)
    points, reports = even_reports(mechanism, 5000)
    region = (0.4, 0.4, 0.8, 0.8)
    truth = ((points >= 0.4) & (points <= 0.8)).all(axis=1).sum()
    found = count_inside(reports, mechanism, region)
    assert 0 < found.low <= truth <= found.high < 5000


@pytest.mark.parametrize(
    ("region", "words"),
    [
        ((0.5, 0.5, 0.2, 0.9), "left < right"),
        ((0.1, 0.2, 0.3), "four finite numbers"),
        ((0.1, 0.2, 0.3, float("nan")), "four finite numbers"),
        ((2, 2, 3, 3), "no area inside"),
    ],
)
def test_regions_that_are_none_are_refused(region, words):
    mechanism = TraCSC(SQUARE, 4.0)
    with pytest.raises(InvalidParameter, match=words):
        count_inside(even_reports(mechanism, 100)[1], mechanism, region)


def test_what_has_no_exact_law_is_refused():
    for space in (Disk(0, 0, 1), LocalMap(139, 35, 140, 36)):
        mechanism = TraCSC(space, 4.0)
        with pytest.raises(InvalidParameter, match="no exact law"):
            count_inside(even_reports(mechanism, 100)[1], mechanism, space.bounds)
    skew = TraCSD(SQUARE, 4.0, split="heuristic", channel="SW")
    with pytest.raises(InvalidParameter, match="all directions alike"):
        count_inside(even_reports(skew, 100)[1], skew, BOX)


def test_too_few_reports_are_refused():
    mechanism = TraCSC(SQUARE, 4.0)
    with pytest.raises(InvalidParameter, match="at least 30 reports, got 5"):
        count_inside(even_reports(mechanism, 5)[1], mechanism, BOX)


@pytest.mark.slow
def test_a_map_finds_two_towns():
    towns = np.repeat([(0.15, 0.2), (0.8, 0.7)], [7000, 3000], axis=0)
    for mechanism in (TraCSC(SQUARE, 8.0), TraCSD(SQUARE, 8.0, split="heuristic")):
        reports = Routes.of([mechanism.perturb(towns, SeededSource(3))])
        found = density_map(reports, mechanism, (3, 4), simultaneous=True)
        truth = found.grid.counts(towns) / 10_000
        assert truth[0, 0] == 0.7
        assert (found.low <= truth).all()
        assert (found.high >= truth).all()
        assert np.abs(found.likely - truth).max() < 0.1
        assert found.likely.sum() == pytest.approx(1)
        assert found.outlines.shape == (3, 4, 4, 2)
        json.dumps(found.to_dict())


def test_simultaneous_intervals_are_wider():
    mechanism = TraCSC(SQUARE, 8.0)
    reports = even_reports(mechanism, 5000)[1]
    alone, together = (density_map(reports, mechanism, (4, 4), simultaneous=all_) for all_ in (False, True))
    assert (together.high - together.low >= alone.high - alone.low).all()
    assert (together.high > alone.high).any()


def test_hotspots_are_sorted_and_only_sure_ones_are_called_sure():
    towns = np.concatenate([np.tile((0.15, 0.2), (6000, 1)), SQUARE.spread(4000)])
    mechanism = TraCSC(SQUARE, 10.0)
    reports = Routes.of([mechanism.perturb(towns, SeededSource(4))])
    found = hotspots(reports, mechanism, (3, 3), top=4)
    assert [spot.share for spot in found] == sorted((spot.share for spot in found), reverse=True)
    assert found[0].cell == (0, 0)
    assert [spot.sure for spot in found] == [True, False, False, False]
    assert [spot.cell for spot in hotspots(reports, mechanism, (3, 3), share=0.5)] == [(0, 0)]
    json.dumps([spot.to_dict() for spot in found])
    with pytest.raises(InvalidParameter, match="share must be"):
        hotspots(reports, mechanism, (3, 3), share=2.0)


@pytest.mark.slow
def test_trips_are_counted_by_their_ends():
    there = [[(0.1, 0.2), (0.5, 0.9), (0.9, 0.3)]] * 3000
    back = [[(0.9, 0.3), (0.1, 0.2)]] * 1000
    stays = [[(0.4, 0.4)]] * 7
    routes = Routes.of(there + back + stays)
    for mechanism in (TraCSC(SQUARE, 12.0), TraCSD(SQUARE, 12.0, split="heuristic", reference=(0.5, 0.5))):
        found = origin_destination(mechanism.perturb_routes(routes, SeededSource(5)), mechanism, (2, 1))
        truth = np.array([[0, 3000], [1000, 0]])
        assert (found.total, found.left_out) == (4000, 7)
        assert (found.low <= truth).all()
        assert (found.high >= truth).all()
        json.dumps(found.to_dict())
        assert found.low[0, 1] > 0 or isinstance(mechanism, TraCSD)


def test_trips_need_reports_that_stand_alone():
    follows = TraCSD(SQUARE, 4.0, split="heuristic")
    routes = Routes.of([[(0.1, 0.2), (0.9, 0.3)]] * 40)
    with pytest.raises(InvalidParameter, match="do not refer to each other"):
        origin_destination(follows.perturb_routes(routes, SeededSource(1)), follows)
    alone = TraCSC(SQUARE, 4.0)
    with pytest.raises(InvalidParameter, match="two points or more"):
        origin_destination(Routes.of([[(0.1, 0.2)]] * 40), alone)


@pytest.mark.parametrize("where", [(0.1, 0.1), (0.5, 0.5), (0.8, 0.3)])
def test_estimates_are_near_the_truth_for_crowds_as_well(where):
    """Twelve collections of 2,000: shrinking toward nobody would show 20 % less."""
    crowd = SQUARE.project(np.random.default_rng(5).normal(where, 0.1, (2000, 2)))
    box = (max(where[0] - 0.2, 0), max(where[1] - 0.2, 0), where[0] + 0.2, where[1] + 0.2)
    truth = ((crowd >= box[:2]) & (crowd <= box[2:])).all(axis=1).sum()
    mechanism, routes = TraCSC(SQUARE, 4.0), Routes.of([crowd])
    reports = [mechanism.perturb_routes(routes, SeededSource(seed)) for seed in range(12)]
    estimates = [count_inside(report, mechanism, box).estimate for report in reports]
    assert np.mean(estimates) == pytest.approx(truth, rel=0.12)


def test_a_table_of_trips_sums_to_about_the_number_of_trips():
    mechanism = TraCSC(SQUARE, 12.0)
    ends = np.random.default_rng(6).random((400, 2, 2)) * (0.5, 1.0)
    table = origin_destination(mechanism.perturb_routes(Routes.of(ends), SeededSource(3)), mechanism, (2, 2))
    assert table.estimate.sum() == pytest.approx(400, rel=0.05)
    west = table.estimate[:2, :2].sum()
    assert west == pytest.approx(400, rel=0.15)
