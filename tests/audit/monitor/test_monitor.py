"""Monitors may be watched all the time: false alarms stay rare at the worst moment, wrong claims fall."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import binom, norm

from noisewright.audit.basics.claim import Claim
from noisewright.audit.basics.outputs import Outputs
from noisewright.audit.blackbox import black_box
from noisewright.audit.experiment import Experiment
from noisewright.audit.monitor import Monitor, State, watch
from noisewright.audit.monitor.capital import log_growth
from noisewright.errors import InvalidParameter

EPSILON, CONFIDENCE, MONITORS, PAIRS, LOOK = 1.0, 0.75, 40, 600, 40
TRUE = math.exp(EPSILON) / (1 + math.exp(EPSILON))


def too_many(alarms: int) -> bool:
    """More than MONITORS honest ones give except once in 10⁹ times."""
    return bool(binom.sf(alarms - 1, MONITORS, 1 - CONFIDENCE) < 1e-9)


def answers(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Randomized response that keeps ε = 1 and not a bit more: both directions stand at the edge."""
    coins = np.random.default_rng([seed, 11]).random((2, PAIRS))
    return (coins[0] < TRUE).astype(float), (coins[1] < 1 - TRUE).astype(float)


def ever_refuted(seed: int) -> bool:
    left, right = answers(seed)
    monitor = Monitor(Claim(EPSILON), confidence=CONFIDENCE, epsilons=[0.5], score="value", seed=seed)
    states = [monitor.update(left[at : at + LOOK], right[at : at + LOOK]) for at in range(0, PAIRS, LOOK)]
    assert all(later.refuted or not earlier.refuted for earlier, later in pairwise(states))
    return states[-1].refuted


def ever_refuted_by_a_repeated_test(seed: int) -> bool:
    """What people do: a test for a fixed number of runs, looked at after every pair."""
    counts = np.arange(1, PAIRS + 1)
    p, q = (np.cumsum(side) / counts for side in answers(seed))
    for favoured, other in ((p, q), (1 - q, 1 - p)):
        payoff = favoured - math.exp(EPSILON) * other
        spread = np.sqrt(favoured * (1 - favoured) + math.exp(2 * EPSILON) * other * (1 - other))
        if (payoff * np.sqrt(counts) > norm.isf((1 - CONFIDENCE) / 2) * spread)[20:].any():
            return True
    return False


def test_false_alarms_stay_rare_at_the_worst_moment():
    assert not too_many(sum(map(ever_refuted, range(MONITORS))))


def test_a_repeated_test_does_not_pass_the_same_check():
    assert too_many(sum(map(ever_refuted_by_a_repeated_test, range(MONITORS))))


