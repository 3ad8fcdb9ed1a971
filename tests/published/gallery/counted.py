"""Exact checks of samples against laws: every count by its binomial law, every curve by a band that holds."""

from __future__ import annotations

import math

import numpy as np
from scipy.stats import binom

FALSE_ALARM = 1e-9


def counts_of(outputs, law):
    """How often each output of a law occurred; an output that the law does not know is an error."""
    places = {word: place for place, word in enumerate(words(law.outputs).tolist())}
    counts = np.zeros(len(places), dtype=int)
    for word, times in zip(*np.unique(words(outputs), return_counts=True), strict=True):
        counts[places[word]] = times
    return counts


def words(rows):
    """Rows of small whole numbers, each as one string of bytes."""
    table = np.ascontiguousarray(np.reshape(rows, (len(rows), -1)), dtype=np.int16) + 7  # no trailing zeros
    return table.view(f"S{2 * table.shape[1]}").ravel()


def counts_fit(counts, shares):
    """Whether no count is so far off that its exact binomial law would show it once in 10⁹ such looks."""
    total, level = counts.sum(), FALSE_ALARM / (2 * len(counts))
    low, high = binom.cdf(counts, total, shares), binom.sf(counts - 1, total, shares)
    return bool(np.all(low > level) and np.all(high > level))


def distorted(shares):
    """A law in which every other output is twice as likely as it should be."""
    order = np.argsort(np.argsort(-shares, kind="stable"), kind="stable")
    wrong = shares * np.where(order % 2 == 0, 2.0, 1.0)
    return wrong / wrong.sum()


def curve_fits(values, distribution):
    """Whether a sample stays within the Dvoretzky–Kiefer–Wolfowitz band (Massart's constant) of its law."""
    ordered, count = np.sort(values), len(values)
    wanted = distribution(ordered)
    steps = np.arange(count + 1) / count
    off = max(np.abs(steps[1:] - wanted).max(), np.abs(steps[:-1] - wanted).max())
    return bool(off <= math.sqrt(math.log(2 / FALSE_ALARM) / (2 * count)))


def laplace_distribution(centre, scale):
    """The distribution function of Laplace noise around a centre."""
    return lambda x: np.where(
        x < centre, 0.5 * np.exp((x - centre) / scale), 1 - 0.5 * np.exp((centre - x) / scale)
    )
