"""For tests that are about anything but silence: the secret world is run here, and no process is started."""

from __future__ import annotations

from typing import Any

import pytest

from noisewright.domains import Floats
from noisewright.release.execution.task import Failure, Task, run_world
from noisewright.release.unbounded import release


class RunHere:
    """A hidden run without its process."""

    def __init__(self, packed: bytes, task: Task, length: int) -> None:
        self.task = task

    def rehearse(self, *_: Any) -> None:
        """Nothing to compare: it is the same process."""

    def output(self, member: Any, seed: int, instead: Floats) -> Floats:
        found = run_world(self.task, 0, member, seed)
        return instead if isinstance(found, Failure) else found

    def __enter__(self) -> RunHere:
        return self

    def __exit__(self, *_: object) -> None:
        pass


@pytest.fixture
def no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(release, "SecretRun", RunHere)
