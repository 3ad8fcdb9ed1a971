"""A user's side of the committee: a ticket that no single member can read, and the seat it gets.

A ticket holds a random tag and two random pads, as elements of the field of 2¹³⁰ − 5 numbers. Each member
gets an additive share of all three: any members short of all see uniform numbers. The committee puts the
tickets in an order that it draws itself, without opening them, and publishes in that order every tag and for
each two neighbours the sum of their pads. A user finds its own tag, subtracts its own pads and so knows its
partner's; both hash all four pads into the same 32 bytes. Everyone else knows only the sums, in which the
pads of one hide those of the other; and as tags mean nothing to anyone but their owners, the list does not
say who is paired with whom. Users should download all of it, not just their row.

**A hostile ticket spoils its own pair at most.** The order does not depend on tickets, and every element of
the field is a tag and a pad like any other; the tags of honest users are random among 2¹³⁰, so nobody hits
one. A user who shares a tag with another, or sends a share that cannot be read, finds no seat and reports by
plain randomized response. Only the carrier of a letter can drop or repeat it, which costs its user the seat.
"""

from __future__ import annotations

import hashlib
import secrets
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple, Self

from noisewright.errors import ProtocolError
from noisewright.joint.coins.messages import Role
from noisewright.joint.groups.beacon import join_parts
from noisewright.joint.transport.keys import PairToken, seal

FIELD: Final = (1 << 130) - 5
"""A prime that is 3 modulo 4, as MPyC wants it, with room for 64-bit keys and 63 bits of masking."""

PADS: Final = 2
"""Two pads of 130 bits: more than the 256 bits of a token."""

COLUMNS: Final = 1 + PADS
ELEMENT_BYTES: Final = 17
TICKET_BYTES: Final = COLUMNS * ELEMENT_BYTES
_DOMAIN: Final = b"noisewright committee token 1"


class Seat(NamedTuple):
    """The result of grouping for a user: the number of its pair, its role in it, and the secret it shares."""

    pair: int
    role: Role
    token: PairToken


@dataclass(frozen=True)
class Board:
    """The list that the committee publishes: tags in the drawn order, and the sums of neighbours' pads."""

    tags: tuple[int, ...]
    sums: tuple[tuple[int, ...], ...]

    @cached_property
    def rows(self) -> dict[int, int]:
        """Return the place of each tag that is listed once."""
        times = Counter(self.tags)
        return {tag: row for row, tag in enumerate(self.tags) if times[tag] == 1}

    def to_dict(self) -> dict[str, Any]:
        """Return the board in plain JSON values: numbers as text, for JSON readers that know floats only."""
        return {
            "tags": [str(tag) for tag in self.tags],
            "sums": [[str(pad) for pad in row] for row in self.sums],
        }

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> Self:
        """Read what :meth:`to_dict` wrote; refuse anything else."""
        try:
            tags = tuple(int(tag) for tag in fields["tags"])
            sums = tuple(tuple(int(pad) for pad in row) for row in fields["sums"])
        except (KeyError, TypeError, ValueError):
            raise ProtocolError("the committee's list is malformed; hold the round again") from None
        # Equal tags are let through: refusing the list would let two users who agree on one stop the round.
        if len(tags) != 2 * len(sums) or {len(row) for row in sums} != {PADS}:
            raise ProtocolError("the committee's list does not hold one tag a user; hold the round again")
        return cls(tags, sums)


class Ticket:
    """One user's secrets in one round.

    >>> from noisewright.joint.groups.committee_ticket import publish_plainly
    >>> ann, bob = Ticket("round 1"), Ticket("round 1")
    >>> board = publish_plainly([ann, bob])
    >>> one, two = ann.seat(board), bob.seat(board)
    >>> one.token.tag == two.token.tag, one.role is two.role.other
    (True, True)
    """

    def __init__(self, round_id: str) -> None:
        self._round = round_id
        self._tag = secrets.randbelow(FIELD)
        self._pads = tuple(secrets.randbelow(FIELD) for _ in range(PADS))

    @property
    def _row(self) -> tuple[int, ...]:
        return (self._tag, *self._pads)

    def shares(self, members: int) -> list[bytes]:
        """Return each member's share: numbers that are uniform by themselves and sum to the ticket."""
        given = [[secrets.randbelow(FIELD) for _ in range(COLUMNS)] for _ in range(members - 1)]
        last = [(value - sum(column)) % FIELD for value, *column in zip(self._row, *given, strict=True)]
        return [pack(row) for row in (*given, last)]

    def letters(self, members: Sequence[bytes]) -> list[bytes]:
        """Return the shares, each sealed to the public key of its member, so that anyone may carry them."""
        shares = self.shares(len(members))
        return [
            seal(share, key, purpose_of(self._round, key)) for share, key in zip(shares, members, strict=True)
        ]

    def seat(self, board: Board) -> Seat:
        """Return the user's pair, role and token; refuse a list that does not hold its tag exactly once."""
        row = board.rows.get(self._tag)
        if row is None:
            raise ProtocolError(
                "the committee's list does not hold this user's tag once; report by plain randomized response"
            )
        theirs = tuple(
            (total - mine) % FIELD for total, mine in zip(board.sums[row // 2], self._pads, strict=True)
        )
        role = Role.SECOND if row % 2 else Role.FIRST
        ordered = self._pads + theirs if role is Role.FIRST else theirs + self._pads
        parts = join_parts(_DOMAIN, self._round.encode(), pack(ordered))
        return Seat(row // 2, role, PairToken(hashlib.sha256(parts).digest()))


def purpose_of(round_id: str, member: bytes) -> bytes:
    """Return the bytes that bind a letter to its member and round, so that it is of no use in another."""
    return join_parts(_DOMAIN, round_id.encode(), member)


def pack(row: Iterable[int]) -> bytes:
    """Return field elements as bytes."""
    return b"".join(value.to_bytes(ELEMENT_BYTES, "little") for value in row)


def unpack(share: bytes) -> list[int]:
    """Return the field elements of one share of a ticket.

    >>> unpack(pack([1, 2, 3]))
    [1, 2, 3]
    """
    starts = range(0, len(share), ELEMENT_BYTES)
    row = [int.from_bytes(share[start : start + ELEMENT_BYTES], "little") for start in starts]
    if len(share) != TICKET_BYTES or max(row) >= FIELD:
        raise ProtocolError(f"a share of a ticket must be {COLUMNS} numbers of the field; ask its user again")
    return row


def publish_plainly(tickets: Sequence[Ticket]) -> Board:
    """Return the board of a committee that draws this order, computed in the open: for tests only."""
    pairs = zip(tickets[::2], tickets[1::2], strict=True)
    sums = tuple(
        tuple((a + b) % FIELD for a, b in zip(one._pads, two._pads, strict=True)) for one, two in pairs
    )
    return Board(tuple(ticket._tag for ticket in tickets), sums)
