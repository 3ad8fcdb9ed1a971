"""The address of an endpoint: where records may be sent, and where they may not."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from typing import Self
from urllib.parse import urlsplit

from noisewright.errors import InvalidParameter


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
        """An address from its text, or a refusal that does not repeat the text: it may hold a password."""
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
                f"http://{parts.hostname} would carry the records readable over the network; use https://, "
                "or allow_plain=True where the network is yours"
            )
        return cls(parts.scheme, parts.hostname, port, parts.path or "/", parts.query)


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
