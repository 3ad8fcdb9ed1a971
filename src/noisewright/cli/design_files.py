"""What ``noisewright design`` reads from files: a prior, and the distances of a finite space."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from noisewright.domains import Domain, FiniteDomain, Floats, MetricSpace, NumericDomain
from noisewright.domains.metric import MOST_POINTS
from noisewright.engine.numbers import floats
from noisewright.engine.reading import open_input
from noisewright.errors import BadTable, InvalidParameter

MOST_PARTS: Final = 4096
"""Rows of the longest prior; a law has far fewer parts."""

EDGE: Final = 1e-6
"""Of a part: how far below its first value, for rounding, a value still belongs to it."""

SUM_SLACK: Final = 1e-6
"""How far the weights of a prior may sum from one, for files hold rounded numbers."""


def read_prior_file(path: str, domain: Domain) -> Floats:
    """The weights of a prior, one for each equal part of a domain or each label.

    The file has one column, the weights in order; or two, the first of which says which part (by any value
    of it) or which label a weight is for.
    """
    table = open_input(path)
    if len(table.names) not in (1, 2):
        raise BadTable(
            f"the prior in {path} must have one column (weights) or two (value, weight), not "
            f"{len(table.names)}; is a header line missing?"
        )
    *keys, weights = table.names
    if _is_number(weights):
        raise BadTable(
            f"the first line of {path} is a weight; the prior needs a header line, such as: weight"
        )
    labelled = isinstance(domain, FiniteDomain)
    columns = _columns(path, [weights] if labelled else table.names, keys if labelled else [], MOST_PARTS)
    found = _weights(path, columns[weights])
    return _in_order(path, columns[keys[0]], found, domain) if keys else found


def _is_number(name: str) -> bool:
    try:
        float(name)
    except ValueError:
        return False
    return True


def _weights(path: str, weights: Floats) -> Floats:
    if not (np.isfinite(weights).all() and (weights >= 0).all()):
        raise InvalidParameter(f"the weights in {path} must be finite numbers that are not negative")
    total = float(weights.sum())
    if abs(total - 1) > SUM_SLACK:
        remedy = f"divide each of them by {total:.6g}" if total > 0 else "at least one must be above zero"
        raise InvalidParameter(f"the weights in {path} sum to {total:.6g} and not to one; {remedy}")
    return np.asarray(weights / total)


def _in_order(path: str, keys: Any, weights: Floats, domain: Domain) -> Floats:
    """Weights in the order of the parts or labels that their keys name, each exactly once."""
    if isinstance(domain, FiniteDomain):
        places = domain.snap(keys, name=f"the label in {path}")
        size, what = domain.lattice, "label"
    else:
        assert isinstance(domain, NumericDomain)
        inside = domain.admit(keys, name=f"the value in {path}")
        size, what = weights.size, f"of {weights.size} equal parts of {domain!r}"
        part = (inside - domain.start) / domain.length * size + EDGE  # who names a part by its first value
        places = np.minimum(part.astype(np.int64), size - 1)
    if places.size != size or np.unique(places).size < size:
        raise InvalidParameter(f"the prior in {path} must have exactly one row for each {what}")
    return weights[np.argsort(places)]


def read_space(path: str) -> MetricSpace:
    """Labels and their distances: the first line and the first column name the points, in the same order."""
    table = open_input(path)
    corner, *labels = table.names
    if not 2 <= len(labels) <= MOST_POINTS or len(set(table.names)) < len(table.names):
        raise BadTable(
            f"the first line of {path} must name 2 to {MOST_POINTS} different points after its first cell"
        )
    columns = _columns(path, labels, [corner], len(labels))
    if list(columns[corner]) != labels:
        raise BadTable(f"the first column of {path} must name the same points as its first line, in order")
    return MetricSpace(labels, np.column_stack([columns[label] for label in labels]))


def _columns(path: str, numbers: Sequence[str], texts: Sequence[str], most: int) -> dict[str, Any]:
    """Columns of numbers as floats and columns of labels as text; more rows than allowed are not read."""
    found: dict[str, list[Any]] = {name: [] for name in (*numbers, *texts)}
    rows = 0
    for batch in open_input(path).batches(list(numbers), list(texts)):
        for name in numbers:
            if batch.column(name).null_count:
                raise BadTable(f"{path} has a row without a number in column {name!r}")
            found[name].extend(floats(batch.column(name), name, rows).tolist())
        for name in texts:
            found[name].extend(map(str, batch.column(name).to_pylist()))
        rows += batch.num_rows
        if rows > most:
            raise BadTable(f"{path} has more than {most:,} rows, which is too many here")
    if not rows:
        raise BadTable(f"{path} has a header line but no rows below it")
    return {name: np.array(values) if name in numbers else values for name, values in found.items()}
