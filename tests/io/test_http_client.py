"""Hostile servers: whatever comes back, both clients end with their own sentence, in time and in little memory."""

from __future__ import annotations

import gzip
import json
import socket
import struct
import threading
import zlib
from contextlib import contextmanager, suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from noisewright.audit.blackbox import black_box
from noisewright.audit.blackbox.endpoint import LARGEST
from noisewright.errors import BadMechanism, BadModel, InvalidParameter
from noisewright.io.http_client import Credentials
from noisewright.utility.models import BlackBox
from noisewright.utility.models.endpoint import Endpoint, Retries

OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n"
LABELS = b'{"labels": [1, 2]}'
ROWS = np.array([[1.0], [2.0]])
AT_ONCE = 20.0
"""Seconds for servers that do not keep anybody waiting: never used up, however slow the machine."""


@contextmanager
def server(behave):
    """The port of a machine that reads one request a connection, then behaves; and the requests it has read."""
    seen: list[bytes] = []
    over = threading.Event()

    def serve(connection):
        with connection, suppress(OSError):
            request = b""
            while b"\r\n\r\n" not in request:
                request += connection.recv(65536)
            head, _, body = request.partition(b"\r\n\r\n")
            length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
            while len(body) < length:
                body += connection.recv(65536)
            seen.append(head)
            behave(connection, over)
            connection.shutdown(socket.SHUT_WR)

    def accept(listener):
        with suppress(OSError):
            while True:
                connection, _ = listener.accept()
                threading.Thread(target=serve, args=(connection,), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=accept, args=(listener,), daemon=True)
        thread.start()
        try:
            yield listener.getsockname()[1], seen
        finally:
            over.set()
            listener.shutdown(socket.SHUT_RDWR)
            thread.join(600)


def answer(*pieces):
    return lambda connection, over: connection.sendall(b"".join(pieces))


def endless(piece, beginning=b""):
    """An answer that goes on as fast as it is read, until nobody reads."""

    def behave(connection, over):
        connection.sendall(beginning)
        while not over.is_set():
            connection.sendall(piece)

    return behave


def reset(*pieces):
    """An answer that is cut off as if the machine had crashed."""

    def behave(connection, over):
        connection.sendall(b"".join(pieces))
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()

    return behave


def audited(port, seconds=AT_ONCE, **options):
    return black_box(f"http://127.0.0.1:{port}/", timeout=seconds, **options).draw([1], 1, seed=1)


def asked(port, seconds=AT_ONCE, **options):
    model = Endpoint(f"http://127.0.0.1:{port}/", timeout=seconds, retries=Retries(1, 0.001, 1.0), **options)
    return BlackBox(model, classes=(1, 2)).ask(ROWS, 1)


CLIENTS = pytest.mark.parametrize(("client", "error"), [(audited, BadMechanism), (asked, BadModel)])
BOMB = gzip.compress(bytes(50 << 20))
HUGE = str(10**30).encode()

