"""Sectors around boxes hold them, and sectors inside are held by them."""

from __future__ import annotations

import numpy as np
import pytest

from noisewright.trajectory import Rectangle
from noisewright.trajectory.aggregates.polar import sectors_inside, sectors_outside

PLANE = Rectangle(0, 0, 2, 1)
BOXES = [
    ((0.3, 0.6), (0.2, 0.7)),
    ((0.0, 2.0), (0.0, 0.5)),
    ((1.5, 2.0), (0.5, 1.0)),
    ((0.9, 1.1), (0.4, 0.6)),
]


def members(sectors, angles, shares, margin):
    turned = np.mod(angles - sectors.start[:, None] + margin, 2 * np.pi) - margin
    return (
        (turned <= sectors.length[:, None] + margin)
        & (turned >= -margin)
        & (shares >= sectors.low[:, None] - margin)
        & (shares <= sectors.high[:, None] + margin)
    )


@pytest.mark.parametrize("box", BOXES)
def test_a_box_lies_between_its_sectors(box):
    (left, right), (bottom, top) = box
    references = np.concatenate(
        [PLANE.spread(300), [(left, bottom), (right, top), (left, 0.5), PLANE.centre]]
    )
    points = np.random.default_rng(0).random((2000, 2)) * [2, 1]
    inside = (points >= (left, bottom)).all(axis=1) & (points <= (right, top)).all(axis=1)
    angles, shares = PLANE.to_polar(references[:, None], points[None])
    around = members(sectors_outside(PLANE, references, *box), angles, shares, 1e-9)
    within = members(sectors_inside(PLANE, references, *box), angles, shares, -1e-9)
    assert around[:, inside].all()
    assert not within[:, ~inside].any()
    assert within.any()  # and they are not all empty
    assert around.mean() < 2.5 * inside.mean()  # nor everything


def test_no_inner_box_has_no_inner_sector():
    found = sectors_inside(PLANE, PLANE.spread(10), None, (0.1, 0.2))
    assert (found.length == 0).all()
