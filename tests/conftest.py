"""Settings that all tests share."""

from __future__ import annotations

import os

from hypothesis import settings

# No stopwatch: machines are shared and noisy, and a slow example is not a wrong one. The same examples every
# time, unless the nightly switch asks for new ones.
settings.register_profile(
    "noisewright", deadline=None, derandomize=not os.environ.get("NOISEWRIGHT_RANDOM_SEED")
)
settings.load_profile("noisewright")
