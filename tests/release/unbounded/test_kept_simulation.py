"""Interrupted simulations go on with the worlds that they began with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from noisewright.domains import Floats
from noisewright.errors import BadRelease
from noisewright.randomness import SeededSource
from noisewright.release.algorithms.base import Facts, Labels
from noisewright.release.basics.budgets import MutualInformation
from noisewright.release.execution import Task
from noisewright.release.unbounded import UnboundedReleased, release_unbounded
from noisewright.release.unbounded_release import UnboundedRelease
from release.unbounded.small import FACTS, ROWS, ColumnMeans

pytestmark = pytest.mark.usefixtures("no_process")

QUARTER = MutualInformation(1 / 4)
PILOT, TRIALS = 32, 128
EXTRA = 2 * 4 + 1
"""Runs besides those for the table: four of each simulation that look for hidden chance, and the secret world."""

CALLS: list[int] = []


@dataclass(frozen=True)
class Counted(ColumnMeans):
    """The same means, counting how often they are worked out."""

    def fit(self, rows: Floats, labels: Labels | None, seed: int, facts: Facts) -> Floats:
        CALLS.append(seed)
        return super().fit(rows, labels, seed, facts)


def stop_at(worlds: int):
    def progress(done: int, _: int) -> None:
        if done >= worlds:
            raise KeyboardInterrupt

    return progress


def released(keep: Path | None, seed: int | None = None, **changes: Any) -> UnboundedReleased:
    CALLS.clear()
    settings = {"trials": TRIALS, "pilot": PILOT, "source": SeededSource(1)} | changes
    return release_unbounded(Task(Counted(), FACTS, ROWS), QUARTER, keep=keep, seed=seed, **settings)


@pytest.mark.parametrize(("stopped", "left"), [(8, 24 + TRIALS), (PILOT, TRIALS), (PILOT + 64, 64)])
def test_an_interrupted_simulation_goes_on(tmp_path: Path, stopped: int, left: int) -> None:
    keep = tmp_path / "kept"
    with pytest.raises(KeyboardInterrupt):
        released(keep, progress=stop_at(stopped))
    found = released(keep)
    assert len(CALLS) == EXTRA + left
    plain = released(None, seed=int((keep / ".seed").read_text(encoding="ascii")))
    assert len(CALLS) == EXTRA + PILOT + TRIALS
    assert found.vector.tolist() == plain.vector.tolist()
    assert found.plan.moments.tolist() == plain.plan.moments.tolist()
    assert all(path.stat().st_mode & 0o077 == 0 for path in (keep, keep / "pilot", keep / "trials"))


def test_a_seed_that_was_asked_for_is_not_replaced(tmp_path: Path) -> None:
    released(tmp_path / "kept", seed=5)
    released(tmp_path / "kept", seed=5)
    assert len(CALLS) == EXTRA
    with pytest.raises(BadRelease, match="worlds of another run"):
        released(tmp_path / "kept", seed=6)


def test_every_release_from_a_folder_has_its_own_half_and_noise(tmp_path: Path) -> None:
    """Two private vectors are equal by chance in less than 10⁻⁹ of runs: two cells, deviations of 2¹⁴ each."""
    one, two = (released(tmp_path / "kept", source=None) for _ in range(2))
    assert one.plan.moments.tolist() == two.plan.moments.tolist()
    assert one.vector.tolist() != two.vector.tolist()


@pytest.mark.parametrize("random_state", [None, 7])
def test_the_estimator_goes_on_too(tmp_path: Path, random_state: int | None) -> None:
    usual = {"trials": TRIALS, "pilot": PILOT, "keep": tmp_path / "kept", "random_state": random_state}
    with pytest.raises(KeyboardInterrupt):
        UnboundedRelease(Counted(), QUARTER, progress=stop_at(PILOT + 64), **usual).fit(ROWS)
    CALLS.clear()
    UnboundedRelease(Counted(), QUARTER, **usual).fit(ROWS)
    assert len(CALLS) == EXTRA + 64
