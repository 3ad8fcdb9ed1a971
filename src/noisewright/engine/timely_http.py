"""One exchange over HTTP that ends in time, whatever the server does."""

from __future__ import annotations

import http.client
import io
import socket
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Final

from noisewright.engine.endpoints import Address

PIECE: Final = 1 << 16
CONNECTION: Final = {"Connection": "close"}
"""One exchange a connection: none is there to be stale, and no answer can be taken for a later one's."""


class Compressed(http.client.HTTPException):
    """The answer is compressed, which was not asked for: a small one may unfold to fill the memory."""


@dataclass(frozen=True)
class Answer:
    """What a server answered.

    Args:
        status: The code of HTTP.
        retry_after: The header of that name, if there is one.
        content: All that was announced; None if that is too much, or if the status is no success.
    """

    status: int
    retry_after: str | None
    content: bytes | None


def post(address: Address, body: bytes, headers: dict[str, str], *, seconds: float, most: int) -> Answer:
    """Post a body and read the answer; redirects are not followed, and proxies of the environment not used.

    Whatever the server does, this ends in time with an answer, an OSError (TimeoutError when the time is up)
    or an HTTPException (IncompleteRead if the answer broke off).

    Args:
        address: Where to.
        body: What is posted.
        headers: Those of the request.
        seconds: How long the exchange may take, from the first step to the last byte.
        most: Bytes of the longest answer.
    """
    try:
        with closing(_timely_connection(address.scheme, address.host, address.port, seconds)) as connection:
            connection.request("POST", address.target, body, headers | CONNECTION)
            with connection.getresponse() as answer:  # it keeps the socket when the connection is closed
                return _read(answer, most)
    except OSError:  # some are ValueErrors, too
        raise
    except (ValueError, OverflowError) as error:  # a name that cannot be encoded, a number beyond all bounds
        raise http.client.HTTPException(type(error).__name__) from None


def _read(answer: http.client.HTTPResponse, most: int) -> Answer:
    content = None
    if 200 <= answer.status < 300:
        if answer.getheader("Content-Encoding", "identity").strip().lower() not in ("", "identity"):
            raise Compressed
        content = _whole_body(answer, most)
    return Answer(answer.status, answer.getheader("Retry-After"), content)


def _timely_connection(scheme: str, host: str, port: int | None, seconds: float) -> Timely:
    """A connection for one exchange that takes so many seconds at most."""
    kind = TimelySecure if scheme == "https" else Timely
    connection = kind(host, port or kind.default_port)  # without a port, one would be read out of ::1
    connection.until = time.monotonic() + seconds
    return connection


def _whole_body(answer: http.client.HTTPResponse, most: int) -> bytes | None:
    """All that was announced, or None if it is more than ``most`` bytes; IncompleteRead if it broke off."""
    content = bytearray()
    while piece := answer.read1(PIECE):
        content += piece
        if len(content) > most:
            return None
    if answer.length:  # bytes of the announced length that never came; read1 does not mind
        raise http.client.IncompleteRead(b"", answer.length)
    return bytes(content)


class Timely(http.client.HTTPConnection):
    """A connection for one exchange, which ends in time whatever the server does.

    A timeout of a socket begins anew with every byte, so before each step it is set to what is left. Only the
    lookup of a name cannot be interrupted: the time it takes counts, and the system limits it.
    """

    until: float

    def left(self) -> float:
        """Seconds until the end of the exchange."""
        left = self.until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left

    def connect(self) -> None:
        found = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
        for place, (family, kind, protocol, _, address) in enumerate(found, 1):
            try:
                self.sock = socket.socket(family, kind, protocol)
                # an equal share of the time, so that a dead address leaves some for the next
                self.sock.settimeout(self.left() / (len(found) - place + 1))
                self.sock.connect(address)
                break
            except OSError:
                if self.sock is not None:  # a family that the system lacks has no socket
                    self.sock.close()
                if place == len(found):
                    raise
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.sock.settimeout(self.left())  # for the whole handshake, should one follow

    def send(self, data: Any) -> None:
        if self.sock is None:
            self.connect()
        self.sock.settimeout(self.left())
        super().send(data)

    def response_class(  # type: ignore[override]  # getresponse only calls it
        self, sock: socket.socket, **options: Any
    ) -> http.client.HTTPResponse:
        answer = http.client.HTTPResponse(sock, **options)
        answer.fp = io.BufferedReader(_Reader(answer.fp.detach(), sock, self.left))
        return answer


class TimelySecure(http.client.HTTPSConnection, Timely):
    """The same with TLS, which takes the socket from the class after it and checks the certificate."""


class _Reader(io.RawIOBase):
    """What comes in, piece by piece, each within the time that is left."""

    def __init__(self, incoming: io.RawIOBase, sock: socket.socket, left: Callable[[], float]) -> None:
        self._incoming, self._sock, self._left = incoming, sock, left

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._sock.settimeout(self._left())
        return self._incoming.readinto(buffer)

    def close(self) -> None:
        self._incoming.close()
        super().close()
