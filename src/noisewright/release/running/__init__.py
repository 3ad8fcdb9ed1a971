"""Running an algorithm in every world: in parallel, with progress, refusing what cannot carry a proof."""

from noisewright.engine.digest import digest
from noisewright.release.running.kept_seed import kept_seed
from noisewright.release.running.running import Progress, run_worlds

__all__ = ["Progress", "digest", "kept_seed", "run_worlds"]
