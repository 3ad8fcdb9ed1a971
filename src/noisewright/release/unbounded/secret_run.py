"""The run in the secret world; nothing about it, failures included, may be revealed.

Simulated worlds are public, and an algorithm that fails in one is rejected with an error. In the secret world
an error would itself be an output that depends on the secret, outside of the proof. So the run has its own
process, whose output is discarded: its standard streams lead nowhere, it has none of the log handlers,
tracers and objects of this process, and it is killed after its answer. A failure, an exit, a crash or an
output that is not a vector of numbers is silently replaced by a fixed public vector: the centre, whose
distance to itself is zero, so the limits still hold.

It is a new process and not a fork, because locks and thread pools that other threads hold during a fork stay
locked in the child. Silencing this process instead would mute all its threads, and would let the algorithm
write to its memory.

The duration of the run is not hidden, nor what the algorithm itself writes to files or sends to others,
including signals to this process. Processes that it starts in a new session are not found, and outlive the
run.
"""

from __future__ import annotations

import logging
import os
import pickle
import select
import signal
import subprocess
import sys
import warnings
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Any, Final, Self

import numpy as np
from joblib import wrap_non_picklable_objects
from numpy.typing import NDArray

from noisewright.domains import Floats
from noisewright.errors import BadRelease
from noisewright.randomness import Stream, uniform_order
from noisewright.release.basics.worlds import SEEDS, world_size
from noisewright.release.execution.run import same_output
from noisewright.release.execution.task import Failure, Task, run_world

CHILD: Final = (
    "import os, pickle, sys; pipe = os.fdopen(os.dup(0), 'rb'); sys.path[:] = pickle.load(pipe); "
    "from noisewright.release.unbounded.secret_run import serve; serve(pipe)"
)

THERE, MISSING = b"1", b"0"
"""First byte of an answer: numbers follow, or there are none."""

GRACE: Final = 5.0
"""Seconds that a process has to finish after its answer before it is killed."""

LOOK: Final = 100
"""Milliseconds of silence on the pipe after which the process is checked for life."""

PR_SET_DUMPABLE: Final = 4
"""From ``linux/prctl.h``."""

SEED_BITS: Final = SEEDS.bit_length() - 1


@dataclass(frozen=True, eq=False)
class SecretWorld:
    """The secret: the records that are used, and the seed of the algorithm. Never shown."""

    member: NDArray[np.bool_]
    seed: int

    def __repr__(self) -> str:
        return "SecretWorld(…)"


def draw_secret_world(records: int, stream: Stream) -> SecretWorld:
    """Draw the secret world, exactly uniform among all halves, with an independent uniform seed."""
    coin, seed = (int(word) for word in stream.draw(2))
    member = np.zeros(records, dtype=bool)
    member[uniform_order(records, stream)[: world_size(records, coin & 1)]] = True
    return SecretWorld(member, seed >> (64 - SEED_BITS))


def pack_algorithm(task: Task) -> bytes:
    """Pickle the algorithm for the process of the secret world, or reject it before anything runs."""
    try:
        return pickle.dumps(wrap_non_picklable_objects((task.algorithm, task.facts), keep_wrapper=False))
    except Exception as error:  # pickling may run user code, whose message may quote the data
        raise BadRelease(
            f"the algorithm cannot be sent to another process ({type(error).__name__}), and the secret world "
            "runs in one, where nothing can leak; let it hold no open file, lock or connection"
        ) from None


