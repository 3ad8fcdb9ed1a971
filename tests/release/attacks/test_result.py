"""Reports: silence passes with an advantage around zero, a leak fails, and neither tells of single records."""

from __future__ import annotations

import json

import numpy as np
import pytest

from noisewright.errors import InvalidParameter
from noisewright.release.attacks import AttackReport, attack
from noisewright.release.attacks.report import share_words
from noisewright.release.attacks.roc import most_true_positives
from noisewright.release.basics.budgets import posterior_success
from noisewright.release.execution import Task
from noisewright.release.noise import NoisePlan
from release.attacks.made_up import FACTS, ROWS, WORLDS, MeanOfRows, halved, plan_of, silent

ALL = ["bayes", "linear", "lira", "lira-empirical"]


def attacked(plan: NoisePlan, promised: float, *, scored: bool = True, **options) -> AttackReport:
    return attack(plan, WORLDS, Task(MeanOfRows(scored), FACTS, ROWS), promised, **options)


@pytest.mark.parametrize("seed", range(5))
def test_perfect_privacy_shows_no_advantage(seed: int) -> None:
    """All intervals hold together but for 1e-6 a seed; that is the rate of false alarms."""
    report = attacked(silent(plan_of(0.5)), promised=0.5, trials=400, confidence=0.999999, seed=seed)
    assert [result.name for result in report.attacks] == ALL
    for result in report.attacks:
        assert result.advantage.low <= 0 <= result.advantage.high
        assert result.worst.low <= 0.5
        assert result.advantage.high < 0.2
    assert report.verdict == "pass"


def test_hardly_any_information_shows_no_advantage() -> None:
    report = attacked(plan_of(1e-6), promised=posterior_success(1e-6), trials=400, seed=1)
    assert report.passed
    assert all(result.advantage.low <= 0.01 for result in report.attacks)


@pytest.mark.parametrize("nats", [1 / 16, 1.0])
def test_a_sound_release_passes_below_its_bound(nats: float) -> None:
    plan = plan_of(nats)
    report = attacked(plan, posterior_success(nats), trials=600, confidence=0.999999, seed=2)
    assert report.passed
    assert report.information.low <= nats
    best = report["bayes"]
    assert best.advantage.low > 0
    for result in report.attacks:
        assert result.success.low <= best.success.high
    allowed = most_true_positives(best.curve.false_positives, report.promised, report.information_upper)
    assert (best.curve.true_positives <= allowed + 0.02).all()


def test_a_leak_fails() -> None:
    report = attacked(plan_of(20.0), promised=0.6, trials=200, seed=3)
    assert report.verdict == "fail"
    assert report.strongest.name == "bayes"
    assert report.strongest.area.value > 0.99
    assert report.sentence.startswith("fail: right at least")
    assert "Bayes-optimal" in report.sentence


def test_lira_alone_finds_a_leak() -> None:
    report = attacked(plan_of(20.0), promised=0.5, trials=400, seed=4)
    assert report["lira"].exceeds(0.5)
    assert report["linear"].exceeds(0.5)


def test_half_the_noise_fails_though_success_was_not_promised() -> None:
    """A promised success of 1 excludes no attack; the measured information still tells."""
    plan = plan_of(1.0)
    broken = halved(plan)
    vars(broken)["information_upper"] = plan.information_upper  # what the release claims
    report = attacked(broken, promised=1.0, trials=1000, seed=5)
    assert report.verdict == "fail"
    assert "nats" in report.sentence


def test_without_a_score_the_vector_is_attacked() -> None:
    report = attacked(plan_of(1.0), 0.9, scored=False, trials=100, seed=6)
    assert [result.name for result in report.attacks] == ALL[:2]
    with pytest.raises(InvalidParameter, match="there is no attack 'lira'"):
        report["lira"]


def test_reports_can_be_read_and_keep_quiet_about_records() -> None:
    report = attacked(plan_of(1.0), 0.9, trials=100, seed=7)
    plain = json.loads(json.dumps(report.to_dict()))
    assert plain["verdict"] == "pass"
    assert "half of the pool" in plain["about"]
    assert not {"records", "exposed"} & set(plain["attacks"][0])
    assert len(report["bayes"].records) == 24
    assert "no attack exceeded the promised 90 %" in str(report)
    assert all(share_words(result.advantage) in str(report) for result in report.attacks)


def test_the_same_seed_gives_the_same_report() -> None:
    first, second, third = (attacked(plan_of(1.0), 0.9, trials=50, seed=seed).to_dict() for seed in (8, 8, 9))
    assert first == second
    assert first != third


def test_curves_are_drawn_on_logarithmic_axes() -> None:
    axes = attacked(plan_of(1.0), 0.9, trials=50, seed=10).plot()
    assert axes.get_xscale() == axes.get_yscale() == "log"
    words = [text.get_text() for text in axes.get_legend().get_texts()]
    assert any("Bayes-optimal" in text for text in words)
    assert "never, as promised" in words


def test_more_scores_than_fit_into_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noisewright.release.attacks.evaluation.MOST_SCORES", 24 * 50)
    assert attacked(plan_of(1.0), 0.9, trials=50, seed=11).trials == 50
    with pytest.raises(InvalidParameter, match=r"51 trials of 24 records are too many .* at most 50 trials"):
        attacked(plan_of(1.0), 0.9, trials=51)


class Strange(MeanOfRows):
    def confidence(self, vectors, rows, labels, facts):
        return np.full((len(vectors), len(rows)), np.nan)


def test_bad_requests() -> None:
    with pytest.raises(InvalidParameter, match=r"promised must be a success from 0\.5 to 1"):
        attacked(plan_of(1.0), 0.4)
    with pytest.raises(InvalidParameter, match="trials"):
        attacked(plan_of(1.0), 0.9, trials=4)
    with pytest.raises(InvalidParameter, match="confidence of the mean of the rows"):
        attack(plan_of(1.0), WORLDS, Task(Strange(), FACTS, ROWS), 0.9, trials=20)
