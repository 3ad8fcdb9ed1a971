"""Work for the workers that joblib is set up to use.

No backend is named: threads, processes, or a cluster that was registered with joblib take the tasks, and the
results come back in the order of the tasks.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor
from itertools import islice
from pickle import PicklingError
from typing import Any, Final, TypeVar

from joblib import Parallel, delayed, effective_n_jobs

Result = TypeVar("Result")

AHEAD: Final = 4
"""Tasks a worker gets at once from a backend that cannot hand back results one by one."""


def pooled(
    function: Callable[..., Result],
    tasks: Iterable[tuple[Any, ...]],
    jobs: int | None,
    died: Callable[[str], Exception],
) -> Generator[Result]:
    """Yield the function's result for the arguments of each task, in order, as soon as it is available.

    ``died`` makes the error for a worker that died or could not receive its task, from the name of the
    cause alone: the text of the cause may quote private data.

    >>> list(pooled(divmod, [(7, 2), (9, 4)], 1, RuntimeError))
    [(3, 1), (2, 1)]
    """
    results = _results((delayed(function)(*task) for task in tasks), jobs)
    try:
        for result in results:  # noqa: UP028  (``yield from`` would close them before the block below)
            yield result
    except (BrokenExecutor, PicklingError) as error:
        raise died(type(error).__name__) from None
    finally:
        with warnings.catch_warnings():  # whoever stops early knows that running tasks are lost
            warnings.simplefilter("ignore", UserWarning)
            results.close()


def _results(calls: Iterator[Any], jobs: int | None) -> Generator[Any]:
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
