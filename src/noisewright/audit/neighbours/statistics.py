"""Screening statistics: how exposed a pair looks on few samples, a number to rank by and no bound.

An event with a chance of A hits under one input against B under the other shows ε = ln(A/B), but among
thousands of events and pairs the largest observed ratio is noise. So the number is the ε at which A and
e^ε·B would still be ``CAUTION`` standard deviations apart. Square roots of counts have a standard deviation
of about ½ whatever the count, so it solves (√A − e^(ε/2)·√B)² = k·(1 + e^ε) with k = CAUTION²/4, that is

    e^(ε/2) = (A − k) / (√(A·B) + √(k·(A + B − k))).

Frequent events count at once, rare ones when they were seen often, B = 0 included. The number ranks pairs by
what an audit of them would show; how much that really is, fresh runs show.

A yardstick is prepared once from many outputs for the shared ``left`` database (and a mixture of the others,
so that it knows outputs which ``left`` never gives) and then measures thousands of neighbours cheaply.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Literal

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from noisewright.audit.basics.outputs import Outputs
from noisewright.audit.bounds.tally import count_halves
from noisewright.audit.encoding import Encoder, fit_encoder
from noisewright.audit.encoding.encoder import in_order
from noisewright.domains import Cells, Floats

CAUTION: Final = 4.0
"""Standard deviations; with less, the best of a thousand harmless pairs looks worse than a bad one."""

CORRECTION: Final = 0.5
"""Added to every count before its root is taken, as usual for counts near zero (Anscombe 1948)."""


def exposure(left: Floats, right: Floats, count: int, delta: float = 0.0) -> float:
    """Return the largest ε at δ that any event suggests, in either direction, from rates of ``count`` runs.

    Below zero nothing is suggested.

    Args:
        left: Rates of events with the left database.
        right: Their rates with the right one.
        count: Runs of each.
        delta: The δ at which ε is wanted.

    >>> rates = np.array([0.5]), np.array([0.1])
    >>> [round(exposure(*rates, count), 2) for count in (100, 10_000)], round(float(np.log(0.5 / 0.1)), 2)
    ([0.4, 1.47], 1.61)
    """
    return max(_suggest(left - delta, right, count), _suggest(right - delta, left, count))


def _suggest(more: Floats, less: Floats, count: int) -> float:
    k = CAUTION**2 / 4
    hits, others = (np.maximum(rate, 0) * count + CORRECTION for rate in (more, less))
    seen = np.maximum(hits, np.nextafter(k, np.inf))  # fewer hits suggest nothing
    root = (seen - k) / (np.sqrt(seen * others) + np.sqrt(k * (seen + others - k)))
    return float(2 * np.log(root.max()))


def of_half_lines(left: Floats, right: Floats, delta: float = 0.0) -> float:
    """Return the exposure by events {x > t}, {x ≥ t} and their complements; only ``left`` is sorted.

    >>> line = np.arange(100.0)
    >>> of_half_lines(line, line) < 0 < 2 < of_half_lines(line, line + 100)
    True
    """
    right = np.sort(right)
    below = [
        np.concatenate([_share(side, right, "left"), _share(side, right, "right")]) for side in (left, right)
    ]
    both = [np.concatenate([rate, 1 - rate]) for rate in below]
    return exposure(both[0], both[1], min(left.size, right.size), delta)


def of_cells(left: Cells, right: Cells, delta: float = 0.0) -> float:
    """Return the exposure by unions of cells, from their counts: columns are cells, the two rows halves.

    On one half the cells are put in the order of their ratios, on the other the events "the first k cells"
    are counted, and the other way round, so that the order owes nothing to what is counted.

    >>> counts = np.array([[50, 50], [50, 50]])
    >>> of_cells(counts, counts) < 0 < 0.5 < of_cells(counts, np.array([[95, 5], [95, 5]]))
    True
    """
    found = []
    for fit, hold in ((0, 1), (1, 0)):
        order = np.argsort((left[fit] + 1) / (right[fit] + 1), kind="stable")
        rates = [np.cumsum(side[hold][order]) / max(side[hold].sum(), 1) for side in (left, right)]
        count = int(min(left[hold].sum(), right[hold].sum()))
        both = [np.concatenate([rate, 1 - rate]) for rate in rates]
        found.append(exposure(both[0], both[1], max(count, 1), delta))
    return float(np.mean(found))


def _share(ordered: Floats, thresholds: Floats, side: Literal["left", "right"]) -> Floats:
    return np.searchsorted(ordered, thresholds, side=side) / ordered.size


# -- yardsticks: one for each shape of outputs ---------------------------------------------------------


BINS: Final = 32
"""Cells that a line of numbers is cut into, each with an equal share of the outputs for ``left``."""

RIDGE: Final = 1e-3
"""Added to the variances, in units of a standard deviation, so that constant columns do no harm."""


Measure = Callable[[Outputs, float], float]
"""Return an ε to rank by, from outputs for a right database and a δ."""


def yardstick(left: Outputs, rights: Sequence[Outputs]) -> Measure:
    """Return the measure that fits these outputs: for a line, few distinct outputs, or a table.

    >>> draw = np.random.default_rng(1).normal
    >>> near, far = Outputs.of(draw(size=500)), Outputs.of(draw(3, size=500))
    >>> measure = yardstick(Outputs.of(draw(size=500)), [near, far])
    >>> measure(near, 0.0) < 0 < 1 < measure(far, 0.0)
    True
    """
    if all(outputs.width == 1 for outputs in (left, *rights)):
        return _line_measure(left)
    each = -(-len(left) // len(rights))
    encoder = fit_encoder(left, Outputs.join([right[:each] for right in rights]))
    return _table_measure(left, encoder) if encoder.atoms is None else _atom_measure(left, encoder)


def _line_measure(left: Outputs) -> Measure:
    """For one number: half-lines, and unions of bins for laws that differ in the middle."""
    ordered = np.sort(_line(left))
    edges = np.unique(np.quantile(ordered, np.arange(1, BINS) / BINS, method="lower"))

    def count_cells(numbers: Floats) -> Cells:
        # An edge is a cell of its own: many mechanisms put a lump of probability on one value.
        places = np.searchsorted(edges, numbers, "left") + np.searchsorted(edges, numbers, "right")
        return count_halves(places, 2 * edges.size + 1)

    cells = count_cells(_line(left))

    def measure(right: Outputs, delta: float) -> float:
        numbers = _line(right)
        return max(of_half_lines(ordered, numbers, delta), of_cells(cells, count_cells(numbers), delta))

    return measure


def _atom_measure(left: Outputs, encoder: Encoder) -> Measure:
    """For few distinct outputs of any shape: unions of them."""

    def count_cells(outputs: Outputs) -> Cells:
        atoms = encoder.features(outputs).atoms
        assert atoms is not None
        assert encoder.atoms is not None
        return count_halves(atoms, len(encoder.atoms))

    cells = count_cells(left)
    return lambda right, delta: of_cells(cells, count_cells(right), delta)


def _table_measure(left: Outputs, encoder: Encoder) -> Measure:
    """For vectors: the linear score that best tells the means of (x, |x − middle|) apart, cross-fitted."""
    table = encoder.features(left).table
    middle, spreads = np.median(table, axis=0), table.std(axis=0)
    scale = np.where(spreads > 0, spreads, 1.0)

    def columns(rows: Floats) -> Floats:
        centred = (rows - middle) / scale
        return np.hstack([centred, np.abs(centred)])

    own = columns(table)
    spread = np.atleast_2d(np.cov(own, rowvar=False))
    factor = cho_factor(spread + RIDGE * np.eye(len(spread)))

    def measure(right: Outputs, delta: float) -> float:
        other, found = columns(encoder.features(right).table), []
        for fit, hold in ((0, 1), (1, 0)):
            weights = cho_solve(factor, own[fit::2].mean(axis=0) - other[fit::2].mean(axis=0))
            found.append(of_half_lines(np.sort(own[hold::2] @ weights), other[hold::2] @ weights, delta))
        return float(np.mean(found))

    return measure


def _line(outputs: Outputs) -> Floats:
    assert outputs.numbers is not None
    return in_order(outputs.numbers)[:, 0]