BAD = {
    "gzip": (
        answer(OK, b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(BOMB), BOMB),
        "compressed",
    ),
    "deflate": (answer(OK, b"Content-Encoding: deflate\r\n\r\n", zlib.compress(LABELS)), "compressed"),
    "brotli": (answer(OK, b"content-encoding: BR\r\n\r\n", b"\x8b"), "compressed"),
    "twice compressed": (answer(OK, b"Content-Encoding: identity, gzip\r\n\r\n", LABELS), "compressed"),
    "endless body": (endless(b" " * 65536, OK + b"\r\n"), "more than|larger than"),
    "endless body of a length": (
        endless(b" " * 65536, OK + b"Content-Length: " + HUGE + b"\r\n\r\n"),
        "more than|larger than",
    ),
    "endless chunks": (
        endless(b"3e8\r\n%s\r\n" % (b" " * 1000), OK + CHUNKED + b"\r\n"),
        "more than|larger than",
    ),
    "giant chunk": (
        endless(b" " * 65536, OK + CHUNKED + b"\r\n" + b"f" * 60 + b"\r\n"),
        "more than|larger than",
    ),
    "giant chunk broken off": (answer(OK, CHUNKED, b"\r\n", b"f" * 60, b"\r\n12"), "broke off"),
    "no chunk size": (answer(OK, CHUNKED, b"\r\nzz\r\n12"), "broke off"),
    "endless chunk size": (endless(b"0" * 65536, OK + CHUNKED + b"\r\n"), "reached"),
    "too long a length": (answer(OK, b"Content-Length: 99\r\n\r\n", LABELS), "broke off"),
    "endless header": (endless(b"x" * 65536, OK + b"Name: "), "reached"),
    "endless headers": (endless(b"Name: x\r\n" * 999, OK), "reached"),
    "endless status": (endless(b"x" * 65536, b"HTTP/1.1 200 "), "reached"),
    "endless headers of interim answers": (endless(b"Name: x\r\n" * 999, b"HTTP/1.1 100 \r\n"), "reached"),
    "early hints": (answer(b"HTTP/1.1 103 Early Hints\r\n\r\n", OK, b"\r\n", LABELS), "status 103"),
    "switching": (answer(b"HTTP/1.1 101 Switching\r\n\r\n"), "status 101"),
    "no content": (answer(b"HTTP/1.1 204 No Content\r\n\r\n"), "status 204"),
    "reset content": (answer(b"HTTP/1.1 205 Reset\r\nContent-Length: 0\r\n\r\n"), "status 205"),
    "part": (answer(b"HTTP/1.1 206 Partial\r\nContent-Length: 18\r\n\r\n", LABELS), "status 206"),
    "not modified": (answer(b"HTTP/1.1 304 Not Modified\r\n\r\n"), "redirects .status 304"),
    "no token": (answer(b"HTTP/1.1 401 Who\r\n\r\n"), "refuses access .status 401.; .*token_env"),
    "nothing": (answer(), "reached"),
    "no HTTP": (answer(b"220 smtp.example ESMTP\r\n"), "reached"),
    "no number": (answer(b"HTTP/1.1 two hundred\r\n\r\n"), "reached"),
    "a huge number": (answer(b"HTTP/1.1 99999 OK\r\n\r\n"), "reached"),
    "reset in the header": (reset(OK, b"Name: x"), "reached"),
    "reset in the body": (reset(OK, b"Content-Length: 99\r\n\r\n", LABELS), "reached|broke off"),
}
REDIRECTS = [301, 302, 303, 307, 308]
WHERE = [
    "file:///etc/passwd",
    "ftp://127.0.0.1:{port}/",
    "http://127.0.0.1:{port}/",
    "//127.0.0.1:{port}/",
    "",
]


@CLIENTS
@pytest.mark.parametrize("case", BAD)
def test_bad_answers_end_in_a_sentence(client, error, case):
    behave, words = BAD[case]
    with server(behave) as (port, _), pytest.raises(error, match=words):
        client(port)


@CLIENTS
@pytest.mark.parametrize(
    "behave",
    [endless(b"HTTP/1.1 100 Continue\r\n\r\n" * 99), endless(b"n: x\r\n" * 999, OK + CHUNKED + b"\r\n0\r\n")],
    ids=["interim answers", "trailers"],
)
def test_floods_without_an_answer_end_when_the_time_is_up(client, error, behave):
    with server(behave) as (port, _), pytest.raises(error, match=r"within 0\.4 seconds"):
        client(port, 0.4)


@CLIENTS
@pytest.mark.parametrize("status", REDIRECTS)
def test_redirects_lead_nowhere_and_take_no_token_along(client, error, status, monkeypatch):
    monkeypatch.setenv("MY_TOKEN", "s3cret")
    with server(answer(OK, b"\r\n", LABELS)) as (elsewhere, strangers):
        for where in WHERE:
            location = where.format(port=elsewhere).encode()
            redirect = answer(b"HTTP/1.1 %d Go\r\nLocation: %s\r\n\r\n" % (status, location))
            with server(redirect) as (port, seen), pytest.raises(error, match="redirects") as refusal:
                client(port, token_env="MY_TOKEN", headers={"X-Api-Key": "MY_TOKEN"})
            assert b"Bearer s3cret" in seen[0]
            assert "s3cret" not in str(refusal.value)
    assert not strangers


@CLIENTS
def test_every_exchange_has_a_connection_of_its_own(client, error):
    """So none can be stale, and a second answer on the first one's connection is never read."""
    twice = answer(*[b"HTTP/1.1 200 OK\r\nContent-Length: 18\r\nConnection: keep-alive\r\n\r\n" + LABELS] * 2)
    with server(twice) as (port, seen):
        client(port)
        client(port)
    assert len(seen) == 2
    assert all(b"\r\nConnection: close" in head and b"\r\nAccept-Encoding: identity" in head for head in seen)


def test_a_model_on_a_machine_whose_name_cannot_be_is_not_reached():
    with pytest.raises(BadModel, match="reached"):
        Endpoint(f"https://{'a' * 70}.example/", retries=Retries(1, 0.001, 1.0)).labels(ROWS)


