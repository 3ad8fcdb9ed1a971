"""One suite that every frequency oracle passes: its integers, its estimates, its manners."""

from __future__ import annotations

import json
import math
import pickle
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from mechanisms.categorical.oracles import (
    EPSILONS,
    KINDS,
    WRITTEN_OUT,
    all_reports,
    build,
    exact_law,
    rows,
    votes,
)
from noisewright import Categories, Interval
from noisewright.domains import MetricSpace
from noisewright.errors import GuaranteeBroken, InvalidParameter, OutOfDomain
from noisewright.guarantees import PureLDP
from noisewright.mechanisms import KRR, OLH, CodedOracle, Mechanism
from noisewright.mechanisms.basics.exact import within
from noisewright.randomness import SeededSource

every = pytest.mark.parametrize("kind", KINDS)
written_out = pytest.mark.parametrize("kind", WRITTEN_OUT)
budgets = pytest.mark.parametrize("epsilon", EPSILONS)
SHARES = np.array([0.4, 0.3, 0.0, 0.25, 0.05])


def shares_of(mechanism):
    return SHARES if len(mechanism.domain) == 5 else np.array([0.7, 0.3])


def test_the_suite_knows_the_oracles_that_users_rely_on():
    names = {kind.__name__ for kind in KINDS}
    assert {"KRR", "RR", "OUE", "SUE", "OLH", "SubsetSelection", "HadamardResponse"} <= names


# -- the promise -----------------------------------------------------------------------------------


@every
@pytest.mark.parametrize("epsilon", [*EPSILONS, 16.0, 24.0, 32.0])
@pytest.mark.parametrize("labels", [2, 3, 5, 8])
def test_the_law_sums_to_one_and_keeps_epsilon_in_rationals(kind, epsilon, labels):
    mechanism = build(kind, epsilon, labels)
    counts, total = rows(mechanism), mechanism.word_counts(0)[1]
    assert all(sum(row) == total for row in counts)
    worst = Fraction(1)
    for column in zip(*counts, strict=True):
        if max(column):
            assert within(max(column), min(column), epsilon)
            worst = max(worst, Fraction(max(column), min(column)))
    assert mechanism.guarantee == PureLDP(epsilon)
    assert epsilon >= mechanism.epsilon_upper >= math.log(worst) * (1 - 1e-12)


@every
@budgets
@pytest.mark.parametrize("labels", [2, 5, 100, 3000])
def test_nearly_all_of_epsilon_is_used(kind, epsilon, labels):
    mechanism = build(kind, epsilon, labels)
    # the coarsest coin has 32 bits, and shares a chance of (e^ε − 1)/k or k/e^ε
    slack = 2**-32 * (labels / math.expm1(epsilon) + math.exp(epsilon) + labels)
    assert epsilon * (1 - 4 * slack) - 1e-9 <= mechanism.epsilon_upper <= epsilon


@every
@budgets
def test_a_coin_that_is_one_unit_off_is_caught(kind, epsilon):
    mechanism = build(kind, epsilon)
    mechanism._prove()
    one_unit_less_noise(mechanism)
    with pytest.raises(GuaranteeBroken):
        mechanism._prove()


def one_unit_less_noise(mechanism):
    fields = mechanism.__dict__
    if hasattr(mechanism, "window"):
        fields["window"] = replace(mechanism.window, threshold=mechanism.window.threshold - 1)
    elif hasattr(mechanism, "other_chance"):
        fields["other_chance"] = mechanism.other_chance - 1
    elif hasattr(mechanism, "free_chance"):
        fields["free_chance"] = mechanism.free_chance - 1
    else:
        fields["own_chance"] = mechanism.own_chance + 1


@every
@pytest.mark.parametrize("epsilon", [5e-324, 1e-300, 1e-18])
def test_a_budget_that_leaves_no_information_is_refused_in_a_sentence(kind, epsilon):
    with pytest.raises(InvalidParameter, match="too small for"):
        build(kind, epsilon)


# -- the estimate ----------------------------------------------------------------------------------


@written_out
@budgets
def test_hit_and_miss_are_the_means_of_what_all_reports_count(kind, epsilon):
    mechanism = build(kind, epsilon)
    size = len(mechanism.domain)
    means = exact_law(mechanism) @ votes(mechanism)
    expected = np.where(np.eye(size, dtype=bool), mechanism.hit, mechanism.miss)
    np.testing.assert_allclose(means, expected, rtol=1e-8, atol=1e-8)


