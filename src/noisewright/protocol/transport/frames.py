"""Frames: how a message is cut out of a stream of bytes, with a hard limit on its size.

A frame is a header of 30 bytes (length of the rest, version, kind, sequence number, session) and a payload.
The length is checked before a single byte of payload is read, so nobody can make a partner reserve memory.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final

from noisewright.errors import ProtocolError
from noisewright.protocol.coins.messages import Kind

VERSION: Final = 1
SESSION_BYTES: Final = 16
MAX_PAYLOAD: Final = (1 << 20) + (1 << 12)
"""The largest payload there is, a batch of garbled rows, and a little room."""

_HEADER: Final = struct.Struct(f">IBBQ{SESSION_BYTES}s")
HEADER_BYTES: Final = _HEADER.size


@dataclass(frozen=True)
class Header:
    """What stands before a payload; it is authenticated along with it.

    >>> header = Header(5, Kind.POINT, 0, bytes(16))
    >>> Header.read(header.write()) == header
    True
    """

    length: int
    kind: Kind
    sequence: int
    session: bytes

    def write(self) -> bytes:
        """The header's bytes."""
        if self.length > MAX_PAYLOAD:
            raise ProtocolError(f"a message of {self.length} bytes is too long; the limit is {MAX_PAYLOAD}")
        return _HEADER.pack(self.length, VERSION, self.kind, self.sequence, self.session)

    @classmethod
    def read(cls, data: bytes) -> Header:
        """The header in these bytes, refused if its length, version or kind cannot be."""
        length, version, kind, sequence, session = _HEADER.unpack(data)
        if version != VERSION:
            raise ProtocolError(f"the partner speaks version {version} of the protocol, this side {VERSION}")
        if length > MAX_PAYLOAD:
            raise ProtocolError(
                f"the partner announced {length} bytes; the limit of a message is {MAX_PAYLOAD}"
            )
        if kind not in _KINDS:
            raise ProtocolError(
                f"the partner sent a message of the unknown kind {kind}; update the older side"
            )
        return cls(length, Kind(kind), sequence, session)


_KINDS: Final = frozenset(int(kind) for kind in Kind)
