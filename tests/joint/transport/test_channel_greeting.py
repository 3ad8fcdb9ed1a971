"""The opening of a channel: only the partner with the same token, the other role and the same terms is let in."""

from __future__ import annotations

import pytest

from joint.sockets import TERMS, TOKEN, close_pipes, open_both
from noisewright.errors import InvalidParameter, ProtocolError
from noisewright.joint.coins.messages import Kind, Role
from noisewright.joint.transport.keys import PairToken


@pytest.fixture(autouse=True)
def _tidy():
    yield
    close_pipes()


def test_noise_instead_of_a_greeting_is_refused():
    with pytest.raises(ProtocolError):
        open_both(lambda number, header, payload: [b"GET / HTTP/1.1\r\n" + bytes(100)])


def test_a_partner_with_another_token_is_refused():
    with pytest.raises(ProtocolError, match="greeting of this pair"):
        open_both(tokens=(TOKEN, PairToken.fresh()))


def test_a_relay_in_the_middle_without_the_token_gets_nowhere():
    """It knows the tag, so it can answer with keys of its own; but the first sealed message gives it away."""
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

    own = X25519PrivateKey.generate().public_key().public_bytes_raw()
    first, second = open_both(lambda _, header, payload: [header + payload[:-32] + own])
    second.send(Kind.POINT, b"x")
    with pytest.raises(ProtocolError, match="another session"):  # other keys, hence another label
        first.receive(Kind.POINT)


def test_two_partners_of_the_same_role_are_refused():
    with pytest.raises(ProtocolError, match="different roles"):
        open_both(roles=(Role.FIRST, Role.FIRST))


def test_partners_with_different_terms_are_refused():
    with pytest.raises(ProtocolError, match="other weights or another number"):
        open_both(terms=(TERMS, b"1" * 32))


def test_a_key_of_small_order_is_refused():
    with pytest.raises(ProtocolError, match="not a valid one"):
        open_both(lambda _, header, payload: [header + payload[:-32] + bytes(32)])


@pytest.mark.parametrize("secret", [b"", bytes(31), bytes(33), "x" * 32])
def test_a_token_of_wrong_length_is_refused(secret):
    with pytest.raises(InvalidParameter, match="token of a pair"):
        PairToken(secret)


def test_a_token_does_not_show_and_its_tag_says_nothing_of_it():
    assert TOKEN.secret.hex() not in repr(TOKEN) + TOKEN.tag.hex()
    assert TOKEN.tag != PairToken.fresh().tag
