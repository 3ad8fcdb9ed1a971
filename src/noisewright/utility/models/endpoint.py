"""A classifier behind an HTTP address.

The contract is small. The endpoint gets ``POST`` requests with a JSON body

    {"rows": [[61.0, 27.4], [35.0, 31.2]]}

and answers each with status 200 and one label per row, in order:

    {"labels": ["no", "yes"]}

``"predictions"`` is accepted in place of ``"labels"``, and lists of scores in place of labels if the classes
are declared.

The endpoint receives the records, first as they are, then with simulated reports in place of the sensitive
features; all other features keep their true values. Use it only if you are allowed to send the records.
"""

from __future__ import annotations

import http.client
import json
import ssl
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar

from noisewright.domains.base import Floats
from noisewright.errors import BadDocument, BadModel, InvalidParameter
from noisewright.io.http_client import Address, Answer, Compressed, Credentials, is_local, post, refusal
from noisewright.io.strict_json import strict_json
from noisewright.parameters import real, whole
from noisewright.utility.models.classifier import Labels, labels_from

T = TypeVar("T")


class TryAgain(Exception):
    """A temporary failure; ``wait`` is the number of seconds that the server asked to wait, if it did."""

    def __init__(self, what: str, wait: float | None = None) -> None:
        super().__init__(what)
        self.what, self.wait = what, wait


@dataclass(frozen=True)
class Retries:
    """The number of attempts and the pauses between them.

    Args:
        attempts: Total number of attempts.
        first: Seconds of the first pause; each further one is twice as long.
        longest: Seconds of the longest pause; the request fails if the server asks for more.

    >>> [Retries(first=0.5, longest=3.0).pause_after(attempt) for attempt in (1, 2, 3, 4)]
    [0.5, 1.0, 2.0, 3.0]
    """

    attempts: int = 5
    first: float = 0.5
    longest: float = 30.0

    def __post_init__(self) -> None:
        whole("attempts", self.attempts, 1, 100)
        real("the first wait", self.first)
        real("the longest wait", self.longest)

    def pause_after(self, attempt: int) -> float:
        """Return the seconds to wait after failed attempt number ``attempt``."""
        return float(min(self.longest, self.first * 2 ** (attempt - 1)))

    def run(self, call: Callable[[], T]) -> T:
        """Return the first successful answer, or raise the last failure."""
        for attempt in range(1, self.attempts):
            try:
                return call()
            except TryAgain as failure:
                time.sleep(self._wait(attempt, failure))
        try:
            return call()
        except TryAgain as failure:
            raise BadModel(f"{failure.what} ({self.attempts} attempts)") from None

    def _wait(self, attempt: int, failure: TryAgain) -> float:
        asked = failure.wait or 0.0
        if asked > self.longest:
            raise BadModel(
                f"{failure.what} and asks to wait {asked:.0f} seconds, more than {self.longest:g}; "
                "come back later"
            )
        return max(asked, self.pause_after(attempt))


def retry_after(header: str | None) -> float | None:
    """Return the seconds that a Retry-After header asks for: a number, or a future date.

    >>> retry_after("12"), retry_after("soon"), retry_after("Wed, 21 Oct 2015 07:28:00 GMT")
    (12.0, None, 0.0)
    """
    text = (header or "").strip()
    if text.isascii() and text.isdigit() and len(text) < 10:
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    moment = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())


ROWS_A_REQUEST = 1000
MOST_BYTES = 16 << 20
KEYS = ("labels", "predictions")
HEADERS = {"Content-Type": "application/json", "Accept": "application/json"}


