"""Stores to test with: this machine by address, one in memory, and a real HTTP server that speaks S3."""

from __future__ import annotations

import logging
import secrets
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

SECRET = "s3cr3t/with+signs"


def memory_address() -> str:
    """The address of an empty folder in the memory of this process."""
    return f"fsspec+memory://bucket/{secrets.token_hex(4)}"


@contextmanager
def s3_server() -> Iterator[str]:
    """Start a server of S3 on this machine, and yield its query: what an address needs to find it."""
    server = pytest.importorskip("moto.server", reason="no server of S3: moto is not installed (make peers)")
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    running = server.ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    try:
        request = urllib.request.Request(f"http://{host}:{port}/bucket", method="PUT")
        urllib.request.urlopen(request).close()
        yield f"endpoint_override={host}:{port}&scheme=http&region=us-east-1"
    finally:
        running.stop()


def s3_address(query: str, path: str) -> str:
    """An address with a password in it, as careless people write them."""
    return f"s3://key:{SECRET.replace('/', '%2F')}@bucket/{path}?{query}"
