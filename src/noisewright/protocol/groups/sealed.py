"""Letters that only their addressee can read, whoever carries them.

A fresh X25519 key a letter, HKDF bound to both public keys and to what the letter is for, ChaCha20-Poly1305.
The sender is not authenticated; say who may deliver where the letters are taken in.
"""

from __future__ import annotations

from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from noisewright.errors import ProtocolError
from noisewright.protocol.groups.pair_key import agree
from noisewright.protocol.transport.pair_token import derive

KEY_BYTES: Final = 32
_DOMAIN: Final = b"noisewright sealed letter 1"
_NONCE: Final = bytes(12)


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
        """What the letter says; one that was changed, or meant for something else, is refused."""
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
    """A letter for whoever holds the private half of a public key."""
    once = X25519PrivateKey.generate()
    sender = once.public_key().public_bytes_raw()
    # A key seals one letter only, so a constant nonce is never used twice under it.
    return sender + _cipher(agree(once, addressee), sender, addressee).encrypt(_NONCE, message, purpose)


def _cipher(shared: bytes, sender: bytes, addressee: bytes) -> ChaCha20Poly1305:
    info = _DOMAIN + sender + addressee
    return ChaCha20Poly1305(derive(shared, b"", info, 32))
