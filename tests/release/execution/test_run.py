"""Running all worlds: the same table however it is run, and a refusal that names the world otherwise."""

import os
import signal
import threading
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from pickle import PicklingError
from typing import Any

import numpy as np
import pytest
from joblib import parallel_config

from noisewright.errors import BadRelease, InvalidParameter
from noisewright.release.algorithms.base import Algorithm, Facts
from noisewright.release.basics.worlds import Worlds
from noisewright.release.execution import Task, run_worlds

ROWS = np.random.default_rng(5).normal(size=(20, 3))
LABELS = np.repeat(["no", "yes"], 10)
FACTS = Facts(records=20, features=3)
WORLDS = Worlds(records=20, count=130, seed=3)  # batches of three, the last one short


@dataclass(frozen=True)
class Plain(Algorithm):
    """The mean of each column plus a pinch of seeded chance; subclasses do what should not be done."""

    title = "plain"
    calls: list[int] = field(default_factory=list, repr=False)

    def fit(self, rows, labels, seed, facts):
        self.calls.append(seed)
        return rows.mean(axis=0) + np.random.default_rng(seed).normal(size=3)

    def model(self, vector, facts):
        return vector

    def coordinates(self, facts):
        return facts.columns()


@dataclass(frozen=True)
class Odd(Plain):
    """Gives (or raises) something else in one world, which it knows by its seed."""

    answer: Any = None
    world: int = 17

    def fit(self, rows, labels, seed, facts):
        if seed != WORLDS.seeds[self.world]:
            return super().fit(rows, labels, seed, facts)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def run(algorithm, **options):
    return run_worlds(Task(algorithm, FACTS, ROWS, LABELS), WORLDS, **options)


def expected():
    return np.array(
        [Plain().fit(ROWS[WORLDS.rows(w)], None, WORLDS.seeds[w], FACTS) for w in range(WORLDS.count)]
    )


def test_every_world_has_its_own_rows_and_its_own_seed():
    outputs = run(Plain())
    assert outputs.dtype == np.float64
    np.testing.assert_array_equal(outputs, expected())


@pytest.mark.parametrize("backend", ["threading", "multiprocessing", "sequential"])
def test_any_backend_that_joblib_is_set_up_with_gives_the_same(backend):
    with parallel_config(backend=backend, n_jobs=2):
        np.testing.assert_array_equal(run(Plain()), expected())


def test_jobs_are_passed_to_joblib(monkeypatch):
    monkeypatch.setattr("noisewright.release.execution.run.STARTING", 0.0)
    together, threads = threading.Barrier(2), {threading.get_ident()}

    class Watched(Plain):
        def fit(self, rows, labels, seed, facts):
            if threading.get_ident() not in threads:
                threads.add(threading.get_ident())
                together.wait(timeout=600)
            return super().fit(rows, labels, seed, facts)

    with parallel_config(backend="threading"):
        np.testing.assert_array_equal(run(Watched(), jobs=2), expected())
    assert len(threads) == 3  # this one for the trial, and two workers that were at work at the same time


def test_labels_go_with_their_rows():
    class Share(Plain):
        def fit(self, rows, labels, seed, facts):
            return np.array([(labels == "yes").sum(), rows[:, 0].sum()])

    outputs = run(Share())
    np.testing.assert_array_equal(outputs[:, 0], WORLDS.member[:, 10:].sum(axis=1))


def test_an_algorithm_that_writes_on_its_rows_spoils_nobody_elses():
    class Scribbler(Plain):
        def fit(self, rows, labels, seed, facts):
            found = super().fit(rows, labels, seed, facts)
            rows[:] = 0
            labels[:] = ""
            return found

    np.testing.assert_array_equal(run(Scribbler()), expected())


def test_progress_counts_worlds_in_order_in_the_main_thread():
    seen = []
    with parallel_config(backend="threading", n_jobs=2):
        run(Plain(), progress=lambda done, total: seen.append((done, total, threading.get_ident())))
    done = [each[0] for each in seen]
    assert done == [*range(0, 130, 3), 130]
    assert {each[1:] for each in seen} == {(130, threading.get_ident())}


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (
            ValueError("salary 81234"),
            "the algorithm raised ValueError in world 17 of 130; nothing was released",
        ),
        (
            BadRelease("the function returned no numbers"),
            "refused in world 17 of 130; nothing was released; the function returned no numbers",
        ),
        (np.array([1.0, np.nan, 0.0]), "returned NaN or an infinite number in world 17 of 130"),
        (np.array([1.0, -np.inf, 0.0]), "returned NaN or an infinite number in world 17 of 130"),
        (np.zeros(4), "returned 4 numbers, not 3 as elsewhere, in world 17 of 130"),
        (np.zeros(0), "no vector of numbers in world 17 of 130"),
        (np.zeros((3, 1)), "no vector of numbers in world 17 of 130"),
        (0.0, "no vector of numbers in world 17 of 130"),
        (["a", "b", "c"], "no vector of numbers in world 17 of 130"),
        ([1.0, [2.0], 3.0], "no vector of numbers in world 17 of 130"),
        (np.zeros(3, dtype=complex), "no vector of numbers in world 17 of 130"),
        (None, "no vector of numbers in world 17 of 130"),
    ],
)
def test_a_world_that_fails_is_named(answer, words, jobs):
    with parallel_config(backend="threading"), pytest.raises(BadRelease) as refused:
        run(Odd(answer=answer), jobs=jobs)
    assert words in str(refused.value)
    assert "81234" not in str(refused.value)
    assert refused.value.__cause__ is None
    assert refused.value.__context__ is None


