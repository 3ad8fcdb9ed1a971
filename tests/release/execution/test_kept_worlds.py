"""Finished worlds on disk: interrupted work goes on, other work is refused, and nobody else may look."""

import os
import stat
from dataclasses import dataclass, field

import numpy as np
import pytest

from noisewright.errors import BadRelease, InvalidParameter
from noisewright.release.algorithms.base import Algorithm, Facts
from noisewright.release.basics.worlds import Worlds
from noisewright.release.execution import Task, run_worlds

ROWS = np.random.default_rng(5).normal(size=(20, 3))
FACTS = Facts(records=20, features=3)
WORLDS = Worlds(records=20, count=16, seed=3)  # in batches of two
TRIAL = 4  # the first world twice, its partner and the last one

CALLS: list[int] = []


@dataclass(frozen=True)
class Means(Algorithm):
    title = "means"
    scale: float = 1.0
    hidden: object = field(default=None, repr=False)

    def fit(self, rows, labels, seed, facts):
        CALLS.append(seed)
        return rows.mean(axis=0) * self.scale

    def model(self, vector, facts):
        return vector

    def coordinates(self, facts):
        return facts.columns()


@pytest.fixture(autouse=True)
def _few_batches(monkeypatch):
    monkeypatch.setattr("noisewright.release.execution.task.BATCHES", 8)
    CALLS.clear()


def run(keep, algorithm=None, facts=FACTS, rows=ROWS, labels=None, worlds=WORLDS, **options):
    return run_worlds(Task(algorithm or Means(), facts, rows, labels), worlds, keep=keep, **options)


def stop_at(world, error=KeyboardInterrupt):
    def progress(done, total):
        if done >= world:
            raise error

    return progress


def files(folder):
    return sorted(path for path in folder.iterdir() if path.suffix == ".npz")


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_interrupted_work_goes_on_with_the_worlds_that_are_missing(tmp_path, error):
    keep = tmp_path / "deep" / "kept"
    with pytest.raises(error):
        run(keep, progress=stop_at(6, error))
    assert len(files(keep)) == 3
    CALLS.clear()
    seen = []
    outputs = run(keep, progress=lambda done, total: seen.append(done))
    assert len(CALLS) == TRIAL + 16 - 6
    assert seen == list(range(0, 18, 2))
    np.testing.assert_array_equal(outputs, run(None))


def test_a_finished_run_is_read_back(tmp_path):
    outputs = run(tmp_path / "kept")
    CALLS.clear()
    np.testing.assert_array_equal(run(tmp_path / "kept"), outputs)
    assert len(CALLS) == TRIAL


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_only_the_owner_may_look(tmp_path):
    keep = tmp_path / "kept"
    run(keep)
    assert stat.S_IMODE(keep.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in keep.iterdir()} == {0o600}
    assert "PRIVATE" in (keep / "README.txt").read_text()
    assert len(list(keep.iterdir())) == 8 + 2  # nothing half-written is left
    keep.chmod(0o750)
    with pytest.raises(BadRelease, match=r"open to others.*chmod 700"):
        run(keep)


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"algorithm": Means(scale=2.0)}, "algorithm"),
        ({"rows": ROWS + 1e-12}, "data"),
        ({"labels": np.arange(20)}, "data"),
        ({"facts": Facts(records=20, features=3, reference=np.zeros(2))}, "data"),
        ({"worlds": Worlds(records=20, count=16, seed=4)}, "worlds"),
        ({"worlds": Worlds(records=20, count=32, seed=3)}, "batch, worlds"),
    ],
)
def test_another_run_is_refused_and_leaves_the_folder_as_it_was(tmp_path, changes, named):
    keep = tmp_path / "kept"
    run(keep)
    before = {path.name: path.read_bytes() for path in keep.iterdir()}
    CALLS.clear()
    with pytest.raises(BadRelease, match=rf"another run \(different: {named}\)"):
        run(keep, **changes)
    assert not CALLS
    assert {path.name: path.read_bytes() for path in keep.iterdir()} == before


def test_another_version_of_a_library_is_refused(tmp_path, monkeypatch):
    run(tmp_path / "kept")
    monkeypatch.setattr("noisewright.release.execution.kept_worlds.versions", lambda: {"numpy": "1.0"})
    with pytest.raises(BadRelease, match="different: versions"):
        run(tmp_path / "kept")


def cut_short(path):
    path.write_bytes(path.read_bytes()[:100])


def flip_a_bit(path):
    content = bytearray(path.read_bytes())
    content[content.index(b"NUMPY") + 123] ^= 1  # in the numbers, behind the header of 128 bytes
    path.write_bytes(bytes(content))


def hold_another_shape(path):
    np.savez(path, outputs=np.zeros((2, 4)))


def hold_nan(path):
    np.savez(path, outputs=np.full((2, 3), np.nan))


def hold_objects(path):
    np.savez(path, outputs=np.array([[None] * 3] * 2), allow_pickle=True)


def hold_nothing(path):
    path.write_bytes(b"")


@pytest.mark.parametrize(
    "damage", [cut_short, flip_a_bit, hold_another_shape, hold_nan, hold_objects, hold_nothing]
)
def test_damaged_files_are_run_again(tmp_path, damage):
    keep = tmp_path / "kept"
    outputs = run(keep)
    sound = files(keep)[3].read_bytes()
    damage(files(keep)[3])
    CALLS.clear()
    np.testing.assert_array_equal(run(keep), outputs)
    assert len(CALLS) == TRIAL + 2
    assert len(files(keep)[3].read_bytes()) == len(sound)


def test_a_damaged_manifest_is_refused(tmp_path):
    keep = tmp_path / "kept"
    run(keep)
    (keep / "manifest.json").write_bytes(b"")
    with pytest.raises(BadRelease, match=r"manifest in .* is damaged"):
        run(keep)


def test_a_folder_of_other_things_is_left_alone(tmp_path):
    tmp_path.chmod(0o700)
    (tmp_path / "thesis.tex").write_text("dear reader")
    with pytest.raises(BadRelease, match="holds other files"):
        run(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_place_that_cannot_be_a_folder_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BadRelease, match="cannot be kept in"):
        run(tmp_path / "file" / "kept")


def test_a_failing_world_leaves_the_finished_ones(tmp_path):
    class Failing(Means):
        def fit(self, rows, labels, seed, facts):
            if seed == WORLDS.seeds[7]:
                raise ValueError
            return super().fit(rows, labels, seed, facts)

    with pytest.raises(BadRelease, match="world 7"):
        run(tmp_path / "kept", algorithm=Failing())
    assert len(files(tmp_path / "kept")) == 3


def test_an_algorithm_that_cannot_be_told_from_others_is_refused(tmp_path):
    with pytest.raises(InvalidParameter, match=r"cannot be kept: generator, a part of what is run"):
        run(tmp_path / "kept", algorithm=Means(hidden=(each for each in ())))
    assert not CALLS
