"""The messages between two partners, and the interface that carries them."""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import Protocol


class Role(Enum):
    """The role of a party in its pair; the grouping assigns it."""

    FIRST = "first"
    SECOND = "second"

    @property
    def other(self) -> Role:
        """The partner's role."""
        return Role.SECOND if self is Role.FIRST else Role.FIRST


class Kind(IntEnum):
    """The kind of a message, so that none can be mistaken for another."""

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
        """Return the payload of the next message; refuse one of another kind."""
