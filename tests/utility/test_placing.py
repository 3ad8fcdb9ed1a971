"""Predictions speak of the very reports that a mechanism on the real interval draws, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.tree import DecisionTreeClassifier

from noisewright import Interval
from noisewright.errors import InvalidParameter
from noisewright.mechanisms.catalogue import build, find
from noisewright.randomness import SeededSource
from noisewright.utility import Asking, predict_utility
from noisewright.utility.core.curve import DEFAULT_MECHANISMS, make_curve
from noisewright.utility.core.records import read_records

INTERVALS = [(0, 100), (1, 99), (0, 120), (0, 24), (-3, 4.7), (1e6, 1e6 + 3), (10, 60)]


@pytest.mark.parametrize("ends", INTERVALS)
@pytest.mark.parametrize("name", DEFAULT_MECHANISMS)
def test_cells_stand_for_the_doubles_that_are_reported(name, ends):
    domain = Interval(*ends)
    lattice = make_curve([name], [2.0]).flat()[0].lattice
    real = build(find(name), domain, 2.0).reports
    assert real.lattice == lattice.cells
    cells = np.unique(np.linspace(0, lattice.cells - 1, 1000).astype(np.int64))
    assert (lattice.values(cells, domain) == real.centres(cells)).all()


@pytest.mark.parametrize("ends", INTERVALS)
def test_values_fall_into_the_cells_of_their_own_interval(ends):
    domain = Interval(*ends)
    values = np.linspace(domain.low, domain.high, 4001)
    channel = make_curve(["OGPM"], [1.0]).flat()[0]
    units = read_records(values[:, None], {0: domain}).units()[:, 0]
    assert (channel.inputs(units) == domain.snap(values)).all()


def test_counting_reports_at_and_below_thresholds():
    for ends in INTERVALS:
        domain = Interval(*ends)
        for lattice in {channel.lattice for channel in make_curve(DEFAULT_MECHANISMS, [1.0]).flat()}:
            cells = np.unique(np.linspace(0, lattice.cells - 1, 500).astype(np.int64))
            reports = lattice.values(cells, domain)
            assert (lattice.count_values(reports, domain) == cells + 1).all()
            assert (lattice.count_values(np.nextafter(reports, -np.inf), domain) == cells).all()


def real_utility(model, value, domain, name, epsilon, **extra):
    """The share of 200,000 real reports that keep the answer."""
    mechanism = find(name)(domain, epsilon, **extra)
    reports = mechanism.perturb(np.full(200_000, value), SeededSource(3))
    return float((model(reports[:, None]) == model(np.array([[value]]))[0]).mean())


def test_a_threshold_on_a_report_is_on_the_right_side():
    """Thresholds at k + ½ are where trees that were trained on whole numbers put them."""
    domain, dice = Interval(0, 100), np.random.default_rng(0)
    rows = dice.integers(0, 101, 4000).astype(float)[:, None]
    model = HistGradientBoostingClassifier(max_iter=5).fit(rows, (rows[:, 0] > 3.5).astype(int))
    found = predict_utility(model, [[3.75]], sensitive={0: domain}, epsilons=[2, 8], mechanisms=["BinnedKRR"])
    assert found.exact
    for epsilon, low in zip((2.0, 8.0), found.average.low[0], strict=True):
        real = real_utility(model.predict, 3.75, domain, "BinnedKRR", epsilon, points=100)
        assert low == pytest.approx(real, abs=0.007)  # 6 standard deviations of 200,000 reports


def test_a_value_between_two_parts_is_in_the_right_one():
    def rule(rows):
        return rows[:, 0] >= 50

    domain, asking = Interval(1, 99), Asking(classes=(False, True))
    found = predict_utility(
        rule, [[50.0]], sensitive={0: domain}, epsilons=[6], mechanisms=["BinnedKRR"], asking=asking
    )
    assert found.average.low[0, 0] == pytest.approx(
        real_utility(rule, 50.0, domain, "BinnedKRR", 6.0, points=100), abs=0.007
    )


def test_an_interval_of_few_cells_is_taken_as_it_is():
    rows = np.arange(1, 100.0)[:, None]
    tree = DecisionTreeClassifier().fit(rows, (rows[:, 0] > 52).astype(int))
    domain = Interval(0, 100, cells=10)
    for name in ("OGPM", "TruncatedLaplace"):
        found = predict_utility(tree, [[51.0]], sensitive={0: domain}, epsilons=[6], mechanisms=[name])
        real = real_utility(tree.predict, 51.0, domain, name, 6.0)
        assert found.average.low[0, 0] == pytest.approx(real, abs=0.007)


def test_intervals_of_different_lattices_are_refused():
    with pytest.raises(InvalidParameter, match="same number of cells"):
        read_records([[1.0, 2.0]], {0: Interval(0, 9), 1: Interval(0, 9, cells=16)})
