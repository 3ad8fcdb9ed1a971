"""Shares of labels: unbiased first, consistent by choice, pooled by worth, and drawn the right way round."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from noisewright import Categories, MetricSpace
from noisewright.design import optimal_law
from noisewright.errors import InvalidParameter
from noisewright.estimate import Frequencies, Tally, frequencies
from noisewright.estimate.channel import DenseChannel, NamedLabels
from noisewright.estimate.consistency import likeliest
from noisewright.estimate.em import Evidence
from noisewright.mechanisms import (
    KRR,
    OLH,
    OUE,
    SUE,
    HadamardResponse,
    LabelExponential,
    SubsetSelection,
)
from noisewright.mechanisms.joint import JointRandomizedResponse
from noisewright.randomness import SeededSource
from noisewright.statistics.simplex import norm_sub

FAR = 6.0
"""Standard errors: a right estimate is further off once in 5·10⁸ tries."""

LABELS = Categories(range(10))
TRUTH = np.array([0.3, 0.2, 0.15, 0.1, 0.1, 0.05, 0.05, 0.05, 0.0, 0.0])
KINDS = [KRR, OUE, SUE, OLH, SubsetSelection, HadamardResponse, LabelExponential]


def collect(mechanism, people=20_000, truth=TRUTH, seed=1):
    labels = np.random.default_rng(seed).choice(len(truth), people, p=truth)
    return Tally.of(mechanism.perturb(labels, SeededSource(seed)), mechanism)


def joint(epsilon=1.0, people=20_000):
    return JointRandomizedResponse(LABELS, epsilon, users=people, colluders=5, correlation=-0.1)


@pytest.mark.parametrize("mechanism", [kind(LABELS, 1.0) for kind in KINDS] + [joint()], ids=type)
def test_shares_are_right_to_their_standard_error_and_would_notice_a_tenth(mechanism):
    found = frequencies(collect(mechanism))
    assert (np.abs(found.value - TRUTH) < FAR * found.stderr).all()
    moved = np.roll(TRUTH, 1)
    wrong = frequencies(collect(mechanism, truth=moved))
    assert (np.abs(wrong.value - TRUTH) > FAR * wrong.stderr).any()  # power: shares moved by one place
    assert ((found.low >= 0) & (found.low <= found.high) & (found.high <= 1)).all()
    assert found.labels == LABELS.labels
    assert found.count == 20_000


# -- half of the people, and a hundred labels ------------------------------------------------------------


def test_a_share_of_one_half_does_not_shrink_to_a_sixth():
    """10,000 people, 100 labels, ε = 1: clipping and rescaling gives away two thirds of the share."""
    truth = np.array([0.5] + [0.5 / 99] * 99)
    mechanism = KRR(Categories(range(100)), 1.0)
    tallies = [collect(mechanism, 10_000, truth, seed) for seed in range(40)]
    raw = [frequencies(tally) for tally in tallies]
    nearest = [frequencies(tally, consistency="norm-sub").value[0] for tally in tallies]
    positive = [np.maximum(found.raw, 0) for found in raw]
    clipped = [shares[0] / shares.sum() for shares in positive]
    off = raw[0].stderr[0] / math.sqrt(40)  # 0.014
    assert np.mean([found.value[0] for found in raw]) == pytest.approx(0.5, abs=FAR * off)
    assert np.mean(nearest) == pytest.approx(0.5, abs=0.1)
    assert 0.5 / np.mean(clipped) > 2.5


def test_a_better_oracle_leaves_the_half_where_it_is():
    truth = np.array([0.5] + [0.5 / 99] * 99)
    tally = collect(OUE(Categories(range(100)), 1.0), 10_000, truth)
    for consistency in ("none", "norm-sub", "em"):
        found = frequencies(tally, consistency=consistency)
        assert found.value[0] == pytest.approx(0.5, abs=FAR * found.stderr[0])
    positive = np.maximum(found.raw, 0)
    assert positive[0] / positive.sum() < 0.4


# -- named choices ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mechanism", [kind(LABELS, 0.3) for kind in KINDS] + [joint(0.3)], ids=type)
@pytest.mark.parametrize("consistency", ["norm-sub", "em"])
def test_a_choice_changes_the_values_and_nothing_else(mechanism, consistency):
    tally = collect(mechanism, 2000)
    plain, chosen = frequencies(tally), frequencies(tally, consistency=consistency)
    assert plain.value.min() < 0
    assert chosen.value.min() >= 0
    assert chosen.value.sum() == pytest.approx(1)
    for name in ("raw", "stderr", "low", "high"):
        np.testing.assert_array_equal(getattr(chosen, name), getattr(plain, name))
    assert chosen.consistency == consistency
    assert chosen.method != plain.method


def test_an_unknown_choice_is_refused():
    with pytest.raises(InvalidParameter, match="norm-sub"):
        frequencies([1, 2], KRR(LABELS, 1.0), consistency="clip")


def test_shares_about_the_reporters_leave_out_the_luck_of_the_draw():
    mechanism = OUE(LABELS, 4.0)
    tally = collect(mechanism)
    drawn, given_people = frequencies(tally), frequencies(tally, about="reporters")
    shares = np.clip(drawn.value, 0, 1)
    luck = shares * (1 - shares) / 20_000
    assert drawn.stderr**2 == pytest.approx(given_people.stderr**2 + luck)
    frequent = TRUTH >= 0.05
    assert (given_people.high - given_people.low < drawn.high - drawn.low)[frequent].all()
    assert "reported" in given_people.assumption
    with pytest.raises(InvalidParameter, match="reporters"):
        frequencies(tally, about="everybody")


def test_about_the_reporters_of_joint_response_the_error_is_that_of_theorem_four():
    mechanism = JointRandomizedResponse(Categories("ny"), 1.0, users=10_000, colluders=5, correlation=-0.3)
    supports = np.array([10_000 - 3056, 3056])
    found = frequencies(Tally.of_supports(supports, 10_000, mechanism), about="reporters")
    holders = found.value[1] * 10_000
    assert (found.stderr[1] * 10_000) ** 2 == pytest.approx(mechanism.count_variance(holders), rel=1e-3)


@given(st.lists(st.floats(-2, 2), min_size=1, max_size=30))
def test_norm_sub_is_the_nearest_point_of_the_simplex(shares):
    given_shares = np.array(shares)
    nearest = norm_sub(given_shares)
    assert nearest.min() >= 0
    assert nearest.sum() == pytest.approx(1)
    kept = nearest > 1e-12
    moved = given_shares - nearest
    assert np.ptp(moved[kept]) < 1e-9  # one number is subtracted from all that are kept,
    assert (given_shares[~kept] <= moved[kept].max() + 1e-9).all()  # and the others are below it


def log_likelihood(mechanism, tally, shares):
    seen = mechanism.miss + (mechanism.hit - mechanism.miss) * shares
    counts = tally.groups[0].counts
    against = 0 if isinstance(mechanism, KRR) else (tally.count - counts) @ np.log(1 - seen)
    return counts @ np.log(seen) + against


@pytest.mark.parametrize("kind", [KRR, OUE, OLH])
def test_em_is_the_likeliest_point_of_the_simplex(kind):
    """Against a general optimizer, on the likelihood written out."""
    mechanism = kind(Categories(range(5)), 0.5)
    tally = collect(mechanism, 500, np.array([0.6, 0.3, 0.1, 0, 0]), seed=3)
    shares, _ = likeliest(tally)
    found = minimize(
        lambda point: -log_likelihood(mechanism, tally, point),
        np.full(5, 0.2),
        bounds=[(0, 1)] * 5,
        constraints={"type": "eq", "fun": lambda point: point.sum() - 1},
        options={"ftol": 1e-12},
    )
    assert shares == pytest.approx(found.x, abs=1e-4)
    assert log_likelihood(mechanism, tally, shares) >= -found.fun - 1e-6


def test_a_step_of_em_leaves_the_likeliest_shares_in_place():
    mechanism = KRR(LABELS, 1.0)
    tally = collect(mechanism, 3000)
    shares, _ = likeliest(tally)
    channel = NamedLabels(10, mechanism.hit, mechanism.miss)
    evidence = Evidence([channel], [tally.groups[0].counts.astype(float)])
    assert evidence.step(shares) == pytest.approx(shares, abs=1e-9)


def test_the_channel_of_named_labels_is_its_matrix():
    channel, shares = NamedLabels(5, 0.6, 0.1), np.array([0.5, 0.2, 0.1, 0.1, 0.1])
    dense = DenseChannel(channel.matrix())
    assert channel.forward(shares) == pytest.approx(dense.forward(shares))
    assert channel.backward(shares) == pytest.approx(dense.backward(shares))
    law = KRR(Categories("abcde"), 1.0)
    assert NamedLabels(5, law.hit, law.miss).matrix() == pytest.approx(law.law(list("abcde")).probabilities)


# -- several mechanisms ---------------------------------------------------------------------------------------


def test_pooling_is_better_than_the_best_and_stays_unbiased():
    tallies = [
        collect(KRR(LABELS, 1.0), seed=1),
        collect(OUE(LABELS, 1.5), seed=2),
        collect(HadamardResponse(LABELS, 2.0), seed=3),
        collect(LabelExponential(LABELS, 4.0), seed=4),
    ]
    both = frequencies(tallies)
    assert (both.stderr < np.min([frequencies(tally).stderr for tally in tallies], axis=0)).all()
    assert (np.abs(both.value - TRUTH) < FAR * both.stderr).all()
    assert both.count == 80_000


@pytest.mark.parametrize("few", [1, 2, 3])
@pytest.mark.parametrize(
    "other", [KRR(LABELS, 2.0), OUE(LABELS, 2.0), LabelExponential(LABELS, 4.0)], ids=type
)
def test_a_few_reports_of_another_budget_change_little(few, other):
    many = collect(OUE(LABELS, 1.0))
    alone = frequencies(many)
    for seed in range(10):
        both = frequencies(many + collect(other, few, seed=seed))
        assert (np.abs(both.value - alone.value) < alone.stderr / 2).all()
        assert both.stderr == pytest.approx(alone.stderr, rel=0.02)


def test_the_weights_of_pooled_reports_do_not_look_at_them():
    """Two collections with other answers: each label's value is the same mixture of the two groups."""
    cautious, bold = KRR(LABELS, 0.5), OUE(LABELS, 2.0)
    shares = []
    for seed in (1, 2):
        one, two = collect(cautious, seed=seed), collect(bold, truth=np.roll(TRUTH, seed), seed=seed)
        left, right, both = (frequencies(tally).value for tally in (one, two, one + two))
        shares.append((both - right) / (left - right))
    assert shares[0] == pytest.approx(np.full(10, shares[0][0]))
    assert shares[1] == pytest.approx(shares[0])


