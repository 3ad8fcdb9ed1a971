"""A mechanism behind an HTTP address: the input is posted, the answer is the output."""

from __future__ import annotations

import http.client
import io
import socket
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final
from urllib.parse import urlsplit

from noisewright.audit.blackbox.base import BlackBox, check_timeout
from noisewright.audit.blackbox.parsing import parse_output
from noisewright.audit.blackbox.subjects import as_bytes
from noisewright.audit.outputs import Outputs
from noisewright.errors import BadMechanism, InvalidParameter

LARGEST: Final = 1 << 20
PIECE: Final = 1 << 16
HEADERS: Final = {
    "Accept": "application/json, text/plain",
    "Connection": "close",
    "User-Agent": "noisewright",
}
LOCAL: Final = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, eq=False)
class Endpoint(BlackBox):
    """An address that gets the input as a ``POST`` and answers one output, as JSON or as text.

    The input goes as JSON, frames as CSV, files as they are. Plain http:// is for this machine only.
    Redirects are refused, and proxies of the environment are not used: the input is private. ``timeout``
    holds for every answer, from the first step towards the server to the last byte.

    >>> Endpoint("https://noise.example/release?key=7").title
    'https://noise.example/release'
    """

    url: str = field(repr=False)  # it may hold a key
    timeout: float = 60.0
    block: ClassVar[int] = 16
    apart: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "timeout", check_timeout(self.timeout))
        try:
            parts = urlsplit(self.url)
            parts.port  # noqa: B018  (reading it checks it)
        except ValueError:
            parts = urlsplit("")
        if parts.scheme not in ("http", "https") or not parts.hostname or not self.url.isprintable():
            raise InvalidParameter("the address of an endpoint begins with https:// and names a machine")
        if parts.scheme == "http" and parts.hostname not in LOCAL:
            raise InvalidParameter(
                "over http:// to another machine the input would be readable on the way; use https://"
            )

    @property
    def title(self) -> str:
        parts = urlsplit(self.url)
        host = f"{parts.hostname}:{parts.port}" if parts.port else parts.hostname
        return f"{parts.scheme}://{host}{parts.path}"

    def draw(self, subject: Any, count: int, seed: int) -> Outputs:
        body, kind = as_bytes(subject)
        return Outputs.of([parse_output(self._post(body, kind)) for _ in range(count)])

    def describe(self) -> Any:
        return "endpoint", self.url

    def _post(self, body: bytes, kind: str) -> bytes:
        try:
            with closing(self._connection()) as connection:
                connection.request("POST", self._target, body, HEADERS | {"Content-Type": kind})
                with connection.getresponse() as answer:
                    return _content(answer)
        except TimeoutError:
            raise BadMechanism(
                f"the endpoint gave no output within {self.timeout:g} seconds; allow more with timeout=..."
            ) from None
        except http.client.IncompleteRead:
            raise BadMechanism(
                "the endpoint's answer broke off; let it send as many bytes as it announces"
            ) from None
        except (OSError, http.client.HTTPException, UnicodeError) as error:  # some names cannot be encoded
            raise BadMechanism(
                f"the endpoint cannot be reached ({type(error).__name__}); check the address"
            ) from None

    def _connection(self) -> _Timely:
        parts = urlsplit(self.url)
        connection = (_TimelySecure if parts.scheme == "https" else _Timely)(parts.netloc)
        connection.until = time.monotonic() + self.timeout
        return connection

    @property
    def _target(self) -> str:
        parts = urlsplit(self.url)
        return f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"


def _content(answer: http.client.HTTPResponse) -> bytes:
    """The whole of a good answer."""
    if 300 <= answer.status < 400:
        raise BadMechanism(
            f"the endpoint redirects (status {answer.status}), which is refused; give the final address"
        )
    if not 200 <= answer.status < 300:
        raise BadMechanism(
            f"the endpoint answered with status {answer.status}; post that input by hand to see why"
        )
    content = bytearray()
    while piece := answer.read1(PIECE):
        content += piece
        if len(content) > LARGEST:
            raise BadMechanism(f"the endpoint answered more than {LARGEST} bytes; let it answer less")
    if answer.length:  # bytes of the announced length that never came; read1 does not mind
        raise http.client.IncompleteRead(b"", answer.length)
    return bytes(content)


class _Timely(http.client.HTTPConnection):
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
            self.sock = socket.socket(family, kind, protocol)
            try:
                # an equal share of the time, so that a dead address leaves some for the next
                self.sock.settimeout(self.left() / (len(found) - place + 1))
                self.sock.connect(address)
                break
            except OSError:
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
        answer.fp = io.BufferedReader(_TimelyReader(answer.fp.detach(), sock, self.left))
        return answer


class _TimelySecure(http.client.HTTPSConnection, _Timely):
    """The same with TLS, which takes the socket from the class after it and checks the certificate."""


class _TimelyReader(io.RawIOBase):
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
