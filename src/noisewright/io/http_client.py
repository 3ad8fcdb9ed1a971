"""The one HTTP client: where data may be sent, with which credentials, and within which time.

Models and audits post private inputs. So plain http:// stays on this machine, redirects are refused, proxies
of the environment are not used, compressed answers are refused, and secrets are read from the
environment when they are sent. One deadline covers the whole exchange, headers included, whatever the server
does.
"""

from __future__ import annotations

import http.client
import io
import ipaddress
import os
import re
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, Final, Self
from urllib.parse import urlsplit

from noisewright.errors import InvalidParameter

HEADER: Final = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
RESERVED: Final = frozenset({
    "accept", "accept-encoding", "authorization", "connection", "content-encoding", "content-length",
    "content-type", "expect", "host", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade",
})  # fmt: skip
"""Headers that the exchange itself sets or relies on; a token has an option of its own."""


@dataclass(frozen=True)
class Address:
    """Host, port and path of an HTTP endpoint; its query string, which may hold a key, is never shown.

    >>> Address.read("https://models.example/score?key=secret")
    Address(https://models.example/score)
    """

    scheme: str
    host: str
    port: int | None
    path: str
    query: str

    def __repr__(self) -> str:
        return f"Address({self})"

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}{'' if self.port is None else f':{self.port}'}{self.path}"

    @property
    def target(self) -> str:
        """What the request line asks for."""
        return f"{self.path}?{self.query}" if self.query else self.path

    @classmethod
    def read(cls, url: str, *, allow_plain: bool = False) -> Self:
        """Read an address; a refusal does not repeat its text, which may hold a password.

        Args:
            url: Begins with https://, or with http:// if it is on this machine.
            allow_plain: Whether http:// may lead to other machines, too.
        """
        if not url.isascii() or not url.isprintable() or " " in url:
            raise InvalidParameter(
                "the endpoint's address has spaces or special characters; percent-encode them"
            )
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError:
            raise InvalidParameter(
                "the endpoint's address is not a valid URL; check its host and port"
            ) from None
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InvalidParameter("an endpoint's address begins with https:// and a host")
        if parts.username is not None or parts.password is not None:
            raise InvalidParameter(
                "the endpoint's address holds a user name or password; put a token into an environment "
                "variable and name it with token_env"
            )
        if parts.scheme == "http" and not (allow_plain or is_local(parts.hostname)):
            raise InvalidParameter(
                f"http://{parts.hostname} would carry the data readable over the network; use https://"
            )
        return cls(parts.scheme, parts.hostname, port, parts.path or "/", parts.query)


def is_url(thing: object) -> bool:
    """Return whether something is the text of a web address.

    >>> is_url("https://models.example/score"), is_url("model.onnx"), is_url(print)
    (True, False, False)
    """
    return isinstance(thing, str) and thing.startswith(("http://", "https://"))


def is_local(host: str) -> bool:
    """Return whether a host is this machine, by name or number.

    >>> is_local("127.0.0.1"), is_local("::1"), is_local("127.0.0.1.example.org")
    (True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True)
class Credentials:
    """Credentials for an endpoint: values of environment variables, sent in headers.

    Only the names of the variables are stored here. The values are read when they are sent, and neither kept
    nor shown. Redirects are refused, so they reach only the given address.

    Args:
        token_env: The variable that holds a bearer token, sent as ``Authorization``.
        headers: Further headers by name, each with the variable that holds its value.

    >>> os.environ["EXAMPLE_KEY"] = "7"
    >>> Credentials(headers={"X-Api-Key": "EXAMPLE_KEY"}).read()
    {'X-Api-Key': '7'}
    """

    token_env: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "headers", dict(self.headers))
        for name in self.headers:
            if not HEADER.fullmatch(name):
                raise InvalidParameter(f"{name!r} is not the name of a header; give one such as X-Api-Key")
            if name.lower() in RESERVED:
                raise InvalidParameter(f"the header {name} is set already; give a token with token_env")
        if len({name.lower() for name in self.headers}) < len(self.headers):
            raise InvalidParameter("a header is given twice; name each once")
        self.read()  # a missing value is better found now than after a long run

    def read(self) -> dict[str, str]:
        """Return the headers with their values."""
        sent = {name: _value(variable, "value") for name, variable in self.headers.items()}
        if self.token_env is not None:
            sent["Authorization"] = f"Bearer {_value(self.token_env, 'token')}"
        return sent

    def describe(self) -> list[object]:
        """Return what distinguishes these credentials from others, without any value; [] for none."""
        return [self.token_env, sorted(self.headers.items())] if self != Credentials() else []


def _value(variable: str, what: str) -> str:
    """Return the content of an environment variable, if a header can carry it."""
    value = os.environ.get(variable, "").strip()
    if not value:
        raise InvalidParameter(f"the environment variable {variable} holds no {what}; set it first")
    if not value.isascii() or not value.isprintable():
        raise InvalidParameter(f"the {what} in {variable} has characters that no header can carry")
    return value


PIECE: Final = 1 << 16
CONNECTION: Final = {"Connection": "close"}
"""One exchange per connection: none can be stale, and no answer can be taken for a later one."""


class Compressed(http.client.HTTPException):
    """The answer is compressed, which was not asked for: a small one may expand to fill the memory."""


@dataclass(frozen=True)
class Answer:
    """What a server answered.

    Args:
        status: The code of HTTP.
        retry_after: The header of that name, if there is one.
        content: The whole body; None if it is too long, or if the status is not a success.
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
                return _read_answer(answer, most)
    except OSError:  # some are ValueErrors, too
        raise
    except (ValueError, OverflowError) as error:  # a name that cannot be encoded, a number beyond all bounds
        raise http.client.HTTPException(type(error).__name__) from None


def refusal(status: int) -> str | None:
    """Say why an answer that redirects or denies access is refused; None for any other status.

    >>> refusal(200), refusal(302)
    (None, 'the endpoint redirects (status 302), which is refused; give the final address')
    """
    if 300 <= status < 400:
        return f"the endpoint redirects (status {status}), which is refused; give the final address"
    if status in (401, 403):
        return f"the endpoint refuses access (status {status}); name a valid token's variable with token_env"
    return None


def _read_answer(answer: http.client.HTTPResponse, most: int) -> Answer:
    content = None
    if 200 <= answer.status < 300:
        if answer.getheader("Content-Encoding", "identity").strip().lower() not in ("", "identity"):
            raise Compressed("the endpoint's answer is compressed; let it answer plainly")
        content = _whole_body(answer, most)
    return Answer(answer.status, answer.getheader("Retry-After"), content)


def _timely_connection(scheme: str, host: str, port: int | None, seconds: float) -> Timely:
    """Return a connection for one exchange of at most ``seconds`` seconds."""
    kind = TimelySecure if scheme == "https" else Timely
    connection = kind(host, port or kind.default_port)  # without a port, one would be read out of ::1
    connection.until = time.monotonic() + seconds
    return connection


def _whole_body(answer: http.client.HTTPResponse, most: int) -> bytes | None:
    """Return the whole body, or None if it exceeds ``most`` bytes; raise IncompleteRead if it broke off."""
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
        """Return seconds until the end of the exchange."""
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
    """The incoming bytes, piece by piece, each within the time that is left."""

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
