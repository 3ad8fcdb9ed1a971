"""Threads and processes that use one ledger at the same time."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from ledger.workers import WHOLE, race
from noisewright import Interval, PureLDP
from noisewright.errors import BadLedger, BudgetSpent
from noisewright.ledger import Ledger
from noisewright.ledger.database import make_file
from noisewright.mechanisms import OGPM

ROUNDS = 300


def raced(ledger: Ledger, values: list[float]) -> list[list[float | None]]:
    """Real processes that ask for a value each, side by side, for a new person in every round."""
    context = multiprocessing.get_context("spawn")
    barrier, answers = context.Barrier(len(values), timeout=600), context.Queue()
    workers = [
        context.Process(target=race, args=(str(ledger.path), barrier, ROUNDS, place, value, answers))
        for place, value in enumerate(values)
    ]
    for worker in workers:
        worker.start()
    found = dict(answers.get(timeout=600) for _ in workers)
    for worker in workers:
        worker.join(600)
        assert worker.exitcode == 0
    return [list(reports) for reports in zip(*(found[place] for place in sorted(found)), strict=True)]


@pytest.mark.slow
def test_of_two_processes_that_race_for_the_last_epsilon_exactly_one_wins(tmp_path):
    ledger = Ledger.create(tmp_path / "people.db", budget=2.0)
    for number in range(ROUNDS):
        ledger.spend(f"person {number}", "x", PureLDP(1.0))
    for number, reports in enumerate(raced(ledger, [10.0, 20.0])):
        assert sum(report is not None for report in reports) == 1
        assert ledger.spent(f"person {number}") == PureLDP(2.0)
    assert ledger.status().reports == 2 * ROUNDS


@pytest.mark.slow
def test_two_processes_that_report_the_same_value_get_one_report_and_pay_once(tmp_path):
    ledger = Ledger.create(tmp_path / "people.db", budget=1.0)
    assert all(left == right is not None for left, right in raced(ledger, [10.0, 10.0]))
    assert ledger.status().reports == ROUNDS


def test_threads_share_a_ledger_and_cannot_overspend(tmp_path):
    ledger = Ledger.create(tmp_path / "people.db", budget=5.0)
    start = threading.Barrier(8)

    def ask(number: int) -> bool:
        start.wait(600)
        try:
            ledger.perturb("anna", "x", float(number), WHOLE)
        except BudgetSpent:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        won = list(threads.map(ask, range(8)))
    assert sum(won) == 5
    assert ledger.spent("anna") == PureLDP(5.0)


def test_readers_see_a_batch_whole_or_not_at_all(tmp_path):
    ledger = Ledger.create(tmp_path / "people.db", budget=50.0)
    people, done, seen = [f"p{i}" for i in range(100)], threading.Event(), set()

    def write() -> None:
        for value in range(20):
            ledger.perturb_many(people, "x", [float(value)] * 100, WHOLE)
        done.set()

    writer = threading.Thread(target=write)
    writer.start()
    while not done.is_set():
        seen.add(ledger.status().reports % 100)
    writer.join()
    assert seen == {0}
    assert ledger.status().reports == 2000


def test_a_ledger_can_be_pickled(tmp_path):
    ledger = Ledger.create(tmp_path / "people.db", budget=1.0)
    ledger.spend("anna", "x", PureLDP(0.25))
    assert pickle.loads(pickle.dumps(ledger)).remaining("anna") == 0.75


FORKED = """
import os, sys, threading
from noisewright import PureLDP
from noisewright.ledger import Ledger, database
from noisewright.errors import BadLedger

ledger = Ledger.open(sys.argv[1])
if sys.argv[2] == "amidst":
    inside, over = threading.Event(), threading.Event()
    def hold():
        with database.writing(ledger.path):
            inside.set()
            over.wait(600)
    thread = threading.Thread(target=hold)
    thread.start()
    inside.wait(600)
child = os.fork()
if child == 0:
    try:
        ledger.spend("anna", "x", PureLDP(0.25))
        print("spent", flush=True)
    except BadLedger as refusal:
        print(refusal, flush=True)
    os._exit(0)
os.waitpid(child, 0)
if sys.argv[2] == "amidst":
    over.set()
    thread.join()
ledger.spend("anna", "x", PureLDP(0.25))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing can be forked here")
@pytest.mark.parametrize(
    ("when", "said", "left"),
    [("between", "spent", 0.5), ("amidst", "start processes with the spawn method", 0.75)],
)
def test_a_forked_child_may_use_a_ledger_unless_a_thread_was_inside_it(tmp_path, when, said, left):
    ledger = Ledger.create(tmp_path / "people.db", budget=1.0)
    done = subprocess.run(
        [sys.executable, "-c", FORKED, str(ledger.path), when],
        check=True,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert said in done.stdout
    assert ledger.remaining("anna") == left


def test_two_creators_make_one_ledger(tmp_path):
    start, path = threading.Barrier(4), tmp_path / "people.db"

    def make(budget: float) -> Ledger | None:
        start.wait(600)
        try:
            return Ledger.create(path, budget=budget)
        except BadLedger:  # it exists already
            return None

    with ThreadPoolExecutor(4) as threads:
        made = [ledger for ledger in threads.map(make, [1.0, 2.0, 3.0, 4.0]) if ledger]
    assert len(made) == 1
    mechanism = OGPM(Interval(0, 1), 0.5)
    assert made[0].perturb("anna", "x", 0.5, mechanism) == Ledger.open(path).perturb(
        "anna", "x", 0.5, mechanism
    )


def test_creating_a_ledger_again_does_not_unlock_it_for_other_processes(tmp_path):
    """Closing any descriptor of a file drops a process's locks on it; so nobody may open it by hand."""
    path = tmp_path / "people.db"
    Ledger.create(path, budget=1.0)
    holder = sqlite3.connect(path, isolation_level=None)
    try:
        holder.execute("BEGIN EXCLUSIVE")
        make_file(path)
        probe = (
            "import sqlite3, sys\n"
            "other = sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None)\n"
            "try:\n    other.execute('BEGIN IMMEDIATE')\nexcept sqlite3.OperationalError as busy:\n    print(busy)\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", probe, str(path)], capture_output=True, text=True, check=True
        )
        assert "locked" in done.stdout
    finally:
        holder.close()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["people.db", "people.db.key"]
