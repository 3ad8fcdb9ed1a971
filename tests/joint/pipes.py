"""Two partners in one process: messages through queues, recorded on the way."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from noisewright.errors import ProtocolError
from noisewright.joint.coins.coin import draw_coins
from noisewright.joint.coins.law import Bits, CoinLaw
from noisewright.joint.coins.messages import Kind, Role
from noisewright.randomness import Source


@dataclass
class QueueMessages:
    """A partner's end of a pair of queues; keeps all it received."""

    outgoing: queue.Queue[tuple[Kind, bytes]]
    incoming: queue.Queue[tuple[Kind, bytes]]
    session: bytes
    received: list[tuple[Kind, bytes]] = field(default_factory=list)
    patience: float = 20

    def send(self, kind: Kind, payload: bytes) -> None:
        self.outgoing.put((kind, payload))

    def receive(self, kind: Kind) -> bytes:
        try:
            came, payload = self.incoming.get(timeout=self.patience)
        except queue.Empty:
            raise ProtocolError("nothing came") from None
        if came is not kind:
            raise ProtocolError("a message of another kind came")
        self.received.append((came, payload))
        return payload


def queue_pair(session: bytes = b"in process") -> tuple[QueueMessages, QueueMessages]:
    there, back = queue.Queue(), queue.Queue()
    return QueueMessages(there, back, session), QueueMessages(back, there, session)


def together(first: Callable[[], Any], second: Callable[[], Any]) -> tuple[Any, Any]:
    """Run two functions at once; raise what either raised."""
    answers: dict[int, Any] = {}
    errors: list[BaseException] = []

    def run(place: int, function: Callable[[], Any]) -> None:
        try:
            answers[place] = function()
        except BaseException as error:  # handed to the test's own thread
            errors.append(error)

    threads = [threading.Thread(target=run, args=pair, daemon=True) for pair in enumerate((first, second))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(600)
    if errors:
        raise errors[0]
    return answers[0], answers[1]


def draw_in_process(
    law: CoinLaw, count: int, first_source: Source, second_source: Source, session: bytes = b"in process"
) -> tuple[Bits, Bits, QueueMessages, QueueMessages]:
    """Both parties' flags, and both ends with what they received."""
    first, second = queue_pair(session)
    flags = together(
        lambda: draw_coins(first, Role.FIRST, law, count, first_source),
        lambda: draw_coins(second, Role.SECOND, law, count, second_source),
    )
    return *flags, first, second
