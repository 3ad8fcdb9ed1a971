"""Designing a law for labels."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np

from noisewright.design.finite_task import finite_program, read_label_prior
from noisewright.design.request import POINT, WORST, Request, answer
from noisewright.design.rounding import round_toward_privacy
from noisewright.design.verify import recompute
from noisewright.domains import Categories, FiniteDomain
from noisewright.errors import InvalidParameter
from noisewright.mechanisms.certificate import Certificate
from noisewright.mechanisms.designed_table import DesignedTable


def finite_law(
    domain: FiniteDomain,
    epsilon: float,
    loss: Any,
    request: Request,
    *,
    prior: Any = None,
    point: Hashable | None = None,
    outputs: Iterable[Hashable] | None = None,
) -> DesignedTable:
    """The best law for labels; ``outputs`` names the reports if they are others."""
    reports = domain if outputs is None else Categories(outputs)
    weights = _weights(domain, request, prior, point)
    program, charges = finite_program(domain, epsilon, loss, weights, reports)
    found = answer(request, program, charges)
    rounded = round_toward_privacy(found.solution.law, epsilon)
    labels = None if outputs is None else reports.labels
    parts = (domain, epsilon, rounded.outputs, rounded.weights, labels)
    prices = found.solution.multipliers
    claim = Certificate(
        loss=loss if isinstance(loss, str | int | float) else _rows(np.asarray(loss, dtype=np.float64)),
        objective=request.objective,
        value=0.0,
        bound=0.0,
        prior=weights,
        ceiling=found.program.ceiling,
        situations=_rows(prices.situations),
        inputs=tuple(prices.inputs.tolist()),
        means=tuple(prices.means.tolist()),
    )
    return DesignedTable(*parts, certificate=recompute(DesignedTable(*parts), found.program, claim))


def _weights(domain: FiniteDomain, request: Request, prior: Any, point: Any) -> tuple[float, ...] | None:
    """The prior of an average, even unless given; one label alone for a point; none for the worst case."""
    if (point is None) == (request.objective == POINT):
        raise InvalidParameter('objective="point" and a point go together; pass both or neither')
    if prior is not None and request.objective in (WORST, POINT):
        raise InvalidParameter(f'a prior has no part in objective={request.objective!r}; use "average"')
    if request.objective == POINT:
        if not request.capped:
            raise InvalidParameter(
                "the best law for one label alone always reports that label; pass cap_worst or worst_at_most"
            )
        return tuple(np.eye(domain.lattice)[domain.snap([point], name="point")[0]].tolist())
    if request.objective == WORST:
        return None
    even = np.full(domain.lattice, 1 / domain.lattice)
    return tuple((even if prior is None else read_label_prior(prior, domain)).tolist())


def _rows(matrix: Any) -> tuple[tuple[float, ...], ...]:
    return tuple(map(tuple, matrix.tolist()))
