"""What the answers say for features that matter against features that do not: a Bayes factor, paid for by ε.

If a feature's log-odds run along a line of slope b (in standard deviations of the feature), the answers about
it have, near b = 0, the log-likelihood g·b − ½·b·I·b with the score g and the information I of
:meth:`~noisewright.learn.learners.odds.FeatureAnswers.relation`. For b ~ N(0, τ²) that integrates to

    log B(τ) = ½·gᵀ(I + 1/τ²)⁻¹g − ½·log det(1 + τ²·I),

and if a share ω of the features matters, the answers to all of them together are

    E = mean over τ, ω of  Π over features of (1 − ω + ω·B(τ))

times as likely as if none did. Where nothing matters E is 1 on average, so it reaches K with a chance of at
most 1/K (Markov), however earlier answers decided what was asked about later (up to the normal approximation
of the score).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from noisewright.domains import Floats
from noisewright.learn.learners.odds import Relation

SLOPES: Final = (0.25, 0.5, 1.0)
"""Standard deviations τ of the slopes, equally likely beforehand."""

SHARES: Final = (0.15, 0.5, 1.0)
"""Shares ω of the features that matter, equally likely beforehand."""


def feature_evidence(relation: Relation) -> Floats:
    """The log Bayes factor of one feature for each τ of ``SLOPES``; 0 where nothing was asked.

    >>> found = Relation(score=np.array([6.0]), information=np.array([[9.0]]))      # two standard errors
    >>> feature_evidence(found).round(2).tolist()
    [0.5, 0.8, 0.65]
    """
    one = np.eye(len(relation.score))
    parts = []
    for slope in SLOPES:
        scaled = one + slope**2 * relation.information
        fit = relation.score @ np.linalg.solve(scaled, relation.score) * slope**2
        parts.append((fit - np.linalg.slogdet(scaled)[1]) / 2)
    return np.array(parts)


def strongest(evidence: Sequence[Floats], count: int) -> list[int]:
    """The places of the features with the most evidence, in their old order."""
    each = np.array([np.logaddexp.reduce(feature) for feature in evidence])
    return sorted(int(place) for place in np.argsort(-each, kind="stable")[:count])


def total_evidence(evidence: Sequence[Floats]) -> float:
    """The log of E: how much likelier all answers are if some features matter than if none does.

    >>> round(total_evidence([np.array([2.0, 2.5, 2.2]), np.zeros(3)]), 2)
    1.74
    """
    worlds = _factors(np.array(evidence)).sum(axis=1)
    return float(np.logaddexp.reduce(np.ravel(worlds)) - np.log(len(SHARES) * len(SLOPES)))


def likely_slopes(relations: Sequence[Relation], evidence: Sequence[Floats]) -> list[Floats]:
    """The slopes of each feature, on average over τ, ω and whether it matters, given the answers to all.

    ``evidence`` is :func:`feature_evidence` of each relation.

    Given τ and that it matters they are (I + 1/τ²)⁻¹g on average; that it matters has the odds ω·B(τ) to
    1 − ω. So a feature of which little is known counts for more where many others matter.

    >>> found = Relation(score=np.array([6.0]), information=np.array([[9.0]]))      # two standard errors
    >>> nothing = Relation(score=np.array([0.0]), information=np.array([[9.0]]))
    >>> asked = [found, *[found] * 9], [found, *[nothing] * 9]
    >>> [round(float(likely_slopes(each, list(map(feature_evidence, each)))[0][0]), 2) for each in asked]
    [0.47, 0.14]
    """
    table = np.array(evidence)
    each = _factors(table)
    worlds = each.sum(axis=1)
    chances = np.exp(worlds - np.logaddexp.reduce(np.ravel(worlds)))
    matters = np.exp(np.log(SHARES)[:, None, None] + table - each)
    weights = (chances[:, None] * matters).sum(axis=0)
    return [
        np.sum([weight * _slopes(relation, slope) for weight, slope in zip(row, SLOPES, strict=True)], axis=0)
        for relation, row in zip(relations, weights, strict=True)
    ]


def _factors(table: Floats) -> Floats:
    """The log of 1 − ω + ω·B(τ) for each ω, feature and τ."""
    share = np.array(SHARES)[:, None, None]
    with np.errstate(divide="ignore"):
        return np.asarray(np.logaddexp(np.log1p(-share), np.log(share) + table))


def _slopes(relation: Relation, slope: float) -> Floats:
    scaled = np.eye(len(relation.score)) + slope**2 * relation.information
    return np.asarray(slope**2 * np.linalg.solve(scaled, relation.score))
