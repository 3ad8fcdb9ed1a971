"""Endpoints on the web: where data may be sent and where not, and what shows the server who asks."""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Self
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
        """An address from its text, or a refusal that does not repeat the text: it may hold a password.

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
                "the endpoint's address is no valid URL; check its host and port"
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
    """Tell whether something is the text of a web address.

    >>> is_url("https://models.example/score"), is_url("model.onnx"), is_url(print)
    (True, False, False)
    """
    return isinstance(thing, str) and thing.startswith(("http://", "https://"))


def is_local(host: str) -> bool:
    """Whether a host is this machine by name or number.

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
    """What an endpoint is shown of who asks: values of environment variables, in headers.

    Only the names of the variables are held here. The values are read when they are sent; they are neither
    kept nor shown, and since redirects are refused they reach the one address that was given.

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
                raise InvalidParameter(f"{name!r} is no name of a header; give one such as X-Api-Key")
            if name.lower() in RESERVED:
                raise InvalidParameter(f"the header {name} is set already; give a token with token_env")
        if len({name.lower() for name in self.headers}) < len(self.headers):
            raise InvalidParameter("a header is given twice; name each once")
        self.read()  # a missing value is better found now than after a long run

    def read(self) -> dict[str, str]:
        """The headers with their values."""
        sent = {name: _value(variable, "value") for name, variable in self.headers.items()}
        if self.token_env is not None:
            sent["Authorization"] = f"Bearer {_value(self.token_env, 'token')}"
        return sent

    def describe(self) -> list[object]:
        """What tells these credentials from others, without any value; nothing if there are none."""
        return [self.token_env, sorted(self.headers.items())] if self != Credentials() else []


def _value(variable: str, what: str) -> str:
    """The content of an environment variable, if a header can carry it."""
    value = os.environ.get(variable, "").strip()
    if not value:
        raise InvalidParameter(f"the environment variable {variable} holds no {what}; set it first")
    if not value.isascii() or not value.isprintable():
        raise InvalidParameter(f"the {what} in {variable} has characters that no header can carry")
    return value
