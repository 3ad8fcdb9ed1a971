"""The whole protocol between processes on this machine: relay, grouping, devices, collector.

The run starts worker processes that hold the users' values, lets them be grouped by a beacon or a committee,
starts a relay through which partners draw their coins by two-party computation, takes one report a user and
counts. It never sees a value, a flag, a token or a secret: those stay with the workers.
"""

from __future__ import annotations

import secrets
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Final

from noisewright.errors import ProtocolError
from noisewright.mechanisms.joint import JointRandomizedResponse
from noisewright.protocol.child import Child, Said, hear_all
from noisewright.protocol.coin import SECURITY_MODEL
from noisewright.protocol.grouping import check_division
from noisewright.protocol.run_config import RunConfig
from noisewright.protocol.run_counts import LabelCount, as_drawn, count_labels
from noisewright.protocol.run_grouping import (
    MODELS,
    STEP_SECONDS,
    Progress,
    group_by_beacon,
    group_by_committee,
)
from noisewright.protocol.run_relay import running_relay

WORKER: Final = "noisewright.protocol.run_worker"
START_SECONDS: Final = 60.0

Choose = Callable[[int], JointRandomizedResponse]
"""The mechanism for a number of users, which is known only when the workers have counted theirs."""


@dataclass(frozen=True)
class RunResult:
    """What a run found, how it was kept private, and what it took; ``mechanism`` as it came about."""

    mechanism: JointRandomizedResponse
    method: str
    simulated: bool
    reports: tuple[Any, ...]
    counts: tuple[LabelCount, ...]
    reasons: dict[str, int]
    grouping_seconds: float
    coin_seconds: float

    @property
    def pairs(self) -> int:
        """How many pairs there were."""
        return self.mechanism.users // 2

    @property
    def missing(self) -> int:
        """How many users never reported because the process that held their value was killed."""
        return self.mechanism.users - len(self.reports)

    @property
    def alone(self) -> int:
        """How many users reported by plain randomized response because their pair failed."""
        return sum(self.reasons.values())

    @property
    def pairs_per_second(self) -> float:
        """How fast the coins were drawn, process start-up not counted."""
        return self.pairs / self.coin_seconds

    def to_dict(self) -> dict[str, Any]:
        """The result in plain JSON values, without the reports."""
        return {
            "users": self.mechanism.users,
            "missing": self.missing,
            "pairs": self.pairs,
            "fallbacks": self.alone,
            "fallback_reasons": self.reasons,
            "simulated_people": self.simulated,
            "grouping": self.method,
            "security_model": {"coins": SECURITY_MODEL, "grouping": MODELS[self.method]},
            "privacy": self.mechanism.guarantee.to_dict() | self._coins(),
            "privacy_in_words": self.mechanism.explain(),
            "counts": [count.to_dict() for count in self.counts],
            "seconds": {"grouping": self.grouping_seconds, "coins": self.coin_seconds},
            "pairs_per_second": self.pairs_per_second,
        }

    def _coins(self) -> dict[str, Any]:
        coins = self.mechanism.coins
        return {"truth": float(coins.truth), "correlation": float(coins.correlation)}


def run_joint(
    config: RunConfig, choose: Choose, progress: Progress = lambda what, done, total: None
) -> RunResult:
    """Run the protocol as configured; whatever happens, no process is left behind."""
    with ExitStack() as stack:
        names = (f"worker {index}" for index in range(config.workers))
        workers = [stack.enter_context(Child(WORKER, name)) for name in names]
        users = _count_users(workers, config)
        mechanism = choose(users)
        started = time.monotonic()
        _group(workers, config, mechanism, progress)
        grouped = time.monotonic()
        reports, reasons, coin_seconds = _draw(workers, config, users, progress)
    if len(reports) < 2:
        raise ProtocolError("the workers have ended before they reported; run again")
    # A user who is missing may have drawn with one who reported, for whom nothing cancels then.
    alone = sum(reasons.values()) + users - len(reports)
    drawn = as_drawn(mechanism, len(reports), alone)
    counts = count_labels(drawn, reports)
    return RunResult(
        drawn, config.method, config.simulated, tuple(reports), tuple(counts), reasons,
        grouped - started, coin_seconds,
    )  # fmt: skip


def _count_users(workers: Sequence[Child], config: RunConfig) -> int:
    """Let every worker take in its users; returns how many there are."""
    file = None if config.file is None else str(config.file.absolute())
    people = {"file": file, "column": config.column, "count": config.count, "share": config.share}
    for index, worker in enumerate(workers):
        labels = list(config.categories.labels)
        worker.say(index=index, workers=len(workers), people=people, labels=labels)
    counts = {said["users"] for said in hear_all(workers, START_SECONDS)}
    if len(counts) > 1:
        raise ProtocolError(
            "the workers counted different numbers of users; leave the file alone during a run"
        )
    users = int(counts.pop())
    check_division(users)
    return users


def _group(
    workers: Sequence[Child], config: RunConfig, mechanism: JointRandomizedResponse, progress: Progress
) -> None:
    round_id = f"noisewright run {secrets.token_hex(16)}"
    for worker in workers:
        worker.say(mechanism=_fields(mechanism), method=config.method, round=round_id)
    if config.method == "beacon":
        group_by_beacon(workers, round_id, mechanism.users)
    else:
        group_by_committee(workers, round_id, config.members, progress)
    hear_all(workers, STEP_SECONDS)  # that all have found their seats


def _fields(mechanism: JointRandomizedResponse) -> dict[str, Any]:
    """What a worker needs to build the same mechanism from the same labels."""
    names = ("epsilon", "users", "colluders", "correlation", "colluding_cap")
    return {name: getattr(mechanism, name) for name in names}


def _draw(
    workers: Sequence[Child], config: RunConfig, users: int, progress: Progress
) -> tuple[list[Any], dict[str, int], float]:
    """Let the workers draw their coins through a relay: reports, reasons for fallbacks, and seconds."""
    done = [0] * len(workers)

    def note(place: int, said: Said) -> None:
        done[place] = said["done"]
        progress("Drawing coins", sum(done), users)

    with running_relay(START_SECONDS) as relay:
        started = time.monotonic()
        for worker in workers:
            worker.say(**relay.to_dict(), timeout=config.timeout)
        # A worker tells of progress every few users, each of which takes at most the timeout.
        patience = START_SECONDS + 40 * config.timeout
        # A worker that is killed takes its users along; their partners report alone, and nobody else is lost.
        answers = hear_all(workers, patience, note, instead={"reports": [], "alone": {}})
        seconds = time.monotonic() - started
    reasons: Counter[str] = Counter()
    for answer in answers:
        reasons.update(answer["alone"])
    return _dealt([answer["reports"] for answer in answers]), dict(reasons), seconds


def _dealt(hands: Sequence[Sequence[Any]]) -> list[Any]:
    """What was dealt to the workers in turn, back in the order of the users."""
    missing = object()
    return [item for row in zip_longest(*hands, fillvalue=missing) for item in row if item is not missing]
