"""The table of what each report supports: its sums are the counts that estimates rest on."""

from __future__ import annotations

import numpy as np
import pytest

from noisewright import Categories
from noisewright.mechanisms.categorical.choice import ORACLES
from noisewright.randomness import SeededSource


@pytest.mark.parametrize("kind", ORACLES)
@pytest.mark.parametrize("epsilon", [0.5, 3.0])
def test_sums_of_the_table_are_the_supports(kind, epsilon):
    mechanism = kind(Categories(range(13)), epsilon)
    truth = np.random.default_rng(1).integers(0, 5, 300)
    reports = mechanism.perturb(truth.tolist(), SeededSource(2))
    table = mechanism.support_table(reports)
    assert table.shape == (13, 300)
    assert np.array_equal(table.sum(axis=1), mechanism.supports(reports))
    assert np.array_equal(table[:, 7], mechanism.supports(reports[7:8]))
