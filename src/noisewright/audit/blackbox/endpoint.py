"""A mechanism behind an HTTP address: the input is posted, the answer is the output."""

from __future__ import annotations

import http.client
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final
from urllib.parse import urlsplit

from noisewright.audit.blackbox.base import BlackBox, check_timeout
from noisewright.audit.blackbox.parsing import parse_output
from noisewright.audit.blackbox.subjects import as_bytes
from noisewright.audit.outputs import Outputs
from noisewright.engine.timely_http import Timely, timely_connection, whole_body
from noisewright.errors import BadMechanism, InvalidParameter

LARGEST: Final = 1 << 20
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
        if parts.username is not None:
            raise InvalidParameter("the address holds a user name, which would not be sent; leave it out")
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

    def _connection(self) -> Timely:
        parts = urlsplit(self.url)
        return timely_connection(parts.scheme, parts.hostname or "", parts.port, self.timeout)

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
    content = whole_body(answer, LARGEST)
    if content is None:
        raise BadMechanism(f"the endpoint answered more than {LARGEST} bytes; let it answer less")
    return content
