"""Endpoints on the command line: who asks is shown to the server, and to nobody else."""

from __future__ import annotations

import json
import random
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from command_line import refused, run
from noisewright.cli.main import main

SECRETS = {"MY_TOKEN": "t0k3n", "MY_KEY": "k3y"}
SHOWN = ["--token-env", "MY_TOKEN", "--header", "X-Api-Key=MY_KEY"]
OUTPUTS = [b"\xff\x1b[2J\xe2\x80\xae", b"b"]
"""A text that is no UTF-8 and would clear the screen and turn the line round, and another."""


@contextmanager
def endpoint():
    """The address of a server that answers only who shows token and key; and what it was shown."""
    chance, seen = random.Random(1), []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            seen.append((self.headers["Authorization"], self.headers["X-Api-Key"]))
            known = seen[-1] == ("Bearer t0k3n", "k3y")
            content = b""
            if known:
                rows = json.loads(body)["rows"] if self.path == "/labels" else None
                content = (
                    chance.choice(OUTPUTS)
                    if rows is None
                    else json.dumps({"labels": [0] * len(rows)}).encode()
                )
            self.send_response(200 if known else 401)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", seen
        server.shutdown()


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)
    (tmp_path / "people.csv").write_text("age\n31\n62\n45\n")
    return tmp_path


def unseen(*texts):
    for text in texts:
        assert not any(secret in text for secret in SECRETS.values())


def test_an_audit_shows_who_asks_to_the_endpoint_alone(capsys, folder):
    usual = ["--left", "1", "--right", "2", "--samples", "200", "--jobs", "1", "--keep", "kept"]
    with endpoint() as (url, seen):
        out, err = run(capsys, "audit", "--url", url, *SHOWN, *usual, "--html", "page.html")
        told = run(capsys, "audit", "--url", url, *SHOWN, *usual, "--json")[0]
        count = len(seen)
        err += refused(capsys, "audit", "--url", url, *usual[:-2])
    assert count >= 200
    assert set(seen[:count]) == {("Bearer t0k3n", "k3y")}
    assert "refuses access (status 401); name a valid token's variable with --token-env" in err
    unseen(
        out, err, told, *(path.read_bytes().decode("latin-1") for path in Path().rglob("*") if path.is_file())
    )
    assert (out + err + told).replace("\n", "").isprintable()
    json.loads(told)


def test_a_prediction_shows_who_asks_to_the_endpoint_alone(capsys):
    arguments = [
        "people.csv",
        "--sensitive",
        "age=0:100",
        "--epsilon",
        "1",
        "--mechanism",
        "OGPM",
        "--budget",
        "2000",
    ]
    with endpoint() as (url, seen):
        out, err = run(capsys, "predict", f"{url}/labels", *arguments, "--classes", "0,1", *SHOWN)
    assert seen
    assert set(seen) == {("Bearer t0k3n", "k3y")}
    unseen(out, err)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["--url", "https://noise.example/", "--header", "X-Api-Key: k3y"],
            "--header wants the name of a header",
        ),
        (
            ["--url", "https://noise.example/", "--header", "X-Api-Key=k3y k3y"],
            "--header wants the name of a header",
        ),
        (["--url", "https://noise.example/", *SHOWN, "--header", "X-Api-Key=MY_KEY"], "once for each header"),
        (["--url", "https://noise.example/", "--token-env", "NO_SUCH"], "NO_SUCH holds no token"),
        (["--url", "https://ada:k3y@noise.example/"], "name it with --token-env"),
        (["--command", "tool {input}", *SHOWN], "--token-env and --header are for --url"),
        (["--gallery", *SHOWN], "--token-env does not go with --gallery"),
    ],
)
def test_wrong_uses_are_refused_without_the_secret(capsys, arguments, words):
    err = refused(
        capsys, "audit", *arguments, *([] if "--gallery" in arguments else ["--left", "1", "--right", "2"])
    )
    assert words in err
    unseen(err)


def test_a_model_on_this_machine_wants_no_token(capsys):
    err = refused(capsys, "predict", "model.onnx", "people.csv", "--sensitive", "age=0:100", *SHOWN)
    assert "--token-env and headers are for web addresses" in err
    assert main(["predict", "--help"]) == 0
    assert "--header NAME=VARIABLE" in capsys.readouterr().out
