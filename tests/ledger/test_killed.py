"""kill −9: nothing is lost, and nothing is spent twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from noisewright.ledger import Ledger

WORKERS = Path(__file__).with_name("workers.py")
KILLED, TOO_LARGE = -signal.SIGKILL, -getattr(signal, "SIGXFSZ", 0)

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the children are forked")


def after(tmp_path: Path, *arguments: str) -> list[dict[str, Any]]:
    """What a process of its own found out with a new ledger; it forks, so it has no threads."""
    ledger = Ledger.create(tmp_path / "people.db", budget=8.0)
    command = [sys.executable, str(WORKERS), arguments[0], str(ledger.path), *arguments[1:]]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=600)
    assert done.stderr == ""
    return json.loads(done.stdout.splitlines()[-1])


def test_a_kill_before_or_after_any_statement_spends_once_or_not_at_all(tmp_path):
    steps = after(tmp_path, "crash")
    assert [step["code"] for step in steps] == [KILLED] * (len(steps) - 1) + [0]
    assert all(step["same_again"] for step in steps)
    assert {step["spent_after_asking_again"] for step in steps} == {1.0}
    spent = [step["spent_by_the_killed"] for step in steps]
    # Up to the commit nothing is spent, from it on once; it is followed by: after it, close, closed, survived.
    assert spent == [0] * (len(steps) - 4) + [1] * 4
    assert len(steps) > 20


def test_a_kill_between_the_writes_of_a_commit_leaves_no_trace(tmp_path):
    rounds = after(tmp_path, "torn")
    assert [each["code"] for each in rounds] == [TOO_LARGE] * len(rounds)
    assert [each["spent_by_the_killed"] for each in rounds] == [0] * len(rounds)
    assert all(each["half_done"] for each in rounds)
    assert all(each["spent_after_asking_again"] and each["same_again"] for each in rounds)
    assert all(each["sound"] for each in rounds)


@pytest.mark.slow
def test_kills_at_random_instants_neither_lose_nor_double_a_report(tmp_path):
    rounds = after(tmp_path, "chance", "150", "3")
    assert {each["code"] for each in rounds} <= {KILLED, 0}
    assert sum(each["code"] == KILLED for each in rounds) > 100
    assert sum(each["left"] for each in rounds) > 150
    for each in rounds:
        assert each["lost"] == 0
        assert each["free"]
        assert each["spends"] - each["left"] in (0, 1)
        assert each["spends_after_asking_again"] == each["left"] + 1
