"""Guarantees: they compose as the theorems say, convert soundly, explain themselves and survive JSON."""

from __future__ import annotations

import itertools
import json
import math
import pickle
import re
from dataclasses import FrozenInstanceError, astuple, fields
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noisewright.errors import InvalidParameter, NoTheorem
from noisewright.guarantees import (
    ApproximateLDP,
    DistributionalDP,
    Guarantee,
    JointLDP,
    MetricLDP,
    PACPrivacy,
    ProbabilisticLDP,
    PureLDP,
    RelativeDP,
)
from noisewright.text import epsilon_words, remaining_words

costs = st.floats(0, 50) | st.floats(0, 1e300)
small = st.floats(0, 20)
deltas = st.just(0.0) | st.floats(0, 0.5)
labels = st.text(min_size=1).filter(str.strip)

pure = st.builds(PureLDP, small)
approximate = st.builds(ApproximateLDP, small, deltas)
probabilistic = st.builds(ProbabilisticLDP, small, deltas)
metric = st.builds(MetricLDP, small)
joint = st.builds(JointLDP, small, small | st.just(math.inf), st.just(3), st.just(9))
relative = st.builds(RelativeDP, small, deltas, st.just("trial 7"))
pac = st.builds(PACPrivacy, small)
composable = [pure, approximate, probabilistic, metric, joint, relative, pac]
three_alike = st.one_of([st.tuples(notion, notion, notion) for notion in composable])

everything = st.one_of(
    st.builds(PureLDP, costs),
    st.builds(ApproximateLDP, costs, deltas),
    st.builds(ProbabilisticLDP, costs, deltas),
    st.builds(MetricLDP, costs, st.floats(0.001, 1e14)),
    st.builds(JointLDP, costs, costs | st.just(math.inf), st.integers(0, 9), st.integers(10, 10**9)),
    st.builds(RelativeDP, costs, deltas, labels | st.integers(1, 10**9)),
    st.builds(DistributionalDP, costs, deltas, labels),
    st.builds(PACPrivacy, costs),
)


def numbers(guarantee: Guarantee) -> list[float]:
    return [value for value in astuple(guarantee) if isinstance(value, (int, float))]


def examples() -> list[Guarantee]:
    return [
        PureLDP(1.0),
        ApproximateLDP(1.0, 1e-3),
        ProbabilisticLDP(1.0, 1e-3),
        MetricLDP(1.0, 100.0),
        JointLDP(1.0, math.inf, 3, 9),
        RelativeDP(1.0, 1e-3, "trial 7"),
        DistributionalDP(1.0, 1e-3, "fair coins"),
        PACPrivacy(0.5),
    ]


# Laws on finite sets, computed independently of the module under test.


def worst_delta(p: np.ndarray, q: np.ndarray, epsilon: float) -> float:
    """The least δ with which two laws are (ε, δ)-close: the hockey-stick divergence, both ways."""
    return max(
        float(np.maximum(p - math.exp(epsilon) * q, 0).sum()),
        float(np.maximum(q - math.exp(epsilon) * p, 0).sum()),
    )


def failing_share(p: np.ndarray, q: np.ndarray, epsilon: float) -> float:
    """The least δ with which two laws are probabilistically (ε, δ)-close, both ways."""
    with np.errstate(divide="ignore", invalid="ignore"):
        loss = np.log(p) - np.log(q)
    return max(float(p[loss > epsilon].sum()), float(q[loss < -epsilon].sum()))


def information(prior: np.ndarray, channel: np.ndarray) -> float:
    """The exact mutual information, in nats, between a value (rows) and its report (columns)."""
    joint_law = prior[:, None] * channel
    product = prior[:, None] * joint_law.sum(axis=0)[None, :]
    seen = joint_law > 0
    return float((joint_law[seen] * np.log(joint_law[seen] / product[seen])).sum())


def private_channel(rng: np.random.Generator, epsilon: float, values: int, reports: int) -> np.ndarray:
    """A random channel whose rows differ by a ratio of at most e^ε, often nearly that much."""
    extremes = rng.integers(0, 2, (values, reports)) * rng.choice([1.0, 0.8])
    channel = (rng.random(reports) + 0.01) * np.exp(epsilon / 2 * extremes)
    return np.asarray(channel / channel.sum(axis=1, keepdims=True))


