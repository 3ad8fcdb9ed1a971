"""multi-freq-ldpy and pure-ldp as oracles of estimates: the same support counts give the same shares.

`make peers` installs them; without them these tests are skipped, which pytest's summary shows.
"""

from __future__ import annotations

import numpy as np
import pytest

from noisewright import Categories
from noisewright.mechanisms import KRR, OLH, OUE, SUE, SubsetSelection
from noisewright.randomness import SeededSource

pytestmark = pytest.mark.peer

PURE_LDP = [KRR, OUE, SUE, OLH]
MULTI_FREQ = [KRR, OUE, SUE, OLH, SubsetSelection]

COUNT = 10_000
EXACT = 1e-6
"""Our chances are integers over powers of two, rounded toward privacy; theirs are floats."""

STANDARD_ERRORS = 6.2
"""A normal mean is further away from its expectation than this with probability 6·10⁻¹⁰."""


def support_counts(mechanism, seed=3):
    """Counts as they come in: half of the people have label 0, the others any label."""
    shares = np.full(len(mechanism.domain), 0.5 / len(mechanism.domain))
    shares[0] += 0.5
    seen = mechanism.miss + (mechanism.hit - mechanism.miss) * shares
    return np.random.default_rng(seed).binomial(COUNT, seen)


def pure_server(mechanism, supports):
    """pure-ldp's server after it has aggregated such counts."""
    oracles = pytest.importorskip("pure_ldp.frequency_oracles")
    labels, epsilon = len(mechanism.domain), mechanism.epsilon
    make = {
        KRR: lambda: oracles.DEServer(epsilon, labels),
        OUE: lambda: oracles.UEServer(epsilon, labels, use_oue=True),
        SUE: lambda: oracles.UEServer(epsilon, labels),
        OLH: lambda: oracles.LHServer(epsilon, labels, g=mechanism.hash_size),
    }
    server = make[type(mechanism)]()
    server.aggregated_data, server.n = supports.astype(float), COUNT
    return server


def estimated(server, normalization=0):
    """Its shares of all labels, which it counts from 1."""
    labels = range(1, server.d + 1)
    return server.estimate_all(labels, suppress_warnings=True, normalization=normalization) / server.n


@pytest.mark.parametrize("kind", PURE_LDP)
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
@pytest.mark.parametrize("labels", [2, 10, 100])
def test_raw_shares_are_those_of_pure_ldp(kind, epsilon, labels):
    mechanism = kind(Categories(range(labels)), epsilon)
    supports = support_counts(mechanism)
    theirs = estimated(pure_server(mechanism, supports))
    np.testing.assert_allclose(mechanism.unbiased(supports, COUNT), theirs, atol=EXACT, rtol=EXACT)
    wrong = kind(mechanism.domain, 1.01 * epsilon).unbiased(supports, COUNT)
    assert np.abs(wrong - theirs).max() > 100 * EXACT


def multi_freq(file):
    return pytest.importorskip(f"multi_freq_ldpy.pure_frequency_oracles.{file}")


def handed_over(monkeypatch, mechanism, reports):
    """The counts, the number of reports and the two chances that its aggregator hands to its estimator."""
    labels, epsilon = len(mechanism.domain), mechanism.epsilon
    file = {KRR: "GRR", OUE: "UE", SUE: "UE", SubsetSelection: "SS"}[type(mechanism)]
    module = multi_freq(file)
    monkeypatch.setattr(module, "MI", lambda *given: given)
    if file == "GRR":
        return module.GRR_Aggregator_MI(reports, labels, epsilon)
    flags = np.unpackbits(reports, axis=1, count=labels, bitorder="little")
    if file == "SS":
        return module.SS_Aggregator_MI([np.flatnonzero(named) for named in flags], labels, epsilon)
    return module.UE_Aggregator_MI(flags.astype(float), epsilon, optimal=isinstance(mechanism, OUE))


@pytest.mark.parametrize("kind", [KRR, OUE, SUE, SubsetSelection])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_multi_freq_ldpy_counts_our_reports_alike(monkeypatch, kind, epsilon):
    mechanism = kind(Categories(range(100)), epsilon)
    people = np.random.default_rng(5).zipf(1.5, COUNT) % 100
    reports = mechanism.perturb_cells(people, SeededSource(8))
    supports = mechanism.supports(reports)
    counts, count, hit, miss = handed_over(monkeypatch, mechanism, reports)
    np.testing.assert_array_equal(counts, supports)
    assert (count, hit, miss) == pytest.approx((COUNT, mechanism.hit, mechanism.miss), rel=EXACT)
    before = (counts / count - miss) / (hit - miss)
    np.testing.assert_allclose(mechanism.unbiased(supports, COUNT), before, atol=10 * EXACT)


@pytest.mark.parametrize("kind", MULTI_FREQ)
def test_multi_freq_ldpy_then_clips_and_rescales(kind):
    estimator = pytest.importorskip("multi_freq_ldpy.estimators.Histogram_estimator")
    mechanism = kind(Categories(range(100)), epsilon=1.0)
    supports = support_counts(mechanism)
    theirs = estimator.MI(supports, COUNT, mechanism.hit, mechanism.miss)
    raw = mechanism.unbiased(supports, COUNT)
    above = np.maximum(raw, 0)
    np.testing.assert_allclose(above / above.sum(), theirs, atol=1e-12)
    assert theirs[0] < 0.8 * raw[0]


def test_which_shrinks_a_share_of_one_half_by_three():
    mechanism, collections = KRR(Categories(range(100)), epsilon=1.0), 100
    spread = np.tile(np.arange(1, 100), COUNT // 198 + 1)[: COUNT // 2]
    people = np.concatenate([np.zeros(COUNT // 2, dtype=np.int64), spread])
    aggregate = multi_freq("GRR").GRR_Aggregator_MI
    ours, theirs = np.zeros((2, collections))
    for seed in range(collections):
        reports = mechanism.perturb_cells(people, SeededSource(seed))
        ours[seed] = mechanism.unbiased(mechanism.supports(reports), COUNT)[0]
        theirs[seed] = aggregate(reports, 100, 1.0)[0]
    reach = STANDARD_ERRORS * float(np.sqrt(mechanism.share_variance(0.5, COUNT) / collections))
    assert abs(ours.mean() - 0.5) < reach < 0.06
    assert 2.5 < 0.5 / theirs.mean() < 4.0


@pytest.mark.parametrize("kind", MULTI_FREQ)
@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 1.0])
def test_variances_differ_by_who_is_asked(kind, share):
    # Theirs is for given people, ours for people drawn from a population: drawing adds a coin's variance.
    mechanism = kind(Categories(range(100)), epsilon=1.0)
    theirs = multi_freq("Variance_PURE").VAR_Pure(mechanism.hit, mechanism.miss, COUNT, share)
    ours = mechanism.share_variance(share, COUNT)
    assert ours == pytest.approx(theirs + share * (1 - share) / COUNT, rel=1e-9)
