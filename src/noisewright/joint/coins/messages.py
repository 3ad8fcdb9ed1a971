"""What two partners say to each other, and how a message gets across."""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import Protocol


class Role(Enum):
    """Which of the two a party is; the grouping says so."""

    FIRST = "first"
    SECOND = "second"

    @property
    def other(self) -> Role:
        """The partner's role."""
        return Role.SECOND if self is Role.FIRST else Role.FIRST


class Kind(IntEnum):
    """What a message is, so that none can be taken for another."""

    HELLO = 0
    POINT = 1
    ANSWERS = 2
    CORRECTION = 3
    ROWS = 4
    COLOURS = 5
    DONE = 6


class Messages(Protocol):
    """A way to talk to a partner; ``transport.channel.SecureChannel`` is the real one."""

    @property
    def session(self) -> bytes:
        """Public bytes that no other session has."""

    def send(self, kind: Kind, payload: bytes) -> None:
        """Hand a message over."""

    def receive(self, kind: Kind) -> bytes:
        """The payload of the next message, refused if that is of another kind."""
