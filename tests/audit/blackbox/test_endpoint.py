"""Addresses as black boxes: what is sent where, and everything a server can do wrong."""

import json
import socket
import ssl
import threading
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import pytest

from noisewright.audit.blackbox import black_box
from noisewright.errors import BadMechanism, InvalidParameter
from noisewright.joint.transport.tls import make_identity

CHUNKED = b"Transfer-Encoding: chunked"


class QuietServer(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        """A client that left is what many of these tests are about."""


@contextmanager
def serving(answer, context=None):
    """A server on this machine, with TLS if there is a context; ``answer(handler, body)`` does as it likes."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            answer(self, self.rfile.read(int(self.headers["Content-Length"])))

        def log_message(self, *_):
            pass

    server = QuietServer(("127.0.0.1", 0), Handler)
    scheme = "https" if context else "http"
    if context:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"{scheme}://127.0.0.1:{server.server_port}/release"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def say(handler, content, status=200, **headers):
    handler.send_response(status)
    for name, value in {"Content-Length": str(len(content)), **headers}.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(content)


def say_raw(*pieces):
    """An answer byte for byte, after which the connection ends."""
    return lambda handler, body: handler.wfile.write(b"HTTP/1.1 200 OK\r\n" + b"\r\n".join(pieces))


def certificate(identity, monkeypatch=None):
    """TLS for a server that shows this certificate; the system trusts it if it can be patched."""
    if monkeypatch:
        monkeypatch.setenv("SSL_CERT_FILE", str(identity.certificate))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(identity.certificate, identity.key)
    return context


@pytest.fixture
def certified(tmp_path, monkeypatch):
    """TLS for a server on this machine whose certificate the system trusts."""
    return certificate(make_identity(tmp_path), monkeypatch)


def test_the_input_is_posted_and_every_answer_is_an_output(tmp_path, monkeypatch):
    seen = []

    def answer(handler, body):
        seen.append((handler.path, handler.headers["Content-Type"], body))
        say(handler, str(len(seen)).encode())

    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    (tmp_path / "a.csv").write_bytes(b"age\n61\n")
    with serving(answer) as url:
        box = black_box(f"{url}?key=7")
        assert box.draw({"ages": [61]}, 2, seed=1).numbers[:, 0].tolist() == [1, 2]
        assert box.draw(tmp_path / "a.csv", 1, seed=1).numbers[:, 0].tolist() == [3]
    assert seen[0] == ("/release?key=7", "application/json", json.dumps({"ages": [61]}).encode())
    assert seen[2] == ("/release?key=7", "text/csv", b"age\n61\n")
    assert "key" not in box.title + repr(box)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda handler, body: say(handler, body, 500), "status 500"),
        (lambda handler, body: say(handler, b"", 307, Location="http://127.0.0.1:9/"), "redirects"),
        (lambda handler, body: say(handler, b"", 302, Location="http://127.0.0.1:9/"), "redirects"),
        (lambda handler, body: say(handler, b"1" * 1_100_000), "more than 1048576 bytes"),
        (lambda handler, body: handler.connection.close(), "cannot be reached"),
        (lambda handler, body: say(handler, b"12.5", **{"Content-Length": "100"}), "broke off"),
        (lambda handler, body: say(handler, b"", **{"Content-Length": "100"}), "broke off"),
        (say_raw(CHUNKED, b"", b"-1", b"1" * 1_100_000), "more than 1048576 bytes"),
        (say_raw(CHUNKED, b"", b"4", b"12"), "broke off"),
        (say_raw(CHUNKED, b"", b"4", b"12.5", b""), "broke off"),
    ],
)
def test_failures_are_told_without_what_was_said(answer, words):
    with serving(answer) as url, pytest.raises(BadMechanism, match=words) as refusal:
        black_box(url).draw(["Ada"], 1, seed=1)
    assert "Ada" not in str(refusal.value)


@pytest.mark.parametrize(
    "answer",
    [
        say_raw(b"", b"12.5"),
        say_raw(b"Content-Length: 4", b"", b"12.5 and more"),
        say_raw(CHUNKED, b"", b"2", b"12", b"2", b".5", b"0", b"", b""),
    ],
)
def test_whole_answers_are_read_however_they_end(answer):
    with serving(answer) as url:
        assert black_box(url).draw([1], 1, seed=1).numbers.tolist() == [[12.5]]


def dripping(beginning, piece, over):
    """An answer that ends after four seconds, should anybody wait for it."""

    def answer(handler, body):
        handler.wfile.write(beginning)
        for _ in range(100):
            if over.wait(0.04):
                return
            handler.wfile.write(piece)
        handler.wfile.write(b"\r\n\r\n1")

    return answer


@pytest.mark.parametrize("secure", [False, True])
@pytest.mark.parametrize(
    ("beginning", "piece"),
    [
        (b"HTTP/1.0 200 OK\r\nName: x", b""),
        (b"HTTP/1.0 200 ", b"x"),
        (b"HTTP/1.0 200 OK\r\nName: ", b"x"),
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
        (b"HTTP/1.0 200 OK\r\n\r\n", b"1"),
        (b"HTTP/1.1 200 OK\r\n" + CHUNKED + b"\r\n\r\n1\r\n1\r\n0\r\n", b"Name: x\r\n"),
    ],
    ids=["silence", "status", "header", "interim answers", "body", "trailer"],
)
def test_a_server_that_takes_too_long_is_left(beginning, piece, secure, certified):
    over = threading.Event()
    with serving(dripping(beginning, piece, over), certified if secure else None) as url:
        with pytest.raises(BadMechanism, match=r"no output within 0\.5 seconds"):
            black_box(url, timeout=0.5).draw([1], 1, seed=1)
        over.set()


@contextmanager
def accepting(behave):
    """A machine that accepts one connection, and behaves so until it is over; gives its port."""
    over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def accept():
            connection, _ = listener.accept()
            with connection, suppress(OSError):
                behave(connection, over)

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            over.set()
            thread.join(600)


def drip_a_handshake(connection, over):
    connection.sendall(b"\x16\x03\x03\x10\x00")  # a record of 4096 bytes is announced
    while not over.wait(0.04):
        connection.sendall(b"\x02")


def read_slowly(connection, over):
    while not over.wait(0.04):
        connection.recv(1000)


@pytest.mark.parametrize(("scheme", "behave"), [("https", drip_a_handshake), ("http", read_slowly)])
def test_a_server_is_left_before_it_could_answer(scheme, behave):
    with (
        accepting(behave) as port,
        pytest.raises(BadMechanism, match=r"no output within 0\.5 seconds"),
    ):
        black_box(f"{scheme}://127.0.0.1:{port}/", timeout=0.5).draw(["x" * 20_000_000], 1, seed=1)


def test_a_dead_address_leaves_time_for_the_next(monkeypatch):
    with (
        socket.create_server(("127.0.0.1", 0), backlog=0) as dead,
        socket.create_connection(dead.getsockname()),  # fills its queue, so that the next gets no reply
        serving(lambda handler, body: say(handler, b"7")) as url,
    ):
        addresses = dead.getsockname(), ("127.0.0.1", urlsplit(url).port)
        found = [(socket.AF_INET, socket.SOCK_STREAM, 0, "", address) for address in addresses]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
        assert black_box(url, timeout=2).draw([1], 1, seed=1).numbers.tolist() == [[7.0]]


def test_a_trusted_server_is_asked(certified):
    with serving(lambda handler, body: say(handler, b"7"), certified) as url:
        assert black_box(url).draw([1], 1, seed=1).numbers.tolist() == [[7.0]]


@pytest.mark.parametrize(("hosts", "trusted"), [(["127.0.0.1"], False), (["noise.example"], True)])
def test_a_server_that_cannot_show_who_it_is_gets_no_input(hosts, trusted, tmp_path, monkeypatch):
    seen = []
    context = certificate(make_identity(tmp_path, hosts), monkeypatch if trusted else None)
    with (
        serving(lambda handler, body: seen.append(body), context) as url,
        pytest.raises(BadMechanism, match="SSLCertVerificationError"),
    ):
        black_box(url).draw([1], 1, seed=1)
    assert not seen


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://noise.example/", r"readable over the network; use https://\Z"),
        ("http://127.0.0.1.example.org/", "readable over the network"),
        ("https://", "begins with https:// and a host"),
        ("https://noise.example:99999/", "is not a valid URL"),
        ("https://noise.example/\r\nHost: x", "percent-encode"),
        ("https://ada:key@noise.example/", "holds a user name"),
    ],
)
def test_bad_addresses_are_refused(url, words):
    with pytest.raises(InvalidParameter, match=words) as refusal:
        black_box(url)
    assert "key" not in str(refusal.value)


def test_nobody_at_the_address():
    with serving(lambda handler, body: None) as url:
        pass
    with pytest.raises(BadMechanism, match=r"cannot be reached \(ConnectionRefusedError\)"):
        black_box(url).draw([1], 1, seed=1)


def test_a_name_that_cannot_be_encoded_is_not_reached():
    with pytest.raises(BadMechanism, match="cannot be reached"):
        black_box(f"https://{'a' * 70}.example/").draw([1], 1, seed=1)
