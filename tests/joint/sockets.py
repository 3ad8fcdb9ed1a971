"""Partners over real sockets: a relay in a thread, and a line on which the test can do mischief."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from joint.pipes import together
from noisewright.joint.coins.messages import Role
from noisewright.joint.transport.channel import HEADER_BYTES, Header, SecureChannel
from noisewright.joint.transport.keys import PairToken
from noisewright.joint.transport.relay import Limits, Relay
from noisewright.joint.transport.rendezvous import Pipe, Rendezvous
from noisewright.joint.transport.tls import make_identity


@contextmanager
def relay_thread(folder: Path, limits: Limits | None = None) -> Iterator[Rendezvous]:
    """A relay in this process, which the test may give unusual limits."""
    identity, loop = make_identity(folder), asyncio.new_event_loop()
    relay = Relay(identity, limits)
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    port = asyncio.run_coroutine_threadsafe(relay.start(), loop).result(20)
    try:
        yield Rendezvous("127.0.0.1", port, identity.certificate)
    finally:
        asyncio.run_coroutine_threadsafe(_wind_up(relay), loop).result(20)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(600)
        loop.close()


async def _wind_up(relay: Relay) -> None:
    await relay.stop()
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    await asyncio.sleep(0.05)  # transports close


TERMS = bytes(32)
TOKEN = PairToken(bytes(range(32)))

Mischief = Callable[[int, bytes, bytes], list[bytes] | None]
"""From the number of a frame, its header and its payload, what to pass on instead; None cuts the line."""


def in_the_middle(mischief: Mischief, patience: float = 5.0) -> tuple[Pipe, Pipe]:
    """Two pipes with the test between them: frames of the first pass through ``mischief``, all others unchanged."""
    (first, first_far), (second, second_far) = socket.socketpair(), socket.socketpair()
    deadline = time.monotonic() + patience
    for source, sink, change in ((first_far, second_far, mischief), (second_far, first_far, _honest)):
        threading.Thread(target=_carry, args=(source, sink, change, deadline), daemon=True).start()
    pipes = Pipe(first, deadline), Pipe(second, deadline)
    _made.extend(pipes)
    return pipes


_made: list[Pipe] = []


def close_pipes() -> None:
    """Close whatever :func:`in_the_middle` made, which ends its threads too."""
    while _made:
        _made.pop().close()


def _honest(number: int, header: bytes, payload: bytes) -> list[bytes]:
    return [header + payload]


def open_both(
    mischief: Mischief = _honest, tokens=(TOKEN, TOKEN), roles=(Role.FIRST, Role.SECOND), terms=(TERMS, TERMS)
):
    """Both ends of a channel through the mischief, after their greetings."""
    pipes = in_the_middle(mischief)
    return together(
        *(lambda c=case: SecureChannel(*c) for case in zip(pipes, tokens, roles, terms, strict=True))
    )


def _carry(source: socket.socket, sink: socket.socket, mischief: Mischief, deadline: float) -> None:
    number = 0
    try:
        while True:
            header = _exactly(source, HEADER_BYTES)
            out = mischief(number, header, _exactly(source, Header.read(header).length))
            if out is None:
                return
            for piece in out:
                sink.sendall(piece)
            number += 1
    except OSError:
        return
    finally:
        for end in (source, sink):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()


def _exactly(source: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        piece = source.recv(count - len(data))
        if not piece:
            raise ConnectionResetError
        data += piece
    return data
