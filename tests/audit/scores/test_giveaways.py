"""Values that repeat where others differ are found, and right mechanisms keep their claims."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from noisewright.audit import Claim, Experiment, Outputs, audit, black_box, watch
from noisewright.audit.bounds.lower import choose_events
from noisewright.audit.bounds.tally import Counts
from noisewright.audit.encoding import Features, fit_encoder
from noisewright.audit.scores import choose_score, selection
from noisewright.audit.scores.score import ValueScore
from noisewright.audit.scores.selection import LARGEST, Giveaway, GiveawayScore, with_giveaways


def noisy(value, count, generator):
    return value + generator.laplace(size=count)


def at_times_raw(value, count, generator, share=1e-3):
    """Laplace noise for ε = 1, and in one run of a thousand the value itself."""
    return np.where(generator.random(count) < share, value, noisy(value, count, generator))


def ask(mechanism, **options):
    settings = {"claim": 1.0, "samples": 200_000, "vectorized": True, "jobs": 1, "seed": 1, **options}
    return audit(mechanism, 0.0, 1.0, **settings)


def test_a_value_that_is_published_raw_at_times_is_found():
    """The true rate is 10⁻³ against 0: 70 of 70,000 runs, of which fewer than 35 come once in 10⁵ audits."""
    found = ask(at_times_raw)
    assert found.verdict == "false"
    assert found.epsilon_lower() > 1.5
    assert found.witness.event in ("the output is exactly 0", "the output is exactly 1")
    fresh = Outputs.of([0.0, 1.0, 0.5, -0.0])
    assert (
        found.witness.holds(fresh).tolist() == [found.witness.event[-1] == end for end in "01"] + [False] * 2
    )
    json.dumps(found.to_dict(), allow_nan=False)
    for side in (
        found.witness,
        replace(found.witness, threshold=LARGEST),
        replace(found.witness, threshold=-math.inf),
    ):
        assert side.to_dict()["threshold"] is None  # an exact value is no question of size
    assert replace(found.witness, threshold=-LARGEST).to_dict()["threshold"] == -LARGEST


def test_all_of_the_failure_may_go_to_it():
    found = ask(at_times_raw, aim="epsilon")
    assert (found.verdict, found.comparisons) == ("false", 1)


def test_one_raw_coordinate_of_a_vector_is_found():
    def vector(value, count, generator):
        truth = np.array([3.0, value, 7.25])
        noise = truth + generator.laplace(size=(count, 3))
        return np.where(generator.random((count, 3)) < 0.01, truth, noise)

    found = ask(vector, samples=20_000)
    assert found.verdict == "false"
    assert found.witness.event.startswith("number 2 is exactly ")


@pytest.mark.parametrize("tells", ["value", "decimals"])
def test_texts_that_are_written_in_another_way_are_found(tells):
    """A value is printed with two or three decimals, once in thirty runs, and all noise with six."""

    def printed(value, count, generator):
        noise, raw = noisy(value, count, generator).tolist(), generator.random(count) < 0.03
        short = {"value": lambda each: f"{value:.2f}", "decimals": lambda each: f"{each:.{2 + int(value)}f}"}
        return [short[tells](each) if bare else f"{each:.6f}" for each, bare in zip(noise, raw, strict=True)]

    found = ask(printed, samples=8_000)
    assert found.verdict == "false"
    assert ("decimals" in found.witness.event) == (tells == "decimals")


def clipped(value, count, generator):
    return np.clip(noisy(value, count, generator), 0.0, 1.0)


def rounded(value, count, generator):
    return np.round(noisy(value, count, generator), 3)


@pytest.mark.parametrize("right", [noisy, clipped, rounded])
def test_right_mechanisms_keep_score_and_claim(right):
    found = ask(right, samples=40_000, confidence=0.999)
    assert found.verdict == "not refuted"
    assert "give an input away" not in found.score
    assert found.epsilon_lower() > 0.9


def test_accidents_convict_nobody(monkeypatch):
    """Lucky values are taken for giveaways: of 40 true claims at 90 %, 15 fall once in 10⁵ tests."""
    monkeypatch.setattr(selection, "ACCIDENTS", 1e3)

    def coarse(value, count, generator):
        return np.round(150 * noisy(value, count, generator)) / 150

    found = [ask(coarse, samples=2_000, confidence=0.9, seed=seed) for seed in range(40)]
    assert sum("give an input away" in one.score for one in found) > 15
    assert sum(one.verdict == "false" for one in found) < 15


def test_a_monitor_finds_it_as_well():
    box = black_box(
        lambda value, count, generator: at_times_raw(value, count, generator, 0.02), vectorized=True
    )
    states = list(watch(Experiment(box, 0.0, 1.0, jobs=1, seed=1), 1.0, samples=20_000))
    assert states[-1].refuted


def two_zeros():
    """Laplace noise in which left has thirty zeros, and right as many of the other sign."""
    noise = np.random.default_rng(3).laplace(size=(2, 2_000))
    return [
        np.append(np.full(30, zero), side)[:, None] for zero, side in zip((0.0, -0.0), noise, strict=True)
    ]


def test_the_two_zeros_are_two_values():
    left, right = two_zeros()
    encoder = fit_encoder(Outputs.of(left[:, 0]), Outputs.of(right[:, 0]))
    score = with_giveaways(
        ValueScore(1), Features(left), Features(right), encoder, (Features(left[30:]), Features(right[30:]))
    )
    assert score.values(Features(np.array([[0.0], [-0.0], [0.25]]))).tolist() == [np.inf, -np.inf, 0.25]
    assert {one.words for one in score.giveaways} == {"the output is exactly 0", "the output is exactly -0.0"}
    assert choose_score(Features(left), Features(right), encoder, "value").score == ValueScore(-1)


def scored(*found):
    return GiveawayScore(ValueScore(1), found, "some title")


def test_events_have_giveaways_on_their_side():
    score = scored(
        Giveaway(0, 2.0, True, "the output is exactly 2"), Giveaway(0, 5.0, False, "it is exactly 5")
    )
    assert score.base == ValueScore(1)
    assert score.singled_out == ((True, LARGEST), (False, -np.inf))
    assert score.event(LARGEST, above=True) == "the output is exactly 2"
    assert score.event(-np.inf, above=False) == "it is exactly 5"
    assert score.event(LARGEST, above=False) == "it is not true that the output is exactly 2"
    assert score.event(0.5, above=True) == (
        "the output is above 0.5 (always where the output is exactly 2, never where it is exactly 5)"
    )
    assert score.event(np.inf, above=False) == "the output is anything"


def test_an_output_that_speaks_for_both_is_judged_by_the_rest():
    score = scored(Giveaway(0, 2.0, True, "left"), Giveaway(1, 5.0, False, "right"))
    table = np.array([[2.0, 5.0], [2.0, 0.0], [0.5, 5.0]])
    assert score.values(Features(table)).tolist() == [2.0, np.inf, -np.inf]


def test_an_event_apart_has_a_part_of_the_failure():
    thresholds = np.array([-np.inf, 0.0, 1.0, LARGEST])
    seen = Counts(thresholds, np.array([999, 500, 200, 4]), np.array([1000, 300, 90, 0]), 1000, 1000)
    plain, more = (
        choose_events(seen, 5_000, Claim(1.0), singled_out=some) for some in ((), [(True, LARGEST)])
    )
    assert sum(event.weight for event in more) == pytest.approx(1.0)
    assert (True, LARGEST) in {(event.above, event.threshold) for event in more}
    assert (True, LARGEST) not in {(event.above, event.threshold) for event in plain}
    assert max(event.weight for event in more) < max(event.weight for event in plain)
