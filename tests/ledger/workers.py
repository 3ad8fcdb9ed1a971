"""What the processes of the ledger's tests do; run as a script, it forks children and kills them.

``python workers.py crash LEDGER`` kills a child before and after every statement of one request,
``python workers.py torn LEDGER`` in the middle of a commit's own writes, and
``python workers.py chance LEDGER ROUNDS SEED`` at random instants. The last line of output is JSON.
"""

from __future__ import annotations

import functools
import json
import os
import random
import resource
import signal
import sqlite3
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from noisewright import Interval
from noisewright.errors import BudgetSpent
from noisewright.ledger import Ledger, database
from noisewright.mechanisms import OGPM

EIGHTH = OGPM(Interval(0, 64, cells=64), epsilon=0.125)
WHOLE = OGPM(Interval(0, 64, cells=64), epsilon=1.0)
PAGE = 4096


def race(path: str, barrier: Any, rounds: int, place: int, value: float, answers: Any) -> None:
    """Ask for a report of one value for a new person in every round, at the same moment as others."""
    ledger, reports = Ledger.open(path), []
    for number in range(rounds):
        barrier.wait()
        try:
            reports.append(ledger.perturb(f"person {number}", "x", value, WHOLE))
        except BudgetSpent:
            reports.append(None)
    answers.put((place, reports))


def fork(work: Callable[[], None]) -> int:
    """Run something in a child; it ends with the work."""
    child = os.fork()
    if child == 0:
        try:
            work()
        except BaseException as error:
            print(f"child failed: {error!r}", file=sys.stderr, flush=True)
            os._exit(1)
        os._exit(0)
    return child


def end_of(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


# -- a kill before and after every statement -----------------------------------------------------------


class Deadly(sqlite3.Connection):
    """A connection that kills its process at a given step."""

    step = 0
    last = 10**9

    def _count(self) -> None:
        Deadly.step += 1
        if Deadly.step == Deadly.last:
            os.kill(os.getpid(), signal.SIGKILL)

    def execute(self, *arguments: Any) -> sqlite3.Cursor:
        self._count()
        done = super().execute(*arguments)
        self._count()
        return done

    def executemany(self, *arguments: Any) -> sqlite3.Cursor:
        self._count()
        done = super().executemany(*arguments)
        self._count()
        return done

    def close(self) -> None:
        self._count()
        super().close()
        self._count()


def crash(path: str) -> list[dict[str, Any]]:
    """Kill one request at step 1, 2, … until it survives."""
    ledger, found = Ledger.open(path), []
    for step in range(1, 1000):
        person = f"killed at {step}"
        code = end_of(fork(functools.partial(_die_at, step, ledger, person)))
        before = len(ledger.statement(person).history)
        report = ledger.perturb(person, "x", 5.0, WHOLE)
        found.append(
            {
                "code": code,
                "spent_by_the_killed": before,
                "spent_after_asking_again": ledger.spent(person).to_dict()["epsilon"],
                "same_again": report == ledger.perturb(person, "x", 5.0, WHOLE),
            }
        )
        if code == 0:
            break
    return found


def _die_at(step: int, ledger: Ledger, person: str) -> None:
    Deadly.last = step
    database.sqlite3.connect = functools.partial(sqlite3.connect, factory=Deadly)  # type: ignore[assignment]
    ledger.perturb(person, "x", 5.0, WHOLE)


# -- a kill between the writes of one commit -------------------------------------------------------------


def torn(path: str) -> list[dict[str, Any]]:
    """Let the system kill a batch at the first write beyond a limit, a page further each time."""
    ledger, found = Ledger.open(path), []
    people = [f"person {number}" for number in range(300)]
    for page in range(1, 8):
        limit = os.path.getsize(path) + page * PAGE - PAGE // 2
        column = f"torn at {page}"
        code = end_of(fork(functools.partial(_die_beyond, limit, ledger, people, column)))
        half_done = Path(f"{path}-journal").exists()
        before = sum(c.reports for c in ledger.status().columns if c.name == column)
        reports = ledger.perturb_many(people, column, [7.0] * 300, EIGHTH)
        again = ledger.perturb_many(people, column, [7.0] * 300, EIGHTH)
        found.append(
            {
                "code": code,
                "half_done": half_done,
                "spent_by_the_killed": before,
                "spent_after_asking_again": {
                    ledger.spent(p, column).to_dict()["epsilon"] for p in people[::50]
                }
                == {0.125},
                "same_again": (reports == again).all().item(),
                "sound": _sound(path),
            }
        )
    return found


def _die_beyond(limit: int, ledger: Ledger, people: list[str], column: str) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    ledger.perturb_many(people, column, [7.0] * 300, EIGHTH)


def _sound(path: str) -> bool:
    connection = sqlite3.connect(path)
    answer = connection.execute("PRAGMA integrity_check").fetchall()
    connection.close()
    return answer == [("ok",)]


# -- kills at random instants ------------------------------------------------------------------------------


def chance(path: str, rounds: str, seed: str) -> list[dict[str, Any]]:
    """Let a child ask for one report after the other, and kill it after a moment."""
    ledger, delays = Ledger.open(path), random.Random(int(seed))
    found = []
    for number in range(int(rounds)):
        reader, writer = os.pipe()
        child = fork(functools.partial(_ask_on, ledger, f"person {number}", writer))
        os.close(writer)
        with os.fdopen(reader) as lines:
            first = lines.readline()
            time.sleep(delays.uniform(0, 0.015))
            os.kill(child, signal.SIGKILL)
            left = [line.split() for line in [first, *lines] if line.endswith("\n")]
        found.append({"code": end_of(child), **_after_a_kill(ledger, f"person {number}", left)})
    return found


def _ask_on(ledger: Ledger, person: str, writer: int) -> None:
    """Values 0, 1, 2, …; a report has left once it is in the pipe."""
    for value in range(64):
        report = ledger.perturb(person, "x", value, EIGHTH)
        os.write(writer, f"{value} {report!r}\n".encode())


def _after_a_kill(ledger: Ledger, person: str, left: list[list[str]]) -> dict[str, Any]:
    spends = len(ledger.statement(person).history)
    again = [ledger.perturb(person, "x", float(value), EIGHTH) for value, _ in left]
    unchanged = len(ledger.statement(person).history) == spends
    ledger.perturb(person, "x", float(len(left)), EIGHTH)  # the one that was under way
    return {
        "left": len(left),
        "spends": spends,
        "lost": sum(float(report) != once_more for (_, report), once_more in zip(left, again, strict=True)),
        "free": unchanged,
        "spends_after_asking_again": len(ledger.statement(person).history),
    }


if __name__ == "__main__":
    print(json.dumps({"crash": crash, "torn": torn, "chance": chance}[sys.argv[1]](*sys.argv[2:])))