STOPS = MetricSpace("ABCD", np.abs(np.subtract.outer(range(4), range(4))))


def test_an_oracle_tells_apart_what_a_design_gives_up():
    table = optimal_law(STOPS, 1.0)  # names only some of the stops
    truth = np.array([0.5, 0.3, 0.15, 0.05])
    labels = np.random.default_rng(9).choice(list("ABCD"), 50_000, p=truth)
    vague = Tally.of(table.perturb(labels, SeededSource(1)), table)
    assert "known bias" in frequencies(vague).method
    sharp = KRR(STOPS, 1.0)
    precise = Tally.of(sharp.perturb(labels, SeededSource(2)), sharp)
    both = frequencies(vague + precise, level=0.999999)
    assert ((both.low <= truth) & (truth <= both.high)).all()
    alone = frequencies(vague, level=0.999999)
    assert (both.high - both.low < alone.high - alone.low).all()


def test_em_joins_labels_with_labels_and_refuses_codes_with_tables():
    table, response, bits = LabelExponential(LABELS, 4.0), KRR(LABELS, 1.0), OUE(LABELS, 1.0)
    together = frequencies([collect(table), collect(response)], consistency="em")
    assert together.value == pytest.approx(TRUTH, abs=0.05)
    with pytest.raises(InvalidParameter, match="norm-sub"):
        frequencies([collect(table), collect(bits)], consistency="em")
    assert frequencies([collect(table), collect(bits)], consistency="norm-sub").value.sum() == pytest.approx(
        1
    )


