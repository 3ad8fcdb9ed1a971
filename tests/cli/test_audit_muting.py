"""Code under audit is silent on every way out, the audit is not, and afterwards all is as it was."""

from __future__ import annotations

import ctypes
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

import noisewright
from noisewright.audit.blackbox.base import muted

SECRET = "4711"
MODULE = f"""
import atexit, ctypes, logging, os, sys, time
print("{SECRET} at import")

def loud(data, generator):
    print("{SECRET}")
    print("{SECRET}", file=sys.__stdout__)
    print("{SECRET}", file=sys.stderr)
    logging.getLogger().warning("{SECRET}")
    os.write(1, b"{SECRET}")
    os.write(2, b"{SECRET}")
    ctypes.CDLL(None).printf(b"{SECRET} in a buffer of C")
    return data + generator.laplace()

def slow(data, generator):
    time.sleep(0.012)
    return loud(data, generator)

class Farewell:
    def __del__(self, write=os.write):
        write(1, b"{SECRET}")

def late(data, generator):
    if not KEPT:
        KEPT.append(open(1, "w", closefd=False))
        KEPT.append(Farewell())
        atexit.register(print, "{SECRET}")
    KEPT[0].write("{SECRET}")
    return data + generator.laplace()

KEPT = []
"""
AUDIT = [sys.executable, "-m", "noisewright.cli", "audit"]
ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": str(Path(noisewright.__file__).parents[1]),
    "PYTHONUNBUFFERED": "",  # buffers are what may come out late
}
INPUTS = ["--left", "0", "--right", "9", "--claim", "1", "--seed", "1"]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "noises.py").write_text(MODULE)
    return tmp_path


def ran(folder, *arguments):
    command = [*AUDIT, *arguments, *INPUTS]
    return subprocess.run(command, check=False, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True)


def test_json_is_all_there_is(folder):
    found = ran(folder, "noises:loud", "--samples", "400", "--json")
    assert json.loads(found.stdout)["verdict"] == "false"
    assert found.stderr == ""


def test_what_is_left_for_the_end_is_not_shown_either(folder):
    found = ran(folder, "noises:late", "--samples", "400", "--json", "--jobs", "1")
    assert json.loads(found.stdout)["verdict"] == "false"
    assert found.stderr == ""


def test_workers_are_silent_too(folder):
    found = ran(folder, "noises:slow", "--samples", "1000", "--jobs", "2", "--json")
    assert json.loads(found.stdout)["verdict"] == "false"
    assert SECRET not in found.stderr


def test_looks_are_shown_and_nothing_else(folder):
    found = ran(folder, "noises:loud", "--samples", "1000", "--watch")
    assert found.stdout.startswith("After 1,000 runs the claim ε = 1 is false")
    assert found.stdout.count("\n") == 1
    assert found.stderr == ""


def test_a_terminal_has_the_bar_and_not_the_prints(folder):
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [*AUDIT, "noises:slow", "--samples", "200", *INPUTS], cwd=folder, stdout=theirs, stderr=theirs,
        env={**ENVIRONMENT, "TERM": "xterm", "COLUMNS": "100"},
    ):  # fmt: skip
        os.close(theirs)
        shown = everything(ours)
    assert "Sampling" in shown
    assert "of 200 runs" in shown
    assert "The claim of ε = 1 is false" in shown
    assert SECRET not in shown


def everything(descriptor):
    """All that is written to a terminal until nobody has it open any more."""
    pieces = []
    while True:
        try:
            piece = os.read(descriptor, 1 << 16)
        except OSError:
            piece = b""
        if not piece:
            os.close(descriptor)
            return b"".join(pieces).decode()
        pieces.append(piece)


def test_a_voice_is_heard_and_all_is_put_back(capfd):
    before = sys.stdout, sys.stderr
    with muted() as voice:
        print("silent")
        os.write(2, b"silent")
        print("heard", file=voice.out)
        print("noted", file=voice.err)
    assert (sys.stdout, sys.stderr) == before
    print("after")
    os.write(2, b"after")
    out, err = capfd.readouterr()
    assert (out, err) == ("heard\nafter\n", "noted\nafter")


def test_silence_ends_with_an_error_as_well(capfd):
    with pytest.raises(KeyboardInterrupt), muted():
        raise KeyboardInterrupt
    print("after")
    assert capfd.readouterr().out == "after\n"


def test_without_a_stream_there_is_nothing_to_mute(monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    with muted() as voice:
        print("silent")
        print("nobody hears it", file=voice.out)
    assert sys.stdout is None


def test_what_was_left_in_buffers_does_not_come_out_afterwards(capfd):
    """C keeps what it prints until it has enough, or is asked."""
    library = ctypes.CDLL(None)
    library.fflush(None)
    with muted():
        library.printf(b"silent")
    library.printf(b"after")
    library.fflush(None)
    assert capfd.readouterr().out == "after"