def two_laws(rng: np.random.Generator, size: int = 5) -> tuple[np.ndarray, np.ndarray]:
    p, q = rng.dirichlet(np.full(size, 0.7), 2) + 1e-9
    return p / p.sum(), q / q.sum()


def leaky(epsilon: float, delta: float) -> tuple[np.ndarray, np.ndarray]:
    """The worst (ε, δ) pair there is: tell the truth outright with δ, else randomized response."""
    truth, lie = math.exp(epsilon) / (1 + math.exp(epsilon)), 1 / (1 + math.exp(epsilon))
    return (
        np.array([delta, (1 - delta) * truth, (1 - delta) * lie, 0.0]),
        np.array([0.0, (1 - delta) * lie, (1 - delta) * truth, delta]),
    )


# What is refused.

NOT_COSTS = [-1e-9, -1, math.nan, math.inf, -math.inf, True, "1", None, 1j, [1.0], 10**400]


@pytest.mark.parametrize("bad", NOT_COSTS, ids=repr)
def test_epsilon_must_be_a_finite_number_of_at_least_zero(bad):
    for build in (
        PureLDP,
        lambda e: ApproximateLDP(e, 0.1),
        lambda e: ProbabilisticLDP(e, 0.1),
        MetricLDP,
        lambda e: JointLDP(e, 1.0, 1, 9),
        lambda e: RelativeDP(e, 0.1, "T"),
        lambda e: DistributionalDP(e, 0.1, "coins"),
        PACPrivacy,
    ):
        with pytest.raises(InvalidParameter, match=r"(epsilon|mutual_information)\w* must be"):
            build(bad)


@pytest.mark.parametrize("bad", [-1e-9, 1, 1.0, 2, math.nan, math.inf, True, "0.1", None], ids=repr)
@pytest.mark.parametrize("kind", [ApproximateLDP, ProbabilisticLDP])
def test_delta_lies_in_zero_to_one(kind, bad):
    with pytest.raises(InvalidParameter, match="delta must be"):
        kind(1.0, bad)


@pytest.mark.parametrize(
    "build",
    [
        lambda: MetricLDP(1.0, 0.0),
        lambda: MetricLDP(1.0, -1),
        lambda: MetricLDP(1.0, math.inf),
        lambda: MetricLDP(1.0).as_pure(math.nan),
        lambda: JointLDP(1.0, math.nan, 1, 9),
        lambda: JointLDP(1.0, -1.0, 1, 9),
        lambda: JointLDP(1.0, 2.0, -1, 9),
        lambda: JointLDP(1.0, 2.0, 1.5, 9),
        lambda: JointLDP(1.0, 2.0, 9, 9),
        lambda: JointLDP(1.0, 2.0, 0, 1),
        lambda: RelativeDP(1.0, 0.0, 0),
        lambda: RelativeDP(1.0, 0.0, True),
        lambda: RelativeDP(1.0, 0.0, " "),
        lambda: RelativeDP(1.0, 0.0, 2.5),
        lambda: DistributionalDP(1.0, 0.0, ""),
        lambda: DistributionalDP(1.0, 0.0, 5),
        lambda: PACPrivacy(1.0).success_upper(0.0),
        lambda: PACPrivacy(1.0).success_upper(1.0),
        lambda: PureLDP(1.0).as_mutual_information(values=0),
        lambda: PureLDP(1.0).compose(2.0),
        lambda: PureLDP(1e308) + PureLDP(1e308),
    ],
)
def test_meaningless_fields_are_refused(build):
    with pytest.raises(InvalidParameter):
        build()


def test_numbers_of_other_types_become_plain_floats():
    for epsilon in (1, np.float32(1), np.int64(1), Fraction(1)):
        assert PureLDP(epsilon) == PureLDP(1.0)
        assert type(PureLDP(epsilon).epsilon) is float


def test_guarantees_are_values():
    for guarantee in examples():
        assert pickle.loads(pickle.dumps(guarantee)) == guarantee
        assert len({guarantee, pickle.loads(pickle.dumps(guarantee))}) == 1
        with pytest.raises(FrozenInstanceError):
            setattr(guarantee, fields(guarantee)[0].name, 0.0)
    assert len(set(examples())) == len(examples())
    assert ApproximateLDP(1.0, 0.1) != ProbabilisticLDP(1.0, 0.1)


