"""Bounded prior: the secret is one world of a public list, and the proof is exact."""

from noisewright.release.bounded.release import Calibrated, Released, calibrate, publish, release_once

__all__ = ["Calibrated", "Released", "calibrate", "publish", "release_once"]
