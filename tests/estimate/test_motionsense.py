"""The figures of section 5.6.2 of the dissertation on its own data; skipped where the data is not."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from benchmarks.motionsense import PUBLISHED, TURN, UNIT, distribution_errors, errors, read

from noisewright.mechanisms import OGPM, PM, PMC, SW, SWC, CircularOGPM

FOLDER = os.environ.get("NOISEWRIGHT_DATA")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(FOLDER is None, reason="set NOISEWRIGHT_DATA to the folder that holds motionsense/"),
]


@pytest.fixture(scope="module")
def columns():
    pytest.importorskip("pandas")
    return read(Path(str(FOLDER)))


@pytest.mark.parametrize("kind", [OGPM, PM])
@pytest.mark.parametrize("epsilon", PUBLISHED)
def test_the_mean_is_at_least_three_times_as_good_as_published(columns, kind, epsilon):
    _, ours = errors(kind(UNIT, epsilon), columns[0], 30)
    assert ours < PUBLISHED[epsilon] / 3


@pytest.mark.parametrize("epsilon", PUBLISHED)
def test_the_mean_direction_is_far_better_than_that_of_flat_mechanisms(columns, epsilon):
    ours, _ = errors(CircularOGPM(TURN, epsilon), columns[1], 30)
    for kind in (PMC, SWC):
        flat, _ = errors(kind(TURN, epsilon), columns[1], 30)
        assert ours < 0.08 * flat  # figure 5.17: 2.3 % and 3.6 % on average over ε


@pytest.mark.parametrize("kind", [SW, OGPM])
def test_smoothed_em_is_at_least_twice_as_good_as_the_raw_histogram(columns, kind):
    people = np.random.default_rng(5).choice(columns[0], 100_000)
    raw, ours = distribution_errors(kind(UNIT, 1.0), people)
    assert ours < raw / 2