# Composition.


@given(three_alike)
def test_composition_is_commutative_associative_and_monotone(parts):
    a, b, c = parts
    assert a + b == b + a
    assert a.compose(b, c) == c.compose(a, b)
    left, right = (a + b) + c, a + (b + c)
    assert numbers(left) == pytest.approx(numbers(right), rel=1e-14)
    for whole, part in itertools.product([left, right, a.compose(b, c)], parts):
        assert all(x >= y for x, y in zip(numbers(whole), numbers(part), strict=True))
    assert a.compose() == a


@given(st.lists(st.floats(0, 1e10), min_size=2, max_size=8))
def test_sums_round_outward_by_less_than_one_step(epsilons):
    exact = sum(map(Fraction, epsilons))
    total = PureLDP(epsilons[0]).compose(*map(PureLDP, epsilons[1:])).epsilon
    assert Fraction(total) >= exact
    assert total == 0 or Fraction(math.nextafter(total, 0)) < exact


@given(st.lists(st.floats(0, 0.3), min_size=2, max_size=8))
def test_deltas_round_outward(values):
    exact = 1 - math.prod(1 - Fraction(value) for value in values)
    total = (
        ApproximateLDP(1.0, values[0]).compose(*(ApproximateLDP(1.0, value) for value in values[1:])).delta
    )
    assert Fraction(total) >= exact
    assert Fraction(total) <= exact * (1 + Fraction(1, 2**45)) + Fraction(5e-324)
    assert Fraction(total) <= Fraction(math.nextafter(float(sum(map(Fraction, values))), 1))


def test_a_delta_that_reaches_one_is_refused_because_it_promises_nothing():
    almost = ApproximateLDP(1.0, 0.999999)
    with pytest.raises(NoTheorem, match="promises nothing"):
        almost.compose(*[almost] * 5)


@given(st.integers(0, 10**9), small.filter(lambda e: e < 5), small.filter(lambda e: e < 5))
def test_approximate_composition_holds_for_adaptive_mechanisms(seed, first, second):
    rng = np.random.default_rng(seed)
    p, q = two_laws(rng)
    later = [two_laws(rng, 4) for _ in p]  # which mechanism runs second depends on what the first one said
    one = ApproximateLDP(first, worst_delta(p, q, first))
    two = ApproximateLDP(second, max(worst_delta(*pair, second) for pair in later))
    both_p = np.concatenate([p[y] * later[y][0] for y in range(len(p))])
    both_q = np.concatenate([q[y] * later[y][1] for y in range(len(q))])
    both = one + two
    assert worst_delta(both_p, both_q, both.epsilon) <= both.delta + 1e-12


def test_approximate_composition_cannot_be_tightened():
    one, two = ApproximateLDP(0.7, 0.02), ApproximateLDP(1.1, 0.05)
    p = np.outer(leaky(0.7, 0.02)[0], leaky(1.1, 0.05)[0]).ravel()
    q = np.outer(leaky(0.7, 0.02)[1], leaky(1.1, 0.05)[1]).ravel()
    both = one + two
    assert worst_delta(p, q, both.epsilon) == pytest.approx(both.delta, rel=1e-12)
    assert both.delta < 0.02 + 0.05
    assert worst_delta(p, q, both.epsilon - 0.01) > both.delta


@given(st.integers(0, 10**9), small.filter(lambda e: e < 5), small.filter(lambda e: e < 5))
def test_probabilistic_composition_holds_for_adaptive_mechanisms(seed, first, second):
    rng = np.random.default_rng(seed)
    p, q = two_laws(rng)
    later = [two_laws(rng, 4) for _ in p]
    one_delta, two_delta = (
        failing_share(p, q, first),
        max(failing_share(*pair, second) for pair in later),
    )
    if max(one_delta, two_delta) >= 1:
        return
    both = ProbabilisticLDP(first, one_delta) + ProbabilisticLDP(second, two_delta)
    both_p = np.concatenate([p[y] * later[y][0] for y in range(len(p))])
    both_q = np.concatenate([q[y] * later[y][1] for y in range(len(q))])
    assert failing_share(both_p, both_q, both.epsilon + 1e-9) <= both.delta + 1e-12


