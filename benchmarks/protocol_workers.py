"""Two workers as processes that stay, so that coins are timed and not the start of Python."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from noisewright.joint import CoinLaw, PairToken, Role
from noisewright.joint.run.relay_process import Place
from noisewright.joint.worker import Task

LAW = CoinLaw(9 << 60, 3 << 60, 3 << 60, 1 << 60)


@dataclass(frozen=True)
class Spent:
    """What some sessions took: by the clock, and of the CPU in all processes."""

    seconds: float
    cpu: float


class Workers:
    """Both sides of many pairs, who meet at a relay."""

    def __init__(self, relay: Place) -> None:
        address = ["--relay", f"{relay.host}:{relay.port}", "--authority", relay.authority]
        command = [sys.executable, "-m", "noisewright.joint.worker", *address]
        self._workers = {
            role: subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            for role in Role
        }
        self._processes = [relay.process, *(worker.pid for worker in self._workers.values())]

    def draw(self, sessions: int, coins: int = 1) -> Spent:
        """Let so many pairs draw so many coins each; every one of them must succeed."""
        tokens = [PairToken.fresh() for _ in range(sessions)]
        cpu, started = sum(map(cpu_seconds, self._processes)), time.perf_counter()
        for role, worker in self._workers.items():
            assert worker.stdin is not None
            tasks = [Task(str(number), token, role, LAW, coins) for number, token in enumerate(tokens)]
            worker.stdin.write("".join(task.write() + "\n" for task in tasks))
            worker.stdin.flush()
        for _ in tokens:  # turn and turn about, or one would wait for its full pipe to be read
            for worker in self._workers.values():
                assert worker.stdout is not None
                assert json.loads(worker.stdout.readline())["joint"]
        seconds = time.perf_counter() - started
        return Spent(seconds, sum(map(cpu_seconds, self._processes)) - cpu)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers.values():
            worker.communicate()  # they end when their tasks do


def cpu_seconds(process: int) -> float:
    """What a process has used of the CPU so far; nothing where the system does not say."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
