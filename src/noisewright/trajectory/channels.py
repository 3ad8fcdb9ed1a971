"""Channels for one coordinate: OGPM unless another is asked for, by name or as a mechanism of its own."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from noisewright.domains import Circle, Floats, NumericDomain
from noisewright.errors import InvalidParameter
from noisewright.guarantees import PureLDP
from noisewright.mechanisms import DesignedLaw, Mechanism, NumericMechanism
from noisewright.mechanisms.piecewise import WindowMechanism

OPTIMAL = "optimal"
"""The name of the channel that :mod:`noisewright.design` finds: the least average distance of all laws."""

ROUND = {"OGPM": "CircularOGPM", "PM": "PMC", "SW": "SWC", "TPM": "PMC", "TSW": "SWC"}
"""What stands in on a circle for mechanisms that are for intervals alone."""

KNOWN = ("OGPM", "CircularOGPM", "PM", "PMC", "SW", "SWC", "TPM", "TSW")
"""Channels by name: windows, which are quick to build on fine lattices and quick to draw."""

MOST_CELLS = 1 << 20
"""Cells of a channel that a description may ask for."""

Pair = tuple[NumericMechanism, NumericMechanism]


def build_channel(name: str, domain: NumericDomain, epsilon: float) -> NumericMechanism:
    """A channel by the name of its mechanism, in the form it has on an interval or on a circle.

    >>> from noisewright import Circle, Interval
    >>> build_channel("OGPM", Circle(360), 2.0), build_channel("t-sw", Interval(0, 1), 2.0)
    (CircularOGPM(domain=Circle(360.0), epsilon=2.0), TSW(domain=Interval(0.0, 1.0), epsilon=2.0))
    """
    from noisewright.mechanisms import catalogue  # noqa: PLC0415

    if name.casefold() == OPTIMAL:
        return _optimal(domain, epsilon)
    kind = catalogue.find(name)
    if kind.__name__ not in KNOWN:
        raise InvalidParameter(
            f"the channel of a coordinate is one of {', '.join(KNOWN)}, {OPTIMAL}; got {name}"
        )
    if isinstance(domain, Circle) and not issubclass(Circle, kind.domains):
        kind = catalogue.find(ROUND[kind.__name__])
    return check_pure(catalogue.build(kind, domain, epsilon))


def _optimal(domain: NumericDomain, epsilon: float) -> NumericMechanism:
    from noisewright.design import optimal_law  # noqa: PLC0415  (it loads a solver)

    law = optimal_law(domain, epsilon, "absolute", "average")
    assert isinstance(law, NumericMechanism)
    return law


def check_pure(channel: NumericMechanism) -> NumericMechanism:
    """Refuse a channel whose promise has a δ: locations are composed under pure ε."""
    if not isinstance(channel, NumericMechanism) or type(channel.guarantee) is not PureLDP:
        raise InvalidParameter(f"a channel for a coordinate must keep pure ε; {channel!r} does not")
    return channel


def given_channels(pair: Pair, domains: tuple[NumericDomain, NumericDomain], epsilon: float) -> Pair:
    """Two channels that somebody built, if they are for these domains and spend no more than ε together."""
    if len(pair) != 2:
        raise InvalidParameter("a location has two coordinates and takes two channels")
    for channel, domain in zip(pair, domains, strict=True):
        check_pure(channel)
        theirs = channel.domain  # whose lattice may be another
        if type(theirs) is not type(domain) or (theirs.start, theirs.length) != (domain.start, domain.length):
            raise InvalidParameter(f"a channel for {domain!r} cannot be one for {theirs!r}")
    if sum(Fraction(channel.epsilon) for channel in pair) > Fraction(epsilon):
        raise InvalidParameter(f"the two channels spend more than epsilon = {epsilon} together")
    return pair[0], pair[1]


def described_channel(description: Mapping[str, Any]) -> NumericMechanism:
    """A channel from its description: a window or a designed law, which do not take long to prove."""
    channel = Mechanism.from_dict(description) if _is_light(description) else None
    if not isinstance(channel, NumericMechanism):
        raise InvalidParameter(
            "a description holds channels that are windows or designed laws, of 2²⁰ cells at most"
        )
    return check_pure(channel)


def _is_light(description: Mapping[str, Any]) -> bool:
    kind = Mechanism.registry.get(str(description["mechanism"]))
    quick = kind is not None and (kind.__name__ in KNOWN or issubclass(kind, WindowMechanism | DesignedLaw))
    return quick and int(description["domain"]["cells"]) <= MOST_CELLS


def at_quantiles(channel: NumericMechanism, values: Floats, quantiles: Floats) -> Floats:
    """The reports of given values at given quantiles of their laws, taken run by run.

    Even quantiles give reports that follow the law, which is how expected errors are integrated.
    """
    law = channel.law(values)
    shape = (values.size, max(law.start.shape[-1], law.count.shape[-1], law.mass_of_run.shape[-1]))
    start, count, mass = (np.broadcast_to(part, shape) for part in (law.start, law.count, law.mass_of_run))
    upto = np.cumsum(mass, axis=1)
    run = np.minimum((quantiles[:, None] * upto[:, -1:] >= upto).sum(axis=1), shape[1] - 1)
    row = np.arange(values.size)
    inside = 1 - (upto[row, run] - quantiles * upto[:, -1]) / mass[row, run]
    width = count[row, run]
    cells = start[row, run] + np.minimum(np.floor(np.clip(inside, 0, 1) * width), width - 1)
    reports = channel.reports
    return reports.centres(cells % reports.lattice if isinstance(reports, Circle) else cells)
