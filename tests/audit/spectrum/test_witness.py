"""The witness: the event can be tested again, its numbers are exact, and its sentence never says too much."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noisewright.audit import Claim, Experiment, Outputs, audit_pair, black_box
from noisewright.audit.bounds.event_bounds import EventBounds
from noisewright.audit.spectrum.explanation import chance_under, rates

SAMPLES, SEED = 4_000, 1


def noisy(value, count, generator):
    return value + generator.laplace(size=count)


def spread(value, count, generator):
    return generator.normal(value, 1.0, (count, 2))


def answer(value, count, generator):
    return np.where(generator.random(count) < 0.75, value, "other").tolist()


class Recorded(Experiment):
    """Keeps the last outputs of either input: those that bounds rest on."""

    def by_turns(self, count):
        self.kept = {"left": [], "right": []}
        for side, part in super().by_turns(count):
            self.kept[side].append(part)
            yield side, part


def ask(mechanism, left, right, score="auto", claim=0.1):
    experiment = Recorded(black_box(mechanism, vectorized=True), left, right, seed=SEED)
    found = audit_pair(experiment, SAMPLES, claim=Claim(claim), score=score)
    return found, [Outputs.join(experiment.kept[side]) for side in ("left", "right")]


@pytest.fixture(scope="module")
def witness():
    return ask(noisy, 1.0, 0.0, "value", claim=0.5)[0].witness


@pytest.mark.parametrize(
    ("mechanism", "left", "right", "score"),
    [(noisy, 0.0, 1.0, "bins"), (spread, 0.0, 2.0, "linear"), (answer, "yes", "no", "auto")],
)
def test_the_event_can_be_tested_on_any_run(mechanism, left, right, score):
    """On the runs that the bounds rest on it happens as often as is said."""
    found, runs = ask(mechanism, left, right, score)
    assert [len(side) for side in runs] == [found.bounded] * 2
    shares = [found.witness.holds(side).mean() for side in runs]
    expected = [found.witness.rate.value, found.witness.other_rate.value]
    assert shares == (expected if found.witness.favoured == found.left else expected[::-1])


def test_a_witness_in_json_has_the_exact_event(witness):
    told = json.loads(json.dumps(witness.to_dict(), allow_nan=False))
    assert (told["threshold"], told["above"]) == (witness.threshold, witness.above)
    just = np.nextafter(witness.threshold, [-np.inf, np.inf])
    assert witness.holds(Outputs.of(just)).sum() == 1
    assert "scorer" not in repr(witness)


def test_a_refuted_claim_is_not_left_to_chance(witness):
    assert witness.refutes
    assert "chance alone" not in witness.sentence
    assert "fewer than one audit in" in witness.sentence


def test_where_only_the_curve_refutes_the_event_does_not_claim_to(witness):
    sentence = replace(witness, chance=0.4).sentence
    assert "chance alone" not in sentence
    assert "one audit in" not in sentence
    assert "The whole curve refutes" in sentence


@pytest.mark.parametrize(("claim", "said"), [(0.5, "chance alone may explain"), (3.0, "it is not more")])
def test_a_claim_that_stands_is_told_by_what_was_seen(witness, claim, said):
    assert said in replace(witness, claim=Claim(claim), refutes=False, chance=1.0).sentence


def test_without_a_claim_there_is_nothing_to_hold_it_against(witness):
    assert "claim" not in replace(witness, claim=None, refutes=False).sentence


@given(st.floats(1e-12, 1 - 1e-12))
def test_hardly_ever_is_not_never_and_hardly_always_not_always(witness, share):
    sentence = replace(witness, rate=replace(witness.rate, value=share), claim=None).sentence
    assert " 0 %" not in sentence
    assert " 100 %" not in sentence


def shares(witness, share, other):
    rate, other_rate = (replace(witness.rate, value=value, count=1000) for value in (share, other))
    return replace(witness, rate=rate, other_rate=other_rate, claim=Claim(1.0))


def test_shares_are_rounded_and_say_so_and_what_is_allowed_is_rounded_up(witness):
    """e·0.1 = 27.1828… % is allowed: 27.2 %, and e·0.0999 = 27.1556… % as well."""
    sentence = shares(witness, 0.31239, 0.0999).sentence
    assert "in about 31.2 % of 1,000 runs" in sentence
    assert "in about 9.99 % of 1,000; under" in sentence
    assert "at most about 27.2 %" in sentence
    assert "at most about 27.2 %" in shares(witness, 0.3, 0.1).sentence


def test_all_and_none_are_told_without_a_share(witness):
    sentence = shares(witness, 1.0, 0.0).sentence
    assert f"in all of 1,000 runs, with {witness.other} in none of 1,000;" in sentence
    assert "at most about 0 %" in sentence


def test_intervals_are_exact():
    """Among 10 runs without a hit: from 0 to 1 − (failure/4)^(1/10) (Clopper and Pearson 1934)."""
    first, second = rates(EventBounds.of([10], 10, [0], 10, 0.1), 0)
    assert (first.high, second.low) == (1.0, 0.0)
    assert second.high == pytest.approx(1 - 0.025**0.1, rel=1e-6)
    assert first.low == pytest.approx(0.025**0.1, rel=1e-6)


def test_the_chance_is_the_level_at_which_the_event_refutes():
    bounds = EventBounds.of([600], 1000, [200], 1000, 0.01)
    chance = chance_under(bounds, 0, Claim(0.5), weight=0.25)
    for factor, refutes in ((1.001, True), (0.999, False)):
        at = EventBounds.of([600], 1000, [200], 1000, 0.25 * chance * factor)
        assert bool(at.deltas([0.5])[0, 0] > 0) is refutes
    assert chance_under(bounds, 0, Claim(2.0), weight=0.25) == 1.0
    assert 0 < chance_under(bounds, 0, Claim(0.0), weight=0.25) < chance < math.exp(-1)
