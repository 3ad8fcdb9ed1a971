"""A socket with a deadline: whole pieces in, whole pieces out, and never a wait without an end."""

from __future__ import annotations

import socket
import time
from contextlib import suppress
from types import TracebackType

from noisewright.errors import ProtocolError


class Pipe:
    """Bytes to and from a partner until a moment of the monotonic clock, however slowly they drip."""

    def __init__(self, connection: socket.socket, deadline: float) -> None:
        self._connection = connection
        self._deadline = deadline

    def send(self, data: bytes) -> None:
        """Hand all bytes to the network."""
        try:
            self._connection.settimeout(self._left())
            self._connection.sendall(data)
        except TimeoutError:
            raise self._too_late() from None
        except OSError as error:
            raise ProtocolError("the connection to the partner broke; the pair cannot go on") from error

    def receive(self, count: int) -> bytes:
        """Exactly so many bytes; a connection that ends before is an error, not a short answer."""
        pieces = bytearray()
        while len(pieces) < count:
            piece = self._receive_some(count - len(pieces))
            if not piece:
                raise ProtocolError("the partner went away in the middle; the pair cannot go on")
            pieces += piece
        return bytes(pieces)

    def _receive_some(self, count: int) -> bytes:
        try:
            self._connection.settimeout(self._left())
            return self._connection.recv(min(count, 1 << 16))
        except TimeoutError:
            raise self._too_late() from None
        except OSError as error:
            raise ProtocolError("the connection to the partner broke; the pair cannot go on") from error

    def _left(self) -> float:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise self._too_late()
        return left

    def _too_late(self) -> ProtocolError:
        return ProtocolError("the partner did not answer in time; the pair cannot go on")

    def close(self) -> None:
        """End the connection; it may have ended already."""
        with suppress(OSError):
            self._connection.close()

    def __enter__(self) -> Pipe:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
