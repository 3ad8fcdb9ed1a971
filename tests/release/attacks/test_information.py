"""Measured information: in closed form for two worlds, never above a budget, and above it for a wrong plan."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import entr, expit

from noisewright.errors import InvalidParameter
from noisewright.release.attacks import measured_information
from release.attacks.made_up import halved, plan_of, silent, two_worlds

SURE = 0.999999  # an interval misses with probability 1e-6, and the seeds are fixed


@pytest.mark.parametrize("distance", [0.5, 2.0])
def test_two_worlds_in_closed_form(distance: float) -> None:
    plan, _ = two_worlds(distance)

    def left(z: float) -> float:
        chance = expit(distance * z)
        density = np.exp(-((z - distance / 2) ** 2) / 2) / np.sqrt(2 * np.pi)
        return density * (entr(chance) + entr(1 - chance))

    exact = np.log(2) - quad(left, -12, 12)[0]
    found = measured_information(plan, 4000, seed=1, confidence=SURE)
    assert found.low < exact < found.high
    assert abs(found.value - exact) < 6.2 * found.stderr


@pytest.mark.parametrize("nats", [1 / 64, 1 / 4, 1.0, 4.0])
def test_never_above_the_budget_and_half_the_noise_is_caught(nats: float) -> None:
    plan = plan_of(nats)
    assert measured_information(plan, 3000, seed=2, confidence=SURE).low <= nats
    if nats <= 1:  # beyond, 64 worlds have hardly more to tell
        assert measured_information(halved(plan), 3000, seed=2, confidence=SURE).low > nats


def test_silence_tells_nothing() -> None:
    found = measured_information(silent(plan_of(1.0)), 500, seed=3)
    assert found.value == pytest.approx(0, abs=1e-12)
    assert found.low == 0


def test_what_was_known_before_is_not_counted() -> None:
    plan = plan_of(1.0)
    weights = np.zeros(64)
    weights[5] = 1.0
    assert measured_information(replace(plan, weights=weights), 100, seed=4).value == pytest.approx(
        0, abs=1e-9
    )


def test_bad_requests() -> None:
    with pytest.raises(InvalidParameter, match="trials"):
        measured_information(plan_of(1.0), trials=1)
    with pytest.raises(InvalidParameter, match="level"):
        measured_information(plan_of(1.0), confidence=1.0)
