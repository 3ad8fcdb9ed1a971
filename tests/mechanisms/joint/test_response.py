"""Joint randomized response as a mechanism: its law, its caps, its refusals."""

from __future__ import annotations

import copy
import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import chi2

from noisewright import Categories
from noisewright.errors import InvalidParameter, OutOfDomain
from noisewright.guarantees import JointLDP
from noisewright.mechanisms import Mechanism
from noisewright.mechanisms.basics.exact import within
from noisewright.mechanisms.joint import GroupLaw, JointRandomizedResponse
from noisewright.mechanisms.joint.group_law import WORDS
from noisewright.mechanisms.joint.shared_coins import draw_alone, draw_flags, draw_grouped
from noisewright.randomness import SeededSource, uniform_below

YES = Categories(["no", "yes"])
LETTERS = Categories("abc")
LEVEL = 1e-9


def rejects(observed, shares):
    expected = np.asarray(shares) * np.sum(observed)
    kept = expected > 0
    assert np.all(np.asarray(observed)[~kept] == 0)
    statistic = ((np.asarray(observed) - expected)[kept] ** 2 / expected[kept]).sum()
    return chi2.sf(statistic, kept.sum() - 1) < LEVEL


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0, 4.0, 12.0])
@pytest.mark.parametrize("labels", [2, 3, 50])
@pytest.mark.parametrize("part", [0.0, -0.5, -0.99, 0.3])
@pytest.mark.parametrize("colluders", [0, 1])
def test_both_caps_are_kept_and_the_average_is_spent(epsilon, labels, part, colluders):
    plain = JointRandomizedResponse(Categories(range(labels)), epsilon, users=1000)
    correlation = part * abs(float(plain.coins.least_correlation))
    mechanism = JointRandomizedResponse(
        Categories(range(labels)), epsilon, users=1000, colluders=colluders, correlation=correlation
    )
    assert mechanism.epsilon_upper <= epsilon
    assert mechanism.epsilon_upper > epsilon * (1 - 1e-6)
    assert mechanism.guarantee == JointLDP(epsilon, mechanism.collusion.epsilon_colluding, colluders, 1000)
    counts, total = mechanism.word_counts(1)
    assert sum(counts) == total
    assert within(max(counts), min(counts), epsilon)
    assert mechanism.law([1]).mass([1])[0] == pytest.approx(counts[1] / total)


@pytest.mark.parametrize("group", [2, 3, 5])
def test_a_cap_on_colluding_partners_is_kept_and_used(group):
    mechanism = JointRandomizedResponse(
        YES, 1.0, users=990, colluders=3, correlation=-0.1, group=group, colluding_cap=1.2
    )
    assert mechanism.collusion.epsilon_colluding <= 1.2
    assert mechanism.collusion.epsilon_colluding > 1.2 * (1 - 1e-6) or mechanism.epsilon_upper > 1 - 1e-6
    free = JointRandomizedResponse(YES, 1.0, users=990, colluders=3, correlation=-0.1, group=group)
    assert free.hit > mechanism.hit


@pytest.mark.parametrize("group", [2, 4])
def test_one_word_less_of_lies_breaks_the_cap(group):
    mechanism = JointRandomizedResponse(YES, 1.0, users=1000, colluders=50, correlation=-0.2, group=group)
    more = GroupLaw.correlated(group, mechanism.coins.truth + Fraction(1 << 20, WORDS), -0.2)
    ratio = mechanism.exposure.ratio(more.shares, mechanism.collusion.reach)
    assert not within(ratio.numerator, ratio.denominator, 1.0)


def test_no_correlation_is_randomized_response():
    mechanism = JointRandomizedResponse(YES, 1.0, users=100, colluders=99)
    assert mechanism.hit == pytest.approx(math.e / (1 + math.e), abs=1e-15)
    assert mechanism.count_variance(30) == pytest.approx(100 * math.e / (math.e - 1) ** 2)
    assert mechanism.collusion.epsilon_colluding <= 1.0


@pytest.mark.parametrize(("size", "correlation"), [(2, -0.4), (2, 0.5), (4, -0.15)])
def test_flags_follow_the_law_and_nothing_near_it(size, correlation):
    law = GroupLaw.correlated(size, 0.7, correlation)
    flags = draw_flags(law, 200_000, SeededSource(3).stream())
    seen = np.bincount(flags @ (1 << np.arange(size)), minlength=1 << size)

    def shares(of):
        liars = [size - code.bit_count() for code in range(1 << size)]
        return [float(of.shares[k]) / math.comb(size, k) for k in liars]

    assert not rejects(seen, shares(law))
    assert rejects(seen, shares(GroupLaw.correlated(size, 0.7, 0.9 * correlation)))
    assert rejects(seen, shares(GroupLaw.correlated(size, 0.71, correlation)))


def test_flags_drawn_alone_are_true_as_often_as_in_groups():
    law = GroupLaw.correlated(3, 0.7, -0.2)
    for flags in (
        draw_alone(law, 300_000, SeededSource(5).stream()),
        draw_grouped(law, 300_000, SeededSource(6).stream())[:, 0],
    ):
        true = int(flags.sum())
        assert not rejects([true, flags.size - true], [0.7, 0.3])
        assert rejects([true, flags.size - true], [0.71, 0.29])


def test_several_flags_of_a_group_are_independent_of_each_other_but_not_of_the_partners():
    law = GroupLaw.correlated(2, 0.6, -0.6)
    flags = draw_grouped(law, 2, SeededSource(8).stream(), rounds=100_000)
    both = np.corrcoef(flags[0], flags[1])[0, 1]
    next_round = np.corrcoef(flags[0, 1:], flags[0, :-1])[0, 1]
    assert abs(both + 0.6) < 0.02
    assert abs(next_round) < 0.02


