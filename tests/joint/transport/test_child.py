"""A process of a run whose run ends: it leaves at once, but nothing half made behind."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import sys, time
from pathlib import Path
from noisewright.joint.transport.child import serve

def fail():
    raise OSError

def work(parent):
    place = Path(sys.argv[1])
    if sys.argv[2] == "a tidy that fails":
        parent.tidy = fail
        parent.answer(ready=True)
        time.sleep(60)
    with parent.undisturbed:
        place.touch()
        parent.answer(ready=True)
        time.sleep(0.5)
        parent.tidy = place.unlink
    time.sleep(60)

serve(work)
"""


@pytest.mark.parametrize("case", ["a file in the making", "a tidy that fails"])
def test_the_end_of_the_run_waits_for_a_file_in_the_making_and_for_nothing_else(tmp_path, case):
    command = [sys.executable, "-c", PROGRAM, tmp_path / "secret", case]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert "ready" in process.stdout.readline()
        process.stdin.close()
        assert process.wait(600) == 0
    assert list(tmp_path.iterdir()) == []
