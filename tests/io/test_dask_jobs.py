"""Jobs on a Dask cluster: the same results as in one process, also when a worker is killed in the middle.

Workers note what they run in files. A task kills its worker the first time that any worker runs it.
"""

import os
import signal
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from joblib import Parallel, delayed, parallel_config

from noisewright.audit import audit, find_pair
from noisewright.audit.experiment import Experiment
from noisewright.errors import BadMechanism, BadRelease
from noisewright.io.pooling import AHEAD, pooled, worker_count
from noisewright.learn import MRMA
from noisewright.mechanisms import OGPM
from noisewright.release.algorithms.base import Algorithm, Facts
from noisewright.release.basics.worlds import Worlds
from noisewright.release.execution import Task, run_worlds
from noisewright.utility import predict_utility

distributed = pytest.importorskip("distributed")
cloudpickle = pytest.importorskip("cloudpickle")
sklearn_linear = pytest.importorskip("sklearn.linear_model")
sklearn_tree = pytest.importorskip("sklearn.tree")

cloudpickle.register_pickle_by_value(sys.modules[__name__])  # workers cannot import tests

PATIENCE = 600
WORKERS = 2


@pytest.fixture(scope="module")
def client():
    options = {"n_workers": WORKERS, "threads_per_worker": 1, "processes": True, "dashboard_address": ":0"}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        yield client


@pytest.fixture
def dask(client):
    give_up = time.monotonic() + PATIENCE
    while len(client.ncores()) < WORKERS:  # about one killed worker in thirty is not restarted by Dask itself
        assert time.monotonic() < give_up
        client.cluster.scale(WORKERS)
        time.sleep(0.1)
    with parallel_config("dask"):
        yield client


@dataclass(frozen=True)
class Trace:
    """Notes of workers in a folder; this process leaves none."""

    folder: Path
    here: int

    def note(self, what):
        if os.getpid() != self.here:
            with (self.folder / str(what)).open("a") as file:
                file.write(f"{os.getpid()}\n")

    def kill_once(self):
        """Kill the worker, unless one was killed before."""
        if os.getpid() != self.here:
            try:
                (self.folder / "killed").touch(exist_ok=False)
            except FileExistsError:
                return
            os.kill(os.getpid(), signal.SIGKILL)

    def runs(self):
        """How often workers ran each thing, and the processes that did."""
        notes = {path.name: path.read_text().split() for path in self.folder.iterdir()}
        assert not notes.pop("killed", ())
        return Counter({name: len(processes) for name, processes in notes.items()})

    @property
    def killed(self):
        return (self.folder / "killed").exists()


@pytest.fixture
def trace(tmp_path):
    folder = tmp_path / "trace"
    folder.mkdir()
    return Trace(folder, os.getpid())


# -- tasks ---------------------------------------------------------------------------------------------


def squared(trace, table, fatal, number):
    trace.note(number)
    if number == fatal:
        trace.kill_once()
    return table[number] ** 2


TABLE = np.arange(20_000.0)
"""Large enough that joblib itself would put it on one worker."""


@pytest.mark.usefixtures("dask")
def test_tasks_run_on_workers_once_and_in_order(trace):
    function = partial(squared, trace, TABLE, None)
    assert list(pooled(function, ((n,) for n in range(300)), None, RuntimeError)) == list(TABLE[:300] ** 2)
    assert trace.runs() == Counter(map(str, range(300)))


@pytest.mark.slow
@pytest.mark.usefixtures("dask")
def test_a_killed_worker_loses_nothing_and_no_result_comes_twice(trace):
    function = partial(squared, trace, TABLE, 7)
    assert list(pooled(function, ((n,) for n in range(40)), None, RuntimeError)) == list(TABLE[:40] ** 2)
    runs = trace.runs()
    assert trace.killed
    assert runs["7"] == 2
    assert set(runs) == set(map(str, range(40)))


