"""How a device finds its partner: both show the same tag to a relay that both can reach.

The opening is four fixed bytes and the tag of the pair's token; the relay answers with one byte. After
:attr:`Answer.PAIRED` every byte goes to the partner and comes from it.
"""

from __future__ import annotations

import socket
import ssl
import time
from contextlib import suppress
from enum import IntEnum
from pathlib import Path
from types import TracebackType
from typing import Final

from noisewright.errors import ProtocolError
from noisewright.joint.transport.keys import TAG_BYTES, PairToken
from noisewright.joint.transport.tls import client_context
from noisewright.parameters import whole

GREETING: Final = b"NWR1"
OPENING_BYTES: Final = len(GREETING) + TAG_BYTES


class Pipe:
    """A socket with a deadline of the monotonic clock, however slowly bytes drip; whole pieces in and out."""

    def __init__(self, connection: socket.socket, deadline: float) -> None:
        self._connection = connection
        self._deadline = deadline

    def send(self, data: bytes) -> None:
        """Hand all bytes to the network."""
        try:
            self._connection.settimeout(self._left())
            self._connection.sendall(data)
        except TimeoutError:
            raise self._too_late() from None
        except OSError as error:
            raise ProtocolError("the connection to the partner broke; the pair cannot go on") from error

    def receive(self, count: int) -> bytes:
        """Return exactly ``count`` bytes; a connection that ends before is an error, not a short answer."""
        pieces = bytearray()
        while len(pieces) < count:
            piece = self._receive_some(count - len(pieces))
            if not piece:
                raise ProtocolError("the partner went away in the middle; the pair cannot go on")
            pieces += piece
        return bytes(pieces)

    def _receive_some(self, count: int) -> bytes:
        try:
            self._connection.settimeout(self._left())
            return self._connection.recv(min(count, 1 << 16))
        except TimeoutError:
            raise self._too_late() from None
        except OSError as error:
            raise ProtocolError("the connection to the partner broke; the pair cannot go on") from error

    def _left(self) -> float:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise self._too_late()
        return left

    def _too_late(self) -> ProtocolError:
        return ProtocolError("the partner did not answer in time; the pair cannot go on")

    def close(self) -> None:
        """End the connection; it may have ended already."""
        with suppress(OSError):
            self._connection.close()

    def __enter__(self) -> Pipe:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


class Answer(IntEnum):
    """A relay's answer to an opening."""

    PAIRED = 1
    NOBODY_CAME = 2
    TAG_USED = 3
    FULL = 4
    MALFORMED = 5


_REFUSALS: Final[dict[int, str]] = {
    Answer.NOBODY_CAME: "the partner did not come to the relay in time; the pair cannot go on",
    Answer.TAG_USED: "the relay has seen this pair's tag before; every attempt needs a new token",
    Answer.FULL: "the relay serves as many devices as it may; try again with a new token",
    Answer.MALFORMED: "the relay did not understand the opening; both need the same version",
}


class Rendezvous:
    """A relay as a device sees it: where it is, and which certificate authority vouches for it.

    One of these serves any number of pairs, in any number of threads.

    Args:
        host: Name or address of the relay; its certificate must be for this name.
        port: Its port, from 1 to 65535.
        authority: PEM file of the certificate authority that vouches for the relay; by default, the
            authorities that the system trusts.
    """

    def __init__(self, host: str, port: int, authority: Path | None = None) -> None:
        self.host = host
        self.port = whole("the port of a relay", port, 1, 65535)
        self._context = client_context(authority)

    def meet(self, token: PairToken, deadline: float) -> Pipe:
        """Return a pipe to the partner, once it has come too."""
        pipe = Pipe(self._connect(deadline), deadline)
        try:
            pipe.send(GREETING + token.tag)
            answer = pipe.receive(1)[0]
            if answer != Answer.PAIRED:
                raise ProtocolError(_REFUSALS.get(answer, "the relay gave an answer that does not exist"))
        except BaseException:
            pipe.close()
            raise
        return pipe

    def _connect(self, deadline: float) -> ssl.SSLSocket:
        patience = max(deadline - time.monotonic(), 0.001)
        try:
            plain = socket.create_connection((self.host, self.port), timeout=patience)
        except OSError as error:
            raise ProtocolError("the relay cannot be reached; the pair cannot go on") from error
        try:
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return self._context.wrap_socket(plain, server_hostname=self.host)
        except OSError as error:
            plain.close()
            raise ProtocolError(
                "the relay has no certificate that this device trusts, or broke off"
            ) from error

    def __repr__(self) -> str:
        return f"Rendezvous({self.host!r}, {self.port})"