def test_probabilistic_composition_cannot_be_tightened():
    laws = leaky(1.0, 0.1)
    both = ProbabilisticLDP(1.0, 0.1) + ProbabilisticLDP(1.0, 0.1)
    p, q = (np.outer(law, law).ravel() for law in laws)
    assert failing_share(p, q, both.epsilon + 1e-9) == pytest.approx(both.delta)
    assert both.delta == pytest.approx(0.19)


def test_shared_noise_breaks_every_composition_rule():
    """Why the docstring insists on fresh noise: two harmless reports about one bit can give it away."""
    noise = np.array(
        [0.5, 0.25, 0.25]
    )  # on 0, 1, 2; the reports are (x + noise) mod 3 and (x + 2·noise) mod 3
    laws = [np.zeros((3, 3)) for _ in range(2)]
    for x, n in itertools.product(range(2), range(3)):
        laws[x][(x + n) % 3, (x + 2 * n) % 3] += noise[n]
    alone = max(worst_delta(laws[0].sum(axis=k), laws[1].sum(axis=k), math.log(2) + 1e-12) for k in (0, 1))
    assert alone < 1e-9
    assert worst_delta(laws[0].ravel(), laws[1].ravel(), 2 * math.log(2)) == 1.0


def test_mixed_notions_meet_in_the_strongest_that_all_imply():
    assert PureLDP(1.0) + ApproximateLDP(1.0, 0.1) == ApproximateLDP(2.0, 0.1)
    assert PureLDP(1.0) + ProbabilisticLDP(1.0, 0.1) == ProbabilisticLDP(2.0, 0.1)
    assert ProbabilisticLDP(1.0, 0.1) + ApproximateLDP(1.0, 0.0) == ApproximateLDP(2.0, 0.1)
    mixed = PureLDP(1.0).compose(ProbabilisticLDP(1.0, 0.0), ApproximateLDP(1.0, 0.1), PureLDP(0.5))
    assert mixed == ApproximateLDP(3.5, 0.1)
    assert PureLDP(0.5) + JointLDP(1.0, 2.0, 3, 9) == JointLDP(1.5, 2.5, 3, 9)


def test_only_proved_mixtures_compose():
    meet = {PureLDP, ApproximateLDP, ProbabilisticLDP}
    for left, right in itertools.permutations(examples(), 2):
        kinds = {type(left), type(right)}
        if kinds <= meet or kinds == {PureLDP, JointLDP}:
            assert isinstance(left + right, Guarantee)
        else:
            with pytest.raises(NoTheorem, match="no theorem composes"):
                left + right


def test_metric_guarantees_add_up_for_one_unit_only():
    assert MetricLDP(1.0, 100) + MetricLDP(0.5, 100) == MetricLDP(1.5, 100)
    with pytest.raises(NoTheorem, match="same unit"):
        MetricLDP(1.0, 100) + MetricLDP(1.0, 1)


def test_joint_guarantees_add_up_for_one_population_only():
    round_ = JointLDP(1.0, math.inf, 3, 9)
    assert round_ + JointLDP(0.5, 0.75, 3, 9) == JointLDP(1.5, math.inf, 3, 9)
    with pytest.raises(NoTheorem, match="same colluders"):
        round_ + JointLDP(1.0, 2.0, 4, 9)


def test_relative_guarantees_need_the_same_named_set():
    one = RelativeDP(1.0, 0.1, "trial 7")
    assert (one + one).epsilon == 2.0
    assert (one + one).delta == pytest.approx(0.19)
    with pytest.raises(NoTheorem, match="same databases"):
        one + RelativeDP(1.0, 0.1, "trial 8")
    with pytest.raises(NoTheorem, match="label"):
        RelativeDP(1.0, 0.1, 10) + RelativeDP(1.0, 0.1, 10)


def test_separate_databases_cost_the_largest_not_the_sum():
    assert RelativeDP(1.0, 0.2, 10).beside(RelativeDP(2.0, 0.1, 5)) == RelativeDP(2.0, 0.2, 50)
    assert RelativeDP(1.0, 0.2, "A").beside(RelativeDP(2.0, 0.1, "B")).databases == "A × B"
    with pytest.raises(NoTheorem):
        RelativeDP(1.0, 0.2, "A").beside(RelativeDP(2.0, 0.1, 5))


