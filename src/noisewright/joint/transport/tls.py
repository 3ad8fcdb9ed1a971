"""TLS for the way to the relay: contexts for both ends, and a certificate for a deployment on one machine.

The partners do not rely on it for secrecy, since they encrypt end to end; it hides from onlookers which tag a
device shows, and makes sure that a device talks to the relay it meant.
"""

from __future__ import annotations

import datetime
import ipaddress
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from noisewright.errors import InvalidParameter

LOCAL_HOSTS = ("localhost", "127.0.0.1")


@dataclass(frozen=True)
class Identity:
    """The files of a server's certificate and of its private key."""

    certificate: Path
    key: Path


def make_identity(folder: Path, hosts: Sequence[str] = LOCAL_HOSTS, days: int = 30) -> Identity:
    """Make a self-signed certificate for these hosts, and its key in a file that only its owner may read.

    Files of these names are replaced, not written into: whoever could read the old key, by its permissions,
    by a link or by holding it open, cannot read the new one. Clients take the certificate as their authority,
    which pins the server to it.
    """
    from noisewright.io.file_access import published  # noqa: PLC0415  (Arrow takes a moment to load)
    from noisewright.io.private_files import write_private  # noqa: PLC0415

    identity = Identity(folder / "relay.crt", folder / "relay.key")
    certificate, secret = self_signed(
        "noisewright relay",
        datetime.timedelta(days=days),
        (x509.SubjectAlternativeName([_host(host) for host in hosts]), False),
        (x509.BasicConstraints(ca=True, path_length=0), True),
        (_signing(), True),
    )
    with published(identity.certificate) as (draft,):
        draft.write_bytes(certificate)
    write_private(identity.key, secret)
    return identity


def self_signed(
    name: str, lifetime: datetime.timedelta, *extensions: tuple[x509.ExtensionType, bool]
) -> tuple[bytes, bytes]:
    """Return a certificate that a fresh key signs for itself, and the key, both in PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    builder = x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(now - datetime.timedelta(hours=1)).not_valid_after(now + lifetime)
    identifiers = [
        (x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False),
        (x509.AuthorityKeyIdentifier.from_issuer_public_key(key.public_key()), False),
    ]
    for extension, critical in (*extensions, *identifiers):
        builder = builder.add_extension(extension, critical)
    certificate = builder.sign(key, hashes.SHA256()).public_bytes(Encoding.PEM)
    return certificate, key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _host(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _signing() -> x509.KeyUsage:
    """Return the uses of the key: it signs handshakes, and the certificate itself."""
    never = dict.fromkeys(
        ("content_commitment", "key_encipherment", "data_encipherment", "key_agreement", "crl_sign"), False
    )
    return x509.KeyUsage(
        digital_signature=True, key_cert_sign=True, encipher_only=False, decipher_only=False, **never
    )


def server_context(identity: Identity) -> ssl.SSLContext:
    """Return a relay's context: TLS 1.3 only, under its identity."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    # No tickets: a device closes at once after its last message, and unread ones would reset the line.
    context.num_tickets = 0
    try:
        context.load_cert_chain(identity.certificate, identity.key)
    except OSError as error:
        raise InvalidParameter("the relay's certificate or key cannot be loaded; check both files") from error
    return context


def client_context(authority: Path | None = None) -> ssl.SSLContext:
    """Return a device's context: TLS 1.3 only, trusting one authority file, by default the system's."""
    try:
        context = ssl.create_default_context(cafile=None if authority is None else str(authority))
    except OSError as error:
        raise InvalidParameter(f"the authority {authority} cannot be loaded; give a PEM file") from error
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    return context
