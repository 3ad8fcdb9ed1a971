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
from typing import Any, Final

from noisewright.errors import ProtocolError
from noisewright.joint.groups.partition import check_division
from noisewright.joint.run.board import STEP_SECONDS, group_by_beacon, group_by_committee, in_user_order
from noisewright.joint.run.config import RunConfig
from noisewright.joint.run.relay_process import running_relay
from noisewright.joint.run.result import RunResult, as_drawn, count_labels
from noisewright.joint.run.worker_process import PROGRESS_EVERY
from noisewright.joint.transport.child import Child, Message, receive_all
from noisewright.mechanisms.joint import JointRandomizedResponse
from noisewright.progress import Status


@dataclass(frozen=True)
class Choice:
    """A mechanism, and the reason for it unless the configuration asked for it."""

    mechanism: JointRandomizedResponse
    reason: str = ""


Choose = Callable[[int], Choice]
"""The choice for a number of users, which is known only when the workers have counted theirs."""


def chooser(config: RunConfig) -> Choose:
    """Return the choice of coins that a configuration asks for: as given, or planned within its caps.

    >>> from noisewright.domains import Categories
    >>> asked = RunConfig(Categories(["no", "yes"]), epsilon=1.0, count=200, share=0.5, expected_share=0.5)
    >>> chooser(asked)(200).reason[:19]
    'Do not share coins:'
    """
    if config.correlation is not None:
        return lambda users: Choice(_given(config, users))
    return lambda users: _planned(config, users)


def _given(config: RunConfig, users: int) -> JointRandomizedResponse:
    return JointRandomizedResponse(
        config.categories,
        config.epsilon,
        users=users,
        colluders=config.colluders,
        correlation=config.correlation or 0.0,
        colluding_cap=config.cap_colluding,
    )


def _planned(config: RunConfig, users: int) -> Choice:
    from noisewright.design.joint_plan import joint_plan  # noqa: PLC0415  (only a plan needs it)

    plan = joint_plan(
        users,
        config.epsilon,
        config.colluders,
        share=config.expected_share,
        shares=config.share_range,
        most_loss=config.most_loss,
        cap_colluding=config.cap_colluding,
        domain=config.categories,
    )
    return Choice(plan.mechanism, " ".join([plan.reason, *plan.caution]))


WORKER: Final = "noisewright.joint.run.worker_process"
START_SECONDS: Final = 60.0


def run_joint(config: RunConfig, choose: Choose, status: Status = lambda part: None) -> RunResult:
    """Run the protocol as configured; whatever happens, no process is left behind.

    Args:
        config: The run's users, privacy, grouping and processes.
        choose: The coins for a number of users; see :func:`chooser`.
        status: Called with the part that is under way and how far it is.
    """
    with ExitStack() as stack:
        names = (f"worker {index}" for index in range(config.workers))
        workers = [stack.enter_context(Child(WORKER, name)) for name in names]
        users = _count_users(workers, config)
        choice = choose(users)
        started = time.monotonic()
        _group(workers, config, choice.mechanism, status)
        grouped = time.monotonic()
        reports, reasons, coin_seconds = _draw(workers, config, users, status)
    if len(reports) < 2:
        raise ProtocolError("the workers have ended before they reported; run again")
    # A missing user may have drawn with one who reported, and nothing cancels that one's noise then.
    alone = sum(reasons.values()) + users - len(reports)
    drawn = as_drawn(choice.mechanism, len(reports), alone)
    counts = count_labels(drawn, reports)
    return RunResult(
        config, drawn, choice.reason, tuple(reports), tuple(counts), reasons, grouped - started, coin_seconds
    )


def _count_users(workers: Sequence[Child], config: RunConfig) -> int:
    """Let every worker take in its users; return how many there are."""
    file = None if config.file is None else str(config.file.absolute())
    people = {"file": file, "column": config.column, "count": config.count, "share": config.share}
    for index, worker in enumerate(workers):
        labels = list(config.categories.labels)
        worker.send(index=index, workers=len(workers), people=people, labels=labels)
    counts = {message["users"] for message in receive_all(workers, START_SECONDS)}
    if len(counts) > 1:
        raise ProtocolError(
            "the workers counted different numbers of users; leave the file alone during a run"
        )
    users = int(counts.pop())
    check_division(users)
    return users


def _group(
    workers: Sequence[Child], config: RunConfig, mechanism: JointRandomizedResponse, status: Status
) -> None:
    round_id = f"noisewright run {secrets.token_hex(16)}"
    for worker in workers:
        worker.send(mechanism=_fields(mechanism), method=config.method, round=round_id)
    if config.method == "beacon":
        group_by_beacon(workers, round_id, mechanism.users)
    else:
        group_by_committee(workers, round_id, config.members, status)
    receive_all(workers, STEP_SECONDS)  # that all have found their seats


def _fields(mechanism: JointRandomizedResponse) -> dict[str, Any]:
    """Return what a worker needs to build the same mechanism from the same labels."""
    names = ("epsilon", "users", "colluders", "correlation", "colluding_cap")
    return {name: getattr(mechanism, name) for name in names}


def _draw(
    workers: Sequence[Child], config: RunConfig, users: int, status: Status
) -> tuple[list[Any], dict[str, int], float]:
    """Let the workers draw coins through a relay; return reports, reasons for fallbacks, and seconds."""
    done = [0] * len(workers)

    def note(place: int, message: Message) -> None:
        done[place] = message["done"]
        status(f"Drawing coins: {sum(done):,} of {users:,}")

    with running_relay(START_SECONDS) as relay:
        started = time.monotonic()
        for worker in workers:
            worker.send(**relay.to_dict(), timeout=config.timeout)
        # A worker reports its progress every few users, each of which takes at most the timeout.
        patience = START_SECONDS + PROGRESS_EVERY * config.timeout
        # A worker that is killed takes its users along; their partners report alone, and nobody else is lost.
        answers = receive_all(workers, patience, note, instead={"reports": [], "alone": {}})
        seconds = time.monotonic() - started
    reasons: Counter[str] = Counter()
    for answer in answers:
        reasons.update(answer["alone"])
    return in_user_order([answer["reports"] for answer in answers]), dict(reasons), seconds
