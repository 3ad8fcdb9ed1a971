"""Check that no law does better, in exact arithmetic and without trusting a solver.

For any weights λ ≥ 0 of the worst cases and any prices μ of the rows' sums (and ν of their means), put

    cᵢⱼ = average[i, j] + Σₛ λᵢₛ·losses[i, s, j] − μᵢ − νᵢ·places[j].

A column of a law keeps ε, so its entries lie between a floor and e^ε times the floor, and

    Σᵢ Pᵢⱼ·cᵢⱼ ≥ floorⱼ·slackⱼ,      slackⱼ = Σᵢ max(cᵢⱼ, 0) − e^ε·Σᵢ max(−cᵢⱼ, 0).

If no slack is negative, every law is charged at least Σ μᵢ + Σ νᵢ·means[i], less the ceiling times Σ λ
where there is one; for the worst case itself the result is divided by Σ λ. If the least slack is −d < 0,
lowering every price by d/n raises all slacks by d at least: the bound only falls by d. So *any* multipliers
give a true bound, and good ones a tight one: weak duality, in one pass over the matrix.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from noisewright.design.program import Multipliers, Program
from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.mechanisms.basics.exact import exp_upper


def certified_bound(program: Program, multipliers: Multipliers) -> float:
    """Return a lower bound for every ε-LDP law of the program, rounded down.

    >>> coin = Program(math.log(3), losses=(1 - np.eye(2))[:, None, :])
    >>> even = Multipliers(np.full((2, 1), 0.5), np.full(2, 0.125), np.zeros(2))
    >>> abs(certified_bound(coin, even) - 0.25) < 1e-12
    True
    """
    bound = _bound(program, multipliers)
    number = float(bound)
    return number if Fraction(number) <= bound else math.nextafter(number, -math.inf)


def _bound(program: Program, multipliers: Multipliers) -> Fraction:
    _check_shapes(program, multipliers)
    weight = _total(multipliers.situations)
    bound = _total(multipliers.inputs) - max(Fraction(0), -min(_slacks(program, multipliers)))
    if program.means is not None:
        pairs = zip(multipliers.means.tolist(), program.means.tolist(), strict=True)
        bound += sum((Fraction(price) * Fraction(mean) for price, mean in pairs), Fraction(0))
    if program.average is None:
        return bound / weight if weight > 0 else Fraction(0)
    return bound if program.ceiling is None else bound - weight * Fraction(program.ceiling)


def _slacks(program: Program, multipliers: Multipliers) -> list[Fraction]:
    """Return the slack of every output."""
    most = exp_upper(program.epsilon)
    slacks = []
    for output in range(program.size[1]):
        charges = _charges(program, multipliers, output)
        gains, costs = (sum((c for c in charges if (c > 0) is up), Fraction(0)) for up in (True, False))
        slacks.append(gains + most * costs)
    return slacks


def _charges(program: Program, multipliers: Multipliers, output: int) -> list[Fraction]:
    """Return the column c of one output."""
    average = np.zeros(program.size[0]) if program.average is None else program.average[:, output]
    place = Fraction(0) if program.places is None else Fraction(float(program.places[output]))
    rows = zip(
        average.tolist(), multipliers.situations.tolist(), program.losses[:, :, output].tolist(),
        multipliers.inputs.tolist(), multipliers.means.tolist(), strict=True,
    )  # fmt: skip
    return [
        Fraction(start)
        + sum(
            (Fraction(w) * Fraction(loss) for w, loss in zip(weights, losses, strict=True) if w), Fraction(0)
        )
        - Fraction(price)
        - (Fraction(mean) * place if mean else 0)
        for start, weights, losses, price, mean in rows
    ]


def _total(values: Floats) -> Fraction:
    return sum(map(Fraction, values.ravel().tolist()), Fraction(0))


def _check_shapes(program: Program, multipliers: Multipliers) -> None:
    inputs = program.size[0]
    shapes = (multipliers.situations.shape, multipliers.inputs.shape, multipliers.means.shape)
    if shapes != (program.losses.shape[:2], (inputs,), (inputs,)):
        raise InvalidParameter("the multipliers of a certificate do not fit the inputs of its law")
    if (multipliers.situations < 0).any():
        raise InvalidParameter("the weights of a certificate must not be negative")
    if multipliers.situations.any() and not program.limited:
        raise InvalidParameter("a certificate weighs worst cases that its design does not limit")
