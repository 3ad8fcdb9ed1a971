"""An observer of all reports, by formula and by going through every pairing, flag and value."""

from __future__ import annotations

import itertools
import math
from bisect import bisect
from itertools import accumulate

import pytest

from noisewright.errors import InvalidParameter
from noisewright.mechanisms.joint.collector import (
    _arrangement,
    _given,
    _pair,
    collector_epsilon,
    log_odds,
    pair_epsilon,
)
from noisewright.mechanisms.joint.group_law import WORDS, GroupLaw


def pairings(people):
    if not people:
        yield []
        return
    first, *rest = people
    for partner in rest:
        for others in pairings([person for person in rest if person != partner]):
            yield [(first, partner), *others]


def brute_force(law, users, share, said, others):
    """ln Pr(reports | value 1) − ln Pr(reports | value 0) of person 0, summed over all that is hidden."""
    true, first, second, false = (weight / WORDS for weight in law.table)
    flags = {(1, 1): true, (1, 0): first, (0, 1): second, (0, 0): false}
    reports = (said, *others)
    sides = []
    for value in (1, 0):
        total = 0.0
        for groups in pairings(list(range(users))):
            for hidden in itertools.product((0, 1), repeat=users - 1):
                values = (value, *hidden)
                chance = math.prod(share if theirs else 1 - share for theirs in hidden)
                for a, b in groups:
                    chance *= flags[int(reports[a] == values[a]), int(reports[b] == values[b])]
                total += chance
        sides.append(math.log(total))
    return sides[0] - sides[1]


@pytest.mark.parametrize("correlation", [-0.3, -0.1, 0.0, 0.4])
@pytest.mark.parametrize("users", [4, 6])
def test_formula_is_the_sum_over_all_that_is_hidden(correlation, users):
    law, share = GroupLaw.correlated(2, 0.7, correlation), 0.2
    given = {value: _pair(law, share, value) for value in (0, 1)}
    anyone = {key: share * given[1][key] + (1 - share) * given[0][key] for key in given[0]}
    for said in (0, 1):
        for ones in range(users):
            others = (1,) * ones + (0,) * (users - 1 - ones)
            expected = brute_force(law, users, share, said, others)
            assert log_odds(given, anyone, users, ones, said) == pytest.approx(expected, abs=1e-9)


def test_independent_flags_tell_the_collector_nothing_more():
    law = GroupLaw.correlated(2, 1 / (1 + math.exp(-1.0)), 0.0)
    assert collector_epsilon(law, 1000, 0.1) == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize(("epsilon", "least"), [(0.01, 0.07), (0.1, 0.14)])
def test_without_any_colluder_a_collector_exceeds_the_averaged_number(epsilon, least):
    """Zheng 2026, thm 3 with no colluder promises ε; the heuristic coins of Amazon's ratings give more."""
    truth = 1 / (1 + math.exp(-epsilon))
    law = GroupLaw.correlated(2, truth, 1 - 1 / truth)
    assert collector_epsilon(law, 10_000, 0.0762) > least > epsilon


def test_how_far_the_odds_move_in_95_of_100_rounds():
    """The exact law of the number of "yes" among 10,000, with the heuristic coins of Amazon's ratings.

    ``collector_epsilon`` takes the larger end of the central 95 % of that number, which is a little more.
    """
    users, share, truth = 10_000, 0.0762, 1 / (1 + math.exp(-0.01))
    law = GroupLaw.correlated(2, truth, 1 - 1 / truth)
    given = _given(law, share)
    anyone = {key: share * given[1][key] + (1 - share) * given[0][key] for key in given[0]}
    found = []
    for ones in range(4_850, 5_110):  # nearly all of the law, see below
        chance = math.exp(_arrangement(anyone, users // 2, ones) + log_comb(users, ones))
        for said, part in ((1, ones / users), (0, 1 - ones / users)):
            found.append((abs(log_odds(given, anyone, users, ones - said, said)), chance * part))
    assert sum(chance for _, chance in found) == pytest.approx(1, abs=1e-5)
    moved = [odds for odds, _ in sorted(found)]
    below = list(accumulate(chance for _, chance in sorted(found)))
    assert moved[bisect(below, 0.95)] == pytest.approx(0.064, abs=5e-4)
    assert collector_epsilon(law, users, share) == pytest.approx(0.0713, abs=1e-4)


def log_comb(users, ones):
    return math.lgamma(users + 1) - math.lgamma(ones + 1) - math.lgamma(users - ones + 1)


def test_what_anybody_learns_stays_below_what_a_colluding_partner_does():
    law = GroupLaw.correlated(2, 0.6, -0.2)
    known = [truth for _, truth in law.truth_given]
    most = max(abs(math.log(float(truth / (1 - truth)))) for truth in known)
    for share in (0.0, 0.02, 0.3, 1.0):
        assert collector_epsilon(law, 200, share, level=0.999) <= most + 1e-9


def test_larger_groups_are_refused():
    with pytest.raises(InvalidParameter, match="pairs only"):
        collector_epsilon(GroupLaw.correlated(3, 0.7, -0.1), 300, 0.1)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5])
def test_a_pair_that_is_known_tells_as_much_as_all_its_outcomes(share):
    """With two users there is one pair, and the formula for hidden pairings sees it as well."""
    law = GroupLaw.correlated(2, 0.7, -0.2)
    expected = max(abs(brute_force(law, 2, share, said, (other,))) for said in (0, 1) for other in (0, 1))
    assert pair_epsilon(law, share) == pytest.approx(expected, abs=1e-12)


def test_who_knows_the_partners_value_learns_what_a_colluding_partner_does():
    law = GroupLaw.correlated(2, 0.7, -0.2)
    most = max(abs(math.log(float(truth / (1 - truth)))) for _, truth in law.truth_given)
    assert pair_epsilon(law, 0.0) == pytest.approx(most)
    assert pair_epsilon(law, 0.5) == pytest.approx(math.log(0.7 / 0.3))  # the partner's report says nothing
    assert pair_epsilon(GroupLaw.correlated(2, 0.75, -1 / 3), 0.0) == math.inf
