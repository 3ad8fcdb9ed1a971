"""The token of a pair: the one secret that both partners have and nobody between them.

The grouping hands the same 32 bytes to both partners of a pair. From it they derive, one way, the tag by
which a relay brings them together, and the salt of their session keys. Who has the token could pretend to
be a partner; who merely listens learns nothing even with the token, because the session keys also need a
fresh key agreement.
"""

from __future__ import annotations

import secrets
from typing import Final

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from noisewright.errors import InvalidParameter

TOKEN_BYTES: Final = 32
TAG_BYTES: Final = 32


class PairToken:
    """A pair's secret; it has no ``repr`` that shows it.

    >>> token = PairToken.fresh()
    >>> token, token.tag == PairToken(token.secret).tag
    (PairToken(...), True)
    """

    def __init__(self, secret: bytes) -> None:
        if not isinstance(secret, bytes) or len(secret) != TOKEN_BYTES:
            raise InvalidParameter(
                f"the token of a pair must be {TOKEN_BYTES} bytes; take it from the grouping"
            )
        self.secret = secret

    @classmethod
    def fresh(cls) -> PairToken:
        """A new token, for whoever groups people into pairs."""
        return cls(secrets.token_bytes(TOKEN_BYTES))

    @property
    def tag(self) -> bytes:
        """What the pair shows a relay; it says nothing about the token."""
        return derive(self.secret, b"", b"noisewright rendezvous tag", TAG_BYTES)

    def __repr__(self) -> str:
        return "PairToken(...)"


def derive(secret: bytes, salt: bytes, purpose: bytes, length: int) -> bytes:
    """Key material for one purpose out of a secret (HKDF-SHA256)."""
    return HKDF(algorithm=SHA256(), length=length, salt=salt or None, info=purpose).derive(secret)
