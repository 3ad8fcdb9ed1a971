"""Interrupted releases from a secret go on where they were, and cost nothing until they leave."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from noisewright.domains import Floats
from noisewright.errors import BadRelease
from noisewright.release.algorithms.base import Facts, Labels
from noisewright.release.composition import Secret
from release.composition.pools import EIGHTH, LABELS, QUARTER, ROWS, Averages, simulated

CALLS: list[float] = []
TRIAL = 4
"""Runs that find out whether an algorithm repeats: the first world twice, its partner, the last one."""


@dataclass(frozen=True)
class Scaled(Averages):
    """Means times a number; it counts its calls."""

    factor: float = 1.0

    def fit(self, rows: Floats, labels: Labels | None, seed: int, facts: Facts) -> Floats:
        CALLS.append(self.factor)
        return np.asarray(self.factor * rows.mean(axis=0))


BOTH = [(Scaled(), QUARTER), (Scaled(2.0), EIGHTH)]


@pytest.fixture(autouse=True)
def _no_calls() -> None:
    CALLS.clear()


def stop_after(worlds: int):
    """Interrupt once so many worlds are done, over all algorithms of a request."""
    seen: list[int] = []

    def progress(done: int, _: int) -> None:
        seen.append(done)
        if sum(number > 0 for number in seen) == worlds:
            raise KeyboardInterrupt

    return progress


def interrupted(secret: Secret, keep: Path, worlds: int) -> None:
    with pytest.raises(KeyboardInterrupt):
        secret.release_together(BOTH, keep=keep, progress=stop_after(worlds))
    assert secret.account.spent == 0
    CALLS.clear()


def test_interrupted_releases_go_on(tmp_path: Path) -> None:
    secret = simulated()
    interrupted(secret, tmp_path / "kept", 16 + 6)
    kept = secret.release_together(BOTH, keep=tmp_path / "kept")
    assert (CALLS.count(1.0), CALLS.count(2.0)) == (TRIAL, TRIAL + 10)
    plain = simulated().release_together(BOTH)
    assert [one.vector.tolist() for one in kept] == [one.vector.tolist() for one in plain]
    assert all(path.stat().st_mode & 0o077 == 0 for path in (tmp_path / "kept").iterdir())


def test_a_saved_secret_goes_on_in_another_process(tmp_path: Path) -> None:
    path = simulated().save(tmp_path / "secret.db")
    interrupted(Secret.open(path, ROWS, LABELS), tmp_path / "kept", 5)
    Secret.open(path, ROWS, LABELS).release(Scaled(), QUARTER, keep=tmp_path / "kept")
    assert len(CALLS) == TRIAL + 11


def test_later_releases_share_the_folder_and_have_fresh_noise(tmp_path: Path) -> None:
    secret = simulated()
    first = secret.release(Scaled(), EIGHTH, keep=tmp_path / "kept")
    CALLS.clear()
    second = secret.release(Scaled(), EIGHTH, keep=tmp_path / "kept")
    assert len(CALLS) == TRIAL
    assert first.vector.tolist() != second.vector.tolist()
    assert secret.account.spent == 0.25


def test_worlds_of_other_data_are_refused(tmp_path: Path) -> None:
    simulated().release(Scaled(), EIGHTH, keep=tmp_path / "kept")
    other = Secret(ROWS + 1.0, LABELS, total=QUARTER, worlds=16)
    with pytest.raises(BadRelease, match="worlds of another run"):
        other.release(Scaled(), EIGHTH, keep=tmp_path / "kept")
    assert other.account.spent == 0
