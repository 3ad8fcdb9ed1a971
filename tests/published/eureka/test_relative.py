"""Algorithm 2: the worst row is found, and databases are added without repeating the others."""

from __future__ import annotations

import numpy as np
import pytest

from noisewright.audit import truth
from noisewright.errors import BadMechanism, InvalidParameter
from noisewright.published.eureka import RelativeEureka, asymptotic_reach


def total(data, count, generator):
    return float(np.sum(data)) + generator.laplace(size=count)


def test_the_person_who_moves_the_sum_most_is_worst_off() -> None:
    relative = RelativeEureka(total, [0.0, 0.5], samples=2000, vectorized=True, seed=3)
    relative.add(np.array([0.0, 0.1, 2.0]), "ward")
    worst = relative.worst(0.0)
    assert (worst.database, worst.row) == ("ward", 2)
    # six standard errors, 1/√1000 each at most
    assert relative.deltas[0] == pytest.approx(truth.laplace(2.0, 0.0), abs=0.2)
    rows = {one.row: one.estimate.deltas[0] for one in relative.compared if one.direction == "with"}
    assert rows[0] < 0.2 < rows[2]


def test_a_database_is_added_without_repeating_the_others() -> None:
    asked = []

    def noted(data, count, generator):
        asked.append(len(data))
        return total(data, count, generator)

    relative = RelativeEureka(noted, [0.0], samples=200, vectorized=True, seed=4).add([0.0, 1.0, 0.0])
    before, first = len(asked), relative.deltas[0]
    kept = list(relative.compared)
    relative.add([0.0] * 5)
    assert set(asked[before:]) == {4, 5}
    assert relative.compared[: len(kept)] == kept
    assert relative.comparisons == 2 * (3 + 5)
    assert relative.deltas[0] >= first


def test_more_comparisons_mean_less_certainty() -> None:
    relative = RelativeEureka(total, [0.0], samples=200, vectorized=True, seed=4).add([0.0, 1.0])
    # corollary 3: ln(8·databases·rows/β)
    assert relative.asymptotic_reach(0.0, dims=1) == asymptotic_reach(0.0, 200, 1, comparisons=4)
    said = relative.to_dict()
    assert said["comparisons"] == 4
    assert "not a bound" in said["label"]
    assert len(said["worst"]) == len(said["epsilons"]) == 1


def test_a_name_is_used_once_and_nothing_gives_no_answer() -> None:
    relative = RelativeEureka(total, [0.0], samples=200, vectorized=True, seed=4)
    with pytest.raises(InvalidParameter, match="add a database"):
        _ = relative.deltas
    relative.add([0.0, 1.0], "a")
    with pytest.raises(InvalidParameter, match="another name"):
        relative.add([0.0, 1.0], "a")


def test_progress_is_told() -> None:
    told = []
    RelativeEureka(total, [0.0], samples=200, vectorized=True, seed=4, progress=told.append).add([0.0, 1.0])
    assert told == [1, 2, 3, 4]


def test_a_database_counts_when_it_is_whole() -> None:
    """A failure in the middle leaves nothing behind, not even used seeds: once more, and all is as if new."""
    failing, told = [False], []

    def fails_without_the_last(data, count, generator):
        if failing[0] and float(np.sum(data)) == 1.0:
            raise OSError
        return total(data, count, generator)

    def begun():
        box = fails_without_the_last
        relative = RelativeEureka(box, [0.0], samples=200, vectorized=True, seed=4, progress=told.append)
        return relative.add([0.0, 1.0], "first")

    relative, undisturbed = begun(), begun().add([0.0, 1.0, 2.0], "second")
    kept, deltas = list(relative.compared), relative.deltas.tolist()
    failing[0] = True
    told.clear()
    with pytest.raises(BadMechanism, match="OSError"):
        relative.add([0.0, 1.0, 2.0], "second")
    assert told == [5, 6, 7, 8]  # it failed when two rows of three had been removed
    assert relative.compared == kept
    assert relative.deltas.tolist() == deltas
    failing[0] = False
    relative.add([0.0, 1.0, 2.0], "second")
    assert relative.to_dict() == undisturbed.to_dict()
    assert [str(one) for one in relative.compared] == [str(one) for one in undisturbed.compared]