def laplace(epsilon: float, pairs: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    noise = np.random.default_rng(seed).laplace(scale=1 / epsilon, size=(2, pairs))
    return noise[0], noise[1] + 1


@pytest.mark.parametrize("seed", [1, 2])
def test_a_wrong_claim_falls_and_the_bound_stays_below_the_truth(seed):
    state = Monitor(Claim(0.8)).update(*laplace(1.5, 2000, seed))
    assert state.refuted
    assert 0.8 <= state.epsilon_lower < 1.5
    assert state.log_capital > state.log_needed == pytest.approx(math.log(20))
    assert "is false" in state.sentence
    assert "the output" in state.sentence


def test_delta_is_allowed_for():
    # Gaussian noise of scale 1 has δ(1) = 0.127: no evidence against more, all the evidence against less
    noise = np.random.default_rng(5).normal(size=(2, 4000))
    for delta, refuted in ((0.2, False), (0.05, True)):
        assert (
            Monitor(Claim(1.0, delta), epsilons=[1.5], score="value").update(noise[0], noise[1] + 1).refuted
            is refuted
        )


def test_pieces_and_the_whole_give_the_same_bets():
    left, right = laplace(1.0, 900, 7)
    whole, pieces = Monitor(Claim(0.8), score="value"), Monitor(Claim(0.8), score="value")
    whole.update(left, right)
    for at in range(0, 900, 7):
        pieces.update(left[at : at + 7], right[at : at + 7])
    np.testing.assert_allclose(whole.capital.means, pieces.capital.means, atol=1e-9)


def test_bets_are_placed_before_the_outputs_are_seen():
    left, right = laplace(1.0, 305, 8)
    monitor = Monitor(Claim(0.8), score="value")
    monitor.update(left[:300], right[:300])
    plan, logs, scores = monitor._plan, monitor.capital.logs.copy(), monitor._learner.score
    assert plan is not None
    left[300:] = 99.0  # the plan for them does not know how strange these are
    monitor.update(left[300:], right[300:])
    assert (monitor._plan, monitor._learner.score) == (plan, scores)
    played = monitor._learner._scores[-1]
    growth = log_growth(plan.count(*played), plan.stakes, monitor.capital.factors, 0.0)
    assert growth.any()
    np.testing.assert_allclose(monitor.capital.logs[-1] - logs[-1], growth, atol=1e-12)


def test_outputs_without_a_partner_wait():
    left, right = laplace(1.0, 500, 9)
    monitor = Monitor(Claim(0.5), score="value")
    state = monitor.update(left, right[:200])
    assert (state.samples, state.waiting) == (400, 300)
    assert monitor.update([], right[200:]).samples == 1000
    assert monitor.state.waiting == 0


def test_outputs_of_any_shape_are_watched():
    rng = np.random.default_rng(10)
    sides = [[None if coin < share else ("a", 1.5) for coin in rng.random(800)] for share in (0.6, 0.2)]
    monitor = Monitor(Claim(0.3))
    assert monitor.update(*sides).refuted
    monitor.update(rng.random(40), rng.random((40, 2)))  # a change of shape is no reason to stop
    assert monitor.state.samples == 1680


def test_watching_an_experiment():
    box = black_box(lambda data, count, generator: data + generator.laplace(size=count), vectorized=True)
    states = list(watch(Experiment(box, 0.0, 1.0, seed=3), Claim(0.5), samples=4000, score="value"))
    assert states[-1].samples == 4000
    assert [state.samples for state in states] == sorted({state.samples for state in states})
    assert states[-1].refuted
    assert states[-1].to_dict()["claim"] == {"epsilon": 0.5, "delta": 0.0}


def test_evidence_is_never_said_to_be_enough_before_it_is():
    almost = State(Claim(1.0), 0.95, 4000, 0, 0.9, False, math.log(19.999), None)
    assert "the evidence is 19.9 where 20 is needed" in almost.sentence
    assert "where 10 is needed" in replace(almost, confidence=0.9).sentence
    assert "where 100 is needed" in replace(almost, confidence=0.99).sentence
    refuted = replace(almost, refuted=True, confidence=0.969699)
    assert "with 96.9 % confidence at whatever moment one stops" in refuted.sentence


def test_the_evidence_is_in_the_state_and_in_its_dictionary():
    monitor = Monitor(Claim(0.8), score="value")
    states = [monitor.update(*laplace(1.5, 200, seed)) for seed in range(12)]
    capitals = [state.log_capital for state in states]
    assert capitals == sorted(capitals)  # the most it has been
    assert all(state.refuted == (state.log_capital >= state.log_needed) for state in states)
    assert [states[0].refuted, states[-1].refuted] == [False, True]
    told = states[-1].to_dict()
    assert (told["log_capital"], told["log_needed"]) == (capitals[-1], math.log(1 / (1 - 0.95)))


def test_a_score_that_nobody_knows_is_refused_before_anything_is_watched():
    with pytest.raises(InvalidParameter, match="score must be auto"):
        Monitor(Claim(1.0), score="magic")


def test_watching_takes_whole_floats():
    box = black_box(lambda data, count, generator: data + generator.laplace(size=count), vectorized=True)
    states = list(watch(Experiment(box, 0.0, 1.0, seed=3), Claim(3.0), samples=1e3, score="value"))
    assert states[-1].samples == 1000
    with pytest.raises(InvalidParameter, match="samples must be a whole number"):
        next(watch(Experiment(box, 0.0, 1.0, seed=3), Claim(3.0), samples=1e3 + 0.5))


class Clock:
    """Outputs for as long as the deadline lies ahead, and a clock that every request moves by a second."""

    now = 100.0

    def monotonic(self):
        return self.now

    def take(self, side, count, until=None):
        self.now += 1
        return Outputs.of(np.zeros(count if until is None or self.now < until else 0))


def test_watching_ends_when_the_time_is_up(monkeypatch):
    clock = Clock()
    monkeypatch.setattr("noisewright.audit.monitor.monitor.time", clock)
    states = list(watch(clock, Claim(0.5), seconds=20.0, score="value"))
    assert len(states) == 2  # sixteen requests a look
    assert not states[-1].refuted


@pytest.mark.parametrize("confidence", [0, 0.1, 1, 1.5, float("nan"), "high"])
def test_a_confidence_is_a_probability(confidence):
    with pytest.raises(InvalidParameter, match="confidence"):
        Monitor(Claim(1.0), confidence=confidence)


@pytest.mark.parametrize("claim", [0.5, "0.5", "epsilon=0.5", Claim(0.5)])
def test_a_claim_may_be_written_in_any_way(claim):
    assert Monitor(claim).claim == next(watch(Clock(), claim, samples=2, score="value")).claim == Claim(0.5)


def test_a_monitor_without_a_claim_is_refused():
    with pytest.raises(InvalidParameter, match="claim"):
        Monitor(None)


@pytest.mark.parametrize("wrong", [{"samples": 0}, {"seconds": 0}, {"batch": 0}, {"epsilons": [-1.0]}])
def test_what_is_no_budget_is_refused(wrong):
    with pytest.raises(InvalidParameter):
        next(watch(Clock(), Claim(0.5), **wrong))
