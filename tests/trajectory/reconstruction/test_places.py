"""The law of a person's places, against laws refitted from scratch."""

from __future__ import annotations

import numpy as np

from noisewright.trajectory.reconstruction.model import personal_law

CELLS = 25
DENSITY = np.full(CELLS, 1 / CELLS, dtype=np.float32)


def reports_of_one_person(seed, count):
    """Likelihoods of reports from three places, each clearly best in its own cell."""
    random = np.random.default_rng(seed)
    likelihood = random.uniform(0.005, 0.02, (count, CELLS))
    likelihood[np.arange(count), random.choice([3, 11, 20], count)] = 1
    return likelihood.astype(np.float32)


def test_the_prior_of_a_report_is_the_law_refitted_without_it():
    likelihood = reports_of_one_person(1, 12)
    law = personal_law(likelihood, DENSITY, 4.0)
    priors = law.priors(likelihood)
    assert np.allclose(priors.sum(axis=1), 1, atol=1e-5)
    for row, prior in enumerate(priors):
        wanted = personal_law(np.delete(likelihood, row, axis=0), DENSITY, 4.0).shares
        counted_twice = np.abs(law.shares - wanted).sum()
        assert np.abs(prior - wanted).sum() < 0.5 * counted_twice


def test_a_single_report_says_nothing_about_its_own_prior():
    likelihood = reports_of_one_person(2, 1)
    law = personal_law(likelihood, DENSITY, 4.0)
    assert np.abs(law.shares - DENSITY).sum() > 0.05
    assert np.allclose(law.priors(likelihood)[0], DENSITY, atol=1e-3)
