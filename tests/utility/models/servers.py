"""A small model server on this machine whose behaviour a test chooses."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Exchange:
    """One request, and the means to answer it."""

    def __init__(self, handler: BaseHTTPRequestHandler, number: int) -> None:
        self._handler, self.number = handler, number
        self.headers = dict(handler.headers.items())
        self.path = handler.path
        length = int(handler.headers["Content-Length"])
        self.rows: list[list[float]] = json.loads(handler.rfile.read(length))["rows"]

    def answer(self, body: Any, status: int = 200, **headers: str) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self._handler.send_response(status)
        for name, value in ({"Content_Length": str(len(data))} | headers).items():
            self._handler.send_header(name.replace("_", "-"), value)
        self._handler.end_headers()
        self._handler.wfile.write(data)

    def answer_over_forty(self) -> None:
        self.answer({"labels": ["old" if row[0] > 40 else "young" for row in self.rows]})


Behaviour = Callable[[Exchange], None]


@contextmanager
def model_server(behave: Behaviour) -> Iterator[tuple[str, list[Exchange]]]:
    """The address of a server, and the requests it has seen."""
    seen: list[Exchange] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            exchange = Exchange(self, len(seen) + 1)
            seen.append(exchange)
            behave(exchange)

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        block_on_close = False

        def handle_error(self, *_: object) -> None:  # a client that gave up is what some tests are about
            pass

    with Server(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/score", seen
        finally:
            server.shutdown()
            thread.join()
