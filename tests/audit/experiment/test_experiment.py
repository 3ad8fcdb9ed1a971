"""Experiments: one fixed sequence of outputs a side, whoever draws it; and boxes that fail on the way."""

import os
import random
import time
from copy import deepcopy
from functools import partial

import numpy as np
import pytest
from joblib import parallel_config

from noisewright.audit.blackbox import Calls, black_box
from noisewright.audit.experiment import CHUNK, Experiment
from noisewright.audit.experiment.sampler import Pace, measure, run_chunk
from noisewright.errors import BadMechanism, InvalidParameter

LAPLACE = black_box(lambda data, count, generator: data + generator.laplace(size=count), vectorized=True)
SINGLE = black_box(lambda data, generator: data + generator.laplace())


def numbers(box=LAPLACE, counts=(3000,), side="left", **options):
    experiment = Experiment(box, 0.0, 10.0, **{"seed": 3} | options)
    return np.concatenate([experiment.take(side, count).numbers[:, 0] for count in counts])


def test_sides_have_their_own_input_and_their_own_chance():
    left, right = numbers(), numbers(side="right")
    assert abs(np.median(left)) < 0.5
    assert abs(np.median(right) - 10) < 0.5
    assert not set(left) & set(right - 10)
    assert len(set(left)) == 3000


@pytest.mark.parametrize("box", [LAPLACE, SINGLE])
def test_a_seed_fixes_the_sequence_however_it_is_asked_for(box):
    np.testing.assert_array_equal(numbers(box, (3000,)), numbers(box, (3000, 0)))
    asked = numbers(box, (1000, 1, 999, 1000))
    np.testing.assert_array_equal(asked, numbers(box, (1000, 2000)))
    assert not set(asked) & set(numbers(box, (3000,), seed=4))


def test_sides_can_be_asked_in_turns_and_streams_left_early():
    experiment = Experiment(LAPLACE, 0.0, 10.0, seed=3)
    first = next(experiment.stream("left", 3000)).numbers
    other = experiment.take("right", 500)
    rest = experiment.take("left", 3000 - len(first)).numbers
    np.testing.assert_array_equal(np.concatenate([first, rest])[:, 0], numbers())
    assert experiment.drawn == {"left": 3000, "right": len(other)}


def test_chunks_are_bounded_and_little_is_drawn_in_vain():
    experiment = Experiment(LAPLACE, 0.0, 10.0)
    sizes = [len(chunk) for chunk in experiment.stream("left", 200_000)]
    assert sum(sizes) == 200_000
    assert max(sizes) <= CHUNK
    assert experiment.runs <= 200_000 * 1.25
    small = Experiment(SINGLE, 0.0, 10.0)
    small.take("left", 1000)
    assert small.runs <= 1250


def test_slow_and_wide_boxes_get_small_blocks():
    assert Pace(seconds=1.0, width=1).block(1024, 100_000) <= 2
    assert Pace(seconds=1e-6, width=10_000).block(1 << 16, 10**7) * 10_000 <= 1 << 22
    assert Pace(seconds=1e-3, width=1).blocks(1) == 250


@pytest.fixture
def pooled(monkeypatch):
    """Workers for the smallest work; threads start at once, and share nothing but the global states."""
    monkeypatch.setattr("noisewright.audit.experiment.sampler.STARTING", -1.0)
    with parallel_config(backend="threading"):
        yield


@pytest.mark.usefixtures("pooled")
@pytest.mark.parametrize("box", [SINGLE, black_box(lambda data: data + random.random())])
def test_the_number_of_jobs_changes_nothing(box, monkeypatch):
    alone = numbers(box, (700, 800), jobs=1)
    monkeypatch.setattr("noisewright.audit.experiment.sampler.CHUNK_SECONDS", 1e-9)  # a block a chunk
    np.testing.assert_array_equal(numbers(box, (700, 800), jobs=3), alone)
    assert len(set(alone)) == 1500


@pytest.mark.slow
def test_processes_have_their_own_chance_and_stop_a_hang(monkeypatch):
    monkeypatch.setattr("noisewright.audit.experiment.sampler.STARTING", -1.0)
    alone = numbers(SINGLE, (1500,), jobs=1)
    with parallel_config(backend="loky"):
        np.testing.assert_array_equal(numbers(SINGLE, (1500,), jobs=2), alone)

        here = os.getpid()

        def waits_elsewhere(data):
            return 0.0 if os.getpid() == here else time.sleep(30)

        with pytest.raises(BadMechanism, match=r"no output within 0\.1 seconds"):
            numbers(black_box(waits_elsewhere, timeout=0.1), jobs=2)


class Carrying:
    """A mechanism with a random state of its own, which a copy copies."""

    def __init__(self):
        self.generator = np.random.default_rng(0)

    def __call__(self, data):
        return data + self.generator.laplace()


def copying(task, chunks, jobs):
    """Workers that get a copy of the task with every chunk, as processes do."""
    return (run_chunk(deepcopy(task), chunk) for chunk in chunks)


@pytest.fixture
def copied(monkeypatch):
    monkeypatch.setattr("noisewright.audit.experiment.sampler.run_pooled", copying)
    monkeypatch.setattr("noisewright.audit.experiment.sampler.STARTING", -1.0)
    monkeypatch.setattr("noisewright.audit.experiment.sampler.CHUNK_SECONDS", 1e-9)  # a block a chunk


@pytest.mark.usefixtures("copied")
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_state_that_the_mechanism_carries_goes_on_and_is_never_copied(jobs):
    experiment = Experiment(black_box(Carrying()), 0.0, 0.0, jobs=jobs)
    drawn = np.concatenate([experiment.take(side, 2000).numbers[:, 0] for side in ("left", "right")])
    assert len(set(drawn)) == 4000