def test_distributional_guarantees_do_not_compose():
    one = DistributionalDP(1.0, 0.1, "fair coins")
    assert one.compose() == one
    with pytest.raises(NoTheorem, match="same randomness of the data"):
        one + one


@given(st.integers(0, 10**9))
def test_information_adds_up_for_mechanisms_fixed_beforehand(seed):
    rng = np.random.default_rng(seed)
    prior, one, two = rng.dirichlet(np.ones(4)), rng.dirichlet(np.ones(3), 4), rng.dirichlet(np.ones(5), 4)
    both = np.einsum("xy,xz->xyz", one, two).reshape(4, -1)
    bound = PACPrivacy(information(prior, one)) + PACPrivacy(information(prior, two))
    assert information(prior, both) <= bound.mutual_information + 1e-12


# Conversion.


@given(st.integers(0, 10**9), st.floats(0, 4))
def test_probabilistic_implies_approximate_on_random_channels(seed, epsilon):
    p, q = two_laws(np.random.default_rng(seed))
    share = failing_share(p, q, epsilon)
    if share < 1:
        implied = ProbabilisticLDP(epsilon, share).as_approximate()
        assert worst_delta(p, q, implied.epsilon) <= implied.delta + 1e-12


def test_approximate_does_not_imply_probabilistic():
    """Why there is no conversion back: the odds can exceed e^ε in nearly all reports while δ is small."""
    epsilon, more = 1.0, 1.05
    truth = math.exp(more) / (1 + math.exp(more))
    p, q = np.array([truth, 1 - truth]), np.array([1 - truth, truth])
    assert worst_delta(p, q, epsilon) < 0.04
    assert failing_share(p, q, epsilon) > 0.7
    assert not hasattr(ApproximateLDP(1.0, 0.04), "as_probabilistic")


@pytest.mark.parametrize("epsilon", [1e-3, 0.0099, 0.01, 0.1, 1.0, 2.0, 5.0, 10.0])
def test_randomized_response_stays_below_the_information_bound(epsilon):
    truth = math.exp(epsilon) / (1 + math.exp(epsilon))
    channel = np.array([[truth, 1 - truth], [1 - truth, truth]])
    most = max(information(np.array([x, 1 - x]), channel) for x in np.linspace(0.001, 0.999, 999))
    bound = PureLDP(epsilon).as_mutual_information().mutual_information
    assert most <= bound * (1 + 1e-9) + 1e-15
    assert most <= PureLDP(epsilon).as_mutual_information(values=2).mutual_information + 1e-15
    if epsilon <= 0.1:
        assert most > 0.99 * bound  # for two values and small ε the bound is nearly attained


@given(st.integers(0, 10**9), st.floats(0.05, 8), st.integers(2, 12))
def test_random_private_channels_stay_below_the_information_bound(seed, epsilon, values):
    rng = np.random.default_rng(seed)
    channel = private_channel(rng, epsilon, values, 6)
    real_epsilon = float(np.log(channel.max(axis=0) / channel.min(axis=0)).max())
    bound = PureLDP(real_epsilon).as_mutual_information(values).mutual_information
    assert information(rng.dirichlet(np.ones(values)), channel) <= bound + 1e-12


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 3.0, 6.0])
def test_subset_selection_attains_the_information_bound(epsilon):
    """A report is a random subset, e^ε times likelier if it holds the value: the bound is the supremum."""
    values = 5000
    c = epsilon / (1 - math.exp(-epsilon))
    chosen = max(1, round(values * (c - 1) / (math.exp(epsilon) - 1)))
    # by symmetry one report suffices: r = P[y|x]/P[y] is a·e^ε for the chosen values and a for the others
    a = values / (chosen * math.exp(epsilon) + values - chosen)
    high = a * math.exp(epsilon)
    exact = (chosen * high * math.log(high) + (values - chosen) * a * math.log(a)) / values
    bound = PureLDP(epsilon).as_mutual_information().mutual_information
    assert 0.999 * bound < exact <= bound


