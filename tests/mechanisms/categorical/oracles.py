"""Every registered frequency oracle, and its law on short lists with all reports written out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from fractions import Fraction

import numpy as np

from noisewright import Categories
from noisewright.mechanisms import OLH, RR, FrequencyOracle, HadamardResponse, Mechanism
from noisewright.mechanisms.categorical.coins import from_flags

EPSILONS = (0.01, 0.1, 0.5, 1.0, 2.0, 4.0, 8.0, 12.0)


def kinds() -> Iterator[type[FrequencyOracle]]:
    """Oracles that take a domain and ε alone; those that people run together have a suite of their own."""
    for kind in Mechanism.registry.values():
        alone = {field.name for field in fields(kind)} == {"domain", "epsilon"}
        if issubclass(kind, FrequencyOracle) and alone and kind.__module__.startswith("noisewright."):
            yield kind


KINDS = list(kinds())
WRITTEN_OUT = [kind for kind in KINDS if not issubclass(kind, OLH)]


def build(kind: type[FrequencyOracle], epsilon: float, labels: int = 5) -> FrequencyOracle:
    """An oracle for a few labels; randomized response has two."""
    return kind(Categories(range(2 if issubclass(kind, RR) else labels)), epsilon)


def rows(mechanism: FrequencyOracle) -> list[list[int]]:
    """Outcomes of every report, one row a label."""
    return [mechanism.word_counts(cell)[0] for cell in range(len(mechanism.domain))]


def exact_law(mechanism: FrequencyOracle) -> np.ndarray:
    """The probability of every possible report (columns) for every label (rows)."""
    counts, total = rows(mechanism), mechanism.word_counts(0)[1]
    possible = [column for column in range(len(counts[0])) if counts[0][column]]
    return np.array([[float(Fraction(row[column], total)) for column in possible] for row in counts])


def all_reports(mechanism: FrequencyOracle):
    """Every possible report, in the order of :func:`exact_law`."""
    counts = mechanism.word_counts(0)[0]
    possible = np.flatnonzero([count > 0 for count in counts])
    if len(counts) == len(mechanism.domain) or isinstance(mechanism, HadamardResponse):
        return possible
    return from_flags((possible[:, None] >> np.arange(len(mechanism.domain))) & 1)


def votes(mechanism: FrequencyOracle) -> np.ndarray:
    """What every possible report (rows) counts for every label (columns)."""
    reports = all_reports(mechanism)
    return np.array([mechanism.supports(reports[place : place + 1]) for place in range(len(reports))])
