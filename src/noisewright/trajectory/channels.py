"""Channels for one coordinate: OGPM unless another is asked for, by name or as a mechanism of its own."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from noisewright.domains import Circle, Floats, NumericDomain
from noisewright.errors import InvalidParameter
from noisewright.guarantees import PureLDP
from noisewright.mechanisms import NumericMechanism

OPTIMAL = "optimal"
"""The name of the channel that :mod:`noisewright.design` finds: the least average distance of all laws."""

ROUND = {"OGPM": "CircularOGPM", "PM": "PMC", "SW": "SWC", "TPM": "PMC", "TSW": "SWC"}
"""What stands in on a circle for mechanisms that are for intervals alone."""

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
    if isinstance(domain, Circle) and not issubclass(Circle, kind.domains):
        if kind.__name__ not in ROUND:
            raise InvalidParameter(f"{kind.__name__} has no form on a circle; use {', '.join(ROUND)}")
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
