"""Three features or more: bounds from the grid of scores enclose the truth, and are as close as we say."""

from __future__ import annotations

import numpy as np
import pytest

import noisewright.utility.linear.score_grid as grid
from noisewright.utility.core.curve import make_curve
from noisewright.utility.linear.score_grid import Term
from noisewright.utility.linear.utility import linear_utility
from utility.linear.linear_cases import enumerated, exactly, random_model, small_curve, unit_records


def test_splitting_keeps_the_mass_and_the_mean_of_every_step():
    knots, rises = np.array([0, 3, 4, 40, 64]), np.array([0.0, 0.1, 0.4, 0.9, 1.0])
    values = 0.37 * np.arange(64)
    masses = np.diff(np.interp(np.arange(65), knots, rises))
    term = Term.of(0.37, 64, 1.1)
    split, rounded = (term.split(knots, rises, keep_mean=keep) for keep in (True, False))
    points = 1.1 * np.arange(split.size)
    assert split.sum() == pytest.approx(1.0, abs=1e-12)
    assert split @ points == pytest.approx(masses @ values, abs=1e-12)
    hats = np.maximum(0.0, 1 - np.abs(values[:, None] - points) / 1.1)
    np.testing.assert_allclose(split, masses @ hats, atol=1e-13)
    expected = np.bincount((values / 1.1).astype(int), weights=masses, minlength=split.size)
    np.testing.assert_allclose(rounded, expected, atol=1e-13)


def three_by_columns(channel, units, weights, intercept):
    """P(weights·u + intercept > 0) for three reports: all pairs of cells of two, and the cumulative of the third."""
    laws = [channel.law(unit) for unit in units]
    cells = np.arange(channel.lattice.cells)
    centres = channel.lattice.centres(cells)
    rest = weights[0] * centres[:, None] + weights[1] * centres[None, :] + intercept
    height = (-rest / weights[2] - channel.lattice.start) / channel.lattice.pitch - 0.5
    below = laws[2].below(np.clip(np.floor(height) + 1, 0, cells.size))
    kept = 1 - below if weights[2] > 0 else below
    return float(laws[0].mass(cells) @ kept @ laws[1].mass(cells))


@pytest.mark.parametrize("weights", [(0.5, -0.3, 0.9), (1.0, 0.8, -0.2), (0.01, 1.0, 0.4), (1.0, 1.1, 1.2)])
def test_three_features_are_enclosed(weights):
    curve = make_curve(["OGPM", "SWC", "TruncatedLaplace"], [0.5, 2.0, 8.0], lattice=1024)
    units = np.array([[0.3, 0.8, 0.45]])
    intercept = 0.0137 - float(np.sum(weights)) / 2
    found = linear_utility(exactly(weights, intercept), unit_records(units, 3), np.array([1]), curve)
    truth = np.array([three_by_columns(channel, units[0], weights, intercept) for channel in curve.flat()])
    truth = truth.reshape(1, *curve.shape)
    assert (found.low <= truth).all()
    assert (truth <= found.high).all()
    # A cell of this lattice is a thousand times as wide as one of the usual lattice.
    assert (found.high - found.low).max() < 0.05


def test_four_features_of_tables_are_enclosed():
    generator = np.random.default_rng(8)
    curve = small_curve(mechanisms=("Exponential", "BinnedKRR", "TruncatedLaplace"), lattice=10, points=10)
    for _ in range(3):
        model = random_model(generator, 2, 4)
        records, references = unit_records(generator.uniform(size=(2, 4)), 4), np.array([0, 1])
        found = linear_utility(model, records, references, curve)
        truth = enumerated(model.answers, records, references, curve)
        assert (found.low <= truth).all()
        assert (truth <= found.high).all()
        assert np.median(found.high - found.low) < 0.01


@pytest.mark.parametrize("points", [64, 256, 1024])
def test_coarse_grids_widen_the_bounds_and_never_break_them(points, monkeypatch):
    """A grid this coarse hides a lot: bounds that forgot it would be caught here."""
    fine = linear_utility(*grid_case())
    monkeypatch.setattr(grid, "GRID", points)
    rough = linear_utility(*grid_case())
    assert (rough.low <= fine.low + 1e-6).all()
    assert (rough.high >= fine.high - 1e-6).all()
    assert (rough.high - rough.low).max() > 2 * (fine.high - fine.low).max()


def grid_case():
    units = np.random.default_rng(9).uniform(size=(6, 4))
    curve = make_curve(["OGPM", "TruncatedLaplace", "BinnedKRR"], [0.5, 3.0, 8.0])
    return (
        exactly([0.5123, -0.7071, 0.9, 0.4142], -0.6173),
        unit_records(units, 4),
        np.array([0, 1, 0, 1, 0, 1]),
        curve,
    )


@pytest.mark.parametrize(("features", "gap"), [(3, 1e-4), (4, 2e-3), (8, 2e-3)])
def test_the_bounds_are_as_close_as_we_say(features, gap):
    """Three features: 10⁻⁶ to 10⁻⁴. More: 10⁻³ for windows, and twice that where a law jumps."""
    generator = np.random.default_rng(features)
    curve = make_curve(epsilons=[0.5, 2.0, 4.0, 8.0])
    model = random_model(generator, 2, features)
    rows = generator.uniform(size=(3, features))
    found = linear_utility(model, unit_records(rows, features), model.answers(rows), curve)
    assert (found.high - found.low).max() < gap
    assert (found.high - found.low)[:, :3].max() < gap / 2  # windows
