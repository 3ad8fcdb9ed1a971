"""The private channel: what arrives is what was sent, and everything else is refused with a clear error."""

from __future__ import annotations

import struct

import pytest

from joint.pipes import together
from joint.sockets import TOKEN, close_pipes, open_both
from noisewright.errors import ProtocolError
from noisewright.joint.coins.messages import Kind
from noisewright.joint.transport.channel import HEADER_BYTES, MAX_PAYLOAD, Header


@pytest.fixture(autouse=True)
def _tidy():
    yield
    close_pipes()


def refusal(mischief) -> str:
    """What the receiver says after two messages went through the mischief (frame 0 is the hello)."""
    first, second = open_both(mischief)
    first.send(Kind.POINT, b"one")
    first.send(Kind.ANSWERS, b"two")
    with pytest.raises(ProtocolError) as caught:
        (second.receive(Kind.POINT), second.receive(Kind.ANSWERS))
    return str(caught.value)


def sealed(change):
    """Mischief on everything after the hello."""
    return lambda number, header, payload: [change(header, payload) if number else header + payload]


def test_messages_arrive_in_both_directions():
    first, second = open_both()
    assert first.session == second.session
    for payload in (b"", b"x", bytes(MAX_PAYLOAD - 16)):
        together(lambda p=payload: first.send(Kind.ROWS, p), lambda p=payload: None)
        assert second.receive(Kind.ROWS) == payload
        second.send(Kind.DONE, payload[:9])
        assert first.receive(Kind.DONE) == payload[:9]


def test_two_sessions_of_one_token_share_nothing():
    assert open_both()[0].session != open_both()[0].session


def test_the_line_carries_no_plain_text_and_no_token():
    carried = []
    first, second = open_both(
        lambda number, header, payload: carried.append(header + payload) or [carried[-1]]
    )
    first.send(Kind.POINT, b"a secret of twenty..")
    second.receive(Kind.POINT)
    assert len(carried) == 2
    assert b"secret" not in carried[1]
    assert not any(TOKEN.secret[:8] in frame for frame in carried)


def flip(data: bytes, place: int) -> bytes:
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


@pytest.mark.parametrize("place", [0, 5, -1])
def test_a_changed_payload_is_refused(place):
    changed = sealed(lambda header, payload: header + flip(payload, place % len(payload)))
    assert "changed on the way" in refusal(changed)


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (4, "version 0"),
        (5, "where POINT belongs"),
        (13, "repeated, left out"),
        (14, "another session"),
        (3, "changed on the way"),
    ],
)
def test_a_changed_header_is_refused(place, words):
    """Version, kind, sequence number, session and length, in this order."""
    assert words in refusal(sealed(lambda header, payload: flip(header, place) + payload + bytes(8)))


def test_a_repeated_message_is_refused():
    assert "repeated" in refusal(lambda number, header, payload: [header + payload] * (1 + (number == 1)))


def test_messages_in_the_wrong_order_are_refused():
    held = []

    def swap(number, header, payload):
        held.append(header + payload)
        return [] if number == 1 else held[number : number + 1] + held[1:number]

    assert "repeated, left out or swapped" in refusal(swap)


def test_a_message_of_an_earlier_session_is_refused():
    old = []
    first, second = open_both(lambda number, header, payload: old.append(header + payload) or [old[-1]])
    first.send(Kind.POINT, b"one")
    second.receive(Kind.POINT)
    assert "another session" in refusal(sealed(lambda *_: old[1]))


def test_an_oversized_message_is_refused_before_it_is_read():
    header = struct.pack(">IBBQ16s", MAX_PAYLOAD + 1, 1, 1, 0, bytes(16))
    assert "the limit of a message" in refusal(sealed(lambda *_: header))


def test_an_oversized_message_is_not_sent():
    first, _ = open_both()
    with pytest.raises(ProtocolError, match="too long"):
        first.send(Kind.ROWS, bytes(MAX_PAYLOAD))


@pytest.mark.parametrize("kind", [7, 255])
def test_an_unknown_kind_is_refused(kind):
    unknown = sealed(lambda header, payload: header[:5] + bytes([kind]) + header[6:] + payload)
    assert "unknown kind" in refusal(unknown)


def test_a_truncated_message_is_refused():
    def cut(number, header, payload):
        return [[header + payload], [header + payload[:5]], None][number]

    assert "went away" in refusal(cut)


def test_a_message_too_short_for_its_seal_is_refused():
    short = sealed(lambda header, payload: bytes([0, 0, 0, 3]) + header[4:] + b"abc")
    assert "too short" in refusal(short)


def test_headers_come_back():
    header = Header(9, Kind.ROWS, 1 << 40, bytes(range(16)))
    assert len(header.write()) == HEADER_BYTES
    assert Header.read(header.write()) == header
