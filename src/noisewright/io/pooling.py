"""Work for the workers that joblib is set up to use.

No backend is named: threads, processes, or a cluster that was registered with joblib take the tasks, and the
results come back in the order of the tasks.

After ``joblib.parallel_config("dask")`` tasks go to Dask directly. joblib would put large arguments on one
worker, with whose death they are lost, and would wait for ever for a task that Dask has given up.
"""

from __future__ import annotations

import pickle
import threading
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from importlib import import_module
from itertools import islice
from pickle import PicklingError
from time import perf_counter
from typing import Any, Final, TypeVar

from joblib import Parallel, delayed, effective_n_jobs
from joblib.parallel import get_active_backend

Result = TypeVar("Result")
Died = Callable[[str], Exception]

AHEAD: Final = 4
"""Tasks a worker gets at once from a backend that cannot hand back results one by one, and from Dask."""

SECONDS: Final = 0.2
"""Work for which a message of Dask pays off: shorter tasks go together, about as many as take this long."""


def pooled(
    function: Callable[..., Result],
    tasks: Iterable[tuple[Any, ...]],
    jobs: int | None,
    died: Died,
) -> Generator[Result]:
    """Yield the function's result for the arguments of each task, in order, as soon as it is available.

    Data that all tasks share belong into the function, as a ``partial``: a Dask worker gets them once.

    Args:
        function: What is run; a task that a lost worker had begun is run again.
        tasks: Arguments of each call.
        jobs: Number of workers, as joblib counts them; None leaves it to joblib. Dask takes all it has,
            except for 1, which runs the tasks in this process.
        died: Makes the error for a worker that died or could not receive its task, from the name of the
            cause alone: the text of the cause may quote private data.

    >>> list(pooled(divmod, [(7, 2), (9, 4)], 1, RuntimeError))
    [(3, 1), (2, 1)]
    """
    results = _results(function, tasks, jobs, died)
    try:
        for result in results:  # noqa: UP028  (``yield from`` would close them before the block below)
            yield result
    except (BrokenExecutor, PicklingError) as error:
        raise died(type(error).__name__) from None
    finally:
        with warnings.catch_warnings():  # whoever stops early knows that running tasks are lost
            warnings.simplefilter("ignore", UserWarning)
            results.close()


def worker_count(jobs: int | None) -> int:
    """Return how many tasks run at once; 1 if they run in this process.

    A cluster counts as two workers at least, as more may join. A task of Dask shares no work: all workers
    could end up waiting for each other.

    Args:
        jobs: Number of workers, as joblib counts them; None leaves it to joblib.
    """
    backend = _dask_backend()
    if backend is None:
        return int(effective_n_jobs(jobs))
    if jobs == 1 or _is_dask_task():
        return 1
    return max(2, _threads(backend.client))


def _results(
    function: Callable[..., Any], tasks: Iterable[tuple[Any, ...]], jobs: int | None, died: Died
) -> Generator[Any]:
    if (backend := _dask_backend()) is not None:
        if worker_count(jobs) == 1:
            return (function(*task) for task in tasks)
        return _on_dask(backend, function, iter(tasks), died)
    calls = (delayed(function)(*task) for task in tasks)
    try:
        pool = Parallel(n_jobs=jobs, return_as="generator")
    except ValueError:  # the chosen backend hands back everything or nothing
        return _in_rounds(calls, jobs)
    found: Generator[Any] = pool(calls)
    return found


def _in_rounds(calls: Iterator[Any], jobs: int | None) -> Generator[Any]:
    at_once = AHEAD * effective_n_jobs(jobs)
    with Parallel(n_jobs=jobs) as pool:
        while several := list(islice(calls, at_once)):
            yield from pool(several)


# -- Dask ----------------------------------------------------------------------------------------------


def _dask_backend() -> Any:
    """Return the Dask backend that joblib is set up to use, or None; Dask itself is not imported."""
    backend = get_active_backend()[0]
    return backend if type(backend).__name__ == "DaskDistributedBackend" else None


