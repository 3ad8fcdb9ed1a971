"""A relay that brings two devices together and knows no secrets: it sees tags, times and sizes.

Phones behind NAT cannot call each other, but both can call a relay. It waits for two connections with the
same tag, passes bytes between them up to its limits, and forgets them. A tag works once: whoever shows it
after its pair has met, or after the first has waited in vain, is refused. What passes through is encrypted
end to end.

    python -m noisewright.joint.transport.relay --listen HOST:7443 --certificate relay.crt --key relay.key

That command is for whoever runs a relay for others; a run on one machine starts its own.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import ssl
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from noisewright.joint.transport.rendezvous import GREETING, OPENING_BYTES, Answer
from noisewright.joint.transport.tls import Identity, server_context

Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass(frozen=True)
class Limits:
    """The limits that a relay sets its guests."""

    pair_bytes: int = 64 << 20
    """Bytes of one pair, both ways together: a session of the most coins takes 40 million."""

    pair_seconds: float = 3600.0
    """How long a pair may take; no device is more patient."""

    connections: int = 2048
    """Devices served at once. A connection counts from the moment it is accepted, before any handshake, until
    it is closed on both sides or cut off."""

    refusals: int = 64
    """Connections beyond those that still get the answer that the relay is full; others are cut off."""

    opening_seconds: float = 5.0
    """How long a guest may take to shake hands and show its tag, both together."""

    farewell_seconds: float = 2.0
    """How long a guest that was sent away may keep its connection open before it is cut off."""

    waiting_seconds: float = 60.0
    idle_seconds: float = 30.0
    """How long a pair may be quiet, and how long the last bytes of a pair that ended may take to arrive."""

    remember_seconds: float = 3600.0
    remembered_tags: int = 1_000_000


class Relay:
    """A server for pairs; :meth:`start` it in an event loop and :meth:`stop` it there."""

    def __init__(self, identity: Identity, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self._context = server_context(identity)
        self._waiting: dict[bytes, asyncio.Future[Ends | None]] = {}
        self._used: OrderedDict[bytes, float] = OrderedDict()
        self._guests: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def start(self, host: str = "127.0.0.1", port: int = 0) -> int:
        """Listen, and return the port; 0 asks the system for a free one."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: _Arrival(self._admit), host, port)
        return int(self._server.sockets[0].getsockname()[1])

    async def stop(self) -> None:
        """Take no more guests, and send those away who wait."""
        if self._server is not None:
            self._server.close()
        while self._waiting:
            self._waiting.popitem()[1].set_result(None)  # as if their time were over

    def _admit(self, line: asyncio.Transport) -> None:
        """Count a connection from here on, whether it ever sends or not; cut it off beyond the limit."""
        if len(self._guests) >= self.limits.connections + self.limits.refusals:
            line.abort()
            return
        guest = asyncio.get_running_loop().create_task(self._serve(line))
        self._guests.add(guest)
        guest.add_done_callback(self._guests.discard)

    async def _serve(self, line: asyncio.Transport) -> None:
        """Serve one guest, from the handshake to its end; one that breaks off concerns nobody else."""
        end: asyncio.WriteTransport = line
        try:
            # Nobody waits for this task: a cancellation at the relay's end has no one to go on to.
            with suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
                async with asyncio.timeout(self.limits.opening_seconds):
                    reader, writer = await _secured(line, self._context, self.limits.opening_seconds)
                    end = writer.transport
                    opening = await reader.readexactly(OPENING_BYTES)
                await self._welcome((reader, writer), opening)
                _part(writer, self.limits.farewell_seconds)
                await writer.wait_closed()  # until then it counts
        finally:
            end.abort()

    async def _welcome(self, guest: Ends, opening: bytes) -> None:
        tag = opening[len(GREETING) :]
        refusal = self._refusal(opening, tag)
        if refusal is not None:
            await _say(guest, refusal)
        elif tag in self._waiting:
            await self._join(tag, guest)
        else:
            await self._wait(tag, guest)

    def _refusal(self, opening: bytes, tag: bytes) -> Answer | None:
        self._forget()
        if not opening.startswith(GREETING):
            return Answer.MALFORMED
        if tag in self._used:
            return Answer.TAG_USED
        return Answer.FULL if len(self._guests) > self.limits.connections else None

    async def _wait(self, tag: bytes, guest: Ends) -> None:
        """Let the first of a pair wait for the second; from then on the first's task serves both.

        A tag is among the waiting exactly as long as nobody has answered its future. A timeout around the
        future would cancel it a moment before this task runs again and lose a partner of that moment.
        """
        arrival = self._waiting[tag] = asyncio.get_running_loop().create_future()
        try:
            await asyncio.wait([arrival], timeout=self.limits.waiting_seconds)
        finally:
            if not arrival.done():
                self._retire(tag).set_result(None)
        partner = arrival.result()
        if partner is None:
            await _say(guest, Answer.NOBODY_CAME)
        else:
            await self._splice(guest, partner)

    async def _join(self, tag: bytes, guest: Ends) -> None:
        """Hand the second of a pair over to the first, which keeps the limits, and stay."""
        self._retire(tag).set_result(guest)
        await guest[1].wait_closed()

    def _retire(self, tag: bytes) -> asyncio.Future[Ends | None]:
        """Return the future that the first of a pair waits for; from here on its tag is used."""
        self._used[tag] = time.monotonic()
        return self._waiting.pop(tag)

    async def _splice(self, left: Ends, right: Ends) -> None:
        """Pass bytes both ways until one side ends, goes quiet, or has reached a limit."""
        try:
            await asyncio.gather(_say(left, Answer.PAIRED), _say(right, Answer.PAIRED))
            allowance = _Allowance(self.limits.pair_bytes)
            ways = [asyncio.create_task(self._pass(*way, allowance)) for way in _ways(left, right)]
            _, unfinished = await asyncio.wait(
                ways, timeout=self.limits.pair_seconds, return_when=asyncio.FIRST_COMPLETED
            )
            for way in unfinished:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
        finally:
            _part(left[1], self.limits.idle_seconds)
            _part(right[1], self.limits.idle_seconds)
        await left[1].wait_closed()

    async def _pass(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, allowance: _Allowance
    ) -> None:
        while True:
            async with asyncio.timeout(self.limits.idle_seconds):
                data = await reader.read(1 << 16)
            if not data or not allowance.take(len(data)):
                return
            writer.write(data)
            async with asyncio.timeout(self.limits.idle_seconds):
                await writer.drain()

    def _forget(self) -> None:
        """Drop tags that are old, or beyond the limit."""
        horizon = time.monotonic() - self.limits.remember_seconds
        while self._used and (
            len(self._used) > self.limits.remembered_tags or next(iter(self._used.values())) < horizon
        ):
            self._used.popitem(last=False)


