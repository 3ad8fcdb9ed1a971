"""Boxes of stable answers: what they promise is below the truth, also for a model that fails where it hurts."""

from __future__ import annotations

import numpy as np
import pytest

from noisewright.errors import InvalidParameter
from noisewright.utility.core.curve import make_curve
from noisewright.utility.sampling import stable_boxes
from noisewright.utility.sampling.regions import grow_boxes
from utility.sampling.query_cases import box_of, network, records_of

CURVE = make_curve(["OGPM", "SWC", "Laplace", "PM"], [0.5, 2.0, 8.0])
UNIT = np.array([[0.4, 0.7]])


def found_by(model, unit=UNIT, **options):
    reference = int(model(unit)[0])
    wanted = {"alpha": 1e-6, "queries": 20_000, "source": 1, **options}
    return stable_boxes(box_of(model), records_of(unit), 0, reference, **wanted)


def simulated(model, unit, channel):
    """The share of stable answers among a hundred thousand simulated reports."""
    random = np.random.default_rng(5)
    columns = [channel.lattice.centres(channel.law(float(u)).draw(random.random(100_000))) for u in unit]
    return (model(np.stack(columns, axis=1)) == model(unit[None])[0]).mean()


def test_boxes_are_disjoint_and_promise_no_more_than_is_true():
    model = network(2, seed=7)
    region = found_by(model)
    low = region.masses(CURVE, UNIT[0])
    for channel, promised in zip(CURVE.flat(), low.reshape(-1), strict=True):
        assert promised <= simulated(model, UNIT[0], channel) + 0.01  # six standard errors
    assert low[0, 2] > 0.7
    boxes = region.boxes
    for i in range(len(boxes)):
        apart = (boxes.high[i] <= boxes.low) | (boxes.low[i] >= boxes.high)
        assert apart.any(axis=1).sum() == len(boxes) - 1


def test_a_trap_at_the_true_value_is_not_multiplied_away():
    """The model fails on a few cells, all of them where reports are densest: 1 − τ claims too much."""

    def model(rows):
        off = np.abs(rows - UNIT[0]).max(axis=1)
        return (off > 1e-5) & (off < 6e-4)

    region = found_by(model, queries=40_000)
    curve = make_curve(["OGPM"], [12.0])
    truth = simulated(model, UNIT[0], curve.flat()[0])
    masses = [
        np.diff(
            curve.flat()[0].law(float(u)).below(np.stack([region.first[:, i], region.last[:, i]], axis=1))
        )[:, 0]
        for i, u in enumerate(UNIT[0])
    ]
    naive = (masses[0] * masses[1] * (1 - region.failing_upper)).sum()
    assert region.masses(curve, UNIT[0])[0, 0] <= truth + 0.01
    assert naive > truth + 0.05


def test_channels_on_other_points_get_no_promise():
    region = found_by(network(2, seed=7))
    assert (region.masses(CURVE, UNIT[0])[3] == 0).all()
    assert (region.masses(CURVE, UNIT[0])[2] > 0).all()  # Laplace lies on the same cells, and more


def test_nothing_stable_is_no_box():
    region = stable_boxes(
        box_of(network(2, seed=7)), records_of(UNIT), 0, 5, alpha=1e-6, queries=1_000, source=1
    )
    assert len(region) == 0
    assert not region.masses(CURVE, UNIT[0]).any()


def test_boxes_are_few_when_asked_for_few():
    assert len(found_by(network(2, seed=7), most_boxes=3)) == 3
    with pytest.raises(InvalidParameter, match="from 1 to 6"):
        found_by(network(7, seed=7), np.full((1, 7), 0.5))


def test_grown_boxes_hold_stable_places_once():
    random = np.random.default_rng(6)
    stable = random.random((20, 15)) < 0.9
    shells = [np.minimum(np.abs(np.arange(n) - n // 2) // 4, 2) for n in stable.shape]
    counted = np.zeros(stable.shape, dtype=int)
    for span in grow_boxes(stable, shells, 500):
        counted[tuple(slice(*ends) for ends in span)] += 1
    assert (counted == stable).all()