@pytest.mark.slow
@pytest.mark.usefixtures("dask")
def test_large_arguments_of_a_task_are_not_lost_either(trace):
    def summed(numbers, place):
        if place == 3:
            trace.kill_once()
        return float(numbers.sum())

    parts = TABLE.reshape(20, 1000)
    tasks = ((part, place) for place, part in enumerate(parts))
    assert list(pooled(summed, tasks, None, RuntimeError)) == parts.sum(axis=1).tolist()
    assert trace.killed


@pytest.mark.slow
def test_a_task_that_kills_every_worker_is_reported_in_a_sentence(dask, monkeypatch):
    here = os.getpid()

    def fatal(number):
        if os.getpid() != here and number == 3:
            os.kill(os.getpid(), signal.SIGKILL)
        return number

    monkeypatch.setattr(dask.cluster.scheduler, "allowed_failures", 0)
    with pytest.raises(BadMechanism, match="KilledWorker"):
        list(pooled(fatal, ((n,) for n in range(20)), None, BadMechanism))
    assert list(pooled(abs, [(-1,), (-2,)], None, RuntimeError)) == [1, 2]  # the cluster goes on


@pytest.mark.slow
def test_a_cluster_that_forgets_its_tasks_is_reported_in_a_sentence(dask):
    results = pooled(abs, ((n,) for n in range(20)), None, BadMechanism)
    next(results)
    dask.cancel([distributed.Future(key, dask) for key in list(dask.futures)])
    with pytest.raises(BadMechanism, match="CancelledError"):
        list(results)


class Unknown:
    """Cannot be unpickled by a worker."""

    def __init__(self, here):
        self.here = here

    def __call__(self, number):
        return number

    def __setstate__(self, state):
        if os.getpid() != state["here"]:
            raise RuntimeError("row 81234")


@pytest.mark.usefixtures("dask")
@pytest.mark.parametrize("function", [Unknown(os.getpid()), partial(max, threading.Lock())])
def test_what_cannot_be_sent_is_reported_without_the_words_of_the_cause(function):
    with pytest.raises(BadMechanism, match="PicklingError") as reported:
        list(pooled(function, [(1,), (2,)], None, BadMechanism))
    assert "81234" not in str(reported.value)


@pytest.mark.usefixtures("dask")
def test_the_error_of_a_task_comes_after_the_results_before_it():
    results = pooled(divmod, ((1, 5 - n) for n in range(30)), None, RuntimeError)
    assert [next(results) for _ in range(5)] == [divmod(1, 5 - n) for n in range(5)]
    with pytest.raises(ZeroDivisionError):
        next(results)


def test_work_that_nobody_wants_any_more_is_not_begun(dask, trace):
    def slow(number):
        trace.note(number)
        time.sleep(0.2)

    results = pooled(slow, ((n,) for n in range(1000)), None, RuntimeError)
    next(results)
    results.close()
    give_up = time.monotonic() + PATIENCE
    while any(dask.processing().values()) and time.monotonic() < give_up:
        time.sleep(0.05)
    assert trace.runs().total() <= 2 * AHEAD * WORKERS


class Weighty:
    """Notes every worker that unpickles it."""

    def __init__(self, trace):
        self.trace = trace

    def __setstate__(self, state):
        vars(self).update(state)
        self.trace.note("unpickled")

    def __call__(self, number):
        return number


@pytest.mark.usefixtures("dask")
def test_a_worker_unpacks_what_tasks_share_once(trace):
    assert list(pooled(Weighty(trace), ((n,) for n in range(500)), None, RuntimeError)) == list(range(500))
    assert 1 <= trace.runs()["unpickled"] <= WORKERS


def process(_):
    return os.getpid()


@pytest.mark.usefixtures("dask")
def test_one_job_stays_here_and_no_number_of_jobs_means_the_cluster():
    assert set(pooled(process, [(1,), (2,)], 1, RuntimeError)) == {os.getpid()}
    assert worker_count(1) == 1
    assert worker_count(None) == worker_count(-1) == WORKERS
    assert os.getpid() not in set(pooled(process, [(1,), (2,)], None, RuntimeError))


