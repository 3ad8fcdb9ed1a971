"""Faults in the workers of an engine, for tests: kill -9 or a full disk at a chosen step, once.

A worker that finds this folder on its PYTHONPATH runs this file when it starts. A step fails if a file of its
name lies in the folder NOISEWRIGHT_FAULTS; whoever fails takes the file away first, so only one worker does.
Every draw of a batch is noted in ``draws``, with the ids of the people.
"""

import os
import resource
import signal
from pathlib import Path

FAULTS = Path(os.environ.get("NOISEWRIGHT_FAULTS", "/nonexistent"))


def fail_at(step: str) -> None:
    try:
        (FAULTS / step).unlink()
    except FileNotFoundError:
        return
    os.kill(os.getpid(), signal.SIGKILL)


def hold_at(step: str) -> None:
    """Hold still for good, with the number of this process in the file "stop"."""
    try:
        (FAULTS / step).unlink()
    except FileNotFoundError:
        return
    (FAULTS / "draft").write_text(str(os.getpid()))
    (FAULTS / "draft").rename(FAULTS / "stop")
    signal.pause()


def install() -> None:
    from noisewright.io import columns, location

    claim, take_name = location.Location.claim, location.Location.take_name
    write = location.Location.write
    perturb_batch = columns.ColumnPlan.perturb_batch

    def claim_and_fail(self):
        won = claim(self)
        fail_at("after-claim")
        return won

    def name_and_fail(self, target):
        if target.name.startswith("part-"):
            fail_at("before-name")
        won = take_name(self, target)
        if target.name.startswith("part-"):
            fail_at("after-name")
        return won

    def write_and_fail(self, content):
        if self.name == "_noisewright.json":
            fail_at("before-list")
        write(self, content)
        if self.name == "_noisewright.json":
            fail_at("after-list")

    def note_draw(self, batch, source=None, *, first_row=0):
        drawn = perturb_batch(self, batch, source, first_row=first_row)
        if "id" in batch.schema.names:
            with (FAULTS / "draws").open("a") as file:
                file.write("".join(f"{each}\n" for each in batch.column("id").to_pylist()))
        fail_at("after-draw")
        hold_at("wait-after-draw")
        room = 2000 if (FAULTS / "full-disk").exists() else resource.RLIM_INFINITY
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))
        return drawn

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    location.Location.claim = claim_and_fail
    location.Location.take_name = name_and_fail
    location.Location.write = write_and_fail
    columns.ColumnPlan.perturb_batch = note_draw


if FAULTS.is_dir():
    install()
