"""Random directions look at nothing but the width, follow the generator, and favour no direction."""

from __future__ import annotations

import numpy as np

from learn.bases.samples import noisy_samples, vectors
from noisewright.learn.bases import RandomDirections


def test_the_data_do_not_matter_and_the_generator_does():
    units, signs = noisy_samples(1)
    draw = lambda x, y, seed: vectors(RandomDirections().fit_many(x, y, np.random.default_rng(seed)))  # noqa: E731
    first = draw(units, signs, 7)
    np.testing.assert_array_equal(first, draw(np.empty((6, 0, 4)), np.empty((6, 0)), 7))
    assert not np.allclose(first, draw(units, signs, 8))


def test_directions_have_length_one_and_no_intercept():
    rows = vectors(
        RandomDirections().fit_many(np.empty((50, 0, 5)), np.empty((50, 0)), np.random.default_rng(2))
    )
    np.testing.assert_allclose(np.linalg.norm(rows[:, :-1], axis=1), 1)
    assert (rows[:, -1] == 0).all()


def test_directions_are_isotropic():
    count, width = 20_000, 3
    rules = RandomDirections().fit_many(
        np.empty((count, 0, width)), np.empty((count, 0)), np.random.default_rng(3)
    )
    rows = vectors(rules)[:, :-1]
    # Means of numbers in [-1, 1] leave ±bound, and the mean of Σu⁴/3 in [1/9, 1/3] leaves ±bound/9, with
    # probability below 1e-10 each (Hoeffding). Directions drawn from a cube have a fourth moment of 0.180.
    bound = np.sqrt(2 * np.log(2e10) / count)
    assert np.abs(rows.mean(axis=0)).max() < bound
    assert np.abs(rows.T @ rows / count - np.eye(width) / width).max() < bound
    assert abs((rows**4).mean() - 0.2) < bound / 9 < 0.01