@pytest.mark.usefixtures("dask")
def test_a_task_of_dask_keeps_its_own_work():
    """With as many such tasks as threads, all of them would wait for a free one."""

    def outer():
        return {os.getpid(), *pooled(process, [(1,), (2,)], None, RuntimeError)}, worker_count(None)

    for processes, count in Parallel()(delayed(outer)() for _ in range(2 * WORKERS)):
        assert len(processes) == count == 1
        assert os.getpid() not in processes


# -- release -------------------------------------------------------------------------------------------


ROWS = np.random.default_rng(5).normal(size=(200, 30))
WORLDS = Worlds(records=200, count=100, seed=3)


@dataclass(frozen=True)
class Means(Algorithm):
    """The mean of each column plus some seeded chance; it kills a worker in one world."""

    title = "means"
    trace: Trace

    def fit(self, rows, labels, seed, facts):
        self.trace.note(seed)
        if seed == WORLDS.seeds[40]:
            self.trace.kill_once()
        return rows.mean(axis=0) + np.random.default_rng(seed).normal(size=30)

    def model(self, vector, facts):
        return vector

    def coordinates(self, facts):
        return facts.columns()


@pytest.mark.slow
@pytest.mark.usefixtures("dask")
def test_release_worlds_survive_a_worker_and_are_kept_once(trace, tmp_path):
    task, seen = Task(Means(trace), Facts(records=200, features=30), ROWS), []
    with parallel_config("sequential"):
        expected = run_worlds(task, WORLDS)
    outputs = run_worlds(
        task, WORLDS, progress=lambda done, total: seen.append((done, total)), keep=tmp_path / "kept"
    )
    np.testing.assert_array_equal(outputs, expected)
    assert trace.killed
    runs = trace.runs()
    assert set(runs) == set(map(str, WORLDS.seeds))
    assert seen == [(done, 100) for done in range(0, 101, 2)]
    np.testing.assert_array_equal(run_worlds(task, WORLDS, keep=tmp_path / "kept"), expected)
    assert trace.runs() == runs


@pytest.mark.usefixtures("dask")
def test_a_release_that_cannot_be_sent_is_refused(trace):
    with pytest.raises(BadRelease, match="nothing was released"):
        run_worlds(Task(Locked(trace), Facts(records=200, features=30), ROWS), WORLDS)


class Locked(Means):
    """Holds something that cannot be pickled."""

    lock = threading.Lock()

    def __reduce__(self):
        return Locked, (self.lock,)


# -- audit ---------------------------------------------------------------------------------------------


@pytest.fixture
def eager(monkeypatch):
    """Workers for the smallest work, a block at a time."""
    monkeypatch.setattr("noisewright.audit.experiment.sampler.STARTING", -1.0)
    monkeypatch.setattr("noisewright.audit.experiment.sampler.CHUNK_SECONDS", 1e-9)


def laplace(trace, data, generator):
    """Kill a worker in a call that only depends on the seed of its block."""
    number = generator.laplace()
    trace.note("runs")
    if 0.7 < number < 0.71:
        trace.kill_once()
    return data + number


def normal(trace, data, count, generator):
    trace.note("blocks")
    return data + generator.normal(size=count)


@pytest.mark.slow
@pytest.mark.usefixtures("dask", "eager")
def test_audits_survive_a_worker_and_draw_no_block_twice(trace):
    def outputs(jobs):
        experiment = Experiment(partial(laplace, trace), 0.0, 10.0, seed=3, jobs=jobs)
        return [experiment.take(side, 1000).numbers[:, 0] for side in ("left", "right")]

    together, alone = outputs(None), outputs(1)
    np.testing.assert_array_equal(together, alone)
    assert len(set(np.concatenate(together))) == 2000
    assert trace.killed
    assert trace.runs()["runs"] >= 2000


@pytest.mark.slow
@pytest.mark.usefixtures("dask", "eager")
def test_an_audit_finds_the_same_and_sends_what_is_slow_enough(monkeypatch, trace):
    def found(seconds, jobs=None):
        monkeypatch.setattr("noisewright.audit.experiment.sampler.SENDING", seconds)
        options = {"claim": 1.0, "samples": 4_000, "vectorized": True, "seed": 1, "jobs": jobs}
        return audit(partial(normal, trace), 0.0, 1.0, **options).to_dict()

    alone = found(0.0, jobs=1)
    assert found(1e9) == alone
    assert not trace.runs()
    assert found(0.0) == alone
    assert trace.runs()


