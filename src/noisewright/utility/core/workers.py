"""Records of a prediction on the workers that joblib is set up to use, such as those of a cluster."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Sequence
from typing import Any, TypeVar

from noisewright.errors import BadModel

Result = TypeVar("Result")


def on_workers(function: Callable[..., Result], parts: Sequence[tuple[Any, ...]]) -> Generator[Result] | None:
    """Return the results of a function for the arguments of each part, in order; None without workers.

    Args:
        function: What workers run; it should use one thread.
        parts: Arguments of each call.

    >>> on_workers(divmod, [(7, 2), (9, 4)]) is None
    True
    """
    if "joblib" not in sys.modules or len(parts) < 2:  # joblib is an extra, and must be loaded to be set up
        return None
    from noisewright.io.pooling import pooled, worker_count  # noqa: PLC0415  (joblib is slow to load)

    return None if worker_count(None) == 1 else pooled(function, parts, None, _worker_died)


def _worker_died(kind: str) -> BadModel:
    return BadModel(
        f"a worker that predicted records died or could not be sent the model ({kind}); see that workers can "
        "import what the model and the mechanisms are made of, and that their memory suffices"
    )