@dataclass(frozen=True, eq=False)
class Endpoint:
    """A classifier that is asked over HTTP, one batch per request.

    The time limit of a whole batch is set by :class:`~noisewright.utility.models.blackbox.BlackBox`.

    Failed connections and the statuses 429 and 5xx are tried again; redirects are refused, because they would
    send the records elsewhere. Values of environment variables are read when they are sent and never stored.
    Proxies from the environment are not used.

    Args:
        url: The address; it begins with https://, or with http:// if it is on this machine.
        classes: The labels, if the endpoint returns scores; None treats its answers as labels.
        features: Number of values in a row; None if it is unknown.
        timeout: Seconds that each exchange may take.
        token_env: The environment variable that holds a bearer token.
        headers: Further headers, each with the environment variable of its value.
        allow_plain: Whether http:// is also allowed for other machines.
        retries: Number of attempts, and the pauses between them.
        batch: Largest number of rows in one request.
        most_bytes: Largest size of an answer in bytes.

    >>> Endpoint("https://models.example/score", classes=("no", "yes")).name
    'endpoint https://models.example/score'
    """

    url: str = field(repr=False)
    _: KW_ONLY
    classes: tuple[Any, ...] | None = None
    features: int | None = None
    timeout: float = 10.0
    token_env: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    allow_plain: bool = False
    retries: Retries = field(default_factory=Retries)
    batch: int = ROWS_A_REQUEST
    most_bytes: int = MOST_BYTES
    address: Address = field(init=False)
    credentials: Credentials = field(init=False, repr=False)

    def __post_init__(self) -> None:
        declared: Sequence[Any] | None = self.classes
        object.__setattr__(self, "classes", None if declared is None else tuple(declared))
        address = Address.read(self.url, allow_plain=self.allow_plain)
        object.__setattr__(self, "address", address)
        if real("timeout", self.timeout) <= 0:
            raise InvalidParameter(f"must be above 0 seconds, got {self.timeout:g}", field="timeout")
        object.__setattr__(self, "credentials", Credentials(self.token_env, self.headers))

    @property
    def name(self) -> str:
        return f"endpoint {self.address}"

    @property
    def local(self) -> bool:
        """Whether the endpoint is on this machine, so that records do not leave the machine."""
        return is_local(self.address.host)

    def labels(self, rows: Floats) -> Labels:
        body = json.dumps({"rows": rows.tolist()}, allow_nan=False).encode()
        answer = _read_answer(self.retries.run(lambda: self._post(body)))
        if len(answer) != len(rows):
            raise BadModel(f"the endpoint returned {len(answer)} labels for {len(rows)} rows")
        return labels_from(answer, self.classes)

    def _post(self, body: bytes) -> bytes:
        """Return the body of a successful answer; temporary failures raise TryAgain, all others BadModel."""
        headers = HEADERS | self.credentials.read()
        try:
            answer = post(self.address, body, headers, seconds=self.timeout, most=self.most_bytes)
        except ssl.SSLCertVerificationError:
            raise BadModel("the endpoint's certificate is not valid for its name; nothing was sent") from None
        except TimeoutError:
            raise TryAgain(f"the endpoint did not answer within {self.timeout:g} seconds") from None
        except http.client.IncompleteRead:
            raise TryAgain("the endpoint's answer broke off") from None
        except Compressed as compressed:
            raise BadModel(str(compressed)) from None
        except (OSError, http.client.HTTPException) as error:
            raise TryAgain(f"the endpoint could not be reached ({type(error).__name__})") from None
        _check_status(answer)
        if answer.content is None:
            raise BadModel(f"the endpoint's answer is larger than {self.most_bytes} bytes")
        return answer.content


def _check_status(answer: Answer) -> None:
    status = answer.status
    if status == 429 or status >= 500:
        raise TryAgain(f"the endpoint answered with status {status}", retry_after(answer.retry_after))
    if status != 200:
        raise BadModel(refusal(status) or f"the endpoint answered with status {status}, not 200")


def _read_answer(body: bytes) -> list[Any]:
    """Return the list in an answer, of strict JSON."""
    try:
        answer = strict_json(body, "the endpoint's answer")
    except BadDocument as refusal:
        raise BadModel(str(refusal)) from None
    found = [key for key in KEYS if isinstance(answer, dict) and key in answer]
    if len(found) != 1 or not isinstance(answer[found[0]], list):
        raise BadModel('the endpoint must answer {"labels": [...]}, one label per row')
    return list(answer[found[0]])