@pytest.mark.usefixtures("dask")
def test_a_search_for_pairs_finds_the_same(trace):
    def release(rows, generator):
        trace.note("runs")
        return float(np.sum(rows)) + generator.laplace()

    data = np.array([0.2, 0.9, 0.4, 0.7])
    together, alone = (
        find_pair(release, data, samples=1_500, beyond=False, jobs=jobs, seed=2) for jobs in (None, 1)
    )
    assert together.screened == alone.screened
    assert trace.runs()["runs"] == together.samples


# -- learning ------------------------------------------------------------------------------------------


class Tree(sklearn_tree.DecisionTreeClassifier):
    """A tree that notes where it is fitted, and kills a worker."""

    def __init__(self, trace=None, max_depth=2, random_state=None):
        super().__init__(max_depth=max_depth, random_state=random_state)
        self.trace = trace

    def fit(self, units, codes):
        if self.trace is not None:
            self.trace.note(self.random_state)
            self.trace.kill_once()
        return super().fit(units, codes)


def half_plane(seed):
    units = np.random.default_rng(seed).random((400, 20))
    return units, (units[:, 0] > units[:, 1]).astype(int)


def learned(tree, seed):
    units, codes = half_plane(seed)
    return MRMA(tree, weak=6, random_state=seed).fit(units, codes).decision_function(units)


@pytest.mark.slow
@pytest.mark.usefixtures("dask")
def test_weak_classifiers_survive_a_worker(trace):
    together = learned(Tree(trace), 0)
    with parallel_config("sequential"):
        np.testing.assert_array_equal(together, learned(Tree(trace), 0))
    assert trace.killed
    assert len(trace.runs()) == 6


@pytest.mark.slow
@pytest.mark.usefixtures("dask")
def test_repetitions_of_an_experiment_run_on_workers():
    def repetition(seed):  # local, as Dask would have workers import other functions of this module
        return learned(Tree(), seed)

    together = Parallel()(delayed(repetition)(seed) for seed in range(4))
    np.testing.assert_array_equal(together, [learned(Tree(), seed) for seed in range(4)])


# -- utility -------------------------------------------------------------------------------------------


class Factory:
    """Builds a mechanism; a worker that unpickles it notes that, and the first one dies."""

    def __init__(self, trace):
        self.trace = trace

    def __setstate__(self, state):
        vars(self).update(state)
        self.trace.note("unpickled")
        self.trace.kill_once()

    def __call__(self, domain, epsilon):
        return OGPM(domain, epsilon)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["tree", "linear"])
@pytest.mark.usefixtures("dask")
def test_predicted_records_survive_a_worker(kind, trace, monkeypatch):
    monkeypatch.setattr("noisewright.utility.linear.utility._AT_ONCE_WITH_MORE", 16)
    rows = np.random.default_rng(1).random((100, 3))
    kinds = {
        "tree": sklearn_tree.DecisionTreeClassifier(max_depth=4),
        "linear": sklearn_linear.LogisticRegression(),
    }
    model = kinds[kind]
    model.fit(rows, (rows[:, 0] + rows[:, 1] > 1).astype(int))
    seen = []

    def predicted(progress=None):
        curve = {"epsilons": [1, 4], "mechanisms": {"own": Factory(trace), "SWC": "SWC"}}
        found = predict_utility(model, rows, sensitive={0: (0, 1), 1: (0, 1)}, progress=progress, **curve)
        assert found.exact
        return found.certificate

    together = predicted(lambda done, total: seen.append((done, total)))
    with parallel_config("sequential"):
        alone = predicted()
    for name in ("low", "estimate", "high"):
        np.testing.assert_array_equal(getattr(together, name), getattr(alone, name))
    assert trace.killed
    assert trace.runs()["unpickled"] > 1
    assert seen[-1] == (100, 100)
    assert len(seen) > 3
