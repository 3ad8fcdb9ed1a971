"""The averaging attack: ask one person again and again, and average the noise away.

Duchi's mechanism at ε = 1 has two reports only, −2.16 and 2.16, with mean x: *every* single report is wrong by
at least 1.86 for x = 0.3, so what memory leaves to the attacker is known with certainty.
"""

from __future__ import annotations

import numpy as np
import pytest

from noisewright import Interval, PureLDP
from noisewright.ledger import Ledger
from noisewright.mechanisms import Duchi
from noisewright.randomness import SeededSource

TRUTH, REQUESTS = 0.3, 2000
MECHANISM = Duchi(Interval(-1, 1), epsilon=1.0)
REACH = float(np.max(MECHANISM.reports.centres([0, 1])))
ONE_REPORT = REACH - TRUTH
"""The least error that a single report can have."""


def test_one_report_is_far_off():
    assert ONE_REPORT > 1.86


def test_without_a_memory_the_attack_succeeds():
    """Hoeffding: the mean of 2000 reports of width 2·REACH is within 0.35 but for 2·exp(−4000·0.35²/18.8) < 10⁻¹¹."""
    reports = MECHANISM.perturb(np.full(REQUESTS, TRUTH), SeededSource(5))
    assert abs(reports.mean() - TRUTH) < 0.35 < ONE_REPORT / 5


@pytest.mark.parametrize("requests", [20, 200, 2000])
def test_without_a_memory_the_error_falls_with_the_root_of_the_number_of_requests(requests):
    """Mean squared error of 1000 attacks against variance/n: within 40 %.

    A χ² with 1000 degrees of freedom leaves that range with probability below 10⁻¹⁵; no fall at all would be
    off by a factor of n.
    """
    reports = MECHANISM.perturb(np.full((1000, requests), TRUTH), SeededSource(requests))
    found = ((reports.mean(axis=1) - TRUTH) ** 2).mean()
    assert found == pytest.approx(MECHANISM.law(TRUTH).expected("squared") / requests, rel=0.4)


def test_with_a_memory_the_attacker_learns_one_report_however_often_they_ask(tmp_path):
    """Certain, and not only likely: the mean of equal reports is that report, and it is far off."""
    ledger = Ledger.create(tmp_path / "people.db", budget=20.0)
    singly = [ledger.perturb("anna", "opinion", TRUTH, MECHANISM) for _ in range(200)]
    in_batches = [
        ledger.perturb_many(["anna"] * 600, "opinion", np.full(600, TRUTH), MECHANISM) for _ in range(3)
    ]
    reports = np.concatenate([singly, *in_batches])
    assert reports.size == REQUESTS
    assert np.unique(reports).size == 1
    assert abs(reports.mean() - TRUTH) >= ONE_REPORT - 1e-9
    assert ledger.spent("anna") == PureLDP(1.0)


def test_many_victims_are_each_known_by_one_report(tmp_path):
    """With memory the attacker's mean squared error stays that of one report, whatever n.

    Each squared error is (REACH ∓ 0.3)², so by Hoeffding the mean over 400 people is within 0.9 of its
    expectation (4.59) but for 2·exp(−2·400·0.9²/2.6²) < 10⁻⁴¹; without memory it would be 2000 times less.
    """
    ledger = Ledger.create(tmp_path / "people.db", budget=20.0, simulated=True)
    people = [f"victim {number}" for number in range(400)]
    total = np.zeros(400)
    for call in range(10):
        total += ledger.perturb_many(people, "opinion", np.full(400, TRUTH), MECHANISM, SeededSource(call))
    errors = (total / 10 - TRUTH) ** 2
    assert errors.min() >= ONE_REPORT**2 - 1e-9
    assert abs(errors.mean() - MECHANISM.law(TRUTH).expected("squared")) < 0.9


def test_an_attacker_who_varies_the_question_runs_into_the_budget(tmp_path):
    """Neighbouring values are new values: twenty of them cost everything, and the rest is refused."""
    from noisewright.errors import BudgetSpent

    ledger = Ledger.create(tmp_path / "people.db", budget=20.0)
    answered = 0
    for step in range(40):
        try:
            ledger.perturb("anna", "opinion", TRUTH + step * 1e-4, MECHANISM)
            answered += 1
        except BudgetSpent:
            continue
    assert answered == 20
    assert ledger.remaining("anna") == 0.0
