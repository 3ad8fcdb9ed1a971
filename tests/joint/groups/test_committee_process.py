"""Certificates of a committee: members of a round accept each other, and nobody else."""

from __future__ import annotations

import ssl
import stat

import pytest

from noisewright.errors import InvalidParameter
from noisewright.joint.groups.committee_process import FOLDER, make_certificate, trust


@pytest.fixture
def members(tmp_path):
    """Three members of a round, and a stranger who calls itself the first."""
    folders = [tmp_path / name for name in ("zero", "one", "two", "stranger")]
    for folder in folders:
        folder.mkdir()
    certificates = [make_certificate(folder, index) for index, folder in enumerate(folders[:3])]
    stranger = make_certificate(folders[3], 0)
    for folder in folders[:3]:
        trust(folder, certificates)
    trust(folders[3], [*certificates, stranger])
    return folders


def context(folder, index: int, purpose: ssl.Purpose) -> ssl.SSLContext:
    """A context as MPyC makes it."""
    made = ssl.create_default_context(purpose)
    made.load_cert_chain(folder / FOLDER / f"party_{index}.crt", folder / FOLDER / f"party_{index}.key")
    made.load_verify_locations(folder / FOLDER / "mpyc_ca.crt")
    made.verify_mode = ssl.CERT_REQUIRED
    return made


def shake_hands(client: ssl.SSLContext, server: ssl.SSLContext, name: str) -> None:
    """A handshake in memory, and a byte each way so that both certificates are checked."""
    there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = [
        client.wrap_bio(back, there, server_hostname=name),
        server.wrap_bio(there, back, server_side=True),
    ]
    for _ in range(4):
        for end in ends:
            try:
                end.do_handshake()
            except ssl.SSLWantReadError:
                continue
    for end in ends:
        end.write(b"x")
    assert [end.read(1) for end in ends] == [b"x", b"x"]


def test_members_accept_each_other(members):
    client = context(members[0], 0, ssl.Purpose.SERVER_AUTH)
    server = context(members[1], 1, ssl.Purpose.CLIENT_AUTH)
    shake_hands(client, server, "MPyC party 1")


def test_a_member_is_not_taken_for_another(members):
    client = context(members[0], 0, ssl.Purpose.SERVER_AUTH)
    server = context(members[1], 1, ssl.Purpose.CLIENT_AUTH)
    with pytest.raises(ssl.SSLCertVerificationError):
        shake_hands(client, server, "MPyC party 2")


def test_a_stranger_is_not_let_in(members):
    client = context(members[3], 0, ssl.Purpose.SERVER_AUTH)
    server = context(members[1], 1, ssl.Purpose.CLIENT_AUTH)
    with pytest.raises(ssl.SSLError):
        shake_hands(client, server, "MPyC party 1")


def test_private_keys_are_for_their_owner_alone(members):
    key = members[0] / FOLDER / "party_0.key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert stat.S_IMODE(key.parent.stat().st_mode) == 0o700


def test_one_member_alone_is_no_committee(members):
    with pytest.raises(InvalidParameter, match="members of a committee"):
        trust(members[0], ["only one"])