@given(st.floats(0, 700))
def test_information_bound_is_sharper_than_the_published_ones_and_rounds_outward(epsilon):
    bound = PureLDP(epsilon).as_mutual_information().mutual_information
    assert bound <= epsilon * math.tanh(epsilon / 2) + 5e-324 <= epsilon + 5e-324
    if epsilon > 1e-6:
        with localcontext() as context:
            context.prec = 60
            exact_epsilon = Decimal(epsilon)
            c = exact_epsilon / (1 - (-exact_epsilon).exp())
            exact = c - 1 - c.ln()
        assert Decimal(bound) >= exact
        assert Decimal(bound) <= exact * Decimal("1.00001")


def test_information_is_bounded_by_the_domain_too():
    assert PureLDP(0.0).as_mutual_information() == PACPrivacy(0.0)
    assert PureLDP(50.0).as_mutual_information(values=2).mutual_information == pytest.approx(math.log(2))
    assert PureLDP(1e300).as_mutual_information().mutual_information == pytest.approx(1e300)


@given(st.floats(0, 3), st.floats(0.1, 100), st.floats(0.1, 1000))
def test_metric_becomes_pure_over_a_diameter(epsilon, unit, diameter):
    exact = Fraction(epsilon) * Fraction(diameter) / Fraction(unit)
    found = MetricLDP(epsilon, unit).as_pure(diameter).epsilon
    assert Fraction(found) >= exact
    assert found == 0 or Fraction(math.nextafter(found, 0)) < exact


def test_a_distance_noise_keeps_the_pure_promise_over_its_domain():
    """Two-sided geometric noise, clamped to 0…10, is MetricLDP(ε, unit=1): so ε·10 between its ends."""
    epsilon, places = 0.4, np.arange(11)
    far = np.arange(-400, 411)
    weight = np.exp(-epsilon * np.abs(far[None, :] - places[:, None]))
    weight /= weight.sum(axis=1, keepdims=True)
    channel = np.stack([weight[:, np.clip(far, 0, 10) == y].sum(axis=1) for y in places], axis=1)
    worst = float(np.log(channel.max(axis=0) / channel.min(axis=0)).max())
    promised = MetricLDP(epsilon).as_pure(10).epsilon
    assert worst <= promised + 1e-9
    assert worst > 0.99 * promised


def test_joint_becomes_pure_only_if_a_colluder_is_bounded():
    assert JointLDP(1.0, 2.0, 3, 9).as_pure() == PureLDP(2.0)
    with pytest.raises(NoTheorem, match="with certainty"):
        JointLDP(1.0, math.inf, 3, 9).as_pure()


@pytest.mark.parametrize(
    ("nats", "half", "one_percent"),
    [
        (1 / 64, 0.58815, 0.03213),
        (1 / 16, 0.67490, 0.06200),
        (1 / 4, 0.83789, 0.14057),
        (1 / 2, 0.95181, 0.22177),
        (1, 1.0, 0.35729),
        (4, 1.0, 0.92582),
    ],
)
def test_success_rates_match_the_published_table(nats, half, one_percent):
    """Sridhar et al. 2024, table 1, whose last digit is sometimes cut off and sometimes rounded."""
    assert PACPrivacy(nats).success_upper(0.5) == pytest.approx(half, abs=1e-5)
    assert PACPrivacy(nats).success_upper(0.01) == pytest.approx(one_percent, abs=1e-5)


@given(st.floats(1e-9, 3), st.floats(0.001, 0.999))
def test_the_success_bound_solves_its_equation(nats, prior):
    p = PACPrivacy(nats).success_upper(prior)
    if p < 1:
        gain = p * math.log(p / prior) + (1 - p) * math.log((1 - p) / (1 - prior))
        assert gain == pytest.approx(nats, rel=1e-6, abs=1e-14)
        assert p > prior


@given(st.integers(0, 10**9))
def test_no_guesser_beats_the_success_bound(seed):
    rng = np.random.default_rng(seed)
    prior, channel = rng.dirichlet(np.ones(4)), rng.dirichlet(np.full(5, 0.3), 4)
    best = float((prior[:, None] * channel).max(axis=0).sum())
    assert best <= PACPrivacy(information(prior, channel)).success_upper(float(prior.max())) + 1e-12


