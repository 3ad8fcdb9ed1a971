"""The secret that two users share after a public grouping: who is paired is known, what they say is not.

Every user publishes a fresh X25519 key with its commitment. Once the seed has paired two users, each combines
its own private key with the partner's public one; HKDF binds the result to the round's seed and to both keys.
Whoever could replace keys in the published list could stand between two users, so participants should compare
the list's digest, which the seed covers, over a second channel.
"""

from __future__ import annotations

from typing import Final

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

from noisewright.errors import ProtocolError
from noisewright.protocol.transport.pair_token import TOKEN_BYTES, PairToken, derive

_DOMAIN: Final = b"noisewright pair token 1"


class PairKey:
    """A user's key of one round.

    >>> ann, bob = PairKey(), PairKey()
    >>> ann.token(bob.public, seed=b"s" * 32).tag == bob.token(ann.public, seed=b"s" * 32).tag
    True
    """

    def __init__(self) -> None:
        self._private = X25519PrivateKey.generate()
        self.public = self._private.public_key().public_bytes_raw()

    def token(self, partner: bytes, seed: bytes) -> PairToken:
        """The secret that only the two of them know."""
        if partner == self.public:
            raise ProtocolError("the partner shows this user's own public key; no token can be made of that")
        shared = agree(self._private, partner)
        info = _DOMAIN + b"".join(sorted((self.public, partner)))
        return PairToken(derive(shared, seed, info, TOKEN_BYTES))


def agree(private: X25519PrivateKey, public: bytes) -> bytes:
    """The Diffie–Hellman secret of two keys; a key that is none is refused."""
    try:
        return private.exchange(X25519PublicKey.from_public_bytes(public))
    except ValueError as error:
        raise ProtocolError("a public key is not a valid X25519 key; ask its owner for another") from error
