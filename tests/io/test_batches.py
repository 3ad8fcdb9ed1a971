"""Streams of batches must never wait for a thread while garbage is being collected."""

from __future__ import annotations

import subprocess
import sys

import pytest

from noisewright.io.table_files import ahead

# A starting thread holds a lock of the threading module for a moment. If the collector runs just then and
# finishes an abandoned stream, a wait for that stream's thread would need the same lock: for ever.
COLLECTED_AT_THE_WORST_MOMENT = """
import gc, threading
from noisewright.io.table_files import ahead
gc.disable()
usual = getattr(threading, "_maintain_shutdown_locks", None)
if usual is not None:
    threading._maintain_shutdown_locks = lambda: (gc.collect(), usual())
abandoned = ahead(iter(range(5)))
next(abandoned)
loop = [abandoned]
loop.append(loop)
del abandoned, loop
thread = threading.Thread(target=gc.collect)
thread.start()
thread.join()
print("done")
"""


def test_an_abandoned_stream_can_be_collected_at_any_moment():
    done = subprocess.run(
        [sys.executable, "-c", COLLECTED_AT_THE_WORST_MOMENT],
        capture_output=True,
        text=True,
        timeout=600,
        check=True,
    )
    assert done.stdout == "done\n"


def test_items_come_in_order_and_errors_come_through():
    def items():
        yield from range(1, 100)
        raise ValueError("at the end")

    stream = ahead(items())
    assert [next(stream) for _ in range(99)] == list(range(1, 100))
    with pytest.raises(ValueError, match="at the end"):
        next(stream)
