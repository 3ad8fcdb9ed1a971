"""The point estimate of a spectrum: events chosen on one half of the rows, measured on the other.

The best of many events on the rows they are measured by looks better than it is. Here each half measures what
the other chose, the two are averaged, and the result is projected to what a spectrum can be.
"""

from __future__ import annotations

import numpy as np

from noisewright.audit.bounds.counts import Counts
from noisewright.audit.projection import project_spectrum
from noisewright.audit.tallies import AtomTally, Tally
from noisewright.domains import Floats


def cross_fitted(tally: Tally, epsilons: Floats) -> Floats:
    """An estimate of δ(ε), the larger of both directions."""
    halves = tally.halves()
    forward, backward = (
        (_measured(*halves, epsilons, mirrored) + _measured(*halves[::-1], epsilons, mirrored)) / 2
        for mirrored in (False, True)
    )
    projected = [project_spectrum(epsilons, np.clip(each, 0.0, 1.0)) for each in (forward, backward)]
    return np.maximum(*projected)


def _measured(choosing: Tally, measuring: Tally, epsilons: Floats, mirrored: bool) -> Floats:
    """P̂(S_ε) − e^ε·Q̂(S_ε) on one half, with S_ε the best on the other."""
    if isinstance(choosing, AtomTally) and isinstance(measuring, AtomTally):
        return _by_atoms(choosing, measuring, epsilons, mirrored)
    thresholds = choosing.thresholds()
    chosen, measured = (
        each.mirrored() if mirrored else each
        for each in (choosing.counts(thresholds), measuring.counts(thresholds))
    )
    places = np.argmax(_gains(chosen, epsilons), axis=1)
    factors = np.exp(epsilons)
    return np.asarray(measured.left_share[places] - factors * measured.right_share[places])


def _gains(counts: Counts, epsilons: Floats) -> Floats:
    return counts.left_share - np.exp(epsilons)[:, None] * counts.right_share


def _by_atoms(choosing: AtomTally, measuring: AtomTally, epsilons: Floats, mirrored: bool) -> Floats:
    """With finitely many outputs any subset is an event: those that favour the input on the choosing half."""
    (p, q), (p_measured, q_measured) = (_shares(each, mirrored) for each in (choosing, measuring))
    factors = np.exp(epsilons)[:, None]
    favoured = p - factors * q > 0
    return np.asarray((favoured * (p_measured - factors * q_measured)).sum(axis=1))


def _shares(tally: AtomTally, mirrored: bool) -> tuple[Floats, Floats]:
    left, right = (counts / max(counts.sum(), 1) for counts in tally.atoms())
    return (right, left) if mirrored else (left, right)
