"""Random sets: exactly uniform but for the coin, whatever ties the keys have."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest

from noisewright import Categories
from noisewright.errors import InvalidParameter, OutOfDomain
from noisewright.mechanisms import KRR, OUE, SubsetSelection
from noisewright.mechanisms.categorical.subset import MOST_LABELS, random_sets
from noisewright.randomness import SeededSource

LABELS, KEYS = 5, 3


class AllKeys:
    """First all combinations of a few keys, full of ties; then, for rows drawn anew, keys that differ."""

    def __init__(self):
        self.calls = []

    def __call__(self, rows):
        self.calls.append(rows)
        if len(self.calls) == 1:
            keys = itertools.product(range(KEYS), repeat=LABELS)
            return 2 * np.array(list(keys), dtype=np.uint64).reshape(-1)
        return np.tile(2 * np.arange(LABELS, dtype=np.uint64), rows)


@pytest.mark.parametrize("chosen", [1, 2, 3, 4])
@pytest.mark.parametrize("inside", [True, False])
def test_rows_without_ties_are_uniform_and_others_are_drawn_anew(chosen, inside):
    """Every outcome of a small sampler: all choices of the other labels come up equally often."""
    count, own = KEYS**LABELS, 2
    draw = AllKeys()
    flags = random_sets(np.full(count, own), np.full(count, inside), chosen, draw)
    assert (flags.sum(axis=1) == chosen).all()
    assert (flags[:, own] == inside).all()
    seen = Counter(map(tuple, flags.astype(int).tolist()))
    if len(draw.calls) > 1:
        again = np.zeros(LABELS, dtype=int)  # what each of the rows drawn anew got: the first keys are lowest
        others = [label for label in range(LABELS) if label != own][: chosen - inside]
        again[[*others, own] if inside else others] = 1
        seen[tuple(again.tolist())] -= draw.calls[1]
    assert len(set(seen.values())) == 1
    assert len(draw.calls) == 2 or chosen in (1, LABELS - 1)


def test_a_coin_is_kept_when_its_row_is_drawn_anew():
    generator = np.random.default_rng(3)
    cells, inside = np.zeros(500, dtype=np.int64), generator.random(500) < 0.5
    flags = random_sets(
        cells, inside, 2, lambda rows: 2 * generator.integers(0, 3, 4 * rows).astype(np.uint64)
    )
    np.testing.assert_array_equal(flags[:, 0], inside)


@pytest.mark.parametrize(("labels", "epsilon"), [(2, 1.0), (10, 1.0), (100, 0.1), (100, 3.0), (300, 5.0)])
def test_no_other_size_of_the_sets_has_less_variance(labels, epsilon):
    mechanism = SubsetSelection(Categories(range(labels)), epsilon)
    spreads = []
    for chosen in range(1, labels):
        rival = SubsetSelection(Categories(range(labels)), epsilon)
        rival.__dict__.pop("own_chance")
        rival.__dict__["chosen"] = chosen
        spreads.append(rival.spread())
    assert mechanism.spread() <= min(spreads) * (1 + 1e-9)
    assert mechanism.chosen == pytest.approx(labels / (np.exp(epsilon) + 1), abs=1)


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0, 4.0])
@pytest.mark.parametrize("labels", [2, 5, 30, 200])
def test_it_is_never_worse_than_k_rr_or_unary_encoding(labels, epsilon):
    domain = Categories(range(labels))
    least = SubsetSelection(domain, epsilon).spread()
    assert least <= KRR(domain, epsilon).spread() * (1 + 1e-6)
    assert least <= OUE(domain, epsilon).spread() * (1 + 1e-6)


def test_sets_of_another_size_are_refused():
    mechanism = SubsetSelection(Categories(range(10)), 1.0)
    reports = mechanism.perturb_cells(np.arange(10), SeededSource(1))
    reports[3] = 0
    for count in (mechanism.supports, mechanism.likelihoods):
        with pytest.raises(OutOfDomain, match="exactly 3 labels"):
            count(reports)


def test_too_many_labels_are_refused():
    with pytest.raises(InvalidParameter, match="use OLH"):
        SubsetSelection(Categories(range(MOST_LABELS + 1)), 1.0)
