"""pure-ldp's simplex projection and multi-freq-ldpy's EM as oracles of our named post-processings.

`make peers` installs the packages; without them these tests are skipped.
"""

from __future__ import annotations

import numpy as np
import pytest

from noisewright import Categories
from noisewright.estimate import frequencies
from noisewright.mechanisms import KRR
from noisewright.randomness import SeededSource

pytestmark = pytest.mark.peer

PEOPLE = 20_000
LABELS = 30


@pytest.fixture(params=[1.0, 2.0])
def collection(request):
    mechanism = KRR(Categories(range(LABELS)), request.param)
    people = np.random.default_rng(9).zipf(1.5, PEOPLE) % LABELS
    return mechanism, mechanism.perturb_cells(people, SeededSource(4))


def test_norm_sub_is_their_projection_on_the_simplex(collection):
    mechanism, reports = collection
    project = pytest.importorskip("pure_ldp.core.prob_simplex").project_probability_simplex
    found = frequencies(reports, mechanism, consistency="norm-sub")
    np.testing.assert_allclose(found.value, project(found.raw), atol=1e-12)
    assert np.abs(found.value - found.raw).max() > 1e-3  # there was something to project


@pytest.mark.slow  # their loop is compiled anew in every run
def test_em_ends_where_their_iterated_bayesian_update_is_going(collection):
    mechanism, reports = collection
    module = pytest.importorskip("multi_freq_ldpy.pure_frequency_oracles.GRR")
    theirs = module.GRR_Aggregator_IBU(reports, LABELS, mechanism.epsilon, nb_iter=100_000)
    ours = frequencies(reports, mechanism, consistency="em").value
    np.testing.assert_allclose(ours, theirs, atol=1e-5)
    counts = mechanism.supports(reports)
    chances = [mechanism.miss + (mechanism.hit - mechanism.miss) * shares for shares in (ours, theirs)]
    likelihoods = [float(counts @ np.log(chance)) for chance in chances]
    assert likelihoods[0] >= likelihoods[1] - 1e-6  # plain EM gives up early
    projected = frequencies(reports, mechanism, consistency="norm-sub").value
    assert np.abs(projected - theirs).max() > 1e-4
