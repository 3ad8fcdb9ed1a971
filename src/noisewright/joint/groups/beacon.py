"""A random seed that no single party controls: everyone commits, then everyone reveals.

Each participant commits to 32 secret bytes; when all commitments are published, the secrets are revealed and
the seed is the hash of all of them. A single honest participant makes the seed unpredictable and uniform,
because every secret was fixed before any was seen; so participants need not be all users, and a thousand can
draw the seed that groups a million. This assumes that all see the same list of names, keys and commitments.
Whoever can show different lists, with invented entries, learns secrets before the last one is fixed. Use a
beacon where groups may be public: the seed is. ``committee.py`` hides them, at a higher price.

**A participant who refuses to reveal** voids the round: there is no seed, :meth:`Beacon.missing` names it and
the next round is held :meth:`Beacon.without` it, with fresh secrets. The last to reveal has seen the seed
that would have been, so a refusal is a chance of another draw. Each participant has one such chance, since
it costs the say in all later rounds. An outcome of probability P has probability at most (r + 1)·P when r
participants are ready to pay: one refusal at most doubles it, which is one bit.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Self

from noisewright.errors import InvalidParameter, ProtocolError

SECRET_BYTES: Final = 32
MOST_NAME: Final = 256
COMMITMENT_DOMAIN: Final = b"noisewright beacon commitment 1"
SEED_DOMAIN: Final = b"noisewright beacon seed 1"


def join_parts(*parts: bytes) -> bytes:
    """Join parts so that no other parts give the same bytes: each is preceded by its length.

    >>> join_parts(b"ab", b"c") == join_parts(b"a", b"bc")
    False
    """
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


@dataclass(frozen=True)
class Commitment:
    """A promise that fixes a participant's secret without showing it.

    ``public_key`` is what the participant wants the others to know along with it, such as the key its partner
    needs; the digest covers it.
    """

    participant: str
    digest: bytes
    public_key: bytes = b""

    def to_dict(self) -> dict[str, str]:
        """Return the commitment in plain JSON values."""
        return {
            "participant": self.participant,
            "digest": self.digest.hex(),
            "public_key": self.public_key.hex(),
        }

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> Self:
        """Read what :meth:`to_dict` wrote; refuse anything else."""
        who = _name(fields)
        return cls(who, _bytes(fields, "digest", who), _bytes(fields, "public_key", who, empty=True))


@dataclass(frozen=True)
class Reveal:
    """The secret behind a commitment; printing it does not show it."""

    participant: str
    secret: bytes = field(repr=False)
    salt: bytes = field(repr=False)

    def commitment(self, round_id: str, public_key: bytes = b"") -> Commitment:
        """Return the commitment that this secret opens.

        The digest covers round and participant, so a commitment seen elsewhere is of no use to anyone:
        whoever copies it can never open it under another name.
        """
        parts = (
            COMMITMENT_DOMAIN,
            round_id.encode(),
            self.participant.encode(),
            public_key,
            self.salt,
            self.secret,
        )
        return Commitment(self.participant, hashlib.sha256(join_parts(*parts)).digest(), public_key)

    def to_dict(self) -> dict[str, str]:
        """Return the reveal in plain JSON values; after this the secret is public."""
        return {"participant": self.participant, "secret": self.secret.hex(), "salt": self.salt.hex()}

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> Self:
        """Read what :meth:`to_dict` wrote; refuse anything else."""
        who = _name(fields)
        return cls(who, _bytes(fields, "secret", who), _bytes(fields, "salt", who))


def _name(fields: Mapping[str, Any]) -> str:
    name = fields.get("participant")
    if not isinstance(name, str) or not 0 < len(name) <= MOST_NAME:
        raise ProtocolError(f"a message of the beacon must name its participant in 1 to {MOST_NAME} letters")
    return name


def _bytes(fields: Mapping[str, Any], key: str, who: str, *, empty: bool = False) -> bytes:
    try:
        found = bytes.fromhex(fields[key])
    except (KeyError, TypeError, ValueError):
        found = None
    if found is None or not (len(found) == SECRET_BYTES or (empty and not found)):
        raise ProtocolError(f"{key} in the message of {who} must be {SECRET_BYTES} bytes in hexadecimal")
    return found


class Contribution:
    """One participant's part in one round: keeps the secret until all others are fixed, too."""

    def __init__(self, round_id: str, participant: str, public_key: bytes = b"") -> None:
        self._round = round_id
        self._opening = Reveal(participant, secrets.token_bytes(32), secrets.token_bytes(32))
        self.commitment = self._opening.commitment(round_id, public_key)

    def reveal(self, board: Beacon) -> Reveal:
        """Return the secret, once all commitments, this participant's included, are published on a board.

        The board is the participant's own copy, with the names that it expects. Anybody missing from it
        could choose a secret after seeing this one.

        >>> mine, other = Contribution("round 1", "ann"), Contribution("round 1", "bob")
        >>> board = Beacon("round 1", ["ann", "bob"])
        >>> board.commit(mine.commitment)
        >>> mine.reveal(board)
        Traceback (most recent call last):
        ...
        noisewright.errors.ProtocolError: the list of commitments is not complete and published; nothing ...
        >>> board.commit(other.commitment)
        >>> published = board.publish()
        >>> mine.reveal(board).participant
        'ann'
        """
        who = self.commitment.participant
        if board.round_id != self._round or board.published(who) != self.commitment:
            raise ProtocolError(
                f"the published list does not hold the commitment of {who} to this round; nothing is "
                "revealed, and the round must be started anew"
            )
        return self._opening


