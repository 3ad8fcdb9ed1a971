"""Grids: every combination, inner algorithms too, and refusals that say what there is."""

from dataclasses import dataclass

import pytest

from noisewright.errors import InvalidParameter
from noisewright.release.algorithms.base import Algorithm
from noisewright.release.algorithms.forest import Forest
from noisewright.release.algorithms.linear_models import LinearSVM, Logistic, Ridge
from noisewright.release.search import default_grid, expand


@dataclass(frozen=True)
class Nothing(Algorithm):
    title = "nothing"

    def fit(self, rows, labels, seed, facts):
        raise NotImplementedError

    def model(self, vector, facts):
        raise NotImplementedError

    def coordinates(self, facts):
        raise NotImplementedError


@dataclass(frozen=True)
class Wrapped(Nothing):
    algorithm: Algorithm
    scaler: str = "minmax"


class Bare(Nothing):
    """No dataclass of its own."""


def test_every_combination_is_a_variant():
    variants = expand(Forest(trees=2), {"neighbour_weight": [0.0, 0.5], "sparsity": [0.1, 0.2, 0.3]})
    found = [(each.neighbour_weight, each.sparsity, each.trees) for each in variants]
    assert found == [(weight, sparsity, 2) for weight in (0.0, 0.5) for sparsity in (0.1, 0.2, 0.3)]


def test_a_name_is_looked_for_inside():
    variants = expand(Wrapped(LinearSVM()), {"scaler": ["minmax", "standard"], "C": [0.1]})
    assert variants == [Wrapped(LinearSVM(C=0.1), "minmax"), Wrapped(LinearSVM(C=0.1), "standard")]
    assert expand(Wrapped(Wrapped(Ridge())), {"alpha": [7.0]}) == [Wrapped(Wrapped(Ridge(alpha=7.0)))]
    assert expand(Wrapped(Bare()), {"scaler": ["x"]})[0].scaler == "x"


def test_a_whole_algorithm_can_be_a_value():
    rivals = [LinearSVM(), Ridge()]
    assert expand(Wrapped(Logistic()), {"algorithm": rivals}) == [Wrapped(LinearSVM()), Wrapped(Ridge())]


@pytest.mark.parametrize(
    ("algorithm", "names"),
    [
        (LinearSVM(), {"C"}),
        (Logistic(), {"C"}),
        (Ridge(), {"alpha"}),
        (Forest(), {"neighbour_weight", "sparsity"}),
        (Wrapped(Ridge()), {"alpha"}),
    ],
)
def test_usual_grids_name_the_regularization_and_make_valid_variants(algorithm, names):
    grid = default_grid(algorithm)
    assert set(grid) == names
    assert len(set(map(repr, expand(algorithm)))) >= 8


@pytest.mark.parametrize(
    ("algorithm", "grid", "words"),
    [
        (LinearSVM(), {"c": [1.0]}, "LinearSVM has no parameter 'c' to search; it has C"),
        (Wrapped(Ridge()), {"C": [1.0]}, "it has scaler, alpha"),
        (LinearSVM(), {"C": []}, "from 1 to 1000 variants, got 0"),
        (LinearSVM(), {}, "from 1 to 1000 variants, got 0"),
        (Forest(), {"sparsity": [0.1] * 100, "trees": [1] * 100}, "got 10000"),
        (LinearSVM(), {"C": [-1.0]}, "C must be"),
        (Nothing(), None, "Nothing has no regularization to search"),
    ],
)
def test_grids_that_make_no_sense_are_refused(algorithm, grid, words):
    with pytest.raises(InvalidParameter, match=words):
        expand(algorithm, grid)
