"""The relay's command line, for whoever runs one for others; a run starts its own."""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
from collections.abc import Sequence
from pathlib import Path

from noisewright.protocol.transport.relay import Limits, Relay
from noisewright.protocol.transport.tls import Identity


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve until told to stop; the first line on standard output says, in JSON, where."""
    options = _parser().parse_args(arguments)
    host, _, port = options.listen.rpartition(":")
    relay = Relay(Identity(options.certificate, options.key), _limits(options))
    asyncio.run(_serve(relay, host, int(port)))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m noisewright.protocol.transport.relay")
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