class SecretRun:
    """A process for the secret world; :meth:`rehearse` in a public one first, then take one :meth:`output`.

    Args:
        packed: Algorithm, as :func:`pack_algorithm` packed it.
        task: Pool that goes with it.
        length: Number of numbers in an output.
    """

    def __init__(self, packed: bytes, task: Task, length: int) -> None:
        self._length = length
        try:
            self._process = subprocess.Popen(  # noqa: S603  (this interpreter, a function of this module)
                # No modules from the current folder, no cache files of modules that only this world needs.
                [sys.executable, "-P", "-B", "-c", CHILD],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C reaches only this process, which then ends the other
            )
        except OSError as error:
            raise BadRelease(f"no process for the secret world can be started: {error.strerror}") from None
        self._send(sys.path, packed, (task.rows, task.labels, length))

    def rehearse(self, member: NDArray[np.bool_], seed: int, known: Floats) -> None:
        """Reject an algorithm whose output in a public world differs between the two processes.

        The limits are about outputs that were computed here. An algorithm that reads state which this program
        set after importing it would return others there, and the proof would not cover them.
        """
        found = self._answer(member, seed)
        if found is None:
            raise BadRelease(
                "the algorithm returns no output in the separate process in which the secret world runs; "
                "nothing was released; define it, and all that it uses, where another process can import it"
            )
        if not same_output(known, found):
            raise BadRelease(
                "the algorithm returns another output in the separate process in which the secret world "
                "runs; nothing was released; let its output depend on its arguments and parameters alone"
            )

    def output(self, member: NDArray[np.bool_], seed: int, instead: Floats) -> Floats:
        """Return the output in the secret world, or ``instead`` if there is none; never raise."""
        found = self._answer(member, seed)
        return instead if found is None else found

    def _answer(self, member: NDArray[np.bool_], seed: int) -> Floats | None:
        self._send((member, seed))
        if self._read(1) != THERE:
            return None
        content = self._read(8 * self._length)
        if len(content) < 8 * self._length:
            return None
        found = np.frombuffer(content).copy()
        return found if np.isfinite(found).all() else None  # the algorithm may have used the pipe

    def _read(self, count: int) -> bytes:
        """Read ``count`` bytes of the answer, or fewer if the process has ended."""
        answers = self._process.stdout
        assert answers is not None
        content = bytearray()
        while len(content) < count and self._speaks(answers.fileno()):
            part = os.read(answers.fileno(), count - len(content))
            if not part:
                break
            content += part
        return bytes(content)

    def _speaks(self, answers: int) -> bool:
        """Wait until there is something to read; False if the process has ended and left nothing.

        The end of the pipe is no sign of that: a process that the algorithm forked may keep it open for ever.
        """
        if os.name != "posix":
            return True  # that system has no fork
        poll = select.poll()
        poll.register(answers, select.POLLIN)
        while True:
            ended = self._process.poll() is not None  # checked first, so that its last bytes are read
            if poll.poll(0 if ended else LOOK):
                return True
            if ended:
                return False

    def _send(self, *messages: Any) -> None:
        pipe = self._process.stdin
        assert pipe is not None
        with suppress(BrokenPipeError):  # it has ended, which the missing answer will show
            for message in messages:
                pickle.dump(message, pipe, protocol=5)
            pipe.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        if kind is None:
            with suppress(subprocess.TimeoutExpired, BrokenPipeError):
                process.stdin.close()  # the end of its input is the end of its work
                process.wait(GRACE)
        if os.name == "posix":
            with suppress(ProcessLookupError, PermissionError):  # none of its session is left
                os.killpg(process.pid, signal.SIGKILL)  # and the processes that it started
        process.kill()
        process.wait()
        process.stdout.close()  # without reading to the end, which others may hold open
        with suppress(BrokenPipeError):
            process.stdin.close()


def serve(pipe: IO[bytes]) -> None:
    """Answer, in the child, one world after another until no more come."""
    answers = os.fdopen(os.dup(1), "wb")
    _fall_silent()
    with suppress(Exception):  # no answer if loading fails, or at the end of the input
        algorithm, facts = pickle.loads(pickle.load(pipe))  # noqa: S301  (from the process that started this)
        rows, labels, length = pickle.load(pipe)  # noqa: S301
        task = Task(algorithm, facts, rows, labels)
        while True:
            member, seed = pickle.load(pipe)  # noqa: S301
            answers.write(_content(task, member, seed, length))
            answers.flush()


def _content(task: Task, member: NDArray[np.bool_], seed: int, length: int) -> bytes:
    try:
        found = run_world(task, 0, member, seed)
    except BaseException:  # an algorithm may even call exit
        return MISSING
    return MISSING if isinstance(found, Failure) or found.size != length else THERE + found.tobytes()


def _fall_silent() -> None:
    """Discard all output of this process: streams, logs, warnings, and core dumps."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(nowhere, descriptor)
    logging.disable(sys.maxsize)
    warnings.simplefilter("ignore")
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"  # for child interpreters
    with suppress(ImportError, ValueError):  # systems without such limits
        import resource  # noqa: PLC0415

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":  # a crash handler of the system ignores that limit
        with suppress(ImportError, OSError, AttributeError):
            import ctypes  # noqa: PLC0415

            ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, *map(ctypes.c_ulong, (0, 0, 0, 0)))
