"""A calibration that is broken by a single unit is caught, and one that is right by a single unit passes."""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from catalogue import EPSILONS
from noisewright import Circle, Interval
from noisewright.errors import GuaranteeBroken
from noisewright.mechanisms import (
    OGPM,
    PM,
    PMC,
    SW,
    SWC,
    TPM,
    TSW,
    BoundedLaplace,
    CircularOGPM,
    Duchi,
    ExtendedGaussian,
    Gaussian,
    Hybrid,
    Laplace,
    Purkayastha,
    Staircase,
    TruncatedLaplace,
    UnbiasedOGPM,
)
from noisewright.mechanisms.basics.exact import exp_lower
from noisewright.mechanisms.basics.tables import Table, prove_table
from noisewright.mechanisms.noise import Noise, prove_pure_anywhere

UNIT = Interval(0, 1)


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("kind", [OGPM, PM, SW, PMC, SWC, UnbiasedOGPM])
def test_a_window_with_one_coin_value_less_noise_is_caught(kind, epsilon):
    window = kind(UNIT, epsilon).window
    window.prove(epsilon)
    with pytest.raises(GuaranteeBroken):
        replace(window, threshold=window.threshold - 1).prove(epsilon)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_a_circular_window_with_one_coin_value_less_noise_is_caught(epsilon):
    window = CircularOGPM(Circle(24), epsilon).window
    with pytest.raises(GuaranteeBroken):
        replace(window, threshold=window.threshold - 1).prove(epsilon)


@pytest.mark.parametrize("threshold", [0, -5, (1 << 24) + 1])
def test_a_threshold_that_is_no_share_of_the_coins_is_caught(threshold):
    window = OGPM(UNIT, 1.0).window
    with pytest.raises(GuaranteeBroken):
        replace(window, threshold=threshold).prove(1.0)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_one_honest_word_more_is_caught(epsilon):
    bit = Duchi(UNIT, epsilon).bit
    bit.prove(epsilon)
    with pytest.raises(GuaranteeBroken):
        replace(bit, honest=bit.honest + 1).prove(epsilon)


def test_a_hybrid_whose_binary_part_is_one_word_too_honest_is_caught():
    mechanism = Hybrid(UNIT, 2.0)
    mechanism._prove()
    mechanism.__dict__["bit"] = replace(mechanism.bit, honest=Duchi(UNIT, 2.0).bit.honest + 1)
    with pytest.raises(GuaranteeBroken):
        mechanism._prove()


def test_a_hybrid_whose_parts_do_not_fit_together_is_caught():
    mechanism = Hybrid(UNIT, 2.0)
    mechanism.__dict__["share"] = (1 << 24) + 1
    with pytest.raises(GuaranteeBroken, match="fit"):
        mechanism._prove()


@pytest.mark.parametrize(("kind", "inner"), [(TPM, PM), (TSW, SW)])
def test_truncation_spends_what_the_inner_mechanism_spends(kind, inner):
    assert kind(UNIT, 2.0).epsilon_upper == inner(UNIT, 2.0).epsilon_upper < 2.0
    mechanism = kind(UNIT, 2.0)
    mechanism.inner.__dict__["window"] = replace(mechanism.inner.window, threshold=1)
    with pytest.raises(GuaranteeBroken):
        mechanism._prove()


def test_noise_that_rises_with_the_magnitude_is_caught():
    mechanism = Laplace(UNIT, 1.0)
    weights = mechanism.noise.table.weights.copy()
    swap = [100, 101]
    weights[swap] = weights[swap[::-1]]
    weights[[-101, -102]] = weights[[-102, -101]]
    with pytest.raises(GuaranteeBroken, match="fall"):
        mechanism.steps.prove_pure(Noise(mechanism.noise.starts, mechanism.noise.widths, Table(weights)), 1.0)


@pytest.mark.parametrize("kind", [Gaussian, ExtendedGaussian])
def test_the_bound_of_delta_counts_the_ends_the_steps_and_its_own_rounding(kind):
    """Against the same sums in rationals: the bound exceeds them, by the allowance for rounding."""
    mechanism = kind(Interval(0, 1, cells=9), 1.0, delta=0.01)
    counts = [mechanism.word_counts(cell)[0] for cell in range(9)]
    total, growth = mechanism.word_counts(0)[1], exp_lower(1.0)
    worst = Fraction(0)
    for here, there in itertools.permutations(counts, 2):
        ends = here[0] + here[-1]
        if kind is Gaussian:
            inside = sum(max(0, a - growth * b) for a, b in zip(here[1:-1], there[1:-1], strict=True))
        else:
            inside = sum(a for a, b in zip(here[1:-1], there[1:-1], strict=True) if a > growth * b)
        worst = max(worst, Fraction(inside + ends) / total)
    assert mechanism.delta_upper >= float(worst) + 2.0**-45


def test_gaussian_noise_with_fat_ends_is_caught():
    mechanism = Gaussian(UNIT, epsilon=1.0, delta=1e-5)
    fat = shifted(mechanism.noise, mechanism.noise.table.weights.size - 1, int(1e-5 * 2.0**62))
    with pytest.raises(GuaranteeBroken):
        mechanism._check(fat)


