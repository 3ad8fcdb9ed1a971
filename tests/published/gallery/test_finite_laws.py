"""Every exhibit with finitely many outputs follows its exact law, and a law that is off would be noticed."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import quad

from noisewright.audit.truth import counting_scores, ddp_histogram, exponential_law, finite
from noisewright.published.gallery import GALLERY, FiniteLaw, FiniteMechanism
from noisewright.published.gallery.maxima import NoisyArgMax
from noisewright.published.gallery.sparse_vector import SparseVector, algorithm
from published.gallery.counted import counts_fit, counts_of, distorted

COUNT = 10_000
FINITE = [shown for shown in GALLERY if isinstance(shown.mechanism, FiniteMechanism)]


@pytest.mark.parametrize("shown", FINITE, ids=lambda shown: shown.name)
def test_an_exhibit_follows_its_law_and_no_other(shown):
    for seed, data in enumerate(shown.pairs[0]):
        law = shown.mechanism.law(data)
        counts = counts_of(shown.mechanism(data, COUNT, np.random.default_rng(seed)), law)
        assert math.isclose(law.shares.sum(), 1, abs_tol=1e-12)
        assert counts_fit(counts, law.shares)
        assert not counts_fit(counts, distorted(law.shares))


def test_a_renewed_threshold_is_drawn_anew_after_each_answer_above_it():
    renewed = algorithm(2, 1.0, 0.5, positives=2)
    kept = SparseVector(renewed.threshold, renewed.threshold_scale, renewed.query_scale, 2)
    law, other = renewed.law((0.0,) * 4), kept.law((0.0,) * 4)
    counts = counts_of(renewed((0.0,) * 4, COUNT, np.random.default_rng(1)), law)
    assert counts_fit(counts, law.shares)
    assert not counts_fit(counts, other.shares)


def test_the_law_of_the_sparse_vector_technique_is_the_integral_over_its_threshold():
    svt = SparseVector(threshold=0.7, threshold_scale=2.0, query_scale=3.0, positives=1)
    law = svt.law((0.0, 1.0, 5.0))

    def below(gap):
        return 0.5 * math.exp(gap / 3) if gap < 0 else 1 - 0.5 * math.exp(-gap / 3)

    def below_then_above(line):
        return math.exp(-abs(line - 0.7) / 2) / 4 * below(line) * (1 - below(line - 1.0))

    wanted = quad(below_then_above, -100, 100, points=[0, 0.7, 1], limit=200, epsabs=1e-13)[0]
    place = law.outputs.tolist().index([0, 1, -1])
    assert law.shares[place] == pytest.approx(wanted, abs=1e-11)


def test_answers_that_are_equal_win_equally_often():
    for noise in ("laplace", "exponential"):
        assert NoisyArgMax(3.0, noise).law((1.0,) * 4).shares == pytest.approx(0.25, abs=1e-12)


def test_the_count_of_three_rows_has_the_law_of_the_textbook():
    shown = next(shown for shown in GALLERY if shown.name == "exponential-count")
    assert shown.mechanism.law((0, 1, 1)).shares == pytest.approx(
        exponential_law(2.0, counting_scores(2, 3)), abs=1e-15
    )


def test_the_count_of_unknown_rows_has_the_exact_spectrum():
    mechanism = next(shown.mechanism for shown in GALLERY if shown.name == "uncertain-count")
    laws = [mechanism.law(bit).shares for bit in (0, 1)]
    epsilons = np.linspace(0, 2, 9)
    assert finite(*laws, epsilons) == pytest.approx(ddp_histogram(mechanism.rows, epsilons), abs=1e-12)


def test_the_epsilon_of_two_laws_is_where_their_spectrum_reaches_delta():
    generator, outputs = np.random.default_rng(5), np.arange(6)[:, None]
    for delta in (0.0, 1e-3, 0.05):
        p, q = generator.dirichlet(np.ones(6), size=2)
        epsilon = FiniteLaw(outputs, p).epsilon(FiniteLaw(outputs, q), delta)
        both = np.maximum(finite(p, q, [epsilon, epsilon - 1e-6]), finite(q, p, [epsilon, epsilon - 1e-6]))
        assert both[0] == pytest.approx(delta, abs=1e-12)
        assert both[1] > delta


def test_an_output_that_only_one_input_has_leaves_no_epsilon_until_delta_pays_for_it():
    left = FiniteLaw(np.arange(2)[:, None], np.array([0.1, 0.9]))
    right = FiniteLaw(np.arange(2)[:, None], np.array([0.0, 1.0]))
    assert left.epsilon(right) == math.inf
    assert left.epsilon(right, delta=0.1) == 0
