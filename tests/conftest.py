"""Settings that all tests share."""

from __future__ import annotations

from hypothesis import settings

# No stopwatch: machines are shared and noisy, and a slow example is not a wrong one.
settings.register_profile("noisewright", deadline=None)
settings.load_profile("noisewright")
