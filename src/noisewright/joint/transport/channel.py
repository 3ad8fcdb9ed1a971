"""A private channel between two partners over a connection that others carry.

Both send a fresh X25519 key; the session's keys are HKDF(shared secret, salt = pair token, info = both
hellos). A relay that does not have the token cannot put itself in the middle, and recorded traffic stays
closed when a token leaks later. Each direction has its own ChaCha20-Poly1305 key; nonces count messages;
headers are authenticated. So a message that was changed, repeated, left out, swapped or taken from another
session is refused with a :class:`~noisewright.errors.ProtocolError`, and the channel cannot be used any more.

A message travels as a frame: a header of 30 bytes (length of the rest, version, kind, sequence number,
session) and a payload. The length is checked before a single byte of payload is read, so nobody can make a
partner reserve memory.
"""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from noisewright.errors import ProtocolError
from noisewright.joint.coins.messages import Kind, Role
from noisewright.joint.transport.keys import PairToken, derive
from noisewright.joint.transport.rendezvous import Pipe

VERSION: Final = 1
SESSION_BYTES: Final = 16
MAX_PAYLOAD: Final = (1 << 20) + (1 << 12)
"""The largest payload, which is a batch of garbled rows, with a little room."""

_HEADER: Final = struct.Struct(f">IBBQ{SESSION_BYTES}s")
HEADER_BYTES: Final = _HEADER.size


@dataclass(frozen=True)
class Header:
    """The header of a payload, authenticated along with it.

    >>> header = Header(5, Kind.POINT, 0, bytes(16))
    >>> Header.read(header.write()) == header
    True
    """

    length: int
    kind: Kind
    sequence: int
    session: bytes

    def write(self) -> bytes:
        """Return the header's bytes."""
        if self.length > MAX_PAYLOAD:
            raise ProtocolError(f"a message of {self.length} bytes is too long; the limit is {MAX_PAYLOAD}")
        return _HEADER.pack(self.length, VERSION, self.kind, self.sequence, self.session)

    @classmethod
    def read(cls, data: bytes) -> Header:
        """Read a header from bytes; refuse an impossible length, version or kind."""
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


TAG_BYTES: Final = 16
TERMS_BYTES: Final = 32
_ROLES: Final = {Role.FIRST: b"\x01", Role.SECOND: b"\x02"}


class SecureChannel:
    """Messages to and from the partner, after an agreement on keys; one thread uses it at a time.

    ``terms`` is a digest of what both must agree on (the law, the number of coins); a partner with other
    terms is refused before anything is drawn.
    """

    def __init__(self, pipe: Pipe, token: PairToken, role: Role, terms: bytes) -> None:
        self._pipe = pipe
        self._sent = self._received = 0
        own, shared, partner = self._greet(token, role, terms)
        hellos = own + partner if role is Role.FIRST else partner + own
        keys = derive(
            shared, token.secret, b"noisewright pair keys" + hashlib.sha256(hellos).digest(), 64 + 32
        )
        first, second, self.session = keys[:32], keys[32:64], keys[64:]
        mine, theirs = (first, second) if role is Role.FIRST else (second, first)
        self._seal, self._open = ChaCha20Poly1305(mine), ChaCha20Poly1305(theirs)
        self._label = hashlib.sha256(b"noisewright session label" + self.session).digest()[:SESSION_BYTES]

    def _greet(self, token: PairToken, role: Role, terms: bytes) -> tuple[bytes, bytes, bytes]:
        """Exchange hellos in the clear; whatever is changed in them changes the keys."""
        private = X25519PrivateKey.generate()
        own = _ROLES[role] + terms + private.public_key().public_bytes_raw()
        label = token.tag[:SESSION_BYTES]
        self._pipe.send(Header(len(own), Kind.HELLO, 0, label).write() + own)
        header = Header.read(self._pipe.receive(HEADER_BYTES))
        if header != Header(len(own), Kind.HELLO, 0, label):
            raise ProtocolError("the partner did not open with a greeting of this pair; start the pair anew")
        partner = self._pipe.receive(len(own))
        return own, _agree(private, partner, role, terms), partner

    def send(self, kind: Kind, payload: bytes) -> None:
        """Encrypt and send one message."""
        header = Header(len(payload) + TAG_BYTES, kind, self._sent, self._label).write()
        self._pipe.send(header + self._seal.encrypt(_nonce(self._sent), payload, header))
        self._sent += 1

    def receive(self, kind: Kind) -> bytes:
        """Receive and decrypt the next message, which must be of this kind."""
        data = self._pipe.receive(HEADER_BYTES)
        header = Header.read(data)
        self._check(header, kind)
        try:
            payload = self._open.decrypt(_nonce(self._received), self._pipe.receive(header.length), data)
        except InvalidTag:
            raise ProtocolError(
                "a message was changed on the way, or the partner has another token; start the pair anew"
            ) from None
        self._received += 1
        return payload

    def _check(self, header: Header, kind: Kind) -> None:
        if header.session != self._label:
            raise ProtocolError("a message belongs to another session; start the pair anew")
        if header.sequence != self._received:
            raise ProtocolError(
                "a message was repeated, left out or swapped with another; start the pair anew"
            )
        if header.kind is not kind:
            raise ProtocolError(f"the partner sent {header.kind.name} where {kind.name} belongs; start anew")
        if header.length < TAG_BYTES:
            raise ProtocolError("a message is too short to be authentic; start the pair anew")


def _agree(private: X25519PrivateKey, hello: bytes, role: Role, terms: bytes) -> bytes:
    """Return the shared secret; refuse a partner who has the same role or other terms."""
    if hello[:1] != _ROLES[role.other]:
        raise ProtocolError(
            f"both partners are the {role.value}; the grouping must give them different roles"
        )
    if hello[1 : 1 + TERMS_BYTES] != terms:
        raise ProtocolError(
            "the partner draws by other weights or another number of coins; give both the same"
        )
    try:
        return private.exchange(X25519PublicKey.from_public_bytes(hello[1 + TERMS_BYTES :]))
    except ValueError:  # a point of small order
        raise ProtocolError("the partner's key is not a valid one; start the pair anew") from None


def _nonce(number: int) -> bytes:
    return number.to_bytes(12, "little")
