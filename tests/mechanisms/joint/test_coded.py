"""Shared coins inside unary encodings and hashing: privacy by enumeration, variance by simulation."""

from __future__ import annotations

import itertools
import math
import pickle
from collections import defaultdict
from fractions import Fraction

import numpy as np
import pytest

from mechanisms.joint.enumeration import groupings
from noisewright import Categories
from noisewright.errors import InvalidParameter
from noisewright.mechanisms import OLH, OUE, SUE, Mechanism
from noisewright.mechanisms.joint import (
    Collusion,
    GroupLaw,
    JointOLH,
    JointOUE,
    JointRandomizedResponse,
    JointSUE,
)
from noisewright.mechanisms.joint.unary import MOST_BITS_BESIDE, BitExposure
from noisewright.randomness import SeededSource

TWINS = [(JointOUE, OUE), (JointSUE, SUE), (JointOLH, OLH)]


def pair_chance(law, mine, theirs):
    liars = 2 - mine - theirs
    return law.shares[liars] / math.comb(2, liars)


def exhaustive_ratio(law, labels, users, colluders, own_coin):
    """The largest ratio of P[bits, colluders' flags | label] between labels, over pairings, flags, coins."""
    target, ways = colluders, list(groupings(list(range(users)), 2))
    chances = defaultdict(lambda: [Fraction(0)] * labels)
    places = list(itertools.product((0, 1), repeat=labels))
    for known in itertools.product(places, repeat=colluders):
        for mine in places:
            chance = Fraction(0)
            for way in ways:
                each = Fraction(1, len(ways))
                flags = {**dict(enumerate(known)), target: mine}
                for a, b in way:
                    for place in range(labels):
                        here = [flags[person][place] for person in (a, b) if person in flags]
                        if len(here) == 2:
                            each *= pair_chance(law, *here)
                        elif here:
                            each *= law.truth if here[0] else law.lie
                chance += each
            for label in range(labels):
                bits = [1 - flag for flag in mine]
                for coin in (0, 1):
                    bits[label] = coin if own_coin else mine[label]
                    chances[known, tuple(bits)][label] += chance / 2
    worst = Fraction(1)
    for sides in chances.values():
        if max(sides) and not min(sides):
            return None
        if max(sides):
            worst = max(worst, max(sides) / min(sides))
    return worst


@pytest.mark.parametrize("own_coin", [True, False])
@pytest.mark.parametrize(("labels", "users", "colluders"), [(2, 4, 1), (3, 4, 1), (2, 4, 2), (2, 6, 2)])
@pytest.mark.parametrize("correlation", [-0.3, -1 / 3, 0.4])
def test_the_averaged_number_of_bits_holds_for_all_that_can_happen(
    own_coin, labels, users, colluders, correlation
):
    law = GroupLaw.correlated(2, 0.75, correlation)
    numbers = Collusion.of(law, BitExposure(labels, own_coin), users, colluders)
    exact = exhaustive_ratio(law, labels, users, colluders, own_coin)
    assert (math.inf if exact is None else math.log(exact)) <= numbers.epsilon_average * (1 + 1e-12)


@pytest.mark.parametrize("own_coin", [True, False])
def test_given_a_colluding_partner_the_number_is_exact(own_coin):
    """With two users the partner is the only other one."""
    law = GroupLaw.correlated(2, 0.75, -0.2)
    ratio = BitExposure(3, own_coin).ratio(law.shares, Fraction(1))
    assert ratio == exhaustive_ratio(law, 3, 2, 1, own_coin)


def test_many_bits_lift_the_average_to_what_a_colluding_partner_learns():
    law = GroupLaw.correlated(2, 0.75, -0.3)
    averages = [
        Collusion.of(law, BitExposure(labels, own_coin=True), 10_000, 5).epsilon_average
        for labels in (2, 10, 40, MOST_BITS_BESIDE + 3)
    ]
    colluding = Collusion.of(law, BitExposure(5, own_coin=True), 10_000, 5).epsilon_colluding
    assert averages == sorted(averages)
    assert averages[0] < averages[1] < 1.2
    assert 2.9 < averages[2] <= averages[3] == colluding


def test_formulas_of_both_encodings_given_a_colluding_partner():
    p, rho = 0.75, -0.2
    law = GroupLaw.correlated(2, p, rho)
    odds = (1 - rho) * p / (1 - p + rho * p)
    oue = Collusion.of(law, BitExposure(9, own_coin=True), 100, 0)
    sue = Collusion.of(law, BitExposure(9, own_coin=False), 100, 0)
    assert oue.epsilon_colluding == pytest.approx(math.log(odds), abs=1e-12)
    assert sue.epsilon_colluding == pytest.approx(2 * math.log(odds), abs=1e-12)
    assert oue.epsilon_average == pytest.approx(math.log(3), abs=1e-12)


@pytest.mark.parametrize("own_coin", [True, False])
def test_certainty_is_counted(own_coin):
    """Two users, two labels, lies that exclude each other: in how many cases is the label settled?"""
    law = GroupLaw.correlated(2, 0.75, -1 / 3)
    labels, settled = 3, Fraction(0)
    for theirs in itertools.product((0, 1), repeat=labels):
        for mine, coin in itertools.product(itertools.product((0, 1), repeat=labels), (0, 1)):
            chance = Fraction(1, 2) * math.prod(
                pair_chance(law, *pair) for pair in zip(mine, theirs, strict=True)
            )
            bits = [1 - flag for flag in mine]
            bits[0] = coin if own_coin else mine[0]  # the true label is the first
            possible = [
                all(
                    (own_coin or can_be(law, theirs[place], bits[place]))
                    if place == label
                    else can_be(law, theirs[place], 1 - bits[place])
                    for place in range(labels)
                )
                for label in range(labels)
            ]
            settled += chance * (sum(possible) == 1)
    assert BitExposure(labels, own_coin).certainty(law.shares) == settled