def test_codes_say_that_their_likelihood_is_composite():
    assert "composite" in frequencies(collect(OUE(LABELS, 1.0)), consistency="em").method
    assert "composite" not in frequencies(collect(KRR(LABELS, 1.0)), consistency="em").method


# -- the result ---------------------------------------------------------------------------------------------------


def test_one_label_the_top_and_the_counts():
    found = frequencies(collect(OUE(LABELS, 2.0)))
    assert found[3].value == found.value[3]
    assert (found[3].low, found[3].high) == (found.low[3], found.high[3])
    best = found.top(3)
    assert best.labels == (0, 1, 2)
    assert best.value.tolist() == sorted(found.value.tolist(), reverse=True)[:3]
    assert found.top(99).labels[:3] == (0, 1, 2)
    people = found.counts()
    assert people.value == pytest.approx(found.value * 20_000)
    assert people.high == pytest.approx(found.high * 20_000)
    assert found.counts(people=10**6).stderr == pytest.approx(found.stderr * 10**6)
    with pytest.raises(KeyError, match="10 labels"):
        found["nobody"]
    with pytest.raises(InvalidParameter, match="labels"):
        found.top(0)


def test_the_top_by_chosen_values_keeps_their_raw_ones():
    found = frequencies(collect(KRR(LABELS, 0.5)), consistency="norm-sub")
    best = found.top(2)
    places = [found.labels.index(label) for label in best.labels]
    np.testing.assert_array_equal(best.raw, found.raw[places])
    assert best.consistency == "norm-sub"


def test_a_result_in_plain_values_says_which_numbers_are_raw():
    found = frequencies(collect(KRR(LABELS, 0.5)), consistency="norm-sub")
    said = json.loads(json.dumps(found.to_dict()))
    assert said["raw"] == found.raw.tolist()
    assert said["value"] == found.value.tolist()
    assert said["consistency"] == "norm-sub"
    assert Frequencies(found.value, found.stderr, found.low, found.high).raw is found.value


def test_two_labels_are_each_others_mirror_image():
    mechanism = KRR(Categories(["no", "yes"]), 1.0)
    found = frequencies(collect_labels(mechanism, ["no", "yes"], [0.97, 0.03]))
    assert found.value.sum() == pytest.approx(1)
    assert found.low[0] == pytest.approx(1 - found.high[1], abs=1e-9)
    assert found.high[0] == pytest.approx(1 - found.low[1], abs=1e-9)


def collect_labels(mechanism, labels, shares):
    truth = np.random.default_rng(5).choice(labels, 3000, p=shares)
    return Tally.of(mechanism.perturb(truth, SeededSource(5)), mechanism)
