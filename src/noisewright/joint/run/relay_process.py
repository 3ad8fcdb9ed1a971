"""A relay on this machine, as a process that makes its own certificate and ends with whoever started it."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from noisewright.joint.transport.child import Child, Parent, serve
from noisewright.joint.transport.relay import Relay
from noisewright.joint.transport.rendezvous import Rendezvous
from noisewright.joint.transport.tls import Identity, make_identity

HOST: Final = "127.0.0.1"
MODULE: Final = "noisewright.joint.run.relay_process"
START_SECONDS: Final = 60.0


@dataclass(frozen=True)
class Place:
    """Where a relay listens, which certificate it shows, and the number of its process."""

    host: str
    port: int
    authority: str
    process: int

    @property
    def rendezvous(self) -> Rendezvous:
        """The way to it, for devices of this process."""
        return Rendezvous(self.host, self.port, Path(self.authority))

    def to_dict(self) -> dict[str, Any]:
        """Return the fields that devices in another process need."""
        return {"host": self.host, "port": self.port, "authority": self.authority}


@contextmanager
def running_relay(patience: float = START_SECONDS) -> Iterator[Place]:
    """Run a relay in its own process, under a fresh certificate, until the block or this process ends."""
    with Child(MODULE, "the relay") as relay:
        yield Place(**relay.receive(patience), process=relay.number)


def work(parent: Parent) -> None:
    """Serve until the run ends; the first answer says where, and which certificate to trust."""
    with parent.undisturbed:
        folder = tempfile.TemporaryDirectory(prefix="noisewright-relay-")
        parent.tidy = folder.cleanup  # the private key of the certificate lies there
        identity = make_identity(Path(folder.name))
    with folder:
        asyncio.run(_serve(parent, identity))


async def _serve(parent: Parent, identity: Identity) -> None:
    port = await Relay(identity).start(HOST)
    parent.answer(host=HOST, port=port, authority=str(identity.certificate))
    await asyncio.to_thread(parent.receive)  # no further message comes: this lasts as long as the run


if __name__ == "__main__":
    serve(work)
