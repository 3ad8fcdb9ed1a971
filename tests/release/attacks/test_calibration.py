"""Noise calibrated to a membership success: the certificate holds on other draws, and is not wasteful."""

from __future__ import annotations

import numpy as np
import pytest

from noisewright.errors import InvalidParameter
from noisewright.release.attacks import BayesAttack, calibrate_success, calibration, measured_information
from noisewright.release.attacks.calibration import _Search
from noisewright.release.attacks.trials import play
from noisewright.release.basics.budgets import MembershipSuccess, information_for
from noisewright.release.basics.worlds import Worlds
from noisewright.release.noise import plan_noise, table
from release.attacks.made_up import WORLDS, outputs


@pytest.mark.parametrize("shape", ["optimal", "paper"])
def test_the_promise_holds_on_other_draws(shape: str) -> None:
    plan, certificate = calibrate_success(
        outputs(), WORLDS, MembershipSuccess(0.65), shape, seed=1, trials=8192
    )
    other = BayesAttack(plan, WORLDS).moments(play(plan, 20_000, np.random.default_rng(2)).cells)
    worst = 0.5 + other.mean().max() / 2
    reach = 6.2 * np.sqrt(other.variance().max() / 20_000) / 2
    assert worst - reach < certificate.rate_upper <= 0.65
    assert worst + reach > 0.63  # and little of it is left unused
    assert certificate.worst_success < certificate.rate_upper
    assert certificate.nats > 2 * information_for(0.65)
    assert plan.information_upper <= certificate.nats
    assert measured_information(plan, 2000, seed=3).low <= certificate.nats


def test_too_little_noise_is_not_certified() -> None:
    success = MembershipSuccess(0.65)
    plan, certificate = calibrate_success(outputs(), WORLDS, success, seed=1, trials=4096)
    search = _Search(outputs(), WORLDS, success, "optimal", 4096, np.random.SeedSequence(1))
    bad = 1.2 * certificate.nats
    louder = search.certify(plan_noise(outputs(), bad), bad, 1, np.random.default_rng(4))
    assert louder.rate_upper > 0.65
    again = search.certify(plan, certificate.nats, 1, np.random.default_rng(4))
    assert louder.worst_success > again.worst_success


def test_without_a_pass_the_theorem_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration, "ATTEMPTS", 0)
    plan, certificate = calibrate_success(outputs(), WORLDS, MembershipSuccess(0.7), seed=1, trials=1024)
    assert certificate.trials == 0
    assert certificate.confidence == 1
    assert certificate.rate_upper <= 0.7
    assert plan.information_upper <= information_for(0.7)
    assert "confidence" not in str(certificate)


def test_later_attempts_pay_for_earlier_ones() -> None:
    search = _Search(outputs(), WORLDS, MembershipSuccess(0.65), "optimal", 1024, np.random.SeedSequence(1))
    failures = [search._failure(attempt) for attempt in range(1, calibration.ATTEMPTS + 1)]
    assert sum(failures) < 0.001
    plan = search.plan(0.3)
    first, second = (search.certify(plan, 0.3, at, np.random.default_rng(5)) for at in (1, 2))
    assert first.worst_success == second.worst_success
    assert first.rate_upper < second.rate_upper


def test_a_rate_near_one_needs_hardly_any_noise() -> None:
    plan, certificate = calibrate_success(outputs(), WORLDS, MembershipSuccess(0.99), seed=1, trials=1024)
    assert certificate.rate_upper <= 0.99
    assert plan.total_variance < 0.1 * plan_noise(outputs(), 0.6).total_variance


def test_certificates_name_no_record() -> None:
    _, certificate = calibrate_success(outputs(), WORLDS, MembershipSuccess(0.65), seed=1, trials=1024)
    assert "worst_record" not in repr(certificate)
    assert "65" in str(certificate) or "64" in str(certificate)


def test_bad_trials() -> None:
    with pytest.raises(InvalidParameter, match="trials must be a whole number from 1024"):
        calibrate_success(outputs(), WORLDS, MembershipSuccess(0.65), trials=10)


def test_worlds_far_apart_in_pairs_do_not_fool_the_certificate() -> None:
    """Complementary halves give nearly the same output, all pairs lie far apart: floats alone see no difference.

    The true success is found with whole numbers; its estimate from 2,000 releases has a standard error below
    0.012, so six of them at the most separate an honest certificate from one that is off by 0.1.
    """
    generator = np.random.default_rng(0)
    pool = generator.normal(size=(40, 4))
    pool[0] = 50
    target = np.round(pool.mean(axis=0), 10)
    worlds = Worlds(40, 64, seed=2)
    outputs = np.array([(pool[member].mean(axis=0) - target) ** 2 for member in worlds.member])
    plan, certificate = calibrate_success(outputs, worlds, MembershipSuccess(0.9), seed=1, trials=4096)
    drawn = generator.integers(64, size=2000)
    cells = plan.simulate(drawn, generator)
    away = (cells[:, None, :] - plan.cells) / table.DEVIATION
    law = np.exp(-0.5 * ((away**2).sum(axis=2) - (away**2).sum(axis=2).min(axis=1, keepdims=True)))
    inside = (law / law.sum(axis=1, keepdims=True)) @ worlds.member
    success = np.maximum(inside, 1 - inside).mean(axis=0)
    assert success.max() <= certificate.rate_upper + 0.07