@pytest.mark.parametrize(
    "body",
    [b"\xff\xfe\x00", b"[" * 200_000, b'{"a":' * 100_000, b"9" * 100_000, b'"\\ud800"', b"NaN", b"1e999",
     b"[1e999, -Infinity]", b"\x00", b"", b'{"a": 1, "a": 2}', b"\xed\xa0\x80"],
)  # fmt: skip
def test_any_text_is_an_output_for_an_audit_and_garbage_for_a_model(body):
    with server(answer(OK, b"Content-Length: %d\r\n\r\n" % len(body), body)) as (port, _):
        assert len(audited(port)) == 1
        with pytest.raises(BadModel):
            asked(port)


@pytest.mark.parametrize(
    "labels", [b"[NaN, 1]", b"[1e999, 1]", b"[%s, 1]" % (b"9" * 5000), b"[[[[1]]], 1]", b"[1]", b"[true, null]",
               b'["\\ud800", 1]', b"[%s, 1]" % (b"9" * 400)]
)  # fmt: skip
def test_labels_that_are_none(labels):
    body = b'{"labels": %s}' % labels
    whole = answer(OK, b"Content-Length: %d\r\n\r\n" % len(body), body)
    with server(whole) as (port, _), pytest.raises(BadModel):
        asked(port)


PIECES = st.sampled_from(
    [OK, b"HTTP/1.1 ", b"200", b"100 Continue", b"\r\n", b"\r\n\r\n", b"\n", b" ", b":", CHUNKED, LABELS, b"0\r\n\r\n",
     b"Content-Length: ", b"Content-Length: 18\r\n", b"-1", b"ff", b"0x1", b"\x00", b"\xff", b"Content-Encoding: x\r\n",
     b"Transfer-Encoding: ", b"Retry-After: 9\r\n", b"HTTP/0.9 200", b"HTTP/9.9 200 OK\r\n", b"\t", b"12\r\n"]
)  # fmt: skip


@CLIENTS
@given(pieces=st.lists(st.one_of(PIECES, st.binary(max_size=6)), max_size=12), begun=st.booleans())
@examples(max_examples=60)
def test_bytes_of_any_kind_end_in_an_answer_or_a_sentence(client, error, pieces, begun):
    with server(answer(OK if begun else b"", *pieces)) as (port, _), suppress(error):
        client(port)


def test_an_endless_body_is_not_kept():
    """The client goes away after the most it takes, and what the sockets hold; it does not wait or gather."""
    sent = []

    def behave(connection, over):
        connection.sendall(OK + b"\r\n")
        while not over.is_set():
            sent.append(connection.send(b" " * 65536))

    with server(behave) as (port, _), pytest.raises(BadMechanism, match=f"more than {LARGEST} bytes"):
        audited(port)
    assert LARGEST < sum(sent) < LARGEST + (64 << 20)


def test_headers_carry_values_of_the_environment(monkeypatch):
    monkeypatch.setenv("MY_TOKEN", " s3cret \n")
    monkeypatch.setenv("MY_KEY", "k3y")
    options = {"token_env": "MY_TOKEN", "headers": {"X-Api-Key": "MY_KEY"}}
    with server(answer(OK, b"\r\n", LABELS)) as (port, seen):
        audited(port, **options)
        asked(port, **options)
    for head in seen:
        assert b"\r\nAuthorization: Bearer s3cret\r\n" in head
        assert b"\r\nX-Api-Key: k3y" in head
    box = black_box("https://noise.example/", **options)
    shown = json.dumps([repr(box), str(vars(box)), box.title, box.describe()], default=str)
    assert "s3cret" not in shown
    assert "k3y" not in shown
    assert box.describe() != black_box("https://noise.example/").describe()
    assert black_box("https://noise.example/").describe() == ("endpoint", "https://noise.example/")


@pytest.mark.parametrize(
    ("headers", "words"),
    [
        ({"X-Api-Key": "NO_SUCH"}, "NO_SUCH holds no value"),
        ({"X-Api-Key": "TWO_LINES"}, "in TWO_LINES has characters that no header"),
        ({"X\r\nHost": "MY_KEY"}, "not the name of a header"),
        ({"X: y": "MY_KEY"}, "not the name of a header"),
        ({"Host": "MY_KEY"}, "the header Host is set already"),
        ({"authorization": "MY_KEY"}, "give a token with token_env"),
        ({"Transfer-Encoding": "MY_KEY"}, "is set already"),
        ({"X-Key": "MY_KEY", "x-key": "MY_KEY"}, "given twice"),
    ],
)
def test_headers_that_cannot_be_sent_are_refused_unseen(headers, words, monkeypatch):
    monkeypatch.setenv("MY_KEY", "k3y")
    monkeypatch.setenv("TWO_LINES", "k3y\r\nHost: evil")
    with pytest.raises(InvalidParameter, match=words) as refusal:
        Credentials(headers=headers)
    assert "k3y" not in str(refusal.value)