@pytest.mark.usefixtures("copied")
@pytest.mark.parametrize("count", [30_000, 200])
def test_a_copied_state_that_nobody_saw_is_refused_by_its_outputs(monkeypatch, count):
    """Rare outputs in large blocks, and fair coins in blocks of 4: no block tells much by itself."""
    monkeypatch.setattr("noisewright.audit.experiment.sampler.carries_state", lambda *_: False)
    monkeypatch.setattr(Calls, "block", 1024 if count > 1000 else 4)
    rate = 0.008 if count > 1000 else 0.5
    generator = np.random.default_rng(2)
    box = black_box(partial(lambda data, rng: rng.random() < rate, rng=generator))
    with pytest.raises(BadMechanism, match="the mechanism repeats its random numbers"):
        Experiment(box, 0, 1, jobs=2).take("left", count)


def test_slow_boxes_are_tried_twice_at_most():
    calls = []

    def slow(data):
        calls.append(data)
        time.sleep(0.26)

    measure(black_box(slow), 0.0, root=1, wanted=1000)
    assert len(calls) == 2


def reseeding(data, count):
    return data + np.random.default_rng(0).laplace(size=count)


def rarely(data, count):
    return (np.random.default_rng(0).random(count) < 0.02).astype(float)


@pytest.mark.parametrize(("function", "count"), [(reseeding, 9000), (rarely, 9000)])
def test_a_mechanism_that_seeds_itself_is_refused(function, count):
    with pytest.raises(BadMechanism, match="take an argument named generator"):
        numbers(black_box(function, vectorized=True), (count,))


@pytest.mark.parametrize("constant", [1.0, float("nan"), "yes", None])
def test_equal_blocks_of_a_mechanism_without_chance_are_no_repetition(constant):
    box = black_box(lambda data, count: [constant] * count, vectorized=True)
    assert len(Experiment(box, 0, 1).take("left", 9000)) == 9000


def test_rare_outputs_do_not_look_like_repetition():
    box = black_box(lambda data, generator: generator.random() < 1e-3)
    experiment = Experiment(box, 0, 1, seed=5)
    experiment.take("left", 64)  # blocks of 64: nearly all are equal
    assert len(experiment.take("left", 3000)) == 3000


def test_a_mechanism_that_changes_its_input_is_refused():
    def greedy(data):
        data.append(1.0)
        return sum(data)

    with pytest.raises(BadMechanism, match="let it work on a copy"):
        Experiment(black_box(greedy), [1.0], [2.0]).take("left", 10)


def failing_after(count):
    calls = iter(range(10**9))

    def function(data, generator):
        if next(calls) >= count:
            raise ValueError(f"bad record {data}")
        return generator.laplace()

    return black_box(function)


def test_a_failure_comes_after_what_was_drawn_before_it():
    experiment, got = Experiment(failing_after(900), 0.0, 1.0), []
    with pytest.raises(BadMechanism, match=r"raised ValueError.*\(\d+ outputs for the left input"):
        got.extend(len(chunk) for chunk in experiment.stream("left", 1100))
    assert sum(got) == experiment.drawn["left"] == experiment.runs
    assert 700 <= sum(got) < 900  # the rest of 900 calls were trials, or are lost with their block
    assert sum(got) % got[0] == 0
    with pytest.raises(BadMechanism, match=r"\(0 outputs for the right input had been drawn before\)"):
        Experiment(failing_after(0), 0.0, 1.0).take("right", 10)


def test_time_that_is_up_ends_a_stream():
    slow = black_box(lambda data: time.sleep(0.04))
    experiment = Experiment(slow, 0.0, 1.0)
    assert len(experiment.take("left", 10**9, until=time.monotonic())) == 0
    some = len(experiment.take("left", 10**9, until=time.monotonic() + 0.5))
    assert 0 < some < 1000
    assert experiment.drawn["left"] == some


def test_progress_counts_both_sides():
    seen = []
    experiment = Experiment(LAPLACE, 0.0, 1.0, progress=lambda done, wanted: seen.append((done, wanted)))
    experiment.wanted = 300
    experiment.take("left", 100)
    experiment.take("right", 250)
    assert seen[-1] == (350, 350)
    assert seen[0][1] == 300
    assert seen == sorted(seen)


@pytest.mark.parametrize(
    ("options", "words"),
    [({"jobs": 0}, "jobs must not be 0"), ({"jobs": 1.5}, "jobs"), ({"seed": -1}, "seed")],
)
def test_bad_options_are_refused(options, words):
    with pytest.raises(InvalidParameter, match=words):
        Experiment(LAPLACE, 0.0, 1.0, **options)


def test_bad_requests_are_refused():
    experiment = Experiment(LAPLACE, 0.0, 1.0)
    with pytest.raises(InvalidParameter, match="left or right"):
        experiment.stream("middle", 10)
    with pytest.raises(InvalidParameter, match="count"):
        experiment.take("left", -1)


def test_a_mechanism_that_seeds_itself_is_found_with_few_runs():
    def seeded(value, count):
        return value + np.random.default_rng(0).normal(size=count)

    with pytest.raises(BadMechanism, match="repeats its random numbers"):
        Experiment(black_box(seeded, vectorized=True), 0.0, 1.0, seed=1).take("left", 10)


def test_a_request_to_end_is_not_the_mechanisms_fault():
    def ended(value):
        raise SystemExit(143)

    with pytest.raises(SystemExit):
        Experiment(black_box(ended), 0.0, 1.0, seed=1).take("left", 10)
