"""Privacy numbers against everything that can happen among few users, in rationals."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from mechanisms.joint.enumeration import worst_posterior_ratio
from noisewright.errors import InvalidParameter
from noisewright.mechanisms.joint import Collusion, GroupLaw
from noisewright.mechanisms.joint.collusion import reach_published, reach_upper
from noisewright.mechanisms.joint.exposure import LabelExposure
from noisewright.mechanisms.joint.words import sentences

BINARY = LabelExposure(2)
CASES = [(2, 4, 1), (2, 4, 2), (2, 4, 3), (2, 6, 1), (2, 6, 2), (2, 6, 3), (3, 6, 1), (3, 6, 2), (3, 6, 4)]


@pytest.mark.parametrize(("size", "users", "colluders"), CASES)
@pytest.mark.parametrize("part", [1.0, 0.6, 0.0, -0.3, -1.0])
def test_the_averaged_number_holds_for_all_flags_of_the_colluders(size, users, colluders, part):
    least = float(GroupLaw.correlated(size, 0.7, 0.0).least_correlation)
    law = GroupLaw.correlated(size, 0.7, part * least if part >= 0 else -0.9 * part)
    for labels in (2, 3):
        numbers = Collusion.of(law, LabelExposure(labels), users, colluders)
        exact = worst_posterior_ratio(law, users, colluders, labels)
        spent = math.inf if exact is None else math.log(exact)
        assert spent <= numbers.epsilon_average * (1 + 1e-12)
        assert numbers.epsilon_average <= numbers.epsilon_colluding


def test_theorem_3_as_published_is_broken_by_four_users():
    """Both of two colluders lied and lies exclude each other: so neither is the other's partner."""
    law = GroupLaw.correlated(2, 0.75, -1 / 3)
    assert law.table[3] == 0
    numbers = Collusion.of(law, BINARY, users=4, colluders=2)
    assert numbers.epsilon_published == pytest.approx(math.log(11))  # what the theorem promises
    assert worst_posterior_ratio(law, 4, 2) is None  # what happens: certainty
    assert numbers.epsilon_average == math.inf  # what we say


@pytest.mark.parametrize(("users", "colluders"), [(6, 1), (6, 2), (6, 3)])
def test_theorem_3_is_broken_without_certainty_too(users, colluders):
    """A milder law: every number is finite, and the published one is still exceeded by several colluders."""
    law = GroupLaw.correlated(2, 0.7, -0.35)
    numbers = Collusion.of(law, BINARY, users, colluders)
    exact = math.log(worst_posterior_ratio(law, users, colluders))
    assert (exact > numbers.epsilon_published + 1e-6) == (colluders > 1)
    assert exact <= numbers.epsilon_average


@pytest.mark.parametrize("correlation", [-0.3, -0.05, 0.05, 0.5])
def test_theorem_3_averages_over_a_grouping_that_its_own_adversary_knows(correlation):
    """Section 4.3.2 lets the adversary learn "the identity of the other user" in a colluder's group.

    Given that identity and the flags, a target whose partner colludes has the number of a colluding partner,
    however many users there are; theorem 3 shrinks it with m/(n − 1) as if the grouping were still unknown.
    """
    p, users = 0.7, 1_000_000
    law = GroupLaw.correlated(2, p, correlation)
    truth_given = {"truth": p + correlation * (1 - p), "lie": (1 - correlation) * p}
    worst = max(abs(math.log(truth / (1 - truth))) for truth in truth_given.values())
    numbers = Collusion.of(law, BINARY, users, colluders=1)
    assert numbers.epsilon_colluding == pytest.approx(worst, abs=1e-9)
    assert numbers.epsilon_published == pytest.approx(math.log(7 / 3), abs=1e-5)  # as if nobody colluded
    assert numbers.epsilon_colluding > numbers.epsilon_published + 0.05


