"""Mean errors, near points and lost visits, against their formulas."""

from __future__ import annotations

import numpy as np
import pytest

from noisewright.errors import BadTable, InvalidParameter
from noisewright.trajectory import CellGrid, PointSet, Rectangle, Routes
from noisewright.trajectory.metrics import (
    average_error,
    evaluate,
    hotspot_difference,
    range_query_preservation,
)
from noisewright.trajectory.spaces import LonLatBox

SQUARE = Rectangle(0, 0, 1, 1)


def random_pair(seed=0, routes=7):
    random = np.random.default_rng(seed)
    true = Routes.of([random.random((random.integers(1, 30), 2)) for _ in range(routes)])
    return true, true.with_points(np.clip(true.points + random.normal(0, 0.2, true.points.shape), 0, 1))


def test_the_average_error_averages_routes_and_the_pooled_one_points():
    true, private = random_pair()
    gaps = [np.hypot(*(a - b).T) for a, b in zip(true, private, strict=True)]
    assert average_error(SQUARE, true, private) == pytest.approx(np.mean([gap.mean() for gap in gaps]))
    assert average_error(SQUARE, true, private, pooled=True) == pytest.approx(np.concatenate(gaps).mean())


def test_distances_are_those_of_the_space():
    true, private = Routes.of([[(179.9, 10.0)]]), Routes.of([[(-179.9, 10.0)]])
    error = average_error(LonLatBox(170, 0, -170, 20), true, private)
    assert error == pytest.approx(0.2 * 111_195 * np.cos(np.radians(10)), rel=1e-3)


def test_range_queries_count_near_points_route_by_route():
    true, private = random_pair(1)
    near = [
        np.mean([np.hypot(*(p - q)) <= 0.15 for p, q in zip(a, b, strict=True)])
        for a, b in zip(true, private, strict=True)
    ]
    assert range_query_preservation(SQUARE, true, private, 0.15) == pytest.approx(np.mean(near))
    assert range_query_preservation(SQUARE, true, true, 1e-9) == 1.0
    for radius in (0.0, -1.0, float("nan"), "far"):
        with pytest.raises(InvalidParameter, match="radius"):
            range_query_preservation(SQUARE, true, private, radius)


@pytest.mark.parametrize("share", [0.2, 0.5, 1.0])
def test_lost_visits_follow_the_published_formula(share):
    true, private = random_pair(2, routes=12)
    grid = CellGrid(SQUARE, 5, 5)
    before, after = grid.cell_of(true.points), grid.cell_of(private.points)
    counts = {cell: -int((before == cell).sum()) for cell in set(before.tolist())}
    ranked = sorted(counts, key=lambda cell: (counts[cell], cell))
    hot = set(ranked[: int(np.ceil(share * len(ranked)))])
    total = sum(cell in hot for cell in before) - sum(
        a in hot and b in hot for a, b in zip(before, after, strict=True)
    )
    for places in (grid, (5, 5), PointSet(SQUARE, grid.middles(np.arange(25)))):
        assert hotspot_difference(SQUARE, true, private, places, share) == pytest.approx(total / 12)


def test_untouched_routes_lose_nothing():
    true, _ = random_pair(3)
    found = evaluate(SQUARE, true, true)
    assert (found.average_error, found.range_query_preservation, found.hotspot_difference) == (0.0, 1.0, 0.0)
    assert not found.warping.any()
    assert not found.frechet.any()


def test_an_evaluation_agrees_with_the_single_metrics():
    true, private = random_pair(4)
    found = evaluate(SQUARE, true, private, radius=0.15, places=(5, 5))
    assert found.average_error == pytest.approx(average_error(SQUARE, true, private))
    assert found.pooled_error == pytest.approx(average_error(SQUARE, true, private, pooled=True))
    assert found.range_query_preservation == pytest.approx(
        range_query_preservation(SQUARE, true, private, 0.15)
    )
    assert found.hotspot_difference == pytest.approx(hotspot_difference(SQUARE, true, private, (5, 5)))
    assert found.quantiles[0.05] <= found.quantiles[0.5] <= found.quantiles[0.95]
    told = found.to_dict()
    assert told["routes"] == 7
    assert told["route_quantiles"]["frechet"]["0.5"] == pytest.approx(float(np.median(found.frechet)))


def test_routes_that_do_not_belong_together_are_refused():
    true, _ = random_pair()
    with pytest.raises(BadTable, match="7 true routes cannot be compared with 1 private"):
        average_error(SQUARE, true, Routes.of([[(0.1, 0.1)]]))
    with pytest.raises(BadTable, match="route 2 has 1 true points and 2 private ones"):
        average_error(SQUARE, Routes.of([[(0, 0)], [(0, 0)]]), Routes.of([[(0, 0)], [(0, 0), (1, 1)]]))
    with pytest.raises(InvalidParameter, match="share of hotspots"):
        hotspot_difference(SQUARE, true, true, (3, 3), share=0.0)
