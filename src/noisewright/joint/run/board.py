"""The grouping of a run: the board between the workers, which sees commitments and sealed letters only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any, Final

from noisewright.errors import ProtocolError
from noisewright.joint.groups import committee
from noisewright.joint.groups.beacon import Beacon, Commitment, Reveal
from noisewright.joint.groups.committee import Committee
from noisewright.joint.run.worker_process import user_name
from noisewright.joint.transport.child import Child, receive_all
from noisewright.progress import Status

STEP_SECONDS: Final = 600.0
"""Seconds that a worker may take over one step of the grouping before the run is given up."""

BEACON_MODEL: Final = (
    "commit and reveal: if all see the same list of names and keys, no single user can steer the pairs, and "
    "whoever refuses to reveal has no say in the round that is held instead; what partners say to each other "
    "is secret, but who is paired with whom is public, so the collector can compare the two reports of a pair"
)
MODELS: Final = {"beacon": BEACON_MODEL, "committee": committee.SECURITY_MODEL}


def group_by_beacon(workers: Sequence[Child], round_id: str, users: int) -> None:
    """Collect commitments, publish them, collect the reveals, and hand these to everyone.

    A user who does not reveal has no say in the next round, which is held at once and groups all users.
    """
    beacon: Beacon | None = Beacon(round_id, (user_name(user) for user in range(users)))
    while beacon is not None:
        for entry in _in_order(workers, "commitments"):
            beacon.commit(Commitment.from_dict(entry))
        _send_all(workers, published=[commitment.to_dict() for commitment in beacon.publish()])
        # Every worker checks these for itself, and finds by itself who is missing.
        revealed = _in_order(workers, "reveals")
        _send_all(workers, reveals=[entry for entry in revealed if _opens(beacon, entry)])
        beacon = beacon.again()


def _opens(beacon: Beacon, entry: Any) -> bool:
    """Return whether a reveal matches its commitment; one that does not counts as missing."""
    try:
        beacon.reveal(Reveal.from_dict(entry))
    except ProtocolError:
        return False
    return True


def group_by_committee(workers: Sequence[Child], round_id: str, members: int, status: Status) -> None:
    """Start the members, carry the sealed letters to them, and publish their board."""
    with Committee(round_id, members, timeout=STEP_SECONDS) as group:
        _send_all(workers, members=[key.hex() for key in group.public_keys])
        letters = [[bytes.fromhex(letter) for letter in user] for user in _in_order(workers, "letters")]
        board = group.publish(letters, lambda done, total: status(f"Grouping: {done:,} of {total:,}"))
    _send_all(workers, board=board.to_dict())


def _send_all(workers: Sequence[Child], **message: Any) -> None:
    for worker in workers:
        worker.send(**message)


def _in_order(workers: Sequence[Child], what: str) -> Iterator[Any]:
    """Yield the workers' answers, one entry a user, in the order of users, who are dealt to them in turn."""
    answers = [message[what] for message in receive_all(workers, STEP_SECONDS)]
    return (entry for entry in in_user_order(answers) if entry is not None)


def in_user_order(hands: Sequence[Sequence[Any]]) -> list[Any]:
    """Return what was dealt to the workers in turn, back in the order of the users.

    >>> in_user_order([["a", "c"], ["b"]])
    ['a', 'b', 'c']
    """
    missing = object()
    return [item for row in zip_longest(*hands, fillvalue=missing) for item in row if item is not missing]
