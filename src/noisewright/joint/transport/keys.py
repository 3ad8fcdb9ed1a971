"""Tokens and keys: the secret of a pair, how two users agree on it, and letters for one reader.

**The token of a pair** is the one secret that both partners have and nobody between them. The grouping hands
the same 32 bytes to both. From it they derive, one way, the tag by which a relay brings them together, and
the salt of their session keys. Whoever has the token could pretend to be a partner. A mere listener learns
nothing even with the token, because the session keys also need a fresh key agreement.

**After a public grouping** it is known who is paired, but not what they say to each other. Every user
publishes a fresh X25519 key with its commitment. Once the seed has paired two users, each combines its own
private key with the partner's public one; HKDF binds the result to the round's seed and to both keys. Whoever
could replace keys in the published list could stand between two users, so participants should compare the
list's digest, which the seed covers, over a second channel.

**Sealed letters** can be read by their addressee alone, whoever carries them. Each uses a fresh X25519 key,
HKDF bound to both public keys and to the letter's purpose, and ChaCha20-Poly1305. The sender is not
authenticated: whoever takes letters in must say who may deliver them.
"""

from __future__ import annotations

import secrets
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from noisewright.errors import InvalidParameter, ProtocolError

TOKEN_BYTES: Final = 32
TAG_BYTES: Final = 32
KEY_BYTES: Final = 32
_TOKEN_DOMAIN: Final = b"noisewright pair token 1"
_LETTER_DOMAIN: Final = b"noisewright sealed letter 1"
_NONCE: Final = bytes(12)


class PairToken:
    """A pair's secret of 32 bytes; its ``repr`` does not show it.

    Args:
        secret: The 32 bytes, as the grouping gave them to both partners; :meth:`fresh` draws new ones.

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
        """Return a new token, for whoever groups people into pairs."""
        return cls(secrets.token_bytes(TOKEN_BYTES))

    @property
    def tag(self) -> bytes:
        """The tag that the pair shows a relay; it reveals nothing about the token."""
        return derive(self.secret, b"", b"noisewright rendezvous tag", TAG_BYTES)

    def __repr__(self) -> str:
        return "PairToken(...)"


def derive(secret: bytes, salt: bytes, purpose: bytes, length: int) -> bytes:
    """Derive key material for one purpose from a secret (HKDF-SHA256)."""
    return HKDF(algorithm=SHA256(), length=length, salt=salt or None, info=purpose).derive(secret)


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
        """Return the secret that only the two of them know."""
        if partner == self.public:
            raise ProtocolError("the partner shows this user's own public key; no token can be made of that")
        shared = agree(self._private, partner)
        info = _TOKEN_DOMAIN + b"".join(sorted((self.public, partner)))
        return PairToken(derive(shared, seed, info, TOKEN_BYTES))


def agree(private: X25519PrivateKey, public: bytes) -> bytes:
    """Return the Diffie–Hellman secret of two keys; refuse an invalid key."""
    try:
        return private.exchange(X25519PublicKey.from_public_bytes(public))
    except ValueError as error:
        raise ProtocolError("a public key is not a valid X25519 key; ask its owner for another") from error


class SealingKey:
    """An addressee's key.

    >>> member = SealingKey()
    >>> member.open(seal(b"a share", member.public, purpose=b"round 1"), purpose=b"round 1")
    b'a share'
    """

    def __init__(self) -> None:
        self._private = X25519PrivateKey.generate()
        self.public = self._private.public_key().public_bytes_raw()

    def open(self, letter: bytes, purpose: bytes) -> bytes:
        """Open a letter; refuse one that was changed, or meant for something else."""
        sender = letter[:KEY_BYTES]
        if len(sender) < KEY_BYTES:
            raise ProtocolError("a sealed letter is cut short; ask for it again")
        cipher = _cipher(agree(self._private, sender), sender, self.public)
        try:
            return cipher.decrypt(_NONCE, letter[KEY_BYTES:], purpose)
        except InvalidTag:
            raise ProtocolError(
                "a sealed letter was changed on its way or is not for this round; refuse it"
            ) from None


def seal(message: bytes, addressee: bytes, purpose: bytes) -> bytes:
    """Seal a letter for the holder of the private half of a public key."""
    once = X25519PrivateKey.generate()
    sender = once.public_key().public_bytes_raw()
    # A key seals one letter only, so a constant nonce is never used twice under it.
    return sender + _cipher(agree(once, addressee), sender, addressee).encrypt(_NONCE, message, purpose)


def _cipher(shared: bytes, sender: bytes, addressee: bytes) -> ChaCha20Poly1305:
    info = _LETTER_DOMAIN + sender + addressee
    return ChaCha20Poly1305(derive(shared, b"", info, 32))