def test_no_information_means_no_gain():
    assert PACPrivacy(0.0).success_upper(0.3) == 0.3
    assert PACPrivacy(1000.0).success_upper(5e-324) == 1.0


# Explanation.


def shown_factor(sentence: str) -> float:
    found = re.search(r"a factor of (10\^)?([\d,]+(?:\.\d+)?)", sentence)
    assert found, sentence
    number = float(found[2].replace(",", ""))
    return 10**number if found[1] else number


@given(st.floats(0, 600))
def test_the_factor_shown_is_never_too_small_and_never_far_off(epsilon):
    for guarantee in (PureLDP(epsilon), ApproximateLDP(epsilon, 0.1), MetricLDP(epsilon)):
        shown = shown_factor(guarantee.explain())
        assert shown >= math.exp(epsilon) * (1 - 1e-11)
        assert shown <= math.exp(epsilon) * (1.11 if epsilon <= 34 else 10.001)
        assert shown - 1 <= max(1.11 * math.expm1(epsilon), 1e-6) * 1.001 or epsilon > 0.6


def test_explanations_are_the_promised_sentences():
    odds = "An observer of one report can raise their odds between any two values by at most a factor of"
    assert PureLDP(2.0).explain() == f"{odds} 7.4."
    for whole in range(2, 100):  # rounding up must not turn e^(ln 3) into 3.1
        assert PureLDP(math.log(whole)).explain() == f"{odds} {whole}."
    assert PureLDP(0.0).explain() == f"{odds} 1."
    assert PureLDP(10.0).explain() == f"{odds} 23,000."
    assert PureLDP(800.0).explain() == f"{odds} 10^348."
    assert "all 12 reports" in PureLDP(1.0).explain("all 12 reports")


@pytest.mark.parametrize(
    ("guarantee", "phrases"),
    [
        (ApproximateLDP(1.0, 1e-6), ["2.8", "up to 1 in 1,000,000", "nothing is promised"]),
        (ProbabilisticLDP(1.0, 0.05), ["2.8", "may move further", "up to 5 % of reports"]),
        (MetricLDP(2.0, 1000000), ["7.4", "lie 1,000,000 apart", "more for more distant"]),
        (
            JointLDP(1.0, math.inf, 3, 9),
            ["2.8", "no other report is seen", "can learn the value with certainty"],
        ),
        (JointLDP(1.0, 2.0, 3, 9), ["2.8", "knows the partner's coin", "by a factor of 7.4", "3 of 9"]),
        (RelativeDP(1.0, 0.01, "trial 7"), ["trial 7", "2.8", "nothing is promised for any other database"]),
        (RelativeDP(1.0, 0.01, 1200), ["1,200 checked databases"]),
        (
            DistributionalDP(1.0, 0.0, "fair coins"),
            ["Only under the assumption “fair coins”", "if it is false"],
        ),
        (PACPrivacy(1 / 64), ["Averaged over how the secret was drawn", "58.9 %", "worst case"]),
        (PACPrivacy(0.0), ["at most 50 %"]),
    ],
)
def test_weak_notions_say_what_they_do_not_promise(guarantee, phrases):
    sentence = guarantee.explain()
    assert all(phrase in sentence for phrase in phrases), sentence
    assert sentence.endswith(".")


@given(st.floats(5e-324, 0.999))
def test_the_share_shown_is_never_too_small(delta):
    sentence = ApproximateLDP(1.0, delta).explain()
    if found := re.search(r"up to ([\d.]+) %", sentence):
        shown = float(found[1]) / 100
    else:
        shown = 1 / float(re.search(r"up to 1 in ([\d,]+)", sentence)[1].replace(",", ""))
    assert shown >= delta * (1 - 1e-11)
    assert shown <= max(1.11 * delta, 1.001e-15)


def test_a_delta_of_zero_is_not_mentioned():
    assert "promised" not in ApproximateLDP(1.0, 0.0).explain()
    assert ProbabilisticLDP(1.0, 0.0).explain() == PureLDP(1.0).explain()


