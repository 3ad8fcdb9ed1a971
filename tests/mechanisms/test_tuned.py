from __future__ import annotations

import itertools
import json
import math
import pickle

import numpy as np
import pytest

from noisewright import Circle, Interval
from noisewright.errors import InvalidParameter
from noisewright.mechanisms import OGPM, CircularOGPM, Mechanism
from noisewright.mechanisms.basics.exact import within
from noisewright.mechanisms.catalogue import applicable
from noisewright.mechanisms.piecewise import balanced_share
from noisewright.mechanisms.tuned import TunedWindow
from noisewright.randomness import SeededSource

DOMAINS = [Interval(-1, 3), Circle(24)]
both = pytest.mark.parametrize("domain", DOMAINS, ids=["interval", "circle"])


@pytest.mark.parametrize("epsilon", [0.05, 1.0, 4.0, 12.0])
def test_ogpm_is_the_window_of_the_balanced_share(epsilon):
    share = balanced_share(epsilon)
    assert TunedWindow(Interval(0, 1), epsilon, share).window == OGPM(Interval(0, 1), epsilon).window
    assert TunedWindow(Circle(24), epsilon, share).window == CircularOGPM(Circle(24), epsilon).window


@pytest.mark.parametrize("epsilon", [0.05, 1.0, 4.0, 12.0])
@pytest.mark.parametrize("share", [1e-9, 0.2, 0.5, 0.9, 1.0])
@pytest.mark.parametrize(
    "domain", [Interval(0, 1, cells=9), Circle(1.0, cells=9)], ids=["interval", "circle"]
)
def test_the_guarantee_holds_for_every_pair_of_inputs_in_integers(domain, share, epsilon):
    mechanism = TunedWindow(domain, epsilon, share)
    columns = zip(*(mechanism.word_counts(cell)[0] for cell in range(9)), strict=True)
    for column in columns:
        for left, right in itertools.permutations(column, 2):
            assert within(left, right, epsilon)
    assert mechanism.epsilon_upper <= epsilon


@pytest.mark.parametrize("share", [0.1, 0.3, 0.75])
@pytest.mark.parametrize("loss", [0.5, "absolute", "squared", 5.0])
def test_no_other_place_for_the_window_is_better(share, loss):
    mechanism = TunedWindow(Interval(0, 1, cells=64), 2.0, share)
    window, values = mechanism.window, mechanism.domain.centres(np.arange(64))
    for cell in range(64):
        losses = np.abs(values - values[cell]) ** {"absolute": 1, "squared": 2}.get(loss, loss)
        elsewhere = [losses[at : at + window.width].mean() for at in range(64 - window.width + 1)]
        best = window.anywhere * losses.mean() + (1 - window.anywhere) * min(elsewhere)
        assert mechanism.law(values[cell]).expected(loss) == pytest.approx(best, rel=1e-9)


@both
def test_it_is_rebuilt_from_its_description_its_pickle_and_its_repr(domain):
    mechanism = TunedWindow(domain, 1.0, 0.3)
    assert Mechanism.from_dict(json.loads(json.dumps(mechanism.to_dict()))) == mechanism
    assert pickle.loads(pickle.dumps(mechanism)) == mechanism
    assert (
        eval(repr(mechanism), {"TunedWindow": TunedWindow, "Interval": Interval, "Circle": Circle})
        == mechanism
    )


@both
def test_reports_follow_the_law(domain):
    """10⁵ reports: the share below a point is within 6 standard deviations, a false alarm in 5·10⁸."""
    mechanism = TunedWindow(domain, 1.0, 0.3)
    reports = mechanism.perturb(np.full(100_000, 1.5), SeededSource(11))
    for point in (0.7, 1.5, 2.4):
        chance = mechanism.law(1.5).cdf(point)
        assert abs(np.mean(reports <= point) - chance) < 6 * math.sqrt(chance * (1 - chance) / 100_000)
    # the power: OGPM's law, whose window is a quarter wider, is further off than that somewhere
    other = (OGPM if isinstance(domain, Interval) else CircularOGPM)(domain, 1.0).law(1.5)
    gaps = [abs(np.mean(reports <= point) - other.cdf(point)) for point in (0.7, 1.5, 2.4)]
    assert max(gaps) > 6 * 0.5 / math.sqrt(100_000)


@both
def test_a_mechanism_that_needs_a_design_is_not_offered_without_one(domain):
    assert TunedWindow not in applicable(domain)


@pytest.mark.parametrize("share", [0, -0.1, 1.1, math.nan, math.inf, "0.3", None, True])
def test_a_senseless_share_is_refused(share):
    with pytest.raises(InvalidParameter, match="share must be a number above 0 and at most 1"):
        TunedWindow(Interval(0, 1), 1.0, share)
