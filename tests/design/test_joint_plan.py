"""Plans for shared coins: the published figures, never worse than randomized response, honest in words."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noisewright import Categories
from noisewright.design.joint_plan import (
    best_correlation,
    examine,
    joint_plan,
    planned_ratio,
    ratio_range,
)
from noisewright.design.joint_table import WORTH
from noisewright.errors import InvalidParameter
from noisewright.mechanisms import JointRandomizedResponse, Mechanism
from noisewright.mechanisms.joint.calibration import caps, most_truth
from noisewright.mechanisms.joint.exposure import LabelExposure
from noisewright.mechanisms.joint.flag_shares import least_correlation

AMAZON, KOSARAK = (10_000, 762), (20_000, 659)


def three_digits(number):
    return float(f"{number:.3g}")


@pytest.mark.parametrize(("people", "most"), [(AMAZON, 3.55e7), (KOSARAK, 3.01e7)])
def test_the_optimum_is_at_or_below_the_asked_variance(people, most):
    """To three digits, as asked. Amazon is 3.5526e7 under theorem 3 as published and 3.5529e7 under ours."""
    users, ones = people
    plan = joint_plan(users, 0.01, 5, share=ones / users)
    assert three_digits(plan.mechanism.count_variance(ones)) <= most
    assert plan.best.numbers.epsilon_average <= 0.01


@pytest.mark.parametrize("people", [AMAZON, KOSARAK])
@pytest.mark.parametrize("epsilon", [0.01, 0.1, 1.0])
def test_the_mechanism_is_never_above_randomized_response_and_keeps_epsilon(people, epsilon):
    users, ones = people
    plan = joint_plan(users, epsilon, 5, share=ones / users)
    alone = math.exp(epsilon) / (math.exp(epsilon) - 1) ** 2 * users
    assert plan.plain.variance == pytest.approx(alone, rel=1e-9)
    assert plan.mechanism.count_variance(ones) == pytest.approx(plan.variance, rel=1e-9)
    assert plan.variance < plan.plain.variance
    assert plan.ratio < 0.75
    assert plan.mechanism.epsilon_upper <= epsilon


@settings(max_examples=25)
@given(
    st.floats(0.01, 3), st.integers(0, 400), st.floats(0, 1), st.floats(0, 1), st.none() | st.floats(0.05, 5)
)
def test_no_share_of_the_range_loses(epsilon, colluders, one, other, cap):
    low, high = sorted((one, other))
    plan = joint_plan(1000, epsilon, colluders, shares=(low, high), cap_colluding=cap)
    for part in (0, 0.25, 0.5, 0.75, 1):
        ones = 1000 * (low + part * (high - low))
        assert plan.mechanism.count_variance(ones) <= plan.plain.variance * (1 + 1e-12)
    assert plan.mechanism.collusion.epsilon_colluding <= (math.inf if cap is None else cap)
    assert plan.ratio <= 1


@pytest.mark.parametrize(
    ("epsilon", "colluders", "share", "cap"),
    [
        (0.01, 5, 0.08, None),
        (1.0, 50, 0.3, None),
        (1.0, 5, 0.1, 1.5),
        (0.5, 0, 0.5, None),
        (1.0, 5, 0.02, 5.0),
    ],
)
def test_no_correlation_on_a_fine_scale_is_better(epsilon, colluders, share, cap):
    plan = joint_plan(1000, epsilon, colluders, share=share, cap_colluding=cap)
    limits = caps(1000, colluders, 2, epsilon, cap)
    for step in range(-1000, 1001):
        rho = step / 1001
        truth = float(most_truth(limits, LabelExposure(2), 2, rho))
        if 0.5 < truth < 1 and rho >= least_correlation(2, 1 - truth):
            least = planned_ratio(plan.task, truth, rho)
            assert plan.ratio <= least * (1 + 1e-9 if plan.shares_coins else 1 / (1 - WORTH))


@pytest.mark.parametrize("changes", [{"share": 0.5}, {"shares": (0.4, 0.6)}, {"shares": (0.0, 1.0)}])
def test_coins_that_gain_next_to_nothing_are_not_shared(changes):
    """Without colluders a gain of 10⁻⁴ would be had for giving every value away to the partner."""
    plan = joint_plan(10_000, 1.0, **changes)
    assert (plan.shares_coins, plan.mechanism.correlation) == (False, 0.0)
    assert plan.mechanism.guarantee.epsilon_colluding == pytest.approx(1.0)


def test_near_one_half_lies_should_come_together():
    plan = joint_plan(100, 1.0, 0, share=0.5)
    assert plan.best.correlation == pytest.approx(1, abs=1e-6)
    assert plan.ratio == pytest.approx(1 - 1 / 99, abs=1e-6)
    assert "come together" in plan.reason


@pytest.mark.parametrize("group", [2, 3])
def test_the_shares_that_lose_are_named(group):
    plan = joint_plan(9000, 0.1, 40, share=0.08, group=group)
    low, high = plan.losing_shares
    assert 0.08 < low < 0.5 < high < 0.92
    for share, worse in ((low - 0.01, False), (low + 0.01, True), (high - 0.01, True), (high + 0.01, False)):
        assert (plan.mechanism.count_variance(share * 9000) > plan.plain.variance) is worse
    (said,) = plan.caution
    assert said.startswith(
        f"If the true share lies between {low:.2f} and {high:.2f}, answering alone has less error. "
    )
    worst = plan.mechanism.count_variance(4500) / plan.plain.variance
    assert f" to {math.ceil(100 * (worst - 1))} % more (a share of 0.5)." in said


def test_where_nothing_helps_everybody_answers_alone():
    plan = joint_plan(1000, 1.0, 5, shares=(0.0, 1.0))  # one half is among them
    assert (plan.mechanism.correlation, plan.ratio, plan.shares_coins) == (0.0, 1.0, False)
    assert plan.reason.startswith("Do not share coins")
    assert (plan.losing_shares, plan.caution) == (None, [])
    assert plan.privacy(plan.best)[2].startswith(
        "A collector who sees all reports and knows the share in the population learns no"
    )


def test_a_cap_on_colluding_partners_as_strict_as_epsilon_leaves_nothing_to_gain():
    plan = joint_plan(10_000, 1.0, 5, share=0.05, cap_colluding=1.0)
    assert (plan.shares_coins, plan.ratio) == (False, 1.0)
    looser = joint_plan(10_000, 1.0, 5, share=0.05, cap_colluding=2.0)
    assert looser.ratio < 0.9
    assert looser.best.numbers.epsilon_colluding == pytest.approx(2.0)


def test_the_heuristic_is_shown_with_what_it_breaks():
    plan = joint_plan(10_000, 0.1, 50, share=0.08, cap_colluding=3.0)
    assert plan.heuristic.truth == pytest.approx(1 / (1 + math.exp(-0.1)), abs=1e-12)
    assert plan.heuristic.correlation == pytest.approx(-math.exp(-0.1), abs=1e-9)
    average, colluding, certain = plan.heuristic_warnings
    assert "breaks the cap 0.1 on the average: it spends ε = 0.1096" in average
    assert "breaks the cap 3" in colluding
    assert "learn the value with certainty" in certain
    assert "48 % of the reports of users whose partner colludes" in certain


def test_the_heuristic_repaired_loses_to_randomized_response():
    """As correlated as can be, with the p that this leaves: with 1 % colluding it loses, or does not exist."""
    plan = joint_plan(10_000, 0.1, 100, share=0.3)
    repaired = examine(plan.task, -0.92)
    assert repaired.numbers.epsilon_average <= 0.1
    assert repaired.ratio > 1.25
    assert plan.ratio <= 1
    with pytest.raises(InvalidParameter, match="no share of true answers"):
        examine(joint_plan(10_000, 0.01, 100, share=0.3).task, -0.99)


def test_larger_groups_help_where_lies_are_rare():
    ratios = [joint_plan(60_000, 1.0, 5, share=0.08, group=size).ratio for size in (2, 4)]
    assert ratios[1] < 0.4
    assert ratios[0] > 0.7


def test_what_all_reports_together_give_away_is_said():
    plan = joint_plan(10_000, 0.01, 5, share=0.0762)
    assert plan.collector(plan.best) > 0.05
    assert plan.collector(plan.plain) == plan.plain.numbers.epsilon_average
    assert "although nobody colludes" in plan.privacy(plan.best)[2]
    assert joint_plan(999, 0.5, 5, share=0.1, group=3).collector(plan.best) is None


def test_the_plan_in_json_rebuilds_its_mechanism():
    plan = joint_plan(1000, 0.5, 5, share=0.1, domain=Categories(["healthy", "ill"]))
    found = json.loads(json.dumps(plan.to_dict(), allow_nan=False))
    assert Mechanism.from_dict(found["mechanism"]) == plan.mechanism
    assert [row["name"] for row in found["rows"]] == ["randomized response", "heuristic", "best"]
    assert found["rows"][1]["epsilon_colluding"] == "infinity"
    assert found["rows"][2]["ratio"] == plan.ratio
    assert sum(map(int, found["rows"][2]["weights"])) == 1 << 64


def test_a_plan_is_drawn():
    axes = joint_plan(1000, 0.5, 5, share=0.1).plot()
    labels = axes.get_legend_handles_labels()[1]
    assert labels == ["randomized response", "heuristic", "best", "expected share"]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"users": 9}, "odd number of users"),
        ({"epsilon": 0}, "epsilon must be"),
        ({"share": 1.1}, "share must be a number between 0 and 1"),
        ({"share": 0.1, "shares": (0.1, 0.2)}, "not both"),
        ({"shares": (0.3, 0.2)}, "the lower one first"),
        ({"cap_colluding": -1}, "cap_colluding must be"),
        ({"colluders": 2000}, "colluders"),
        ({"labels": 1}, "labels must be"),
        ({"most_loss": -0.1}, "most_loss must be a number from 0 up"),
    ],
)
def test_nonsense_is_refused(changes, words):
    with pytest.raises(InvalidParameter, match=words):
        joint_plan(**{"users": 1000, "epsilon": 1.0, **changes})


def test_the_search_is_repeatable():
    task = joint_plan(1000, 0.5, 5, share=0.1).task
    assert best_correlation(task) == best_correlation(task)


@pytest.mark.parametrize(("labels", "share", "group"), [(3, 0.8, 2), (10, 0.7, 2), (10, 0.9, 4)])
def test_plans_for_several_labels_gain_where_one_is_frequent(labels, share, group):
    plan = joint_plan(12_000, 1.0, 3, share=share, labels=labels, group=group)
    assert plan.shares_coins
    assert plan.mechanism.domain.lattice == labels
    holders = share * 12_000
    alone = JointRandomizedResponse(plan.mechanism.domain, 1.0, users=12_000, colluders=3, group=group)
    expected = plan.mechanism.count_variance(holders) / alone.count_variance(holders)
    assert plan.ratio == pytest.approx(expected, rel=1e-9)
    assert plan.ratio < 0.99
    assert plan.mechanism.collusion.epsilon_average <= 1.0
    assert "How much is not computed here" in " ".join(plan.privacy(plan.best))


@pytest.mark.parametrize("labels", [3, 10, 100])
def test_plans_for_several_labels_never_lose_over_a_range_of_shares(labels):
    plan = joint_plan(5_000, 1.0, 10, shares=(0.0, 1.0), labels=labels)
    alone = JointRandomizedResponse(plan.mechanism.domain, 1.0, users=5_000, colluders=10)
    holders = np.linspace(0, 5_000, 301)
    assert (plan.mechanism.count_variance(holders) <= alone.count_variance(holders) * (1 + 1e-9)).all()


def test_with_several_labels_a_cap_on_collusion_leaves_a_gain():
    """A lie may tell more than the truth there, so that a cap binds where the share of truth does not."""
    plan = joint_plan(10_000, 1.0, 5, share=0.8, cap_colluding=3.0, labels=5)
    assert plan.shares_coins
    assert plan.mechanism.collusion.epsilon_colluding == pytest.approx(3.0, abs=1e-3)
    assert 0.55 < plan.ratio < 0.65


def test_a_plan_for_several_labels_says_where_it_loses():
    plan = joint_plan(10_000, 1.0, 50, share=0.9, labels=5)
    low, high = plan.losing_shares
    assert 0 < low < 1 / 5 < high < 0.9
    alone = JointRandomizedResponse(plan.mechanism.domain, 1.0, users=10_000, colluders=50)
    for share, worse in ((low - 0.01, False), (low + 0.01, True), (high - 0.01, True), (high + 0.01, False)):
        found = plan.mechanism.count_variance(share * 1e4) > alone.count_variance(share * 1e4)
        assert found is worse


@settings(max_examples=40, deadline=None)
@given(
    labels=st.integers(2, 40),
    epsilon=st.sampled_from([0.1, 0.5, 1.0, 2.0, 4.0]),
    colluders=st.sampled_from([0, 3, 200]),
    share=st.sampled_from([0.0, 0.02, 0.3, 0.8, 1.0]),
    cap=st.sampled_from([None, 1.2, 3.0]),
)
def test_every_plan_can_be_built_and_keeps_its_caps(labels, epsilon, colluders, share, cap):
    limit = None if cap is None else cap * epsilon
    plan = joint_plan(1000, epsilon, colluders, share=share, cap_colluding=limit, labels=labels)
    assert plan.ratio <= 1
    assert plan.mechanism.collusion.epsilon_average <= epsilon
    assert limit is None or plan.mechanism.collusion.epsilon_colluding <= limit


def ratios_of(plan, places=1001):
    """The variance with the planned coins over that of randomized response, at many shares."""
    alone = replace(plan.mechanism, correlation=0.0)
    holders = np.linspace(0, plan.task.users, places)
    return plan.mechanism.count_variance(holders) / alone.count_variance(holders)


@pytest.mark.parametrize(
    ("epsilon", "colluders", "worst"),
    [(0.01, 5, 1.234), (0.1, 50, 1.224), (0.1, 100, 1.541), (0.01, 24, 3.697)],
)
def test_a_plan_says_what_a_wrong_share_costs(epsilon, colluders, worst):
    """22–23 % in the dissertation's setting and in README's, several times where many collude at a small ε."""
    plan = joint_plan(10_000, epsilon, colluders, share=0.0)
    found = ratios_of(plan)
    assert found.max() == pytest.approx(worst, abs=0.01)
    assert (plan.outcome.most, plan.outcome.least) == pytest.approx((found.max(), found.min()), rel=1e-9)
    assert plan.outcome.mean == pytest.approx(found.mean(), rel=2e-3)
    assert (plan.outcome.most_at, plan.outcome.least_at) == pytest.approx((0.5, 0.0), abs=1e-9)
    told = plan.to_dict()["variance_ratio"]
    assert (told["planned"], told["most"]) == (plan.ratio, plan.outcome.most)
    assert "% more (a share of 0.5)" in plan.caution[0]


@pytest.mark.parametrize("labels", [2, 10])
@pytest.mark.parametrize("epsilon", [0.05, 1.0, 7.0])
@pytest.mark.parametrize("people", [(2, 0, 2), (3, 1, 3), (100, 0, 2), (1002, 300, 2)])
def test_without_a_share_or_an_accepted_loss_nobody_shares_coins(epsilon, people, labels):
    """A colluding partner learns no more than from the report alone unless somebody asked for coins."""
    users, colluders, group = people
    plan = joint_plan(users, epsilon, colluders, group=group, labels=labels)
    assert (plan.shares_coins, plan.mechanism.correlation) == (False, 0.0)
    assert plan.mechanism.collusion.epsilon_colluding == pytest.approx(epsilon, rel=1e-9)
    assert plan.reason.startswith("Do not share coins: no share is known, and at the worst of all shares")
    assert "(--share-range)" in plan.reason
    assert "(--most-loss 0.01)" in plan.reason


@settings(max_examples=30, deadline=None)
@given(
    epsilon=st.floats(0.01, 4),
    colluders=st.integers(0, 400),
    cap=st.none() | st.floats(0.05, 5),
    labels=st.sampled_from([2, 3, 10]),
    loss=st.sampled_from([0.0, 0.01, 0.05]),
)
def test_without_a_known_share_no_share_costs_more_than_is_accepted(epsilon, colluders, cap, labels, loss):
    plan = joint_plan(1002, epsilon, colluders, cap_colluding=cap, labels=labels, most_loss=loss)
    found = ratios_of(plan)
    assert found.max() <= 1 + loss + 1e-12
    assert found.max() <= plan.outcome.most + 1e-9
    if plan.shares_coins:
        assert found.mean() < 1 - WORTH * 0.9
        assert plan.mechanism.collusion.epsilon_average <= epsilon
    else:
        assert (found == 1).all()


@pytest.mark.parametrize("colluders", [0, 50])
def test_larger_groups_without_a_known_share_keep_the_loss(colluders):
    plan = joint_plan(9_999, 1.0, colluders, group=3, most_loss=0.01)
    assert plan.shares_coins
    assert ratios_of(plan).max() <= 1.01


def test_without_a_known_share_coins_within_an_accepted_loss_gain_on_average():
    """Measured: 12 % on average and 37 % at best for a loss of 0.16 % at worst (ε = 1, 5 of 10,000 collude)."""
    plan = joint_plan(10_000, 1.0, 5, most_loss=0.01)
    found = ratios_of(plan)
    assert (found.min(), found.max(), found.mean()) == pytest.approx((0.633, 1.0015, 0.879), abs=1e-3)
    assert plan.ratio == pytest.approx(found.mean(), abs=1e-3)
    assert "no share is known" in plan.reason
    assert plan.ratio == pytest.approx(plan.variance / plan.plain.variance, rel=1e-9)  # one statistic a row
    assert plan.to_dict()["statistic"] == "on average over all shares"


def test_no_coins_within_the_loss_are_better_on_average():
    plan = joint_plan(10_000, 1.0, 50, most_loss=0.01)
    limits = caps(10_000, 50, 2, 1.0, None)
    for step in range(-1000, 1001):
        rho = step / 1001
        truth = float(most_truth(limits, LabelExposure(2), 2, rho))
        if 0.5 < truth < 1 and rho >= least_correlation(2, 1 - truth):
            found = ratio_range(plan.task, truth, rho)
            assert found.most > 1.01 or found.mean >= plan.ratio * (1 - 1e-9)


def test_a_bounded_loss_tames_a_planned_share():
    free = joint_plan(10_000, 0.01, 5, share=0.08)
    tame = joint_plan(10_000, 0.01, 5, share=0.08, most_loss=0.05)
    assert free.ratio < tame.ratio < 0.9
    assert ratios_of(tame).max() == pytest.approx(1.05, abs=1e-6)
    assert not joint_plan(10_000, 0.01, 5, share=0.08, most_loss=0.0).shares_coins


def test_coins_that_come_together_say_what_they_cost_at_the_ends():
    plan = joint_plan(100, 1.0, 0, share=0.5)
    assert plan.outcome.most == pytest.approx(2, abs=0.01)
    assert "100 % more (a share of 0)" in plan.caution[0]


def test_where_all_reports_together_have_no_bound_the_plan_says_so():
    """Everybody says no, and the collector knows: one "yes" too many would give its person away."""
    plan = joint_plan(1000, 1e-5, share=0.0)
    assert plan.collector(plan.best) == math.inf
    assert "in 95 % of rounds, there is no bound (ε = ∞)." in " ".join(plan.privacy(plan.best))
