"""A socket with a deadline: no wait without an end, and no short answer."""

from __future__ import annotations

import socket
import time

import pytest

from noisewright.errors import ProtocolError
from noisewright.joint.transport.rendezvous import Pipe


def test_a_silent_partner_ends_at_the_deadline():
    left, right = socket.socketpair()
    with right, Pipe(left, time.monotonic() + 0.2) as pipe, pytest.raises(ProtocolError, match="in time"):
        pipe.receive(1)


def test_a_dripping_partner_ends_at_the_deadline():
    """The deadline is for all bytes together, not for each."""
    left, right = socket.socketpair()
    with right, Pipe(left, time.monotonic() - 1) as pipe:
        right.sendall(b"x" * 100)
        with pytest.raises(ProtocolError, match="in time"):
            pipe.receive(100)


def test_a_closed_connection_is_a_clear_error():
    left, right = socket.socketpair()
    right.close()
    with Pipe(left, time.monotonic() + 5) as pipe:
        with pytest.raises(ProtocolError, match=r"went away|broke"):
            pipe.receive(1)
        with pytest.raises(ProtocolError, match="broke"):
            pipe.send(b"x" * (1 << 20))