@written_out
@budgets
def test_the_estimate_is_unbiased_over_the_law(kind, epsilon):
    mechanism = build(kind, epsilon)
    each = np.array([mechanism.unbiased(row, 1) for row in votes(mechanism)])
    shares = shares_of(mechanism)
    # positions of 32 bits are shared among labels to within 2⁻³²
    scale = 1e-8 / (mechanism.hit - mechanism.miss)
    np.testing.assert_allclose(shares @ exact_law(mechanism) @ each, shares, atol=1e-9 + scale)


@written_out
@budgets
def test_the_variance_is_that_of_the_law(kind, epsilon):
    mechanism = build(kind, epsilon)
    each = np.array([mechanism.unbiased(row, 1) for row in votes(mechanism)])
    shares = shares_of(mechanism)
    chances = shares @ exact_law(mechanism)
    variances = chances @ each**2 - (chances @ each) ** 2
    np.testing.assert_allclose(mechanism.share_variance(shares, 1), variances, rtol=1e-6)
    np.testing.assert_allclose(mechanism.share_variance(shares, 400), variances / 400, rtol=1e-6)


@written_out
@budgets
def test_the_worst_variance_is_reached_and_never_passed(kind, epsilon):
    mechanism = build(kind, epsilon)
    if isinstance(mechanism, CodedOracle):
        size = len(mechanism.domain)
        populations = np.vstack([np.eye(size), np.random.default_rng(1).dirichlet(np.full(size, 0.3), 200)])
        found = max(mechanism.share_variance(shares, 1).max() for shares in populations)
        assert found <= mechanism.worst_error() * (1 + 1e-9) <= found * 1.02
        assert mechanism.average_error() == mechanism.spread() <= mechanism.worst_error() * (1 + 1e-9)
        with pytest.raises(InvalidParameter, match="squared"):
            mechanism.worst_error("absolute")


@written_out
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_likelihoods_are_the_law_up_to_a_factor_of_the_report(kind, epsilon):
    mechanism = build(kind, epsilon)
    if isinstance(mechanism, CodedOracle):
        law, told = exact_law(mechanism), mechanism.likelihoods(all_reports(mechanism))
        np.testing.assert_allclose(told / told.sum(axis=0), law / law.sum(axis=0), rtol=1e-9)


@written_out
def test_the_support_law_tells_how_often_a_report_supports_a_label(kind):
    mechanism = build(kind, 1.0)
    if isinstance(mechanism, CodedOracle):
        supported = exact_law(mechanism) @ (votes(mechanism) > 0)
        law = mechanism.law(list(mechanism.domain.labels))
        np.testing.assert_allclose(law.supports, supported, rtol=1e-9)
        np.testing.assert_allclose(law.mass(mechanism.domain.labels[1]), supported[:, 1], rtol=1e-9)


@every
@pytest.mark.parametrize("labels", [30, 300])
def test_estimates_of_a_population_come_out_right(kind, labels):
    """False alarms: 2·10⁻¹⁰ a label (6.4 standard errors); the list read backwards as the truth is rejected."""
    mechanism = build(kind, 4.0, labels)
    size, count = len(mechanism.domain), 40_000
    cells = np.random.default_rng(5).integers(0, size, count) ** 2 // size
    shares = np.bincount(cells, minlength=size) / count
    supports = mechanism.supports(mechanism.perturb_cells(cells, SeededSource(8)))
    errors = np.sqrt(mechanism.share_variance(shares, count))
    estimate = mechanism.unbiased(supports, count)
    assert (np.abs(estimate - shares) < 6.4 * errors).all()
    assert (np.abs(estimate - shares[::-1]) > 6.4 * errors).any()


# -- manners ---------------------------------------------------------------------------------------


@every
def test_counts_of_parts_add_up(kind):
    mechanism = build(kind, 1.0, 100)
    reports = mechanism.perturb_cells(np.arange(5000) % len(mechanism.domain), SeededSource(4))
    whole = mechanism.supports(reports)
    assert whole.dtype == np.int64
    assert whole.shape == (mechanism.support_size,)
    parts = [
        mechanism.supports(reports[:1]),
        mechanism.supports(reports[1:1700]),
        mechanism.supports(reports[1700:]),
    ]
    np.testing.assert_array_equal(sum(parts), whole)