def can_be(law, theirs, mine):
    return pair_chance(law, mine, theirs) > 0


@pytest.mark.parametrize(("joint", "plain"), TWINS)
def test_without_correlation_each_is_its_plain_twin(joint, plain):
    domain = Categories(range(6))
    ours, theirs = joint(domain, 1.0, users=1000, colluders=10), plain(domain, 1.0)
    assert ours.hit == pytest.approx(theirs.hit, abs=1e-8)
    assert ours.miss == pytest.approx(theirs.miss, abs=1e-8)
    assert ours.epsilon_upper <= 1.0
    assert ours.epsilon_upper > 1 - 1e-6
    shares = [0.0, 0.2, 0.9]
    assert ours.share_variance(shares, 50) == pytest.approx(theirs.share_variance(shares, 50), rel=1e-6)


@pytest.mark.parametrize("joint", [JointOUE, JointSUE, JointOLH])
def test_each_is_a_mechanism_like_all_others(joint):
    mechanism = joint(Categories(range(5)), 1.0, users=100, colluders=2, correlation=-0.1, colluding_cap=3.0)
    assert Mechanism.from_dict(mechanism.to_dict()) == mechanism == pickle.loads(pickle.dumps(mechanism))
    assert eval(repr(mechanism)) == mechanism
    assert mechanism.collusion.epsilon_colluding <= 3.0
    counts, total = mechanism.word_counts(2)
    assert sum(counts) == total
    together = mechanism.perturb([1, 2] * 50, SeededSource(1))
    assert np.array_equal(together, mechanism.perturb([1, 2] * 50, SeededSource(1)))
    assert mechanism.supports(together).sum() > 0
    assert len(mechanism.perturb_cells(np.array([1, 2, 3]))) == 3
    ratios = mechanism.likelihoods(together)
    assert ratios.shape == (5, 100)
    assert (ratios.max(axis=0) / ratios.min(axis=0)).max() <= math.exp(1.0) * (1 + 1e-9)
    with pytest.raises(InvalidParameter, match="odd number"):
        mechanism.perturb([1, 2, 3])


@pytest.mark.slow
@pytest.mark.parametrize(("joint", "correlation"), [(JointOUE, -0.36), (JointSUE, -0.6), (JointOLH, -0.7)])
def test_counts_vary_as_the_formula_says(joint, correlation):
    """2,000 collections, variance to 3.2 % (one σ); 20 % is 6 σ. Means to 6 σ; plain coins are rejected."""
    users, runs, held = 200, 2000, 120
    mechanism = joint(Categories(range(4)), 1.0, users=users, correlation=correlation)
    values, source = [0] * held + [1] * 70 + [2] * 10, SeededSource(12)
    found = np.array([mechanism.supports(mechanism.perturb(values, source)) for _ in range(runs)])
    counts = users * mechanism.unbiased(found, users)
    expected = mechanism.count_variance([held, 70, 10, 0])
    assert counts.var(axis=0, ddof=1) == pytest.approx(expected, rel=0.2)
    assert np.all(np.abs(counts.mean(axis=0) - [held, 70, 10, 0]) < 6 * np.sqrt(expected / runs))
    plain = joint(Categories(range(4)), 1.0, users=users).count_variance([held, 70, 10, 0])
    assert (np.abs(counts.var(axis=0, ddof=1) / plain - 1) > 0.2).any()


def test_hashing_gains_for_frequent_labels_only():
    domain = Categories(range(100))
    joint, plain = JointOLH(domain, 1.0, users=10_000, correlation=-0.5), JointOLH(domain, 1.0, users=10_000)
    gain = 1 - joint.count_variance([10, 5000, 10_000]) / plain.count_variance([10, 5000, 10_000])
    assert gain[0] < 1e-4
    assert 0.05 < gain[1] < gain[2]


def test_bits_warn_that_reports_show_flags():
    assert "needs no colluder" in JointOUE(Categories("abc"), 1.0, users=10).explain()[-1]
    with pytest.raises(InvalidParameter, match="only up to 16 labels"):
        JointSUE(Categories(range(17)), 1.0, users=10).word_counts(0)


@pytest.mark.parametrize("joint", [JointRandomizedResponse, JointOUE, JointSUE, JointOLH])
@pytest.mark.parametrize("epsilon", [0.01, 8.0, 32.0])
@pytest.mark.parametrize(("labels", "group"), [(2, 2), (100, 2), (100, 5)])
def test_without_correlation_colluding_partners_learn_nothing_at_any_budget(joint, epsilon, labels, group):
    """Rounding to 2⁶⁴ words makes rare cells uneven, never so that truth becomes certain."""
    mechanism = joint(Categories(range(labels)), epsilon, users=1000, colluders=3, group=group)
    assert mechanism.epsilon_upper <= epsilon
    assert mechanism.epsilon_upper > 0.99 * epsilon
    assert mechanism.collusion.epsilon_colluding <= epsilon * (1 + 1e-6)


@pytest.mark.parametrize("joint", [JointRandomizedResponse, JointOUE, JointSUE, JointOLH])
@pytest.mark.parametrize("group", [2, 3])
def test_a_correlation_out_of_range_is_refused_in_every_encoding(joint, group):
    with pytest.raises(InvalidParameter, match=r"correlation -0\.9 is out of range: here it can be at least"):
        joint(Categories(range(3)), 1.0, users=900, correlation=-0.9, group=group)
