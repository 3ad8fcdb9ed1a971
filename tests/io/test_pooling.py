"""Results come back in the order of their tasks from any backend, and a dead worker is told in a sentence."""

from concurrent.futures.process import BrokenProcessPool
from pickle import PicklingError

import pytest
from joblib import parallel_config

from noisewright.errors import BadMechanism
from noisewright.io.pooling import AHEAD, pooled


@pytest.mark.parametrize("backend", ["threading", "sequential"])
def test_every_task_is_done_once_and_in_order(backend):
    with parallel_config(backend=backend):
        assert list(pooled(pow, ((base, 2) for base in range(30)), 2, RuntimeError)) == [
            base**2 for base in range(30)
        ]


def _refusing(results):
    """A stand-in for joblib with a backend that has no generators."""

    class Rounds:
        def __init__(self, *, n_jobs, return_as="list"):
            if return_as == "generator":
                raise ValueError("no generators here")

        def __enter__(self):
            return results

        def __exit__(self, *_):
            pass

    return Rounds


def test_a_backend_without_generators_gets_rounds_and_loses_no_task(monkeypatch):
    sizes = []

    def all_at_once(calls):
        sizes.append(len(calls))
        return [function(*arguments, **options) for function, arguments, options in calls]

    monkeypatch.setattr("noisewright.io.pooling.Parallel", _refusing(all_at_once))
    count = 2 * AHEAD + 3
    assert list(pooled(abs, ((-number,) for number in range(count)), 1, RuntimeError)) == list(range(count))
    assert sizes == [AHEAD, AHEAD, 3]


@pytest.mark.parametrize("error", [BrokenProcessPool("row 81234"), PicklingError("row 81234")])
def test_a_worker_that_dies_is_told_without_the_words_of_the_cause(error, monkeypatch):
    def dying(calls):
        raise error

    monkeypatch.setattr("noisewright.io.pooling.Parallel", _refusing(dying))
    with pytest.raises(BadMechanism, match=type(error).__name__) as told:
        list(pooled(abs, [(1,)], 1, BadMechanism))
    assert "81234" not in str(told.value)
