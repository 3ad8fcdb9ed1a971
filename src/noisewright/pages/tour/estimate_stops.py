"""Stops about what can be learned from reports alone."""

from __future__ import annotations

import math

import numpy as np

from noisewright.domains import Floats
from noisewright.estimate import Estimate, mean
from noisewright.pages.tour.clinic import DAY, PRESSURE, WAKE
from noisewright.pages.tour.pictures import wake_times
from noisewright.pages.tour.trip import Stop, Trip
from noisewright.pages.wording import short, span


def the_mean(trip: Trip) -> Stop:
    """The mean of the true values, from reports alone, with an interval."""
    truth, mechanism = float(trip.clinic.pressure.mean()), trip.mechanisms[PRESSURE]
    found = mean(trip.reports(PRESSURE), mechanism)
    apart = abs(found.value - truth) / found.stderr
    told = (
        f"The true mean pressure is {short(truth)}. The reports alone say {short(found.value)} with a "
        f"standard error of {short(found.stderr, 2)}: {short(apart, 2)} standard errors away. The "
        f"{_level(found)} interval goes {span(found.low, found.high)}."
    )
    more = (
        f"How: {found.method}. What it rests on: {found.assumption}. The standard error falls with the "
        "square root of the number of people: for a hundred times as many it is a tenth."
    )
    facts = {"true_mean": truth, "standard_errors_apart": apart, **found.to_dict()}
    return Stop("A mean from reports alone", [told], facts, [told, more])


def the_clock(trip: Trip) -> Stop:
    """Hours are a circle: the mean direction survives the noise."""
    truth, found = mean_hour(trip.clinic.wake), mean(trip.reports(WAKE), trip.mechanisms[WAKE])
    plain = float(trip.clinic.wake.mean())
    told = (
        f"As a direction on the clock, people wake up at {clock(truth)} on average; the reports alone say "
        f"{clock(found.value)}, and the {_level(found)} interval is {_arc(found)}. Averaging hours as plain "
        f"numbers says {clock(plain)} even without noise, since it takes half past eleven at night and half "
        "past midnight to average to noon."
    )
    facts = {"true_mean_direction": truth, "plain_mean": plain, **found.to_dict()}
    return Stop("Hours of the day", [told], facts, [told, wake_times(trip)])


def _level(found: Estimate) -> str:
    return f"{100 * found.level:g} %"


def _arc(found: Estimate) -> str:
    """An interval of hours; the whole day if the reports point nowhere in particular."""
    if found.high - found.low >= DAY.period:
        return "the whole day"
    return f"from {clock(found.low)} to {clock(found.high)}"


def mean_hour(hours: Floats) -> float:
    """The mean direction of hours on a clock.

    >>> round(mean_hour(np.array([23.5, 0.5, 0.3])), 1)
    0.1
    """
    turn = 2 * math.pi / DAY.period
    return float(np.mod(np.angle(np.exp(1j * turn * hours).mean()) / turn, DAY.period))


def clock(hour: float) -> str:
    """An hour as a clock shows it.

    >>> clock(6.75), clock(23.999)
    ('06:45', '00:00')
    """
    minutes = round(hour * 60) % (24 * 60)
    return f"{minutes // 60:02d}:{minutes % 60:02d}"
