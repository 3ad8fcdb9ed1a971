"""Stops about what can be learned from reports alone."""

from __future__ import annotations

import math

import numpy as np

from noisewright.domains import Floats
from noisewright.pages.tour.clinic import DAY, PRESSURE, WAKE
from noisewright.pages.tour.pictures import wake_times
from noisewright.pages.tour.trip import Stop, Trip
from noisewright.pages.wording import short


def the_mean(trip: Trip) -> Stop:
    """The mean of unbiased reports is an estimate of the true mean."""
    truth, reports = float(trip.clinic.pressure.mean()), trip.reports(PRESSURE)
    mean, error = float(reports.mean()), float(reports.std(ddof=1)) / math.sqrt(reports.size)
    apart = abs(mean - truth) / error
    told = (
        f"The true mean pressure is {short(truth)}. The reports alone say {short(mean)} with a standard "
        f"error of {short(error, 2)}: {short(apart, 2)} standard errors away."
    )
    more = (
        f"{type(trip.mechanisms[PRESSURE]).title} is unbiased, so the mean of its reports needs no "
        "correction. The standard error falls with the square root of the number of people: for a hundred "
        "times as many it is a tenth."
    )
    facts = {"true_mean": truth, "estimate": mean, "standard_error": error, "standard_errors_apart": apart}
    return Stop("A mean from reports alone", [told], facts, [told, more])


def the_clock(trip: Trip) -> Stop:
    """Hours are a circle: the mean direction survives the noise."""
    truth, reports = mean_hour(trip.clinic.wake), mean_hour(trip.reports(WAKE))
    plain = float(trip.clinic.wake.mean())
    told = (
        f"As a direction on the clock, people wake up at {clock(truth)} on average; the reports alone say "
        f"{clock(reports)}. Averaging hours as plain numbers says {clock(plain)} even without noise, since "
        "it takes half past eleven at night and half past midnight to average to noon."
    )
    facts = {"true_mean_direction": truth, "estimate": reports, "plain_mean": plain}
    return Stop("Hours of the day", [told], facts, [told, wake_times(trip)])


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
