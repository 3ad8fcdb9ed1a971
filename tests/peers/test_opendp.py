"""OpenDP as an oracle: its Laplace noise and ours are samples of one law."""

from __future__ import annotations

import math

import numpy as np
import pytest

from noisewright import Interval
from noisewright.mechanisms import Laplace
from noisewright.randomness import SeededSource

pytestmark = pytest.mark.peer

LEVEL = 1e-9


@pytest.mark.slow
def test_laplace_noise_is_the_same_as_theirs():
    dp = pytest.importorskip("opendp.prelude")
    dp.enable_features("contrib")
    count = 200_000
    space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.l1_distance(T=float)
    theirs = np.sort(np.array(dp.m.make_laplace(*space, scale=0.5)([0.25] * count)))
    mechanism = Laplace(Interval(0, 1), epsilon=2.0)
    # their noise against our law: DKW–Massart, false alarm at most 10⁻⁹
    law = mechanism.law(0.25)
    points = theirs[np.linspace(0, count - 1, 2000).astype(int)]
    share = np.searchsorted(theirs, points, side="right") / count
    bound = math.sqrt(math.log(2 / LEVEL) / (2 * count))
    assert np.abs(share - law.cdf(points)).max() <= bound
    # power: noise for an ε that is 10 % off is further away than twice the bound
    wrong = Laplace(Interval(0, 1), epsilon=2.2).law(0.25)
    assert np.abs(law.cdf(points) - wrong.cdf(points)).max() > 2 * bound
    # and our sample against our law at the same level
    ours = np.sort(mechanism.perturb(np.full(count, 0.25), SeededSource(5)))
    assert np.abs(np.searchsorted(ours, points, side="right") / count - law.cdf(points)).max() <= bound
