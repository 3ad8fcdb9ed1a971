"""Run an algorithm in every world: in parallel, with progress, and with checks that a proof needs."""

from noisewright.release.execution.kept_worlds import kept_seed
from noisewright.release.execution.run import fresh_seed, run_worlds
from noisewright.release.execution.task import Task

__all__ = ["Task", "fresh_seed", "kept_seed", "run_worlds"]
