"""Settings that all tests share, and the one thing that is too slow to make twice."""

from __future__ import annotations

import fcntl
import json
import os
import signal

import pytest
from hypothesis import settings

# No stopwatch: machines are shared and noisy, and a slow example is not a wrong one. The same examples every
# time, unless the nightly switch asks for new ones.
settings.register_profile(
    "noisewright", deadline=None, derandomize=not os.environ.get("NOISEWRIGHT_RANDOM_SEED")
)
settings.load_profile("noisewright")

# A shell that starts the suite in the background lets it ignore Ctrl-C, and what is ignored stays so in every
# child; the tests of Ctrl-C are about us, not about that shell.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def taken(tmp_path_factory):
    """The tour of seed 5, taken once for all workers: the first to ask takes it, the others wait for it."""
    from noisewright.cli.tour import STOPS, take_tour

    root = tmp_path_factory.getbasetemp()
    root = root.parent if "PYTEST_XDIST_WORKER" in os.environ else root
    kept = root / "tour.json"
    with (root / "tour.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            heard = []
            folder = root / "<script>alert(1)" / "deep" / "er"
            tour = take_tour(folder, 5, lambda stop, output: heard.append(stop))
            assert tuple(heard) == STOPS
            kept.write_text(json.dumps(tour))
    return json.loads(kept.read_text())
