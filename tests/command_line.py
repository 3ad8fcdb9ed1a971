"""The command line in this process: what it prints when it works, and what it says when it refuses."""

from __future__ import annotations

import json

from noisewright.cli.main import main


def run(capsys, *arguments) -> tuple[str, str]:
    """Standard output and error of a command that must succeed."""
    code = main(list(map(str, arguments)))
    out, err = capsys.readouterr()
    assert code == 0, err
    return out, err


def refused(capsys, *arguments) -> str:
    """The sentence of a command that must be refused, with nothing on standard output."""
    code = main(list(map(str, arguments)))
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    return err


def timeless(out: str) -> dict:
    """The JSON of an audit without the moment at which it was done: the rest is the same again."""
    found = json.loads(out)
    del found["provenance"]["time"]
    return found