@given(everything)
def test_every_guarantee_explains_itself_in_one_sentence(guarantee):
    assert guarantee.explain("X").endswith(".")
    if not isinstance(guarantee, (RelativeDP, DistributionalDP)):  # these quote the user's own words
        assert not re.search(r"\b(inf|nan|infinity)\b|e[+-]\d\d", guarantee.explain("X"))


# JSON.


@given(everything)
def test_guarantees_survive_strict_json(guarantee):
    text = json.dumps(guarantee.to_dict(), allow_nan=False)
    assert Guarantee.from_dict(json.loads(text)) == guarantee


@given(everything)
def test_repr_rebuilds_the_guarantee(guarantee):
    assert eval(repr(guarantee), globals() | {"inf": math.inf}) == guarantee


def test_every_notion_has_its_own_name():
    assert set(Guarantee.notions.values()) == {type(guarantee) for guarantee in examples()}
    assert {guarantee.to_dict()["notion"] for guarantee in examples()} == set(Guarantee.notions)


@pytest.mark.parametrize(
    "broken",
    [
        {},
        {"epsilon": 1.0},
        {"notion": "perfect", "epsilon": 1.0},
        {"notion": None, "epsilon": 1.0},
        {"notion": ["pure_ldp"], "epsilon": 1.0},
        {"notion": "pure_ldp"},
        {"notion": "pure_ldp", "epsilon": 1.0, "delta": 0.0},
        {"notion": "pure_ldp", "eps": 1.0},
        {"notion": "pure_ldp", "epsilon": "1.0"},
        {"notion": "pure_ldp", "epsilon": "infinity"},
        {"notion": "pure_ldp", "epsilon": None},
        {"notion": "metric_ldp", "epsilon": 1.0},
        {"notion": "joint_ldp", "epsilon_average": 1, "epsilon_colluding": None, "colluders": 1, "users": 9},
        {"notion": "joint_ldp", "epsilon_average": 1, "epsilon_colluding": "inf", "colluders": 1, "users": 9},
        {"notion": "pure_ldp", 1: 1.0},
        "pure_ldp",
        None,
        [("notion", "pure_ldp"), ("epsilon", 1.0)],
    ],
    ids=repr,
)
def test_broken_descriptions_are_refused(broken):
    with pytest.raises(InvalidParameter):
        Guarantee.from_dict(broken)


def test_releases_from_one_set_of_databases_are_not_separate():
    with pytest.raises(NoTheorem, match="not separate"):
        RelativeDP(1.0, 0.0, "trial 7").beside(RelativeDP(1.0, 0.0, "trial 7"))


def test_sum_composes():
    assert sum([PureLDP(0.5), PureLDP(0.25)]) == PureLDP(0.75)
    assert "all three reports" in PureLDP(0.75).explain("all three reports")


@given(st.floats(1e-6, 64), st.integers(3, 12))
def test_a_shown_epsilon_is_never_below_the_true_one(epsilon, digits):
    """Beyond the 15 digits that a double keeps of what was typed; and never above by more than its digits."""
    shown = Fraction(epsilon_words(epsilon, digits).replace(",", ""))
    assert shown >= Fraction(epsilon) * (1 - Fraction(5, 10**15))
    assert shown <= Fraction(epsilon) * (1 + Fraction(10, 10**digits))
    left = Fraction(remaining_words(epsilon, digits).replace(",", ""))
    assert Fraction(epsilon) * (1 - Fraction(10, 10**digits)) <= left <= Fraction(epsilon)


@pytest.mark.parametrize(
    ("epsilon", "shown"),
    [
        (0.10000000000000166, "0.10001"),
        (0.09999999999999999, "0.1"),
        (0.1 + 0.2, "0.3"),
        (1.0, "1"),
        (32.0, "32"),
        (math.log(3), "1.0987"),
        (1e-5, "1e-5"),
        (0.00025, "0.00025"),
        (2.5e-7, "2.5e-7"),
        (math.inf, "∞"),
    ],
)
def test_an_epsilon_is_shown_with_few_digits(epsilon, shown):
    assert epsilon_words(epsilon) == shown


def test_the_numbers_of_a_guarantee_are_rounded_up():
    assert PureLDP(0.09999999999999999).numbers() == "epsilon 0.1"
    assert ApproximateLDP(1.00000001, 1.0000001e-6).numbers() == "epsilon 1.0001, delta 1.0001e-6"
