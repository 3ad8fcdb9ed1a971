"""Samplers follow their laws: χ² at a level of 10⁻⁹ a test, and a law 10 % off in ε is rejected at it."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chisquare

from mechanisms.categorical.oracles import WRITTEN_OUT, build, exact_law, rows
from noisewright import Categories
from noisewright.mechanisms import OLH, OUE, SUE, CodedOracle, HadamardResponse, LabelExponential
from noisewright.mechanisms.categorical.coins import to_flags
from noisewright.mechanisms.categorical.krr import respond, response_window
from noisewright.randomness import SeededSource

LEVEL = 1e-9
COUNT = 400_000


def numbers(mechanism, reports):
    """Reports as numbers of outcomes, in the order of word_counts."""
    if not isinstance(mechanism, CodedOracle) or isinstance(mechanism, HadamardResponse):
        return reports
    flags = to_flags(reports, len(mechanism.domain)).astype(np.int64)
    return flags @ (1 << np.arange(len(mechanism.domain)))


@pytest.mark.parametrize("kind", [*WRITTEN_OUT, LabelExponential])
@pytest.mark.parametrize("epsilon", [1.0, 3.0])
def test_the_sampler_follows_its_law_and_no_other(kind, epsilon):
    mechanism, cell = build(kind, epsilon, 4), 1
    drawn = mechanism.perturb_cells(np.full(COUNT, cell), SeededSource(11))
    possible = np.flatnonzero([count > 0 for count in rows(mechanism)[cell]])
    counted = np.bincount(numbers(mechanism, drawn), minlength=len(rows(mechanism)[cell]))
    assert counted[possible].sum() == COUNT, "a report that its law holds impossible"
    assert chisquare(counted[possible], COUNT * exact_law(mechanism)[cell]).pvalue > LEVEL
    other = COUNT * exact_law(build(kind, 1.1 * epsilon, 4))[cell]
    assert chisquare(counted[possible], other).pvalue < LEVEL


@pytest.mark.parametrize("epsilon", [1.0, 3.0])
def test_hashed_reports_follow_k_rr_given_their_seeds(epsilon):
    mechanism = OLH(Categories(range(50)), epsilon)
    drawn = mechanism.perturb_cells(np.full(COUNT, 17), SeededSource(12))
    truth = mechanism.family.values(drawn["seed"], np.full(COUNT, 17))
    size = mechanism.hash_size
    counted = np.bincount((drawn["value"].astype(np.int64) - truth) % size, minlength=size)

    def expected(budget):
        honest = np.expm1(budget) / (np.expm1(budget) + size)
        return COUNT * ((1 - honest) / size + honest * (np.arange(size) == 0))

    assert chisquare(counted, expected(epsilon)).pvalue > LEVEL
    assert chisquare(counted, expected(1.1 * epsilon)).pvalue < LEVEL


def test_seeds_do_not_depend_on_the_label():
    mechanism = OLH(Categories(range(50)), 1.0)
    left = mechanism.perturb_cells(np.zeros(1000, dtype=np.int64), SeededSource(3))
    right = mechanism.perturb_cells(np.full(1000, 49), SeededSource(3))
    np.testing.assert_array_equal(left["seed"], right["seed"])


@pytest.mark.parametrize("kind", [OUE, SUE])
@pytest.mark.parametrize("labels", [3, 64, 100])
def test_bits_of_other_labels_do_not_depend_on_the_true_one(kind, labels):
    """The same words with another true label change nothing but the bits of the two labels."""
    mechanism = kind(Categories(range(labels)), 1.0)
    left = to_flags(mechanism.perturb_cells(np.zeros(500, dtype=np.int64), SeededSource(3)), labels)
    right = to_flags(mechanism.perturb_cells(np.full(500, labels - 1), SeededSource(3)), labels)
    np.testing.assert_array_equal(left[:, 1:-1], right[:, 1:-1])
    assert (left != right).any()


@pytest.mark.parametrize("labels", [2, 3, 100, 1 << 16])
@pytest.mark.parametrize("epsilon", [0.01, 1.0, 12.0])
def test_the_short_draw_of_k_rr_is_the_draw_of_the_window(labels, epsilon):
    window = response_window(labels, epsilon)
    words = SeededSource(9).words(20_000)
    edge = np.uint64(window.threshold)
    words[:6] = [
        0,
        edge - np.uint64(1),
        edge,
        ~np.uint64(0),
        np.uint64(1) << np.uint64(32),
        edge | (edge << np.uint64(32)),
    ]
    truth = np.random.default_rng(2).integers(0, labels, words.size)
    np.testing.assert_array_equal(respond(window, truth, words), window.draw(truth, words))
