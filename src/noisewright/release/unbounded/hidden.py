"""The one run on the half that is used: whatever happens in it must not be told.

Simulated halves are public, and an algorithm that fails on one is refused with a sentence. On the hidden
half a refusal would itself be an output that depends on the secret, outside of the proof. So here a
failure, a warning, a line that is printed or an output that is not a vector of numbers is passed over in
silence, and a fixed public vector takes its place: the centre, whose distance to itself is zero, so the
limits hold all the more. (How long the run takes is not hidden; do not let strangers watch.)
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout

from noisewright.domains import Floats
from noisewright.release.running.one_world import Failure, Task, run_world
from noisewright.release.unbounded.halves import HiddenHalf


def hidden_output(task: Task, half: HiddenHalf, instead: Floats) -> Floats:
    """The output of an algorithm on the hidden half, or ``instead`` where there is none; never an error."""
    with warnings.catch_warnings(), _unheard():
        warnings.simplefilter("ignore")
        try:
            output = run_world(task, 0, half.member, half.seed)
        except KeyboardInterrupt:  # of the user, who gets nothing
            raise KeyboardInterrupt from None
        except BaseException:  # an algorithm may even try to leave
            return instead
    return instead if isinstance(output, Failure) or output.shape != instead.shape else output


@contextmanager
def _unheard() -> Iterator[None]:
    """What Python code prints goes nowhere."""
    with (
        open(os.devnull, "w", encoding="utf-8") as nowhere,
        redirect_stdout(nowhere),
        redirect_stderr(nowhere),
    ):
        yield
