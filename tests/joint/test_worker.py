"""Workers, in threads and as processes: many pairs each, by the right law, and one that dies harms no other."""

from __future__ import annotations

import json
import signal
import subprocess
import sys

import numpy as np
import pytest

from joint.pipes import together
from joint.sockets import relay_thread
from joint.statistics import chi_square_rejects, pair_counts
from noisewright.errors import InvalidParameter
from noisewright.joint import CoinLaw, PairToken, Role
from noisewright.joint.run.relay_process import Place, running_relay
from noisewright.joint.worker import Task, take_part_in_many

WHOLE = 1 << 64
LAW = CoinLaw(WHOLE // 2, WHOLE // 4, WHOLE // 4, 0)


def tasks_for(pairs: int, count: int = 1) -> dict[Role, list[Task]]:
    tokens = [PairToken.fresh() for _ in range(pairs)]
    return {
        role: [Task(str(number), token, role, LAW, count) for number, token in enumerate(tokens)]
        for role in Role
    }


def test_one_process_serves_many_pairs(tmp_path):
    tasks = tasks_for(20)
    with relay_thread(tmp_path) as rendezvous:
        first, second = together(
            *(lambda role=role: list(take_part_in_many(rendezvous, tasks[role], threads=3)) for role in Role)
        )
    for (left, left_outcome), (right, right_outcome) in zip(first, second, strict=True):
        assert left.name == right.name
        assert left_outcome.joint
        assert right_outcome.joint
        assert left_outcome.flags[0] or right_outcome.flags[0]  # this law never lies twice


def test_a_task_comes_back_from_its_line_and_a_bad_one_shows_no_token():
    (task,) = tasks_for(1)[Role.SECOND]
    again = Task.read(task.write())
    assert (again.law, again.role, again.token.secret) == (task.law, task.role, task.token.secret)
    spoilt = json.dumps({**json.loads(task.write()), "role": "third"})
    for line in ("", "[]", spoilt, spoilt[:40]):
        with pytest.raises(InvalidParameter, match="not JSON with name") as caught:
            Task.read(line)
        assert task.token.secret.hex()[:16] not in str(caught.value)


def worker(relay: Place, threads=2, patience=60) -> subprocess.Popen[str]:
    address = ["--relay", f"{relay.host}:{relay.port}", "--authority", relay.authority]
    settings = ["--threads", str(threads), "--patience", str(patience)]
    return subprocess.Popen(
        [sys.executable, "-m", "noisewright.joint.worker", *address, *settings],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def lines(tasks: list[Task]) -> str:
    return "".join(task.write() + "\n" for task in tasks)


def counts_between_processes(pairs: int, coins: int, threads: int) -> list[int]:
    """How often both, only the first, only the second and neither told the truth, over real sockets with TLS."""
    tasks = tasks_for(pairs, coins)
    with running_relay() as relay:
        workers = [(worker(relay, threads), lines(tasks[role])) for role in Role]
        answers = together(*(lambda w=w, said=said: w.communicate(said, 600) for w, said in workers))
    assert all(errors == "" for _, errors in answers)
    outcomes = [
        sorted((json.loads(line) for line in output.splitlines()), key=lambda outcome: int(outcome["name"]))
        for output, _ in answers
    ]
    assert all(outcome["joint"] for side in outcomes for outcome in side)
    flags = [np.array([flag == "1" for outcome in side for flag in outcome["flags"]]) for side in outcomes]
    return pair_counts(*flags)


@pytest.mark.slow
@pytest.mark.parametrize(("pairs", "coins", "threads", "off"), [(10, 1000, 2, 12), (800, 1, 4, 6)])
def test_coins_between_processes_follow_the_law(pairs, coins, threads, off):
    """Three processes, real sockets, TLS: many coins of a few pairs, and single coins of many pairs.

    χ² at level 10⁻⁹. Power: a law that has moved 1/12 of all coins (1/6, for the 800 single ones) from one outcome to
    another is rejected but for a probability of 10⁻⁹. Coins drawn alone would end in two lies once in 16, which
    this law never allows: 800 of them would pass with probability 10⁻²².
    """
    counts = counts_between_processes(pairs, coins, threads)
    assert sum(counts) == pairs * coins
    assert not chi_square_rejects(counts, LAW.weights)
    shift = WHOLE // off
    assert chi_square_rejects(counts, (LAW.both + shift, LAW.first_only - shift, LAW.second_only, 0))


@pytest.mark.slow
def test_a_killed_process_loses_nothing_for_the_other():
    """The second worker is killed while pairs are under way; the first reports every user, some of them alone."""
    tasks = tasks_for(8)
    with running_relay() as relay:
        first, second = (worker(relay, threads=4, patience=8) for _ in Role)
        second.stdin.write(lines(tasks[Role.SECOND][:4]))
        second.stdin.flush()
        first.stdin.write(lines(tasks[Role.FIRST]))
        first.stdin.close()
        done = json.loads(second.stdout.readline())
        second.send_signal(signal.SIGKILL)
        second.communicate()
        outcomes = [json.loads(line) for line in first.stdout]
        errors = first.stderr.read()
        first.wait(600)
        first.stdout.close()
        first.stderr.close()
    joint = {outcome["name"]: outcome["joint"] for outcome in outcomes}
    assert sorted(joint) == [str(number) for number in range(8)]
    assert joint[done["name"]]
    assert not any(joint[str(number)] for number in range(4, 8))
    assert errors == ""
