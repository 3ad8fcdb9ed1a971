"""How the members of a committee know each other: each makes a certificate, and trusts those of this round.

MPyC looks for its files under ``.config`` of the current folder and expects member i to be called "MPyC party
i"; both sides of a connection must show a certificate. Private keys stay in the folder of their member.
"""

from __future__ import annotations

import datetime
import os
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from noisewright.parameters import whole

LIFETIME: Final = datetime.timedelta(days=1)
FOLDER: Final = ".config"


def make_certificate(folder: Path, index: int) -> str:
    """Make a member's key and certificate in a folder of its own; returns the certificate as text."""
    key = ec.generate_private_key(ec.SECP256R1())
    certificate = _self_signed(key, f"MPyC party {index}").public_bytes(Encoding.PEM)
    place = folder / FOLDER
    place.mkdir(mode=0o700)
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    with open(place / f"party_{index}.key", "xb", opener=_private) as file:
        file.write(secret)
    (place / f"party_{index}.crt").write_bytes(certificate)
    return certificate.decode()


def trust(folder: Path, certificates: list[str]) -> None:
    """Let a member trust the members of its round, and nobody else."""
    whole("members of a committee", len(certificates), 2, 1000)
    (folder / FOLDER / "mpyc_ca.crt").write_text("".join(certificates))


def _self_signed(key: ec.EllipticCurvePrivateKey, name: str) -> x509.Certificate:
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(minutes=5))
        .not_valid_after(now + LIFETIME)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )
    return builder.sign(key, SHA256())


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
