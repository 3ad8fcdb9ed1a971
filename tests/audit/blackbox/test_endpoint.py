"""Addresses as black boxes: what is sent where, and everything a server can do wrong."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from noisewright.audit.blackbox import black_box
from noisewright.errors import BadMechanism, InvalidParameter


@contextmanager
def serving(answer):
    """A server on this machine; ``answer(handler, body)`` does as it likes."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            answer(self, self.rfile.read(int(self.headers["Content-Length"])))

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/release"
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
    ],
)
def test_failures_are_told_without_what_was_said(answer, words):
    with serving(answer) as url, pytest.raises(BadMechanism, match=words) as refusal:
        black_box(url).draw(["Ada"], 1, seed=1)
    assert "Ada" not in str(refusal.value)


@pytest.mark.parametrize("drips", [False, True])
def test_a_server_that_takes_too_long_is_left(drips):
    over = threading.Event()

    def answer(handler, body):
        if drips:
            say(handler, b"1", **{"Content-Length": "1000"})
        while not over.wait(0.03):
            if drips:
                handler.wfile.write(b"1")

    with serving(answer) as url:
        with pytest.raises(BadMechanism, match=r"no output within 0\.15 seconds"):
            black_box(url, timeout=0.15).draw([1], 1, seed=1)
        over.set()


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://noise.example/", "readable on the way"),
        ("http://127.0.0.1.example.org/", "readable on the way"),
        ("https://", "names a machine"),
        ("https://noise.example:99999/", "names a machine"),
        ("https://noise.example/\r\nHost: x", "names a machine"),
    ],
)
def test_bad_addresses_are_refused(url, words):
    with pytest.raises(InvalidParameter, match=words):
        black_box(url)


def test_nobody_at_the_address():
    with serving(lambda handler, body: None) as url:
        pass
    with pytest.raises(BadMechanism, match=r"cannot be reached \(ConnectionRefusedError\)"):
        black_box(url).draw([1], 1, seed=1)
