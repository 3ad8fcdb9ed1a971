"""A mechanism behind an HTTP address: the input is posted, the answer is the output."""

from __future__ import annotations

import http.client
import time
import urllib.error
import urllib.request
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
LOCAL: Final = ("localhost", "127.0.0.1", "::1")


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would send the input elsewhere: it stays an answer, with a status that is refused."""

    def redirect_request(self, *_: Any) -> None:
        return None


@dataclass(frozen=True, eq=False)
class Endpoint(BlackBox):
    """An address that gets the input as a ``POST`` and answers one output, as JSON or as text.

    The input goes as JSON, frames as CSV, files as they are. Plain http:// is for this machine only.
    Redirects are refused, and proxies of the environment are not used: the input is private. ``timeout``
    holds for every answer.

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
        request = urllib.request.Request(  # noqa: S310  (the scheme was checked)
            self.url, body, {"Content-Type": kind, "Accept": "application/json, text/plain"}
        )
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), _NoRedirects)
        try:
            with opener.open(request, timeout=self.timeout) as answer:
                return self._read(answer)
        except urllib.error.HTTPError as refusal:
            with refusal:
                raise BadMechanism(_status(refusal.code)) from None
        except (OSError, http.client.HTTPException) as error:
            raise BadMechanism(self._unreached(error)) from None

    def _read(self, answer: Any) -> bytes:
        """The whole answer, unless it is too large or drips in too slowly."""
        until, content = time.monotonic() + self.timeout, bytearray()
        while piece := answer.read1(PIECE):
            content += piece
            if len(content) > LARGEST:
                raise BadMechanism(f"the endpoint answered more than {LARGEST} bytes; let it answer less")
            if time.monotonic() > until:
                raise TimeoutError
        return bytes(content)

    def _unreached(self, error: Exception) -> str:
        reason = getattr(error, "reason", error)
        if isinstance(reason, TimeoutError):
            return f"the endpoint gave no output within {self.timeout:g} seconds; allow more with timeout=..."
        return f"the endpoint cannot be reached ({type(reason).__name__}); check the address"


def _status(code: int) -> str:
    if 300 <= code < 400:
        return f"the endpoint redirects (status {code}), which is refused; give the final address"
    return f"the endpoint answered with status {code}; post that input by hand to see why"
