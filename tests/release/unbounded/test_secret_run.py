"""What can be heard of a release besides its vector says nothing about the world that was used."""

from __future__ import annotations

import io
import logging
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from noisewright.errors import BadRelease
from noisewright.randomness import SeededSource
from noisewright.release.algorithms import Function
from noisewright.release.basics.budgets import MutualInformation
from noisewright.release.basics.worlds import Worlds
from noisewright.release.bounded import calibrate, release_once
from noisewright.release.execution import Task, run_worlds
from noisewright.release.unbounded import UnboundedReleased, release_unbounded
from noisewright.release.unbounded.secret_run import SecretRun, draw_secret_world, pack_algorithm
from release.unbounded import loud
from release.unbounded.loud import FAILURES, ODDITIES, LoudMeans, OddMeans, ScaledMeans
from release.unbounded.small import FACTS, ROWS

LITTLE = MutualInformation(1 / 64)
LOUD = MutualInformation(60)
"""So much that hardly any noise is left."""

NOTHING = ("", "", "", [], ())

HIDDEN = draw_secret_world(8, SeededSource(1).stream())

CENTRE = np.array([5.0, 6.0])


def released(algorithm: Any, budget: MutualInformation = LITTLE, source: int = 1) -> UnboundedReleased:
    return release_unbounded(
        Task(algorithm, FACTS, ROWS), budget, trials=16, pilot=8, seed=1, source=SeededSource(source)
    )


@pytest.fixture
def heard(capfd: pytest.CaptureFixture[str]) -> Callable[[Callable[[], Any]], tuple[Any, ...]]:
    """Everything that somebody in this process hears while a function runs."""

    def listen(speak: Callable[[], Any]) -> tuple[Any, ...]:
        loud.REMEMBERED.clear()
        logged = logging.StreamHandler(io.StringIO())
        logging.getLogger().addHandler(logged)
        try:
            with warnings.catch_warnings(record=True) as warned:
                warnings.simplefilter("always")
                speak()
        finally:
            logging.getLogger().removeHandler(logged)
        lines = [str(warning.message) for warning in warned]
        return *capfd.readouterr(), logged.stream.getvalue(), lines, tuple(loud.REMEMBERED)

    return listen


def test_what_is_heard_does_not_depend_on_the_hidden_half(heard: Any) -> None:
    """Same public worlds, two secrets: with the first record, and without."""
    present = {bool(draw_secret_world(8, SeededSource(seed).stream()).member[0]): seed for seed in range(20)}
    with_it = heard(lambda: released(LoudMeans(), source=present[True]))
    without = heard(lambda: released(LoudMeans(), source=present[False]))
    assert all(len(way) for way in with_it)  # the public runs are heard, so the ears work
    assert with_it == without


def test_failures_are_not_told_and_the_centre_takes_their_place(
    heard: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor does a folder in which somebody left a module of a common name have a say."""
    (tmp_path / "pickle.py").write_text("raise SystemExit", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    task, half, instead = Task(LoudMeans(), FACTS, ROWS, None), HIDDEN.member, np.array([5.0, 6.0])

    def run() -> None:
        with SecretRun(pack_algorithm(task), task, 2) as process:
            process.rehearse(half, 0, ROWS[half].mean(axis=0))
            for seed in FAILURES:
                assert process.output(half, seed, instead) is instead
            assert process.output(half, 0, instead) is instead  # the crash was the last of it

    assert heard(run) == NOTHING


def odd_output(algorithm: OddMeans, oddity: str) -> Any:
    """What a process gives that does one thing on the secret world which it did not do in the rehearsal."""
    task, half = Task(algorithm, FACTS, ROWS, None), HIDDEN.member
    seed = next(seed for seed, name in ODDITIES.items() if name == oddity)
    with SecretRun(pack_algorithm(task), task, 2) as process:
        process.rehearse(half, 0, ROWS[half].mean(axis=0))
        return process.output(half, seed, CENTRE)


@pytest.fixture
def survivors(tmp_path: Path) -> Iterator[str]:
    """A file for the processes that a test leaves behind, which are ended after it."""
    file = tmp_path / "survivors"
    yield str(file)
    for process in file.read_text(encoding="ascii").split():
        if process != "late":
            os.kill(int(process), signal.SIGKILL)


@pytest.mark.skipif(os.name != "posix", reason="needs forks")
@pytest.mark.parametrize("oddity", ["fork", "fork and leave"])
def test_a_process_left_behind_that_keeps_the_pipes_open_holds_nothing_up(
    survivors: str, oddity: str
) -> None:
    found = odd_output(OddMeans(survivors=survivors), oddity)
    expected = ROWS[HIDDEN.member].mean(axis=0) if oddity == "fork" else CENTRE
    assert np.array_equal(found, expected)
    assert "late" not in Path(survivors).read_text(encoding="ascii")  # it is still there


@pytest.mark.parametrize("oddity", ["not a number, past all checks", "too short, past all checks"])
def test_what_is_written_to_the_pipe_itself_is_checked(oddity: str) -> None:
    assert odd_output(OddMeans(), oddity) is CENTRE


def test_a_module_imported_on_the_hidden_half_alone_leaves_no_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "seldom_needed.py").write_text("", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    monkeypatch.delenv("PYTHONPYCACHEPREFIX", raising=False)
    assert odd_output(OddMeans(module="seldom_needed"), "import") is not CENTRE
    assert [path.name for path in tmp_path.iterdir()] == ["seldom_needed.py"]


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux")
def test_a_crash_is_handed_to_no_program_of_the_system() -> None:
    assert np.array_equal(odd_output(OddMeans(), "may be dumped"), [0, 0])


def test_the_hidden_half_is_run_whatever_kind_of_function_it_is() -> None:
    shift = 2.0
    function = Function(lambda rows: rows.mean(axis=0) + shift)
    vector = release_unbounded(
        Task(function, function.facts(ROWS, None), ROWS),
        LOUD,
        trials=16,
        pilot=8,
        seed=1,
        source=SeededSource(1),
    ).vector
    assert np.allclose(vector, ROWS[HIDDEN.member].mean(axis=0) + shift, atol=1e-6)


def test_an_algorithm_that_differs_in_the_other_process_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its simulation would say nothing about the secret world."""
    monkeypatch.setattr(loud, "SCALE", 0.5)
    with pytest.raises(BadRelease, match="another output in the separate process"):
        released(ScaledMeans())


def test_an_algorithm_that_cannot_be_sent_is_refused_before_it_runs() -> None:
    @dataclass(frozen=True)
    class Locked(LoudMeans):
        lock: Any = field(default_factory=threading.Lock)

    loud.REMEMBERED.clear()
    with pytest.raises(BadRelease, match="cannot be sent to another process"):
        released(Locked())
    assert not loud.REMEMBERED


def test_of_a_bounded_release_only_public_halves_are_heard(heard: Any) -> None:
    """The secret is drawn when all worlds have run: from then on the algorithm is silent."""
    worlds = Worlds(8, 16, 1)
    calibrated: list[Any] = []

    def prepare() -> None:
        outputs = run_worlds(Task(LoudMeans(), FACTS, ROWS), worlds)
        calibrated.append(calibrate(outputs, worlds, LITTLE, "optimal", 1))

    assert all(len(way) for way in heard(prepare))
    assert heard(lambda: release_once(LoudMeans(), FACTS, worlds, calibrated[0])) == NOTHING