class Beacon:
    """The public board of one round: takes commitments, then reveals, and checks all of them.

    Anyone who holds the published commitments and the reveals can run one and gets the same seed.

    >>> people = [Contribution("round 1", name) for name in ("ann", "bob")]
    >>> beacon = Beacon("round 1", ["ann", "bob"])
    >>> for person in people:
    ...     beacon.commit(person.commitment)
    >>> published = beacon.publish()
    >>> for person in people:
    ...     beacon.reveal(person.reveal(beacon))
    >>> len(beacon.seed())
    32
    """

    def __init__(self, round_id: str, participants: Iterable[str]) -> None:
        self.round_id, self.participants = round_id, tuple(participants)
        self._expected = frozenset(self.participants)
        if len(self._expected) < max(2, len(self.participants)):
            raise InvalidParameter("participants of a beacon must be two or more, each with its own name")
        self._commitments: dict[str, Commitment] = {}
        self._digests: set[bytes] = set()
        self._reveals: dict[str, Reveal] = {}
        self._published: tuple[Commitment, ...] = ()
        self._closed = False

    def commit(self, commitment: Commitment) -> None:
        """Take one commitment; refuse it if it is unknown, a second one, a copy, or late."""
        who = self._known(commitment.participant)
        if self._published:
            raise ProtocolError(f"the commitment of {who} is late: the list is published")
        if who in self._commitments:
            raise ProtocolError(f"{who} has committed already; one commitment a round")
        if commitment.digest in self._digests:
            raise ProtocolError(f"the commitment of {who} is a copy of another participant's")
        self._commitments[who] = commitment
        self._digests.add(commitment.digest)

    def publish(self) -> tuple[Commitment, ...]:
        """Fix the list of commitments, in the order of the participants; now secrets may be revealed."""
        if missing := self._lacking(self._commitments):
            raise ProtocolError(f"no commitment from {missing}; wait for it, or start a round without them")
        if not self._published:
            self._published = tuple(self._commitments[who] for who in self.participants)
        return self._published

    def published(self, participant: str) -> Commitment:
        """Return one participant's commitment as published; refuse until all are."""
        if not self._published:
            raise ProtocolError(
                "the list of commitments is not complete and published; nothing is revealed until it is"
            )
        return self._commitments[self._known(participant)]

    def reveal(self, reveal: Reveal) -> None:
        """Take one secret; refuse it if it is early, late, a second one, or not the one committed to."""
        who = self._known(reveal.participant)
        if not self._published:
            raise ProtocolError(f"the reveal of {who} is early: the commitments are not published yet")
        if self._closed:
            raise ProtocolError(f"the reveal of {who} is late: the round is closed")
        if who in self._reveals:
            raise ProtocolError(f"{who} has revealed already; one reveal a round")
        committed = self._commitments[who]
        opened = reveal.commitment(self.round_id, committed.public_key)
        if not hmac.compare_digest(opened.digest, committed.digest):
            raise ProtocolError(
                f"the reveal of {who} does not match the commitment; the round is void without it"
            )
        self._reveals[who] = reveal

    def close(self) -> None:
        """Take no more reveals: the time for them is over."""
        self._closed = True

    def missing(self) -> tuple[str, ...]:
        """Return the names of those who have committed but not revealed."""
        return tuple(who for who in self._commitments if who not in self._reveals)

    def without(self, round_id: str, excluded: Iterable[str]) -> Beacon:
        """Return a fresh round of the others, after some have refused."""
        gone = frozenset(excluded)
        return Beacon(round_id, (who for who in self.participants if who not in gone))

    def again(self) -> Beacon | None:
        """Return the round to hold instead after the time for reveals, or None if this one has a seed.

        >>> beacon, people = Beacon("round 1", "abc"), [Contribution("round 1", name) for name in "abc"]
        >>> for person in people:
        ...     beacon.commit(person.commitment)
        >>> published = beacon.publish()
        >>> for person in people[:2]:
        ...     beacon.reveal(person.reveal(beacon))
        >>> beacon.again().round_id, beacon.again().participants
        ('round 1 again', ('a', 'b'))
        """
        self.close()
        return self.without(f"{self.round_id} again", self.missing()) if self.missing() else None

    def seed(self) -> bytes:
        """Return the hash of the commitments and of all secrets in the order of the participants."""
        if not self._published or self._lacking(self._reveals):
            missing = self._lacking(self._reveals)
            raise ProtocolError(f"no reveal from {missing}; the round is void and must be held without them")
        self.close()
        parts = [SEED_DOMAIN, self.round_id.encode()]
        for who in self.participants:
            parts += [who.encode(), self._commitments[who].digest, self._reveals[who].secret]
        return hashlib.sha256(join_parts(*parts)).digest()

    def _known(self, participant: str) -> str:
        if participant not in self._expected:
            raise ProtocolError(f"{participant!r} is not a participant of {self.round_id}")
        return participant

    def _lacking(self, given: Iterable[str]) -> str:
        """Return the names of those who have not given anything yet, as text; empty if all have."""
        there = set(given)
        names = [who for who in self.participants if who not in there]
        more = f" and {len(names) - 3:,} more" if len(names) > 3 else ""
        return ", ".join(names[:3]) + more
