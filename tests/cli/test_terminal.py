"""Sentences on standard error."""

import io
import sys

import pytest

from noisewright.cli.terminal import say

LONG = "columns left out: " + ", ".join(f"a-column-of-numbers-{place}" for place in range(12))


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self):
        return True


@pytest.mark.parametrize(("columns", "most"), [("60", 60), ("400", 100)])
def test_a_terminal_has_no_line_that_is_too_long(monkeypatch, columns, most):
    monkeypatch.setenv("COLUMNS", columns)
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    say(LONG)
    lines = stream.getvalue().splitlines()
    assert len(lines) > 1
    assert max(map(len, lines)) <= most
    assert " ".join(line.strip() for line in lines) == f"noisewright: {LONG}"


def test_programs_read_one_line(monkeypatch):
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    say(LONG)
    assert stream.getvalue() == f"noisewright: {LONG}\n"
