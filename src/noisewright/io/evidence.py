"""Evidence: a document in JSON values that is signed as a whole (Ed25519), and can be checked by anybody.

The signature covers the canonical JSON of everything but itself. The public key is inside, so a document can
be checked for changes by itself; the reader must know who holds that key.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from noisewright.errors import BadDocument, BadTable
from noisewright.io.file_access import small_text
from noisewright.io.private_files import open_to_others
from noisewright.io.strict_json import strict_json
from noisewright.text import canonical_json

ALGORITHM: Final = "Ed25519"
SIGNATURE: Final = "signature"
LARGEST_KEY: Final = 16 << 10
MAKE_KEY: Final = "openssl genpkey -algorithm ed25519 -out"
SHOW_KEY: Final = "openssl pkey -pubout -in"

State = Literal["unsigned", "changed", "wrong key", "signed"]
"""The state of a signature; "signed" by the given key, or by the one inside if none is given."""


def parse_document(text: str | bytes, where: str = "the text") -> tuple[Mapping[str, Any], bytes]:
    """Return a stranger's document and its canonical spelling, or refuse it by what is wrong and where.

    Args:
        text: The document, in strict JSON.
        where: What an error calls it.

    >>> parse_document('{"b": 1, "a": 2}')
    ({'b': 1, 'a': 2}, b'{"a":2,"b":1}')
    """
    document = strict_json(text, where)
    if not isinstance(document, Mapping):
        raise BadDocument(f"{where} is not a document: its JSON is not an object")
    return document, canonical_json(document)


def read_private_key(path: str | os.PathLike[str]) -> Ed25519PrivateKey:
    """Return the key of a file that its owner alone may read; refuse anything else with a remedy."""
    if not Path(path).exists():
        raise BadTable(f"there is no key {path}; make one with: {MAKE_KEY} {path}")
    text = small_text(path, LARGEST_KEY, "key").encode()
    if b"PUBLIC KEY" in text:
        raise BadTable(f"{path} is a public key, which verifies; sign with the private one")
    if open_to_others(Path(path)):
        raise BadTable(f"the key {path} is open to others; take their rights away with chmod 600")
    try:
        key = serialization.load_pem_private_key(text, password=None)
    except TypeError:
        raise BadTable(
            f"the key {path} is locked by a passphrase; unlock it with: openssl pkey -in {path} -out KEY"
        ) from None
    except (ValueError, UnsupportedAlgorithm):
        key = None
    if not isinstance(key, Ed25519PrivateKey):
        raise BadTable(f"{path} is not a private {ALGORITHM} key in PEM; make one with: {MAKE_KEY} KEY")
    return key


def read_public_key(path: str | os.PathLike[str]) -> Ed25519PublicKey:
    """Return the public key of a PEM file; refuse anything else with a remedy."""
    try:
        key = serialization.load_pem_public_key(small_text(path, LARGEST_KEY, "key").encode())
    except (ValueError, UnsupportedAlgorithm) as error:
        if isinstance(error, BadTable):
            raise
        key = None
    if not isinstance(key, Ed25519PublicKey):
        raise BadTable(f"{path} is not a public {ALGORITHM} key in PEM; take it out with: {SHOW_KEY} KEY")
    return key


def fingerprint(key: Ed25519PublicKey) -> str:
    """Return the SHA-256 of a public key, by which people compare it.

    ``openssl pkey -pubin -in audit.pub -outform DER | sha256sum`` prints the same.
    """
    return hashlib.sha256(_encode(key)).hexdigest()


def sign(document: Mapping[str, Any], key: Ed25519PrivateKey) -> dict[str, Any]:
    """Return the document with a signature over everything else in it.

    >>> key = Ed25519PrivateKey.generate()
    >>> check_signature(sign({"verdict": "false"}, key)).state
    'signed'
    >>> check_signature(sign({"verdict": "false"}, key) | {"verdict": "not refuted"}).state
    'changed'
    """
    value = key.sign(canonical_json(_without_signature(document)))
    public, written = _encode(key.public_key()), base64.b64encode
    signature = {
        "algorithm": ALGORITHM,
        "key": written(public).decode("ascii"),
        "value": written(value).decode("ascii"),
    }
    return {**document, SIGNATURE: signature}


@dataclass(frozen=True)
class Check:
    """The result of checking a signature; ``key`` is the fingerprint of the key inside, if any."""

    state: State
    key: str | None = None


def check_signature(document: Mapping[str, Any], key: Ed25519PublicKey | None = None) -> Check:
    """Check a document against the given key, or else against the one inside it."""
    signature = document.get(SIGNATURE)
    if signature is None:
        return Check("unsigned")
    try:
        inside, value = _read_signature(signature)
        inside.verify(value, canonical_json(_without_signature(document)))
    except (InvalidSignature, ValueError, UnsupportedAlgorithm):
        return Check("changed")
    wrong = key is not None and _encode(key) != _encode(inside)
    return Check("wrong key" if wrong else "signed", fingerprint(inside))


def _without_signature(document: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in document.items() if name != SIGNATURE}


def _read_signature(signature: Any) -> tuple[Ed25519PublicKey, bytes]:
    """Return key and value of a signature, or raise a ``ValueError`` for anything else."""
    match signature:
        case {"algorithm": "Ed25519", "key": str(key), "value": str(value), **rest} if not rest:
            inside = serialization.load_der_public_key(_decode(key))
            if isinstance(inside, Ed25519PublicKey):
                return inside, _decode(value)
    raise ValueError("this is no signature")


def _decode(text: str) -> bytes:
    content = base64.b64decode(text.encode("ascii"), validate=True)
    if base64.b64encode(content).decode("ascii") != text:  # a second spelling would pass unnoticed
        raise binascii.Error("not as base64 is written")
    return content


def _encode(key: Ed25519PublicKey) -> bytes:
    return key.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
