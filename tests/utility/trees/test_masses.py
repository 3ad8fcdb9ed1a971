"""Weighing boxes: the compiled loops against the channels' own cumulative."""

from __future__ import annotations

import numpy as np
import pytest

from noisewright import Interval
from noisewright.utility.core.channels import Lattice
from noisewright.utility.core.curve import make_curve
from noisewright.utility.trees.masses import EdgeLaws
from noisewright.utility.trees.search import merge_cells
from utility.trees.small_trees import without_loops

KINDS = ["OGPM", "SWC", "PM", "TPM", "Laplace", "Gaussian", "TruncatedLaplace", "Exponential", "BinnedKRR"]


def laws(seed=0, edges=40, records=4):
    rng = np.random.default_rng(seed)
    known = [np.concatenate([[-np.inf], np.sort(rng.uniform(-0.5, 1.5, edges)), [np.inf]]) for _ in range(3)]
    units = np.concatenate([[[0.0] * 3, [1.0] * 3], rng.uniform(0, 1, (records, 3))])
    return EdgeLaws(make_curve(KINDS, [0.5, 3.0], points=30), tuple(known), units, (Interval(0, 1),) * 3)


def test_cumulatives_of_all_families_agree_with_the_channels(monkeypatch):
    pytest.importorskip("numba")
    curve_laws = laws()
    used = np.arange(curve_laws.edges[0].size)
    fast = [curve_laws.at(record, axis, used) for record in range(6) for axis in range(3)]
    without_loops(monkeypatch)
    plain = [curve_laws.at(record, axis, used) for record in range(6) for axis in range(3)]
    np.testing.assert_allclose(fast, plain, rtol=0, atol=1e-14)
    np.testing.assert_allclose(np.array(plain)[:, -1], 1.0, rtol=0, atol=1e-12)
    assert not np.array(plain)[:, 0].any()


def test_boxes_of_two_kinds_weigh_the_same_with_and_without_loops(monkeypatch):
    pytest.importorskip("numba")
    curve_laws, rng = laws(), np.random.default_rng(2)
    ends = np.sort(rng.integers(0, 42, (50, 3, 2)), axis=2).astype(np.int32)
    kind = rng.integers(0, 2, 50).astype(np.int8)
    arguments = 3, ends[..., 0], ends[..., 1], kind, 2
    fast = curve_laws.masses(*arguments)
    without_loops(monkeypatch)
    np.testing.assert_allclose(fast, curve_laws.masses(*arguments), rtol=0, atol=1e-13)
    assert fast.shape == (2, len(KINDS), 2)


def test_no_boxes_weigh_nothing():
    nothing = np.empty((0, 3), dtype=np.int32)
    assert not laws().masses(0, nothing, nothing, np.empty(0, dtype=np.int8), 2).any()


def test_cells_are_counted_as_doubles_compare():
    lattice = Lattice(0.0, 0.1, 10)
    centres = lattice.centres(np.arange(10))
    steps = np.arange(10)
    np.testing.assert_array_equal(lattice.count_to(centres), steps + 1)
    np.testing.assert_array_equal(lattice.count_to(np.nextafter(centres, -np.inf)), steps)
    np.testing.assert_array_equal(lattice.count_to(np.array([-np.inf, np.inf])), [0, 10])


@pytest.mark.parametrize("shape", [(1,), (30,), (7, 9), (4, 5, 6), (2, 3, 2, 4)])
def test_merged_boxes_cover_every_labelled_cell_once(monkeypatch, shape):
    labels = np.random.default_rng(3).choice(3, shape, p=[0.3, 0.6, 0.1]).astype(np.int8)
    lines = [np.arange(size + 1, dtype=np.int32) * 2 for size in shape]
    boxes = merge_cells(labels, lines)
    again = np.zeros(shape, dtype=np.int8)
    for low, high, label in zip(boxes.low // 2, boxes.high // 2, boxes.label, strict=True):
        again[tuple(slice(*ends) for ends in zip(low, high, strict=True))] += label
    np.testing.assert_array_equal(again, labels)
    without_loops(monkeypatch)
    plain = merge_cells(labels, lines)
    np.testing.assert_array_equal(boxes.low, plain.low)
    np.testing.assert_array_equal(boxes.high, plain.high)
    np.testing.assert_array_equal(boxes.label, plain.label)
