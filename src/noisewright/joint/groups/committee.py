"""Grouping by a committee: three or more processes pair users by secure computation, and learn no pair.

Users send every member a share of a ticket (``committee_ticket.py``). The members toss a
secret 64-bit key for every ticket, together and on shares, sort the tickets by these keys with a sorting
network on shares, using MPyC, and publish a list in which each user can read its own entry only.

**The order is uniform**, whatever users send and whatever a minority of the members knows, given that no two
keys are equal. Two are equal with probability below n²/2⁶⁵ (3·10⁻¹⁴ for 1,000 users); their order then
follows their places in the list. Keys are below 2⁶⁴ because members make them so, and a comparison is right
for all such keys.

**Model: honest but curious.** Members follow the protocol; what a minority of them sees (one of three, two of
five), together with any users, reveals nothing about the pairs of other users, up to the statistical masking
of comparisons (2⁻⁶⁰ each). A majority of members could open everything. Members who deviate can spoil the
result, and since MPyC's members exchange pickled arrays they could even run code on each other: a committee
is for organisations that watch each other, not for strangers. Members talk over TCP with TLS, each side
showing a certificate of this round. Users need not be honest: a hostile one spoils its own pair at most.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from importlib.util import find_spec
from typing import Final, Self

from noisewright.errors import MissingExtra, ProtocolError
from noisewright.joint.groups.committee_ticket import Board
from noisewright.joint.groups.partition import check_division
from noisewright.joint.transport.child import Child, Message, receive_all
from noisewright.parameters import whole

FEWEST_MEMBERS: Final = 3
MOST_MEMBERS: Final = 9
MOST_USERS: Final = 20_000
"""Beyond this a committee would take hours; group by beacon."""

MODULE: Final = "noisewright.joint.groups.committee_process"
START_SECONDS: Final = 60.0
SECURITY_MODEL: Final = (
    "honest but curious: no minority of the committee's members learns who is paired with whom, if all "
    "members follow the protocol; a majority could; and the relay sees which addresses meet, so the "
    "collector should not run it"
)


class Committee:
    """The members of one round, as processes on this machine.

    >>> from noisewright.joint.groups.committee_ticket import Ticket
    >>> users = [Ticket("round 1") for _ in range(4)]
    >>> with Committee("round 1", members=3) as committee:                                # doctest: +SKIP
    ...     letters = [user.letters(committee.public_keys) for user in users]
    ...     board = committee.publish(letters)
    >>> users[0].seat(board).role                                                         # doctest: +SKIP
    <Role.FIRST: 'first'>
    """

    def __init__(self, round_id: str, members: int = FEWEST_MEMBERS, timeout: float = 600.0) -> None:
        self.round_id, self._timeout = round_id, timeout
        self.members = whole("members of a committee", members, FEWEST_MEMBERS, MOST_MEMBERS)
        self.public_keys: list[bytes] = []
        self._certificates: list[str] = []
        self._children: list[Child] = []
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        if find_spec("mpyc") is None:  # looked for, not imported: it reads the command line
            raise MissingExtra.of("a committee needs mpyc, a beacon does not", "joint")
        with ExitStack() as stack:
            for index in range(self.members):
                child = stack.enter_context(Child(MODULE, f"member {index} of the committee"))
                child.send(index=index, round=self.round_id)
                self._children.append(child)
            for message in receive_all(self._children, START_SECONDS):
                self.public_keys.append(bytes.fromhex(message["public_key"]))
                self._certificates.append(message["certificate"])
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def publish(
        self,
        letters: Sequence[Sequence[bytes]],
        progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> Board:
        """Return the board of these users' letters, one per member from each user; all members must agree."""
        check_division(whole("users of a committee", len(letters), 2, MOST_USERS))
        addresses = free_addresses(self.members)
        for index, child in enumerate(self._children):
            mine = [letter[index].hex() for letter in letters]
            child.send(addresses=addresses, certificates=self._certificates, letters=mine)
        boards = receive_all(self._children, self._timeout, _progress_to(progress))
        if any(board != boards[0] for board in boards):
            raise ProtocolError(
                "the members of the committee do not agree on the result; hold the round again"
            )
        return Board.from_dict(boards[0])


def _progress_to(progress: Callable[[int, int], None]) -> Callable[[int, Message], None]:
    """Report the progress of the first member: all members advance together."""
    return lambda place, message: progress(message["done"], message["total"]) if place == 0 else None


def free_addresses(count: int) -> list[str]:
    """Return addresses on this machine that nothing listens on, taken together so that they differ."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for listener in sockets:
            listener.bind(("127.0.0.1", 0))
        return [f"127.0.0.1:{listener.getsockname()[1]}" for listener in sockets]
