"""The bytes of a session, counted on the line between the devices and the relay."""

from __future__ import annotations

import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from noisewright.joint import CoinLaw, PairToken, Rendezvous, Role, take_part
from noisewright.joint.run.relay_process import Place


def wire_bytes(relay: Place, law: CoinLaw, coins: int) -> int:
    """Bytes that both devices of a pair send and receive, handshakes and greetings included."""
    tap = Tap(relay)
    rendezvous, token = Rendezvous(relay.host, tap.port, Path(relay.authority)), PairToken.fresh()
    with ThreadPoolExecutor(2) as pool:
        outcomes = list(pool.map(lambda role: take_part(rendezvous, token, role, law, coins), Role))
    assert all(outcome.joint for outcome in outcomes)
    return tap.total()


class Tap:
    """Carries two connections to a relay and counts what passes."""

    def __init__(self, relay: Place) -> None:
        self._relay = relay
        self._listener = socket.create_server((relay.host, 0))
        self.port: int = self._listener.getsockname()[1]
        self._counts: list[int] = []
        self._carriers: list[threading.Thread] = []
        self._accepting = threading.Thread(target=self._accept, daemon=True)
        self._accepting.start()

    def _accept(self) -> None:
        for _ in Role:
            device, _ = self._listener.accept()
            relay = socket.create_connection((self._relay.host, self._relay.port))
            for way in ((device, relay), (relay, device)):
                carrier = threading.Thread(target=self._carry, args=way, daemon=True)
                self._carriers.append(carrier)
                carrier.start()
        self._listener.close()

    def _carry(self, source: socket.socket, sink: socket.socket) -> None:
        count = 0
        with suppress(OSError):
            while piece := source.recv(1 << 16):
                count += len(piece)
                sink.sendall(piece)
        with suppress(OSError):
            sink.shutdown(socket.SHUT_RDWR)
        self._counts.append(count)

    def total(self) -> int:
        """All bytes, once both devices have left."""
        self._accepting.join()
        for carrier in self._carriers:
            carrier.join()
        return sum(self._counts)
