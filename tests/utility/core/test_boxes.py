"""The probability of a union of boxes is the sum over the cells inside it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noisewright.errors import InvalidParameter
from noisewright.utility.core.boxes import Boxes
from noisewright.utility.core.curve import make_curve

CURVE = make_curve(
    ["OGPM", "SWC", "TPM", "TruncatedLaplace", "Exponential"], [0.5, 3.0], points=8, lattice=16
)


def summed(channel, low, high, units) -> float:
    """The naive twin: every combination of report cells, one by one."""
    share = 1.0
    for axis, unit in enumerate(units):
        centres = channel.lattice.centres(np.arange(channel.lattice.cells))
        inside = (centres > low[axis]) & (centres <= high[axis])
        share *= channel.law(unit).mass(np.arange(centres.size))[inside].sum()
    return share


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.floats(-0.2, 1.2), min_size=4, max_size=4),
    st.lists(st.floats(0, 1), min_size=2, max_size=2),
)
def test_a_box_holds_the_sum_of_its_cells(ends: list[float], units: list[float]) -> None:
    grid = np.round(np.array(ends) * 64) / 64 + 1 / 1000  # away from centres, where rounding would decide
    low, high = np.minimum(grid[:2], grid[2:]), np.maximum(grid[:2], grid[2:])
    masses = Boxes(low[None], high[None]).masses(CURVE, np.array(units)).reshape(-1)
    for mass, channel in zip(masses, CURVE.flat(), strict=True):
        assert mass == pytest.approx(summed(channel, low, high, units), abs=1e-12)


def test_disjoint_boxes_add_up_to_everything() -> None:
    cuts = np.array([-np.inf, 0.2, 0.55, np.inf])
    boxes = Boxes(
        np.array([[a, b] for a in cuts[:-1] for b in cuts[:-1]]),
        np.array([[a, b] for a in cuts[1:] for b in cuts[1:]]),
    )
    assert boxes.masses(CURVE, np.array([0.3, 0.9])) == pytest.approx(np.ones(CURVE.shape), abs=1e-9)
    assert Boxes(np.full((1, 2), -np.inf), np.full((1, 2), np.inf)).masses(
        CURVE, np.array([0.3, 0.9])
    ) == pytest.approx(np.ones(CURVE.shape), abs=1e-9)
    assert (Boxes(np.empty((0, 2)), np.empty((0, 2))).masses(CURVE, np.array([0.3, 0.9])) == 0).all()


def test_a_region_is_the_sum_of_its_boxes() -> None:
    random = np.random.default_rng(0)
    for count in (0, 3, 1, 5):
        low, units = random.random((count, 2)), random.random(2)
        whole = Boxes(low, low + 0.05).masses(CURVE, units)
        each = [Boxes(one[None], one[None] + 0.05).masses(CURVE, units) for one in low]
        assert whole == pytest.approx(sum(each, np.zeros(CURVE.shape)), abs=1e-15)


def test_corners_must_match() -> None:
    with pytest.raises(InvalidParameter, match="same shape"):
        Boxes(np.zeros((2, 2)), np.zeros((3, 2)))