def test_the_published_parameters_leave_a_known_partner_without_any_bound():
    truth = 1 / (1 + math.exp(-0.1))
    numbers = Collusion.of(GroupLaw.correlated(2, truth, 1 - 1 / truth), BINARY, 10_000, 1)
    assert numbers.epsilon_published == pytest.approx(0.1, abs=1e-3)
    assert numbers.epsilon_colluding == math.inf


@pytest.mark.parametrize("correlation", [-0.4, -0.1, 0.0, 0.2, 0.9])
def test_published_is_the_formula_of_theorem_3(correlation):
    p, n, m = 0.7, 1000, 40
    q = 1 - p
    high = max((1 - correlation) * p, p + correlation * q)
    low = min((1 - correlation) * q, q + correlation * p)
    formula = math.log((m * high + (n - m - 1) * p) / (m * low + (n - m - 1) * q))
    numbers = Collusion.of(GroupLaw.correlated(2, p, correlation), BINARY, n, m)
    assert numbers.epsilon_published == pytest.approx(formula, abs=1e-12)
    assert numbers.epsilon_average == pytest.approx(formula, rel=0.02)  # they agree where colluders are few
    assert numbers.epsilon_average >= numbers.epsilon_published


def test_independent_flags_give_nothing_to_colluders():
    for size in (2, 5):
        numbers = Collusion.of(GroupLaw.correlated(size, 0.7, 0.0), BINARY, 100, 30)
        assert numbers.epsilon_colluding == pytest.approx(math.log(7 / 3), abs=1e-12)
        assert numbers.epsilon_average == pytest.approx(math.log(7 / 3), abs=1e-12)


def test_the_heuristic_settles_values_as_often_as_the_partner_lies():
    truth = math.e / (1 + math.e)
    numbers = Collusion.of(GroupLaw.correlated(2, truth, 1 - 1 / truth), BINARY, 10_000, 5)
    assert numbers.epsilon_colluding == math.inf
    assert float(numbers.certainty) == pytest.approx(1 - truth, abs=1e-12)
    alone, colluding = sentences(numbers)
    assert "5 of 10,000 users colluding" in alone
    assert "learn the value with certainty" in colluding
    assert "27 % of the reports of users whose partner colludes, who are up to 1 in 1,900 of all" in colluding


def test_with_many_labels_a_certain_lie_rules_out_one_label_only():
    law = GroupLaw.correlated(2, 0.4, -0.4 / 0.6)  # two truths exclude each other
    assert law.table[0] == 0
    numbers = Collusion.of(law, LabelExposure(3), 100, 5)
    assert (numbers.epsilon_colluding, numbers.certainty) == (math.inf, 0)
    assert "rule out one label" in sentences(numbers)[1]


def test_finite_numbers_are_said_too():
    numbers = Collusion.of(GroupLaw.correlated(3, 0.7, -0.1), BINARY, 99, 5)
    alone, colluding = sentences(numbers)
    assert "the 2 partners are" in alone
    assert colluding.startswith("Given that all others of the group collude: at most a factor of ")


def test_reach():
    assert reach_upper(100, 60, 2) == 1
    assert reach_published(100, 0, 3) == 0
    assert reach_published(10, 4, 3) == 1 - Fraction(5 * 4, 9 * 8)
    assert all(reach_published(n, m, 2) <= reach_upper(n, m, 2) for n in (4, 10, 1000) for m in range(n))


@pytest.mark.parametrize(
    ("users", "colluders", "words"),
    [
        (9, 1, "odd number of users in pairs: 9 users leave 1 without a partner; take 8 or 10"),
        (10, 10, "colluders"),
        (10, -1, "colluders"),
        (0, 0, "users"),
        (10.0, 1, "users"),
    ],
)
def test_impossible_people_are_refused(users, colluders, words):
    with pytest.raises(InvalidParameter, match=words):
        Collusion.of(GroupLaw.correlated(2, 0.7, 0.0), BINARY, users, colluders)
