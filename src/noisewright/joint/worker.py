"""Many pairs in one process, so that starting it is paid once.

:func:`take_part_in_many` runs tasks in threads: while one waits for its partner, another computes. As a
process of its own, a worker reads one task a line from standard input and writes one outcome a line to
standard output, both as JSON. Tokens and flags are secrets of the device's owner: these two streams belong
to its own processes.

    python -m noisewright.joint.worker --relay 127.0.0.1:7443 --authority relay.crt

Workers that serve many pairs among each other must get them in the same order. Each takes its first tasks
first, and two that began at different ends would wait for each other until their patience ends.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, Final

from noisewright.errors import InvalidParameter
from noisewright.io.strict_json import strict_json
from noisewright.joint.coins.law import CoinLaw
from noisewright.joint.coins.messages import Role
from noisewright.joint.party import Outcome, take_part
from noisewright.joint.transport.keys import PairToken
from noisewright.joint.transport.rendezvous import Rendezvous

THREADS: Final = 4
"""Pairs under way at once: on one machine enough to fill the time of waiting; a far relay needs more."""


@dataclass(frozen=True)
class Task:
    """One user's part in one pair; ``name`` is the caller's own way to tell tasks apart."""

    name: str
    token: PairToken
    role: Role
    law: CoinLaw
    count: int = 1

    @classmethod
    def read(cls, line: str) -> Task:
        """Read a task from a line of JSON."""
        try:
            return cls._of(strict_json(line, "a task"))
        except (KeyError, TypeError, ValueError) as error:
            if isinstance(error, InvalidParameter):
                raise
            # The line holds a token, so it must not be shown.
            raise InvalidParameter("a task is not JSON with name, token, role, weights and count") from None

    @classmethod
    def _of(cls, entry: dict[str, Any]) -> Task:
        token = PairToken(bytes.fromhex(entry["token"]))
        law = CoinLaw.of([int(weight) for weight in entry["weights"]])
        return cls(str(entry["name"]), token, Role(entry["role"]), law, entry.get("count", 1))

    def write(self) -> str:
        """Return the line of JSON that :meth:`read` takes; weights are text, too large for some readers."""
        weights = [str(weight) for weight in self.law.weights]
        entry = {"name": self.name, "token": self.token.secret.hex(), "role": self.role.value}
        return json.dumps({**entry, "weights": weights, "count": self.count})


def take_part_in_many(
    rendezvous: Rendezvous, tasks: Iterable[Task], *, threads: int = THREADS, patience: float = 30.0
) -> Iterator[tuple[Task, Outcome]]:
    """Yield outcomes in the order of the tasks, which are read only a little ahead of them."""
    running: deque[tuple[Task, Future[Outcome]]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        for task in tasks:
            running.append((task, pool.submit(_run, rendezvous, task, patience)))
            if len(running) >= 2 * threads:
                yield _finished(running)
        while running:
            yield _finished(running)


def _run(rendezvous: Rendezvous, task: Task, patience: float) -> Outcome:
    return take_part(rendezvous, task.token, task.role, task.law, task.count, patience=patience)


def _finished(running: deque[tuple[Task, Future[Outcome]]]) -> tuple[Task, Outcome]:
    task, future = running.popleft()
    return task, future.result()


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve the tasks on standard input until it ends; each outcome is written as soon as it is there."""
    options = _parser().parse_args(arguments)
    host, _, port = options.relay.rpartition(":")
    rendezvous, writing = Rendezvous(host, int(port), options.authority), Lock()

    def run(task: Task) -> None:
        outcome = _run(rendezvous, task, options.patience)
        with writing:
            print(json.dumps(_entry(task, outcome)), flush=True)

    with ThreadPoolExecutor(options.threads) as pool:
        for future in [pool.submit(run, Task.read(line)) for line in sys.stdin]:
            future.result()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m noisewright.joint.worker")
    parser.add_argument("--relay", required=True, help="host and port of the relay")
    parser.add_argument("--authority", type=Path, help="PEM file of the authority that vouches for the relay")
    parser.add_argument("--threads", type=int, default=THREADS, help="pairs under way at once")
    parser.add_argument(
        "--patience", type=float, default=30.0, help="seconds until a pair must have finished"
    )
    return parser


def _entry(task: Task, outcome: Outcome) -> dict[str, Any]:
    return {
        "name": task.name,
        "role": task.role.value,
        "flags": "".join(str(int(flag)) for flag in outcome.flags),
        "joint": outcome.joint,
        "reason": outcome.reason,
        "security_model": outcome.security_model,
    }


if __name__ == "__main__":
    main()