def _is_dask_task() -> bool:
    try:
        import_module("distributed").get_worker()
    except ValueError:
        return False
    return True


def _threads(client: Any) -> int:
    return int(sum(client.ncores().values()))


def _on_dask(
    backend: Any, function: Callable[..., Any], tasks: Iterator[tuple[Any, ...]], died: Died
) -> Generator[Any]:
    """Yield results in order, with a few tasks for every thread of the cluster under way.

    Function and arguments stay with the scheduler, which hands them out again when a worker is lost.
    """
    client, at_once = backend.client, 1
    backend.effective_n_jobs(None)  # waits for the first worker, as long as ``parallel_config`` allows

    def submit(*call: Any, **options: Any) -> Any:
        with warnings.catch_warnings():  # Dask recommends to scatter large data, which a lost worker loses
            warnings.simplefilter("ignore", UserWarning)
            return client.submit(*call, pure=False, fifo_timeout="0 ms", **options)  # the first task first

    with _explained(died):
        shared = submit(_Packed, _pack(function))
    waiting: deque[Any] = deque()
    try:
        while True:
            with _explained(died):
                wanted = AHEAD * max(1, _threads(client))  # workers come and go
            while len(waiting) < wanted and (several := list(islice(tasks, at_once))):
                with _explained(died):
                    waiting.append(submit(_run, shared, _pack(several), **backend.submit_kwargs))
            if not waiting:
                return
            ready = [waiting.popleft()]
            while waiting and waiting[0].done():
                ready.append(waiting.popleft())
            with _explained(died):
                found = [pickle.loads(packed) for packed in client.gather(ready)]  # noqa: S301  (our workers')
            for seconds, results, failure in found:
                yield from results
                if failure is not None:
                    raise failure
                at_once = max(1, min(2 * at_once, int(SECONDS * len(results) / seconds)))
    finally:
        for future in (*waiting, shared):
            future.release()


class _Packed:
    """A function on its way to workers, of which every thread has a copy of its own, as a process has."""

    def __init__(self, packed: bytes) -> None:
        self.packed = packed
        self._own = threading.local()

    def __reduce__(self) -> tuple[Any, ...]:
        return _Packed, (self.packed,)

    def unpack(self) -> Callable[..., Any]:
        """Return the copy of this thread."""
        if not hasattr(self._own, "function"):
            self._own.function = _unpack(self.packed)
        function: Callable[..., Any] = self._own.function
        return function


def _run(function: _Packed, tasks: bytes) -> bytes:
    """Run tasks on a worker of Dask: return their seconds, the results, and the failure that ended them.

    A failure is a value: Dask would log its text and the arguments, and it would look like one of Dask's own.
    Arrays that Dask sends may be read-only, so it gets bytes.
    """
    started, results, failure = perf_counter(), [], None
    try:
        call = function.unpack()
        started = perf_counter()
        for task in _unpack(tasks):
            results.append(call(*task))  # noqa: PERF401  (those before a failure count)
    except Exception as error:
        failure = error
    seconds = max(perf_counter() - started, 1e-9)
    try:
        return _pack((seconds, results, failure))
    except PicklingError as error:
        return _pack((seconds, [], error))


@contextmanager
def _explained(died: Died) -> Generator[None]:
    """Raise the sentence of ``died`` for whatever Dask or pickling raises."""
    try:
        yield
    except Exception as error:  # KilledWorker, FutureCancelledError, CommClosedError, OSError ...
        raise died(type(error).__name__) from None


def _pack(value: Any) -> bytes:
    try:
        return bytes(import_module("cloudpickle").dumps(value))  # it comes with Dask
    except Exception as error:  # pickling runs anybody's code
        raise PicklingError(type(error).__name__) from None


def _unpack(packed: bytes) -> Any:
    try:
        return pickle.loads(packed)  # noqa: S301  (from the process that handed out the work)
    except Exception as error:  # so does this
        raise PicklingError(type(error).__name__) from None