class _Arrival(asyncio.Protocol):
    """A connection that nothing is read from until the relay has counted it."""

    def __init__(self, admit: Callable[[asyncio.Transport], None]) -> None:
        self._admit = admit

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.pause_reading()
        self._admit(transport)


async def _secured(line: asyncio.Transport, context: ssl.SSLContext, seconds: float) -> Ends:
    """Shake hands on an accepted connection; return its streams.

    Assembled from parts: ``StreamWriter.start_tls`` leaves the reader on the unprotected line.
    """
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    protocol = asyncio.StreamReaderProtocol(reader)
    secured = await loop.start_tls(line, protocol, context, server_side=True, ssl_handshake_timeout=seconds)
    assert secured is not None
    protocol.connection_made(secured)
    return reader, asyncio.StreamWriter(secured, protocol, reader, loop)


def _part(end: asyncio.StreamWriter, seconds: float) -> None:
    """Close a connection, and cut it off if the other side has not let it end after ``seconds``.

    What was written still arrives. Left alone, asyncio waits half a minute for the other side to close, and
    without end for one that has closed but does not read.
    """
    if not end.is_closing():  # a TLS transport that is closed twice can no longer be cut off
        end.close()
    asyncio.get_running_loop().call_later(seconds, end.transport.abort)


class _Allowance:
    """The bytes that a pair may still send."""

    def __init__(self, left: int) -> None:
        self._left = left

    def take(self, count: int) -> bool:
        self._left -= count
        return self._left >= 0


def _ways(left: Ends, right: Ends) -> tuple[Ends, Ends]:
    return (left[0], right[1]), (right[0], left[1])


async def _say(guest: Ends, answer: Answer) -> None:
    guest[1].write(bytes([answer]))
    await guest[1].drain()


# -- the command -----------------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve until stopped; the first line on standard output says, in JSON, where."""
    options = _parser().parse_args(arguments)
    host, _, port = options.listen.rpartition(":")
    relay = Relay(Identity(options.certificate, options.key), _limits(options))
    asyncio.run(_serve(relay, host, int(port)))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m noisewright.joint.transport.relay")
    parser.add_argument("--listen", default="127.0.0.1:0", help="host and port; port 0 takes a free one")
    parser.add_argument("--certificate", type=Path, required=True, help="PEM file of the relay's certificate")
    parser.add_argument("--key", type=Path, required=True, help="PEM file of its private key")
    parser.add_argument("--connections", type=int, default=Limits.connections, help="devices served at once")
    parser.add_argument("--pair-bytes", type=int, default=Limits.pair_bytes, help="bytes of one pair")
    parser.add_argument("--waiting-seconds", type=float, default=Limits.waiting_seconds)
    parser.add_argument("--idle-seconds", type=float, default=Limits.idle_seconds)
    return parser


def _limits(options: argparse.Namespace) -> Limits:
    return Limits(
        pair_bytes=options.pair_bytes,
        connections=options.connections,
        waiting_seconds=options.waiting_seconds,
        idle_seconds=options.idle_seconds,
    )


async def _serve(relay: Relay, host: str, port: int) -> None:
    loop, stopped = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    port = await relay.start(host, port)
    print(json.dumps({"host": host, "port": port}), flush=True)
    await stopped.wait()
    await relay.stop()


if __name__ == "__main__":
    main()
