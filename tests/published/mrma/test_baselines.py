"""The baselines: each computes what its name says, from clients who paid for it; and the law of summed noise."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from noisewright import Interval
from noisewright.errors import InvalidParameter
from noisewright.learn.bases import find_base
from noisewright.learn.mrma import MRMA
from noisewright.learn.rules import MixedRule
from noisewright.published.mrma.baselines import (
    AllData,
    Averaging,
    Histogram,
    Reversed,
    Voting,
    Weak,
    fit_parts,
    grid_cells,
    laplace_sums,
)

BOX = Interval(-1, 1)


def half_plane(people=1000, width=2, seed=0):
    units = np.random.default_rng(seed).uniform(-1, 1, (people, width))
    return units, (units[:, 0] > units[:, 1]).astype(int)


def test_weak_and_reversed_draw_one_of_mrmas_rules():
    units, codes = half_plane()
    settings = {"epsilon": 0.5, "random_state": 3, "weak": 10}
    mrma = MRMA(**settings).fit(units, codes)
    weak, turned = (kind(**settings).fit(units, codes) for kind in (Weak, Reversed))
    assert weak.rule_.to_dict() in [rule.to_dict() for rule in mrma.weak_.trained]
    assert turned.rule_.to_dict() in [rule.to_dict() for rule in mrma.weak_.kept]
    assert mrma.weak_.reversed.any()
    assert weak.spent_ == {Fraction(1, 2): 1000}
    assert weak.accuracy_.count == 100


@pytest.mark.parametrize("kind", [AllData, Voting, Averaging])
def test_record_baselines_learn_when_there_is_little_noise_and_charge_everybody(kind):
    units, codes = half_plane()
    model = kind(epsilon=30.0, domain=BOX, weak=5, random_state=1).fit(units, codes)
    assert model.score(units, codes) > 0.9
    assert model.spent_ == {Fraction(30): 1000}


def test_parts_are_disjoint_and_voting_differs_from_averaging():
    units, codes = half_plane(103)
    reports, base = np.column_stack([units, codes]), find_base("logistic")
    rules = fit_parts(reports, 5, base, np.random.default_rng(0))
    alone = [
        fit_parts(reports[20 * part : 20 * part + 20], 1, base, np.random.default_rng(0))[0]
        for part in range(5)
    ]
    assert [rule.to_dict() for rule in rules] == [rule.to_dict() for rule in alone]
    voting, averaging = (
        kind(epsilon=1.0, weak=5, random_state=1).fit(units, codes) for kind in (Voting, Averaging)
    )
    assert isinstance(voting.rule_, MixedRule)
    votes = sum(np.sign(rule.scores(np.tanh(units))) for rule in voting.rule_.rules)
    assert np.array_equal(voting.predict(units), (votes > 0).astype(int))
    mean = np.mean([rule.weights for rule in voting.rule_.rules], axis=0)
    assert np.allclose(averaging.rule_.weights, mean)  # equal seeds: the same reports, the same parts


def test_baselines_for_two_classes_refuse_three():
    units, _ = half_plane(60)
    for kind in (Weak, AllData, Histogram):
        with pytest.raises(InvalidParameter, match="3 classes"):
            kind(random_state=0).fit(units, np.arange(60) % 3)


# -- the histogram ------------------------------------------------------------------------------------


def test_sums_of_laplace_noise_have_their_exact_law():
    """Kolmogorov–Smirnov at level 1e-9 for one and two terms, 200,000 draws; a scale 10 % off is rejected."""
    generator = np.random.default_rng(11)

    def two(x):  # the distribution function of the sum of two, by integrating (1 + |x|)·e^(−|x|)/4
        tail = np.exp(-np.abs(x)) * (2 + np.abs(x)) / 4
        return np.where(x < 0, tail, 1 - tail)

    for terms, law in ((1, stats.laplace.cdf), (2, two)):
        drawn = laplace_sums(terms, 200_000, generator)
        assert stats.kstest(drawn, law).pvalue > 1e-9
        assert stats.kstest(1.1 * drawn, law).pvalue < 1e-9


def test_every_cell_gets_the_noise_of_all_clients_and_both_labels():
    """65,536 cells: the variance is within 3.3 % (six standard errors) of 2·2n·scale²."""
    units, codes = half_plane(50, width=8)
    model = Histogram(epsilon=2.0, domain=BOX, random_state=5).fit(units, codes)
    assert model.rule_.table.shape == (4**8,)
    lead = np.bincount(grid_cells(units, 4), weights=2 * codes - 1, minlength=4**8)
    noise = model.rule_.table - lead
    scale = 2**9 / 2.0
    assert np.var(noise) == pytest.approx(2 * (2 * 50) * scale**2, rel=0.033)
    assert (noise != 0).all()
    assert model.simulated_
    assert not hasattr(model, "spent_")


def test_the_histogram_learns_in_few_dimensions():
    units, codes = half_plane(4000, width=2)
    model = Histogram(epsilon=20.0, domain=BOX, random_state=1).fit(units, codes)
    assert model.score(units, codes) > 0.8


def test_too_many_cells_are_refused():
    units, codes = half_plane(40, width=12)
    with pytest.raises(InvalidParameter, match="4 cuts along 12 columns"):
        Histogram(random_state=0).fit(units, codes)
