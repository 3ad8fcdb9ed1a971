"""Solve a program with HiGHS: the direct program with one floor an output.

With Pᵢⱼ = lⱼ + qᵢⱼ the bounds lⱼ ≤ Pᵢⱼ ≤ e^ε·lⱼ are qᵢⱼ ≥ 0, which costs nothing, and qᵢⱼ ≤ (e^ε − 1)·lⱼ,
one sparse row a pair. The dual simplex takes 128 inputs and 129 outputs in a second or two. Building the
law from its extreme columns instead (entries of 1 and e^ε only, Kairouz et al. 2016) needs fewer rows. But a
great number of columns are equally good, and generating them takes hundreds of times as long.

Only half of a symmetric program is solved. Averaging a law with its mirror image keeps ε and every charge of
a program that is its own mirror image, so one of its best laws is symmetric. The lower half of the inputs
determines it, and an output and its image share a floor. Inputs and their images share prices, too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewright.design.program import Multipliers, Program, Solution
from noisewright.domains import Floats
from noisewright.errors import InvalidParameter

TOLERANCE = 1e-10
"""The smallest tolerance for constraints that HiGHS accepts."""

INFEASIBLE = 2
"""The status of ``linprog`` for a program without any solution."""


class Infeasible(InvalidParameter):
    """No law keeps all the constraints of a program."""


def solve(program: Program) -> Solution:
    """Return the law with the least value, and the multipliers that prove it.

    >>> coin = Program(math.log(3), losses=(1 - np.eye(2))[:, None, :])
    >>> solve(coin).law.round(6).tolist()   # randomized response
    [[0.75, 0.25], [0.25, 0.75]]
    """
    inputs, outputs = program.size
    places = np.arange(outputs)
    if not program.mirrored:
        return _Matrices(program, places).solve()
    return unfold(_Matrices(lower_half(program), np.minimum(places, places[::-1])).solve(), inputs)


def _sparse() -> Any:
    """Return the module of sparse matrices; SciPy takes long to import."""
    from scipy import sparse  # noqa: PLC0415

    return sparse


@dataclass(frozen=True, eq=False)
class _Matrices:
    """The sparse matrices of a program.

    The variables are the excesses qᵢⱼ, row after row; the floors, of which output j has number ``floor[j]``;
    and t, the worst case. Floors are in units of 1/(e^ε − 1) where that is small: coefficients stay near one.
    """

    program: Program
    floor: NDArray[np.int64]

    @property
    def gain(self) -> float:
        """How far a probability may exceed its floor, in floors."""
        return math.expm1(self.program.epsilon)

    @property
    def unit(self) -> float:
        """The unit of probability in which floors are measured."""
        return 1 / max(1.0, self.gain)

    def solve(self) -> Solution:
        """Hand the matrices to HiGHS and read its answer."""
        from scipy.optimize import linprog  # noqa: PLC0415  (scipy takes long to import)

        limits, most = self._limits()
        sums, exact = self._sums()
        answer = linprog(
            self._costs(), A_ub=limits, b_ub=most, A_eq=sums, b_eq=exact, method="highs-ds",
            options={"primal_feasibility_tolerance": TOLERANCE, "dual_feasibility_tolerance": TOLERANCE},
        )  # fmt: skip
        if answer.status == INFEASIBLE:
            raise Infeasible("no law of this epsilon keeps all the constraints of the design")
        if answer.status != 0:
            raise InvalidParameter(f"the linear program of the design was not solved: {answer.message}")
        return Solution(self._law(answer.x), self._multipliers(answer))

    # -- the matrices ------------------------------------------------------------------------------

    def _charge(self, rows: Any) -> Any:
        """Return rows over probabilities as rows over the variables; excess and floor are charged alike."""
        sparse = _sparse()
        inputs, outputs = self.program.size
        ones = np.full(outputs, self.unit)
        shared = sparse.csr_array((ones, (np.arange(outputs), self.floor)), shape=(outputs, self._floors))
        every = sparse.vstack([shared] * inputs)
        return sparse.hstack([rows, rows @ every])

    def _blocks(self, charges: Floats) -> Any:
        """Return charges of single inputs (input, row, output) as rows over all probabilities."""
        return _sparse().block_diag(list(charges), format="csr")

    @property
    def _floors(self) -> int:
        return int(self.floor.max()) + 1

    def _costs(self) -> Floats:
        inputs, outputs = self.program.size
        if self.program.average is None:
            return np.append(np.zeros(inputs * outputs + self._floors), 1.0)
        row = _sparse().csr_array(self.program.average.reshape(1, -1))
        return np.append(self._charge(row).toarray().ravel(), 0.0)

    def _limits(self) -> tuple[Any, Floats]:
        """Return the inequalities: excesses below floors, expected losses below t or the ceiling, if any."""
        sparse = _sparse()
        excess = self._excess()
        rows, last, most = [excess], [np.zeros(excess.shape[0])], [np.zeros(excess.shape[0])]
        if self.program.limited:
            worst = self._charge(self._blocks(self.program.losses / self._level))
            minimax = self.program.average is None
            rows.append(worst)
            last.append(np.full(worst.shape[0], -1.0 if minimax else 0.0))
            most.append(np.full(worst.shape[0], 0.0 if minimax else 1.0))
        column = np.concatenate(last)[:, None]
        return sparse.hstack([sparse.vstack(rows), column], format="csc"), np.concatenate(most)

    @property
    def _level(self) -> float:
        """The unit of the worst case, so that tolerances are shares of the ceiling."""
        return self.program.ceiling or 1.0

    def _excess(self) -> Any:
        """Return qᵢⱼ − (e^ε − 1)·lⱼ, one row a pair."""
        sparse = _sparse()
        inputs, outputs = self.program.size
        pairs = np.arange(inputs * outputs)
        slopes = np.full(pairs.size, -self.gain * self.unit)
        shape = (pairs.size, self._floors)
        rise = sparse.csr_array((slopes, (pairs, np.tile(self.floor, inputs))), shape=shape)
        return sparse.hstack([sparse.eye_array(pairs.size), rise])

    def _sums(self) -> tuple[Any, Floats]:
        """Return the equalities: probabilities sum to one, and expected reports equal the means."""
        sparse = _sparse()
        inputs, outputs = self.program.size
        charges, exact = np.ones((inputs, 1, outputs)), np.ones(inputs)
        rows = self._charge(self._blocks(charges))
        if self.program.means is not None:
            assert self.program.places is not None
            places = np.broadcast_to(self.program.places, charges.shape)
            rows = sparse.vstack([rows, self._charge(self._blocks(places))])
            exact = np.concatenate([exact, self.program.means])
        return sparse.hstack([rows, np.zeros((rows.shape[0], 1))], format="csc"), exact

    # -- the answer --------------------------------------------------------------------------------

    def _law(self, variables: Floats) -> Floats:
        """Return probabilities within their bounds, whose rows sum to one up to the last digits."""
        inputs, outputs = self.program.size
        excess = variables[: inputs * outputs].reshape(inputs, outputs)
        floors = np.maximum(variables[inputs * outputs : -1], 0.0)[self.floor] * self.unit
        law = floors + np.clip(excess, 0.0, self.gain * floors)
        return np.asarray(law / law.sum(axis=1, keepdims=True))

    def _multipliers(self, answer: Any) -> Multipliers:
        inputs, outputs = self.program.size
        exact = np.asarray(answer.eqlin.marginals)
        situations = np.zeros(self.program.losses.shape[:2])
        if self.program.limited:
            prices = -np.asarray(answer.ineqlin.marginals)[inputs * outputs :] / self._level
            situations = prices.reshape(situations.shape)
        means = exact[inputs:] if self.program.means is not None else np.zeros(inputs)
        return Multipliers(np.maximum(situations, 0.0), exact[:inputs], means)


# -- half of a symmetric program -------------------------------------------------------------------


def lower_half(program: Program) -> Program:
    """Return a symmetric program for the lower half of its inputs, an input in the middle included."""
    inputs, _ = program.size
    kept = -(-inputs // 2)
    average = program.average
    if average is not None:
        average = (average + np.flip(average))[:kept]
        average[inputs // 2 :] /= 2  # the middle is its own image
    means = None if program.means is None else program.means[:kept]
    return replace(program, losses=program.losses[:kept], average=average, means=means)


def unfold(half: Solution, inputs: int) -> Solution:
    """Return the law and the prices of all inputs from those of the lower half."""
    prices = half.multipliers
    return Solution(
        law=_reflect(half.law, inputs),
        multipliers=Multipliers(
            situations=_share_prices(prices.situations, inputs),
            inputs=_share_prices(prices.inputs, inputs),
            means=_share_prices(prices.means, inputs, sign=-1.0),
        ),
    )


def _reflect(half: Floats, inputs: int, sign: float = 1.0) -> Floats:
    """Return rows with their mirror images after them; a row in the middle is averaged with its own."""
    image = sign * np.flip(half)
    middle, single = inputs // 2, inputs % 2
    centre = (half[middle:] + image[:single]) / 2
    return np.concatenate([half[:middle], centre, image[single:]])


def _share_prices(prices: Floats, inputs: int, sign: float = 1.0) -> Floats:
    """Return prices split evenly between inputs and their images."""
    halved = prices.copy()
    halved[: inputs // 2] /= 2
    return _reflect(halved, inputs, sign)
