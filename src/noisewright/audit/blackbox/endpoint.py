"""A mechanism behind an HTTP address: the input is posted, the answer is the output."""

from __future__ import annotations

import http.client
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, ClassVar, Final

from noisewright.audit.basics.outputs import Outputs
from noisewright.audit.blackbox.base import BlackBox, check_timeout
from noisewright.audit.blackbox.exchange import as_bytes, parse_output
from noisewright.errors import BadMechanism
from noisewright.io.http_client import Address, Answer, Compressed, Credentials, post, refusal

LARGEST: Final = 1 << 20
HEADERS: Final = {"Accept": "application/json, text/plain", "User-Agent": "noisewright"}

GOOD: Final = (200, 201, 202, 203)
"""Statuses of a whole answer; not those for no content or for a part."""


@dataclass(frozen=True, eq=False)
class Endpoint(BlackBox):
    """An address that gets the input as a ``POST`` and answers with one output, as JSON or as text.

    The input goes as JSON, frames as CSV, files as they are. Plain http:// is for this machine only.
    Redirects are refused, and proxies of the environment are not used: the input is private. Values of
    environment variables are read when they are sent and kept nowhere.

    Args:
        url: The address; it begins with https://, or with http:// if it is on this machine.
        timeout: Seconds that an answer may take, from the first step towards the server to the last byte.
        token_env: The environment variable that holds a bearer token.
        headers: Further headers, each with the environment variable of its value.

    >>> Endpoint("https://noise.example/release?key=7").title
    'https://noise.example/release'
    """

    url: str = field(repr=False)  # it may hold a key
    timeout: float = 60.0
    _: KW_ONLY
    token_env: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    address: Address = field(init=False)
    credentials: Credentials = field(init=False, repr=False)
    block: ClassVar[int] = 16
    apart: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "timeout", check_timeout(self.timeout))
        object.__setattr__(self, "address", Address.read(self.url))
        object.__setattr__(self, "credentials", Credentials(self.token_env, self.headers))

    @property
    def title(self) -> str:
        return str(self.address)

    def draw(self, subject: Any, count: int, seed: int) -> Outputs:
        body, kind = as_bytes(subject)
        return Outputs.of([parse_output(self._post(body, kind)) for _ in range(count)])

    def describe(self) -> Any:
        return "endpoint", self.url, *self.credentials.describe()

    def _post(self, body: bytes, kind: str) -> bytes:
        headers = HEADERS | {"Content-Type": kind} | self.credentials.read()
        try:
            return _content(post(self.address, body, headers, seconds=self.timeout, most=LARGEST))
        except TimeoutError:
            raise BadMechanism(
                f"the endpoint gave no output within {self.timeout:g} seconds; allow more with timeout=..."
            ) from None
        except http.client.IncompleteRead:
            raise BadMechanism(
                "the endpoint's answer broke off; let it send as many bytes as it announces"
            ) from None
        except Compressed as compressed:
            raise BadMechanism(str(compressed)) from None
        except (OSError, http.client.HTTPException) as error:
            raise BadMechanism(
                f"the endpoint cannot be reached ({type(error).__name__}); check the address"
            ) from None


def _content(answer: Answer) -> bytes:
    """Return the content of a good answer, or refuse the answer."""
    if answer.status not in GOOD:
        raise BadMechanism(
            refusal(answer.status)
            or f"the endpoint answered with status {answer.status}; post that input by hand to see why"
        )
    if answer.content is None:
        raise BadMechanism(f"the endpoint answered more than {LARGEST} bytes; let it answer less")
    return answer.content