def shifted(noise: Noise, entry: int, units: int) -> Noise:
    """The noise with some units moved from the centre to an entry and its mirror image."""
    weights, last = noise.table.weights.copy(), noise.table.weights.size - 1
    weights[entry] += units
    weights[last - entry] += units
    weights[last // 2] -= 2 * units
    return Noise(noise.starts, noise.widths, Table(weights))


@pytest.mark.parametrize("kind", [Laplace, Staircase])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0, 12.0])
def test_one_unit_too_much_in_a_step_of_the_noise_is_caught(kind, epsilon):
    mechanism = kind(UNIT, epsilon)
    steps, noise = mechanism.steps, mechanism.noise
    step = 2  # any step that has a partner one domain further out
    least, most = noise.least_and_most()
    middle = steps.count + 1
    partner = steps._step_of(steps.half + step * steps.width + steps.cells - 1)
    bound = exp_lower(epsilon)
    each = most[middle + step] // int(noise.table.weights[middle + step])
    allowed = least[middle + partner] * bound.numerator // (bound.denominator * each)
    room = int(allowed) - int(noise.table.weights[middle + step])
    steps.prove_pure(shifted(noise, middle + step, room), epsilon)
    with pytest.raises(GuaranteeBroken):
        steps.prove_pure(shifted(noise, middle + step, room + 1), epsilon)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_a_tail_that_is_too_thin_is_caught(epsilon):
    mechanism = TruncatedLaplace(UNIT, epsilon)
    noise = mechanism.noise
    thinner = -int(noise.table.weights[-1] // 2)
    with pytest.raises(GuaranteeBroken):
        mechanism.steps.prove_pure(shifted(noise, noise.table.weights.size - 1, thinner), epsilon)


@pytest.mark.parametrize("cells", [3, 9, 16, 64])
@pytest.mark.parametrize("kind", [Laplace, Staircase, TruncatedLaplace])
def test_a_step_that_is_too_thin_is_caught_on_any_lattice(kind, cells):
    mechanism = kind(Interval(0, 1, cells=cells), 1.0)
    weights = mechanism.noise.table.weights.copy()
    spare = int(weights[1]) - 1
    for thin, fat in ((1, 0), (-2, -1)):  # the last step before the tail gives nearly all it has to the tail
        weights[thin] -= spare
        weights[fat] += spare
    with pytest.raises(GuaranteeBroken):
        mechanism.steps.prove_pure(Noise(mechanism.noise.starts, mechanism.noise.widths, Table(weights)), 1.0)


def test_lopsided_noise_is_caught():
    mechanism = Laplace(UNIT, 1.0)
    weights = mechanism.noise.table.weights.copy()
    weights[10] += 1
    weights[-12] -= 1
    with pytest.raises(GuaranteeBroken, match="symmetric"):
        mechanism.steps.prove_pure(Noise(mechanism.noise.starts, mechanism.noise.widths, Table(weights)), 1.0)


def test_one_unit_too_little_at_the_far_side_of_a_circle_is_caught():
    mechanism = Purkayastha(Circle(24), 1.0)
    noise = mechanism.noise
    least, most = noise.least_and_most()
    bound, rarest = exp_lower(1.0), int(np.argmin(least))
    each = least[rarest] // int(noise.table.weights[rarest])
    needed = -(-max(most) * bound.denominator // (bound.numerator * each))
    for weight, fine in ((needed, True), (needed - 1, False)):
        weights = noise.table.weights.copy()
        # the spare units go to a middling entry, which is neither the most nor the least likely
        middling = int(np.argsort(weights)[weights.size // 2])
        weights[middling] += weights[rarest] - weight
        weights[rarest] = weight
        broken = Noise(noise.starts, noise.widths, Table(weights))
        if fine:
            prove_pure_anywhere(broken, 1.0)
        else:
            with pytest.raises(GuaranteeBroken):
                prove_pure_anywhere(broken, 1.0)


def test_one_unit_too_much_in_a_table_is_caught():
    table = BoundedLaplace(UNIT, 1.0, points=32).table
    bound = exp_lower(1.0)
    row, column = np.unravel_index(np.argmax(table.weights / table.weights.min(axis=0)), table.weights.shape)
    most = int(table.weights[:, column].min()) * bound.numerator // bound.denominator
    for weight, fine in ((most, True), (most + 1, False)):
        weights = table.weights.copy()
        weights[row, 16] += weights[row, column] - weight
        weights[row, column] = weight
        if fine:
            prove_table(Table(weights), 1.0)
        else:
            with pytest.raises(GuaranteeBroken):
                prove_table(Table(weights), 1.0)


def test_gaussian_noise_that_is_a_little_too_narrow_is_caught():
    mechanism = Gaussian(UNIT, epsilon=1.0, delta=1e-5)
    with pytest.raises(GuaranteeBroken):
        mechanism._noise(-0.002)


@pytest.mark.parametrize("weights", [[4, 0], [3, 2], [-1, 5]])
def test_a_table_with_holes_or_a_wrong_sum_is_caught(weights):
    with pytest.raises(GuaranteeBroken):
        Table(np.array(weights), bits=2)
