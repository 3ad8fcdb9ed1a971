"""The promised cuts on real check-ins; skipped where the data is not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from benchmarks.routes_reconstruction import TOKYO, WANTED, check_ins, measured

from noisewright.trajectory import TraCSC

FOLDER = os.environ.get("NOISEWRIGHT_DATA")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        FOLDER is None, reason="set NOISEWRIGHT_DATA to the folder that holds foursquare_tky/"
    ),
]


@pytest.fixture(scope="module")
def people():
    return check_ins(Path(str(FOLDER)))


@pytest.mark.parametrize("epsilon", WANTED)
def test_the_mean_error_of_check_ins_is_cut_as_promised(people, epsilon):
    _, _, _, before, after, expected, _ = measured("", people, TraCSC(TOKYO, epsilon))
    assert 1 - after / before >= WANTED[epsilon]
    assert 1 - after / before >= 0.45  # what repeated places add
    assert expected == pytest.approx(after, rel=0.35)
