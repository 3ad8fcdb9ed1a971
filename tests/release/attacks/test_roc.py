"""Curves: counted by hand, areas as shares of pairs, and what a promise allows."""

from __future__ import annotations

import numpy as np
import pytest

from noisewright.release.attacks.roc import (
    Counts,
    Curve,
    area_estimate,
    most_by_information,
    most_by_success,
    most_true_positives,
    thresholds,
    true_positives,
)


def made(trials: int, gain: float, seed: int = 1, records: int = 40):
    """Scores of members that are larger by ``gain`` deviations on average."""
    generator = np.random.default_rng(seed)
    member = generator.permuted(np.tile(np.arange(records) % 2 == 0, (trials, 1)), axis=1)
    return (generator.normal(size=member.shape) + gain * member).astype(np.float32), member


def test_counts_by_hand() -> None:
    scores, member = made(30, 1.0)
    cuts = thresholds(scores[:10], member[:10])
    counts = Counts.of(scores, member, cuts)
    assert (np.diff(cuts) > 0).all()
    for cut in (0, cuts.size // 2, cuts.size - 1):
        flagged = scores > cuts[cut]
        assert (counts.members[:, cut] == (flagged & member).sum(axis=1)).all()
        assert (counts.others[:, cut] == (flagged & ~member).sum(axis=1)).all()
        np.testing.assert_allclose(counts.success(cut), (flagged == member).mean(axis=1))


def test_thresholds_for_rates() -> None:
    scores, member = made(100, 1.0)
    counts = Counts.of(scores, member, thresholds(scores, member))
    cut = counts.at_most(0.01)
    assert 0.008 < counts.false_positives[cut] <= 0.01
    assert counts.best() != cut


def test_areas_are_shares_of_pairs() -> None:
    scores, member = made(60, 0.8)
    pairs = scores[member][:, None] > scores[~member][None, :]
    exact = Curve.exact(scores.ravel(), member.ravel())
    assert exact.area == pytest.approx(pairs.mean(), abs=1e-9)
    counts = Counts.of(scores, member, thresholds(scores, member))
    assert Curve.pooled(counts).area == pytest.approx(pairs.mean(), abs=2e-3)
    own = scores[:, 3][member[:, 3]][:, None] > scores[:, 3][~member[:, 3]]
    assert Curve.exact(scores[:, 3], member[:, 3]).area == pytest.approx(own.mean())


def test_ties_are_worth_nothing() -> None:
    scores, member = np.zeros((20, 6), dtype=np.float32), made(20, 0.0, records=6)[1]
    counts = Counts.of(scores, member, thresholds(scores, member))
    assert Curve.pooled(counts).area == 0.5
    assert Curve.exact(scores[:, 3], member[:, 3]).area == 0.5


def test_intervals_count_trials_not_records() -> None:
    """All records of a trial alike: forty times the records tell nothing more, and the interval knows."""
    scores, member = made(100, 0.0, records=4)
    wide = np.repeat(scores, 40, axis=1)
    wide_member = np.repeat(member, 40, axis=1)
    lengths = []
    for table, held in ((scores, member), (wide, wide_member)):
        counts = Counts.of(table, held, thresholds(table, held))
        found = area_estimate(counts, 0.05)
        lengths.append(found.high - found.low)
    assert lengths[1] == pytest.approx(lengths[0], rel=0.1)


def test_true_positives_at_a_rate() -> None:
    """One deviation apart, 9.2 % of members lie above the 1 % quantile of others."""
    scores, member = made(2000, 1.0)
    cuts = thresholds(scores[:1000], member[:1000])
    chosen, judged = (Counts.of(scores[p], member[p], cuts) for p in (slice(0, 1000), slice(1000, 2000)))
    point = true_positives(chosen, judged, 0.01, failure=1e-9)
    assert point.found.low < 0.0924 < point.found.high
    assert not point.found.low < 0.13 < point.found.high
    assert point.false_positives == pytest.approx(0.01, abs=0.004)
    assert point.to_dict()["true_positives"]["level"] == 1 - 1e-9


def test_what_a_promise_allows() -> None:
    rates = np.array([0.0, 1e-3, 0.1, 1.0])
    assert most_by_success(rates, 0.5).tolist() == rates.tolist()
    np.testing.assert_allclose(most_by_information(rates, 0.0), rates, atol=2e-6)
    assert (most_by_information(rates, np.log(2)) == 1).all()
    assert most_true_positives(rates, 0.55, 1 / 64)[1] == pytest.approx(0.0503, abs=1e-4)
    assert most_true_positives(rates, 0.51, 1 / 64)[1] == pytest.approx(0.021)
    # a channel that is right with probability 0.6 either way carries ln 2 − h(0.6) nats
    nats = np.log(2) + 0.6 * np.log(0.6) + 0.4 * np.log(0.4)
    assert most_by_information(np.array([0.4]), nats)[0] == pytest.approx(0.6, abs=1e-9)