def test_everybody_is_grouped_with_anybody():
    """Among four users the three pairings are equally likely: flags that exclude each other show them."""
    law = GroupLaw.correlated(2, 0.5 + 1e-12, -1 + 1e-11)
    source, seen = SeededSource(9), np.zeros(3)
    for _ in range(6000):
        flags = draw_grouped(law, 4, source.stream())[:, 0]
        seen += [flags[0] != flags[other] for other in (1, 2, 3)]
    # The partner always differs, each of the other two in half of the cases: 1/3 + 2/3 · 1/2 = 2/3.
    sigma = math.sqrt(6000 * 2 / 9)
    assert np.all(np.abs(seen - 4000) < 6.2 * sigma)
    assert not np.all(np.abs(seen - 4400) < 6.2 * sigma)


def test_uniform_numbers_are_uniform():
    seen = np.bincount(uniform_below(7, 200_000, SeededSource(1).stream()), minlength=7)
    assert not rejects(seen, [1 / 7] * 7)
    assert rejects(seen, np.array([1.06, *[0.99] * 6]) / 7)


def test_lies_are_any_other_label():
    mechanism = JointRandomizedResponse(LETTERS, 1.0, users=300_000, correlation=-0.2)
    reports = mechanism.perturb(["b"] * 300_000, SeededSource(2))
    seen = mechanism.supports(reports)
    assert not rejects(seen, mechanism.law(["b"]).probabilities[0])
    assert rejects(seen, mechanism.law(["c"]).probabilities[0])


def test_given_flags_are_obeyed():
    mechanism = JointRandomizedResponse(LETTERS, 1.0, users=4)
    reports = mechanism.respond(["a", "b", "c", "a"] * 50, [True, False] * 100, SeededSource(4))
    assert reports[::2].tolist() == ["a", "c"] * 50
    assert all(said != true for said, true in zip(reports[1::2], ["b", "a"] * 50, strict=True))
    assert set(reports[1::4]) == {"a", "c"}
    with pytest.raises(InvalidParameter, match="truths must be as many"):
        mechanism.respond(["a", "b"], [True])
    with pytest.raises(InvalidParameter, match="truths must be as many"):
        mechanism.respond(["a", "b"], [1, 0])


def test_it_is_a_mechanism_like_all_others():
    mechanism = JointRandomizedResponse(
        LETTERS, 1.0, users=99, colluders=3, correlation=-0.1, group=3, colluding_cap=2.0
    )
    assert eval(repr(mechanism)) == mechanism
    assert Mechanism.from_dict(mechanism.to_dict()) == mechanism
    assert pickle.loads(pickle.dumps(mechanism)) == mechanism == copy.deepcopy(mechanism)
    assert Mechanism.registry["JointRandomizedResponse"] is JointRandomizedResponse
    same = [mechanism.perturb(list("abc" * 33), SeededSource(7)).tolist() for _ in range(2)]
    assert same[0] == same[1]
    cells = mechanism.perturb_cells(np.array([0, 1, 2, 0]), SeededSource(7))  # alone: any number of people
    assert cells.shape == (4,)


def test_simulations_say_so():
    mechanism = JointRandomizedResponse(YES, 1.0, users=4)
    assert mechanism.simulation.startswith("SIMULATION")
    assert "SIMULATE" in type(mechanism).perturb.__doc__
    assert len(mechanism.explain()) == 2


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"users": 9}, "odd number of users"),
        ({"users": 10, "group": 3}, "whole groups of 3: 10 users leave 1 without a group; take 9 or 12"),
        ({"users": 10, "colluders": 10}, "colluders"),
        ({"users": 10, "group": 1}, "size of a group"),
        (
            {"users": 10, "correlation": -0.5},
            "correlation -0.5 is out of range: here it can be at least -0.36",
        ),
        ({"users": 10, "correlation": 1.5}, "out of range"),
        ({"users": 10, "correlation": math.nan}, "correlation must be a finite number"),
        ({"users": 10, "colluding_cap": 0}, "epsilon must be"),
        ({"users": 10, "colluders": 9, "correlation": 1.0}, "no share of true answers keeps the caps"),
        ({"users": 10, "colluders": 9, "correlation": -0.9}, "no share of true answers keeps the caps"),
    ],
)
def test_nonsense_is_refused_with_a_remedy(fields, words):
    with pytest.raises(InvalidParameter, match=words):
        JointRandomizedResponse(YES, 1.0, **fields)


def test_people_who_do_not_fit_are_refused_without_quoting_them():
    mechanism = JointRandomizedResponse(YES, 1.0, users=4)
    with pytest.raises(InvalidParameter, match=r"in pairs: 3 entries of value leave 1 .*; take 2 or 4"):
        mechanism.perturb(["yes"] * 3)
    with pytest.raises(InvalidParameter, match=r"without a partner; take 2$"):
        mechanism.perturb(["yes"])
    with pytest.raises(InvalidParameter, match="this mechanism is for 4 users"):
        mechanism.perturb(["yes"] * 6)
    with pytest.raises(OutOfDomain, match=r"value\[1\] is not one of the 2") as refusal:
        mechanism.perturb(["yes", "secret"])
    assert "secret" not in str(refusal.value)
    with pytest.raises(InvalidParameter, match="only be refused"):
        mechanism.perturb(["yes", "no"], out_of_domain="clip")
