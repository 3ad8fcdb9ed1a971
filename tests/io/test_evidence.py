"""Signed documents: no change passes, no key but the right one does, and keys are refused with a remedy."""

from __future__ import annotations

import base64
import hashlib
import os

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from noisewright.errors import BadTable
from noisewright.io.evidence import check_signature, fingerprint, read_private_key, read_public_key, sign

DOCUMENT = {"verdict": "false", "numbers": [1, 1.0, 1e-6, -0.0], "nested": {"b": None, "a": "ε\ud800"}}
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
OTHER = Ed25519PrivateKey.from_private_bytes(bytes(32))
SIGNED = sign(DOCUMENT, KEY)


def pem(key, password=None):
    locked = serialization.NoEncryption()
    if password:
        locked = serialization.BestAvailableEncryption(password)
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, locked)


def public_pem(key):
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    return key.public_key().public_bytes(serialization.Encoding.PEM, form)


def private_file(path, content):
    path.write_bytes(content)
    path.chmod(0o600)
    return path


def test_a_signature_holds_for_the_key_that_made_it():
    assert check_signature(SIGNED).state == "signed"
    assert check_signature(SIGNED, KEY.public_key()).state == "signed"
    wrong = check_signature(SIGNED, OTHER.public_key())
    assert (wrong.state, wrong.key) == ("wrong key", fingerprint(KEY.public_key()))
    assert check_signature(sign(DOCUMENT, OTHER), KEY.public_key()).state == "wrong key"
    assert check_signature(DOCUMENT, KEY.public_key()).state == "unsigned"
    assert check_signature(dict(reversed(SIGNED.items()))).state == "signed"  # order is nobody's business


def swapped(**parts):
    return {**SIGNED, "signature": {**SIGNED["signature"], **parts}}


VALUE = SIGNED["signature"]["value"]
CHANGED = [
    SIGNED | {"verdict": "not refuted"},
    SIGNED | {"more": 1},
    {name: value for name, value in SIGNED.items() if name != "nested"},
    SIGNED | {"numbers": [1, 1, 1e-6, -0.0]},  # 1.0 became 1
    SIGNED | {"numbers": [1, 1.0, 1e-6, 0.0]},
    swapped(key=sign(DOCUMENT, OTHER)["signature"]["key"]),
    swapped(value=base64.b64encode(bytes(64)).decode()),
    swapped(value=VALUE[:-3] + chr(ord(VALUE[-3]) + 1) + "=="),  # another spelling of the same bytes
    swapped(value=VALUE + "\n"),
    swapped(algorithm="none"),
    swapped(more=1),
    swapped(key="AAAA"),
    swapped(key="é"),
    swapped(key=7),
    SIGNED | {"signature": "yes"},
    SIGNED | {"signature": {}},
]


@pytest.mark.parametrize("document", CHANGED)
def test_every_change_shows(document):
    assert check_signature(document).state == "changed"
    assert check_signature(document, KEY.public_key()).state == "changed"


def test_a_key_of_another_kind_inside_is_no_signature():
    other = ec.generate_private_key(ec.SECP256R1()).public_key()
    der = other.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    assert check_signature(swapped(key=base64.b64encode(der).decode())).state == "changed"


def test_keys_are_read_from_files_and_known_by_a_fingerprint_that_openssl_has(tmp_path):
    key = read_private_key(private_file(tmp_path / "a.key", pem(KEY)))
    (tmp_path / "a.pub").write_bytes(public_pem(KEY))
    public = read_public_key(tmp_path / "a.pub")
    assert check_signature(sign(DOCUMENT, key), public).state == "signed"
    der = base64.b64decode("".join(public_pem(KEY).decode().splitlines()[1:-1]))
    assert fingerprint(public) == hashlib.sha256(der).hexdigest()


BAD_KEYS = [
    (pem(KEY, b"secret"), "is locked by a passphrase"),
    (
        pem(ec.generate_private_key(ec.SECP256R1())),
        "is not a private Ed25519 key in PEM; make one with: openssl",
    ),
    (public_pem(KEY), "is a public key, which verifies; sign with the private one"),
    (b"nonsense", "is not a private Ed25519 key"),
    (b"x" * (1 << 20), "is larger than 16 KiB"),
    (b"", "is empty"),
    (b"\xff\xfe", "not UTF-8"),
]


@pytest.mark.parametrize(("content", "said"), BAD_KEYS)
def test_what_is_no_key_is_refused_with_a_remedy(tmp_path, content, said):
    with pytest.raises(BadTable, match=said):
        read_private_key(private_file(tmp_path / "a.key", content))


@pytest.mark.parametrize("content", [pem(KEY), b"nonsense", pem(KEY, b"secret")])
def test_what_is_no_public_key_is_refused_with_a_remedy(tmp_path, content):
    (tmp_path / "a.pub").write_bytes(content)
    with pytest.raises(BadTable, match=r"is not a public Ed25519 key in PEM; take it out with: openssl pkey"):
        read_public_key(tmp_path / "a.pub")


def test_a_missing_key_is_told_with_the_command_that_makes_one(tmp_path):
    with pytest.raises(BadTable, match=r"make one with: openssl genpkey -algorithm ed25519 -out .*none\.key"):
        read_private_key(tmp_path / "none.key")
    with pytest.raises(BadTable, match="there is no such file"):
        read_public_key(tmp_path / "none.pub")


@pytest.mark.skipif(os.name != "posix", reason="rights of others are told on POSIX only")
def test_a_key_that_others_may_read_is_refused(tmp_path):
    path = private_file(tmp_path / "a.key", pem(KEY))
    path.chmod(0o640)
    with pytest.raises(BadTable, match="chmod 600"):
        read_private_key(path)