@pytest.mark.parametrize("world", [0, 1, 129])
def test_worlds_of_the_trial_are_named_too(world):
    with pytest.raises(BadRelease, match=f"raised KeyError in world {world} of 130"):
        run(Odd(answer=KeyError("name"), world=world))
    with pytest.raises(BadRelease, match=r"returned 7 numbers, not 3|returned 3 numbers, not 7"):
        run(Odd(answer=np.zeros(7), world=world))


def test_the_first_failing_world_is_named_whoever_is_faster():
    class Twice(Odd):
        def fit(self, rows, labels, seed, facts):
            if seed == WORLDS.seeds[100]:
                failed.set()
                raise KeyError
            if seed == WORLDS.seeds[17]:
                failed.wait(timeout=0.05)
            return super().fit(rows, labels, seed, facts)

    failed = threading.Event()
    with parallel_config(backend="threading"), pytest.raises(BadRelease, match="ValueError in world 17"):
        run(Twice(answer=ValueError()), jobs=2)


def test_a_constant_is_refused():
    class Constant(Plain):
        def fit(self, rows, labels, seed, facts):
            return np.ones(2)

    with pytest.raises(BadRelease, match="the same output in every world"):
        run(Constant())


class Unseeded(Plain):
    def fit(self, rows, labels, seed, facts):
        return np.random.random(3)  # noqa: NPY002  (that is what is wrong with it)


class Counting(Plain):
    """Hidden state that shows only from the 50th call on."""

    def fit(self, rows, labels, seed, facts):
        return super().fit(rows, labels, seed, facts) + (len(self.calls) > 50)


@pytest.mark.parametrize(("algorithm", "world"), [(Unseeded(), 0), (Counting(), 129)])
def test_hidden_chance_and_hidden_state_are_refused(algorithm, world):
    with pytest.raises(BadRelease, match=f"two different outputs in world {world}.*from the seed"):
        run(algorithm)


def test_differences_of_rounding_are_no_chance():
    class Rounded(Plain):
        def fit(self, rows, labels, seed, facts):
            return super().fit(rows, labels, seed, facts) + 1e-14 * len(self.calls)

    run(Rounded())


def test_what_takes_but_seconds_is_done_here():
    """Another process would not be seen here."""
    algorithm = Plain()
    run(algorithm, jobs=2)
    assert set(algorithm.calls) == set(WORLDS.seeds.tolist())


@pytest.mark.parametrize("jobs", [0, 1.5, True, "all"])
def test_jobs_that_are_none_are_refused(jobs):
    with pytest.raises(InvalidParameter, match="jobs must"):
        run(Plain(), jobs=jobs)


def test_another_pool_and_missing_labels_are_refused():
    class Labelled(Plain):
        needs_labels = True

    with pytest.raises(InvalidParameter, match="halves of 20 records"):
        run_worlds(Task(Plain(), FACTS, ROWS[:18]), WORLDS)
    with pytest.raises(InvalidParameter, match="needs labels"):
        run_worlds(Task(Labelled(), FACTS, ROWS), WORLDS)


@pytest.mark.parametrize("error", [BrokenProcessPool("row 81234"), PicklingError("row 81234")])
def test_workers_that_die_are_reported_in_a_sentence(error, monkeypatch):
    class Dying:
        def __init__(self, **options):
            pass

        def __call__(self, calls):
            yield np.zeros((3, 3))
            raise error

    monkeypatch.setattr("noisewright.io.pooling.Parallel", Dying)
    with pytest.raises(
        BadRelease, match=f"a worker died or could not be sent.*{type(error).__name__}"
    ) as refused:
        run(Plain(), jobs=2)
    assert "81234" not in str(refused.value)


def test_control_c_is_not_taken_for_a_failure():
    class Interrupted(Odd):
        def fit(self, rows, labels, seed, facts):
            if seed == WORLDS.seeds[17]:
                os.kill(os.getpid(), signal.SIGINT)
            return super().fit(rows, labels, seed, facts)

    with pytest.raises(KeyboardInterrupt):
        run(Interrupted(answer=np.zeros(3)))