@every
def test_same_seed_same_reports(kind):
    mechanism = build(kind, 1.0, 70)
    cells = np.arange(200) % len(mechanism.domain)
    first = mechanism.perturb_cells(cells, SeededSource(3))
    np.testing.assert_array_equal(first, mechanism.perturb_cells(cells, SeededSource(3)))
    assert (first != mechanism.perturb_cells(cells, SeededSource(4))).any()
    labels = [mechanism.domain.labels[cell] for cell in cells]
    again = mechanism.perturb(labels, SeededSource(3))
    np.testing.assert_array_equal(
        again if isinstance(mechanism, CodedOracle) else mechanism.domain.snap(again), first
    )


@every
def test_blocks_do_not_show(kind):
    """More reports than fit into one block have the same law at its end as at its beginning."""
    mechanism = build(kind, 4.0, 40)
    block = mechanism._block if isinstance(mechanism, CodedOracle) else 1 << 15
    reports = mechanism.perturb_cells(np.zeros(2 * block + 7, dtype=np.int64), SeededSource(2))
    assert len(reports) == 2 * block + 7
    assert mechanism.supports(reports[2 * block :]).argmax() == 0


@every
def test_repr_pickle_and_description_rebuild_the_oracle(kind):
    mechanism = build(kind, 1.0)
    assert eval(repr(mechanism), {**Mechanism.registry, "Categories": Categories}) == mechanism
    again = pickle.loads(pickle.dumps(mechanism))
    assert again == mechanism
    assert hash(again) == hash(mechanism)
    assert Mechanism.from_dict(json.loads(json.dumps(mechanism.to_dict(), allow_nan=False))) == mechanism


@every
def test_reports_survive_their_bytes(kind):
    mechanism = build(kind, 1.0, 19)
    if isinstance(mechanism, CodedOracle):
        reports = mechanism.perturb_cells(np.arange(19), SeededSource(3))
        stored = mechanism.reports.to_bytes(reports)
        assert stored.shape == (19, mechanism.reports.width)
        np.testing.assert_array_equal(mechanism.reports.from_bytes(stored), reports)
        assert 8 * mechanism.reports.width >= mechanism.report_bits


@every
def test_a_label_outside_the_list_is_refused_by_its_place(kind):
    domain = Categories(["no", "yes"])
    mechanism = kind(domain, 1.0)
    with pytest.raises(OutOfDomain, match=r"answer\[2\]") as refusal:
        mechanism.perturb(["no", "yes", "perhaps-secret"], name="answer")
    assert "secret" not in str(refusal.value)
    for bad in ([], [None], [float("nan")]):
        with pytest.raises(OutOfDomain):
            mechanism.perturb(bad)
    with pytest.raises(InvalidParameter, match="list"):
        mechanism.perturb("yes")
    with pytest.raises(InvalidParameter, match="refused"):
        mechanism.perturb(["yes"], out_of_domain="clip")


@every
@pytest.mark.parametrize("cells", [[-1], [2], [0.5], [], ["0"]])
def test_cells_outside_the_list_are_refused(kind, cells):
    with pytest.raises(InvalidParameter, match="cells"):
        kind(Categories(["no", "yes"]), 1.0).perturb_cells(np.array(cells))


@every
@pytest.mark.parametrize("epsilon", [0, -1, math.nan, math.inf, "1", None, True, 33])
def test_senseless_epsilon_is_refused(kind, epsilon):
    with pytest.raises(InvalidParameter, match="epsilon"):
        build(kind, epsilon)


@every
def test_other_kinds_of_domain_are_refused_and_places_with_distances_are_taken(kind):
    with pytest.raises(InvalidParameter, match="domain"):
        kind(Interval(0, 1), 1.0)
    assert kind(MetricSpace("ab", [[0, 1], [1, 0]]), 1.0).hit > 0.3


def test_one_label_is_refused_in_a_sentence():
    with pytest.raises(InvalidParameter, match="at least two labels"):
        Categories(["only"])


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind is not KRR and kind is not OLH])
def test_too_long_a_list_is_refused_or_works(kind):
    domain = Categories(range(1 << 20))
    try:
        mechanism = kind(domain, 1.0)
    except InvalidParameter as refusal:
        assert "labels" in str(refusal)  # noqa: PT017  (a refusal is one of two right answers)
        return
    reports = mechanism.perturb_cells(np.array([0, (1 << 20) - 1]), SeededSource(1))
    assert mechanism.supports(reports).shape == (1 << 20,)
