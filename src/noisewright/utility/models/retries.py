"""Trying again, politely: longer waits each time, as long as the server asks, and not for ever."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

from noisewright.errors import BadModel
from noisewright.parameters import real, whole

T = TypeVar("T")


class TryAgain(Exception):
    """An attempt failed in a way that may pass; ``wait`` is how long the server asked to wait, if it did."""

    def __init__(self, what: str, wait: float | None = None) -> None:
        super().__init__(what)
        self.what, self.wait = what, wait


@dataclass(frozen=True)
class Retries:
    """Up to ``attempts`` in all, with waits of first, 2·first, 4·first, … seconds, none above ``longest``.

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
        """How long to wait after so many failed attempts."""
        return float(min(self.longest, self.first * 2 ** (attempt - 1)))

    def run(self, call: Callable[[], T]) -> T:
        """The first answer that comes, or a refusal that names the last failure."""
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
    """The seconds that a Retry-After header asks for: a number, or a date to come.

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
