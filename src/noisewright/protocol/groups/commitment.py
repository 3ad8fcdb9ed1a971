"""What participants of a beacon show the others: first a sealed promise, then what was in it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Self

from noisewright.errors import ProtocolError

SECRET_BYTES: Final = 32
MOST_NAME: Final = 256
_DOMAIN: Final = b"noisewright beacon commitment 1"


def joined(*parts: bytes) -> bytes:
    """Parts in one string that no other parts give: each is preceded by its length.

    >>> joined(b"ab", b"c") == joined(b"a", b"bc")
    False
    """
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


@dataclass(frozen=True)
class Commitment:
    """A promise that fixes a participant's secret without showing it.

    ``public_key`` is what the participant wants the others to know along with it, such as the key its partner
    needs; the digest covers it.
    """

    participant: str
    digest: bytes
    public_key: bytes = b""

    def to_dict(self) -> dict[str, str]:
        """The commitment in plain JSON values."""
        return {
            "participant": self.participant,
            "digest": self.digest.hex(),
            "public_key": self.public_key.hex(),
        }

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> Self:
        """Read what :meth:`to_dict` wrote; anything else is refused."""
        who = _name(fields)
        return cls(who, _bytes(fields, "digest", who), _bytes(fields, "public_key", who, empty=True))


@dataclass(frozen=True)
class Reveal:
    """The secret behind a commitment; printing it does not show it."""

    participant: str
    secret: bytes = field(repr=False)
    salt: bytes = field(repr=False)

    def commitment(self, round_id: str, public_key: bytes = b"") -> Commitment:
        """The commitment that this secret opens.

        The digest covers round and participant, so a commitment seen elsewhere is of no use to anyone:
        whoever copies it can never open it under another name.
        """
        parts = (_DOMAIN, round_id.encode(), self.participant.encode(), public_key, self.salt, self.secret)
        return Commitment(self.participant, hashlib.sha256(joined(*parts)).digest(), public_key)

    def to_dict(self) -> dict[str, str]:
        """The reveal in plain JSON values; after this the secret is public."""
        return {"participant": self.participant, "secret": self.secret.hex(), "salt": self.salt.hex()}

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> Self:
        """Read what :meth:`to_dict` wrote; anything else is refused."""
        who = _name(fields)
        return cls(who, _bytes(fields, "secret", who), _bytes(fields, "salt", who))


def _name(fields: Mapping[str, Any]) -> str:
    name = fields.get("participant")
    if not isinstance(name, str) or not 0 < len(name) <= MOST_NAME:
        raise ProtocolError(f"a message of the beacon must name its participant in 1 to {MOST_NAME} letters")
    return name


def _bytes(fields: Mapping[str, Any], key: str, who: str, *, empty: bool = False) -> bytes:
    try:
        found = bytes.fromhex(fields[key])
    except (KeyError, TypeError, ValueError):
        found = None
    if found is None or not (len(found) == SECRET_BYTES or (empty and not found)):
        raise ProtocolError(f"{key} in the message of {who} must be {SECRET_BYTES} bytes in hexadecimal")
    return found
