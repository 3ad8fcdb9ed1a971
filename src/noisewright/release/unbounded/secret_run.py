"""The run in the secret world; nothing about it, failures included, may be revealed.

Simulated worlds are public, and an algorithm that fails in one is rejected with a sentence. In the secret
world an error would itself be an output that depends on the secret, outside of the proof. So the run has a
process of its own, which nobody hears: its standard streams lead nowhere, it has none of the log handlers,
tracers and lists of this process, and it is killed when it has answered. A failure, an exit, a crash or an
output that is no vector of numbers is replaced in silence by a fixed public vector: the centre, whose
distance to itself is zero, so the limits hold all the more.

A process of its own and not a fork: locks and thread pools that other threads hold at the moment of a fork
stay locked in the child. Nor is this process silenced instead: that would mute all its threads, and would
leave the algorithm the memory of this process to write to.

How long the run takes is not hidden, nor what it writes to files or sends to others by itself, be it a
signal to this process. What it starts in a session of its own is not found again, and outlives the run.
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
    "import os, pickle, sys; told = os.fdopen(os.dup(0), 'rb'); sys.path[:] = pickle.load(told); "
    "from noisewright.release.unbounded.secret_run import serve; serve(told)"
)

THERE, MISSING = b"1", b"0"
"""How an answer begins: the numbers follow, or there are none."""

GRACE: Final = 5.0
"""Seconds in which a process that has answered may tidy up before it is killed."""

LOOK: Final = 100
"""Milliseconds after which a pipe that stays silent makes us look whether its process still lives."""

PR_SET_DUMPABLE: Final = 4
"""From ``linux/prctl.h``."""

SEED_BITS: Final = SEEDS.bit_length() - 1


@dataclass(frozen=True, eq=False)
class SecretWorld:
    """The secret: which records are used, and the seed of the algorithm. Never shown."""

    member: NDArray[np.bool_]
    seed: int

    def __repr__(self) -> str:
        return "SecretWorld(…)"


def draw_secret_world(records: int, stream: Stream) -> SecretWorld:
    """Draw the world that is used, exactly uniform among all halves, with an independent uniform seed."""
    coin, seed = (int(word) for word in stream.draw(2))
    member = np.zeros(records, dtype=bool)
    member[uniform_order(records, stream)[: world_size(records, coin & 1)]] = True
    return SecretWorld(member, seed >> (64 - SEED_BITS))


def pack_algorithm(task: Task) -> bytes:
    """Pack the algorithm of a task for the process of the secret world, or reject it before anything runs."""
    try:
        return pickle.dumps(wrap_non_picklable_objects((task.algorithm, task.facts), keep_wrapper=False))
    except Exception as error:  # pickling runs anybody's code, whose words may quote the data
        raise BadRelease(
            f"the algorithm cannot be sent to another process ({type(error).__name__}), and the secret half "
            "is run in one, where it cannot be heard; let it hold no open file, lock or connection"
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
                # No module of whatever folder this is, and no trace of modules that only this world needs.
                [sys.executable, "-P", "-B", "-c", CHILD],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C reaches this process alone, which then ends that one
            )
        except OSError as error:
            raise BadRelease(f"no process for the secret half can be started: {error.strerror}") from None
        self._send(sys.path, packed, (task.rows, task.labels, length))

    def rehearse(self, member: NDArray[np.bool_], seed: int, known: Floats) -> None:
        """Reject an algorithm that does not give there what it gave here in a public world.

        The limits are about outputs that were found here. An algorithm that reads what this program set
        after importing it would give others there, and nothing could be said of them any more.
        """
        found = self._answer(member, seed)
        if found is None:
            raise BadRelease(
                "the algorithm gives no output in a process of its own, where the secret half is run; "
                "nothing was released; define it, and all that it uses, where another process can import it"
            )
        if not same_output(known, found):
            raise BadRelease(
                "the algorithm gives another output in a process of its own, where the secret half is run; "
                "nothing was released; let its output follow from its arguments and parameters alone"
            )

    def output(self, member: NDArray[np.bool_], seed: int, instead: Floats) -> Floats:
        """Return the output in the secret world, or ``instead`` where there is none; never an error."""
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
        return found if np.isfinite(found).all() else None  # the algorithm may have written to the pipe, too

    def _read(self, count: int) -> bytes:
        """Read so many bytes of the answer, or fewer if the process has ended."""
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

        The end of the pipe would not say so: whatever the algorithm forked may keep it open for ever.
        """
        if os.name != "posix":
            return True  # nothing is forked there
        poll = select.poll()
        poll.register(answers, select.POLLIN)
        while True:
            ended = self._process.poll() is not None  # asked first, so that its last bytes are read
            if poll.poll(0 if ended else LOOK):
                return True
            if ended:
                return False

    def _send(self, *messages: Any) -> None:
        told = self._process.stdin
        assert told is not None
        with suppress(BrokenPipeError):  # it has ended: that it gives no answer says so
            for message in messages:
                pickle.dump(message, told, protocol=5)
            told.flush()

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
                os.killpg(process.pid, signal.SIGKILL)  # what it started, too
        process.kill()
        process.wait()
        process.stdout.close()  # and not read to its end, which others may hold open
        with suppress(BrokenPipeError):
            process.stdin.close()


def serve(told: IO[bytes]) -> None:
    """Answer, in the child, one world after another until no more come."""
    answers = os.fdopen(os.dup(1), "wb")
    _fall_silent()
    with suppress(Exception):  # what cannot be loaded gives no answer; nor does the end of the input
        algorithm, facts = pickle.loads(pickle.load(told))  # noqa: S301  (from the process that started this)
        rows, labels, length = pickle.load(told)  # noqa: S301
        task = Task(algorithm, facts, rows, labels)
        while True:
            member, seed = pickle.load(told)  # noqa: S301
            answers.write(_content(task, member, seed, length))
            answers.flush()


def _content(task: Task, member: NDArray[np.bool_], seed: int, length: int) -> bytes:
    try:
        found = run_world(task, 0, member, seed)
    except BaseException:  # an algorithm may even try to leave
        return MISSING
    return MISSING if isinstance(found, Failure) or found.size != length else THERE + found.tobytes()


def _fall_silent() -> None:
    """Let nothing of this process be heard or kept: streams, logs, warnings, and the memory of a crash."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(nowhere, descriptor)
    logging.disable(sys.maxsize)
    warnings.simplefilter("ignore")
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"  # for interpreters that it starts
    with suppress(ImportError, ValueError):  # where there are no such limits
        import resource  # noqa: PLC0415

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":  # a program that the system hands crashes to does not ask for that limit
        with suppress(ImportError, OSError, AttributeError):
            import ctypes  # noqa: PLC0415

            ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, *map(ctypes.c_ulong, (0, 0, 0, 0)))
