"""Solving half of a symmetric program.

Averaging a law with its mirror image keeps ε and every charge of a program that is its own mirror image, so
one of its best laws is symmetric: the lower half of the inputs says everything, and an output and its image
share a floor. Inputs and their images share prices too.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from noisewright.design.program import Multipliers, Program, Solution
from noisewright.domains import Floats


def lower_half(program: Program) -> Program:
    """A symmetric program for the lower half of its inputs, an input in the middle included."""
    inputs, _ = program.size
    kept = -(-inputs // 2)
    average = program.average
    if average is not None:
        average = (average + np.flip(average))[:kept]
        average[inputs // 2 :] /= 2  # the middle is its own image
    means = None if program.means is None else program.means[:kept]
    return replace(program, losses=program.losses[:kept], average=average, means=means)


def unfold(half: Solution, inputs: int) -> Solution:
    """The law and the prices of all inputs from those of the lower half."""
    prices = half.multipliers
    return Solution(
        law=_reflected(half.law, inputs),
        multipliers=Multipliers(
            situations=_shared(prices.situations, inputs),
            inputs=_shared(prices.inputs, inputs),
            means=_shared(prices.means, inputs, sign=-1.0),
        ),
    )


def _reflected(half: Floats, inputs: int, sign: float = 1.0) -> Floats:
    """Rows with their mirror images after them; a row in the middle is averaged with its own."""
    image = sign * np.flip(half)
    middle, single = inputs // 2, inputs % 2
    centre = (half[middle:] + image[:single]) / 2
    return np.concatenate([half[:middle], centre, image[single:]])


def _shared(prices: Floats, inputs: int, sign: float = 1.0) -> Floats:
    """Prices split evenly between inputs and their images."""
    halved = prices.copy()
    halved[: inputs // 2] /= 2
    return _reflected(halved, inputs, sign)
