"""The solver against a naive program, its halves against the whole, and its integers against ε."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from noisewright import Interval
from noisewright.design.certificate import certified_bound
from noisewright.design.charges import grid_task, knot_task
from noisewright.design.program import Program
from noisewright.design.rounding import round_toward_privacy
from noisewright.design.solver import Infeasible, _Matrices, solve
from noisewright.errors import InvalidParameter
from noisewright.mechanisms.basics.exact import within


def naive_optimum(program):
    """The textbook program: probabilities, floors and the worst case as variables, all rows dense."""
    (inputs, outputs), most = program.size, math.exp(program.epsilon)
    width = inputs * outputs + outputs + 1
    upper, limits = [], []

    def row(entries):
        line = np.zeros(width)
        for place, value in entries:
            line[place] += value
        return line

    for i in range(inputs):
        for j in range(outputs):
            cell, floor = i * outputs + j, inputs * outputs + j
            upper += [row([(cell, -1), (floor, 1)]), row([(cell, 1), (floor, -most)])]
            limits += [0.0, 0.0]
    for i, s in np.ndindex(program.losses.shape[:2]):
        charges = [(i * outputs + j, program.losses[i, s, j]) for j in range(outputs)]
        if program.average is None:
            upper, limits = [*upper, row([*charges, (width - 1, -1)])], [*limits, 0.0]
        elif program.ceiling is not None:
            upper, limits = [*upper, row(charges)], [*limits, program.ceiling]
    sums = [row([(i * outputs + j, 1) for j in range(outputs)]) for i in range(inputs)]
    exact = [1.0] * inputs
    if program.means is not None:
        sums += [row([(i * outputs + j, program.places[j]) for j in range(outputs)]) for i in range(inputs)]
        exact += program.means.tolist()
    cost = np.zeros(width)
    if program.average is None:
        cost[-1] = 1
    else:
        cost[: inputs * outputs] = program.average.ravel()
    found = linprog(cost, A_ub=np.array(upper), b_ub=limits, A_eq=np.array(sums), b_eq=exact)
    assert found.status == 0
    return found.fun


@st.composite
def programs(draw):
    """Small programs with random losses: worst case, average, or average under a ceiling that is not tight."""
    inputs, situations, outputs = draw(st.tuples(st.integers(2, 5), st.integers(1, 2), st.integers(2, 6)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    losses = rng.random((inputs, situations, outputs)) * draw(st.sampled_from([1e-3, 1.0, 1e4]))
    worst = Program(draw(st.sampled_from([0.05, 0.5, 1.0, 3.0, 8.0])), losses)
    match draw(st.sampled_from(["worst", "average", "capped"])):
        case "worst":
            return worst
        case "average":
            return replace(worst, average=losses.mean(axis=1) / inputs)
        case _:
            least = worst.value(solve(worst).law)
            return replace(worst, average=losses.mean(axis=1) / inputs, ceiling=1.05 * least)


@settings(max_examples=60)
@given(programs())
def test_value_bound_and_naive_program_agree_and_the_integers_keep_epsilon(program):
    solution = solve(program)
    scale = program.losses.max()
    value, bound = program.value(solution.law), certified_bound(program, solution.multipliers)
    assert value == pytest.approx(naive_optimum(program), abs=1e-8 * scale)
    assert bound <= value + 1e-12 * scale
    assert value - bound < 1e-8 * scale
    rounded = round_toward_privacy(solution.law, program.epsilon)
    for column in zip(*rounded.weights, strict=True):
        assert within(max(column), min(column), program.epsilon)
    assert all(sum(row) == 1 << 52 for row in rounded.weights)
    law = np.zeros(program.size)
    law[:, rounded.outputs] = np.array(rounded.weights) / 2.0**52
    assert program.value(law) == pytest.approx(value, abs=1e-8 * scale)


def symmetric_programs():
    for inputs in (6, 7):
        task = grid_task(Interval(0, 1, cells=inputs), 2.0, inputs)
        worst = task.program(1.5)
        yield worst
        yield replace(worst, average=task.average((1.0,)))
        yield replace(worst, average=task.average((0.2, 0.6, 0.2)), ceiling=0.2)
        yield knot_task(Interval(-1, 3), 2.0, inputs, reach=3.0).program(1.5)


@pytest.mark.parametrize("program", list(symmetric_programs()))
def test_half_of_a_symmetric_program_says_everything(program):
    assert program.mirrored
    folded, whole = solve(program), _Matrices(program, np.arange(program.size[1])).solve()
    assert program.value(folded.law) == pytest.approx(program.value(whole.law), rel=1e-9)
    np.testing.assert_allclose(folded.law, np.flip(folded.law), atol=1e-12)
    for solution in (folded, whole):
        assert program.value(solution.law) - certified_bound(program, solution.multipliers) < 1e-9


def test_the_naive_twin_agrees_on_a_cut_interval_and_on_an_unbiased_law():
    for program in (
        grid_task(Interval(0, 1, cells=8), 1.0, 8).program(1.0),
        knot_task(Interval(-1, 1), 2.0, 5, reach=2.4).program(1.0),
    ):
        assert program.value(solve(program).law) == pytest.approx(naive_optimum(program), rel=1e-8)


def test_a_lopsided_program_is_not_taken_for_its_mirror_image():
    task = grid_task(Interval(0, 1, cells=6), 1.0, 6)
    assert task.program(1.0).mirrored
    assert not replace(task.program(1.0), average=task.average((0.7, 0.3))).mirrored


def test_an_infeasible_program_is_told_apart_from_a_hard_one():
    program = Program(0.1, (1 - np.eye(3))[:, None, :], average=np.ones((3, 3)), ceiling=0.1)
    with pytest.raises(Infeasible, match="no law"):
        solve(program)


def test_a_program_too_large_to_solve_is_refused_before_it_is_tried():
    with pytest.raises(InvalidParameter, match="too large"):
        Program(1.0, np.zeros((400, 1, 400)))
