"""The mean of all columns: PAC and differential privacy at the same success of a membership attack (table 2).

    python -m benchmarks.release mean --data FOLDER

Distances (ℓ₂) to the mean of the whole pool. Each cell of PAC is the distance of a half's mean alone, then
with noise: "nats" for a budget of mutual information, "success" calibrated to the success itself. Each cell
of DP is the distance after clipping alone, then with noise. DP uses the whole pool, and Laplace noise of
scale c/(nε) on every entry of a sum of records clipped to an ℓ₁ norm of c and divided by a public n (exact
for a record or none); c is the best in hindsight, which costs nothing here and favours DP. The published
scale goes with ℓ₂ clipping, from which ε-DP does not follow in more than one dimension; it is shown too.
The two notions differ: PAC hides which world of a known pool was used, DP hides the record from everybody.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from benchmarks.release import data
from benchmarks.release.playing import RELEASES, Played
from benchmarks.release.text import Line, needed, parser, show, status
from noisewright.domains import Floats
from noisewright.release.algorithms.statistics import Mean
from noisewright.release.attacks import calibrate_success
from noisewright.release.basics.budgets import MembershipSuccess, equivalent_epsilon, posterior_success
from noisewright.release.noise import NoisePlan

BUDGETS = (1 / 4, 1 / 16, 1 / 64)
COLUMNS = ("data", "method", "1/4 nat", "1/16", "1/64")
CLIPS = np.geomspace(0.05, 1.0, 60)
"""Candidates for the clipping norm, in the largest norm of a record."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    chosen = parser("mean", __doc__).parse_args(arguments)
    folder = needed(chosen.data, "mean")
    tables = {"iris": data.iris(folder, 0, low=0.0), "dry bean": data.beans(folder)}
    lines = [line for name, parted in tables.items() for line in compared(name, parted, chosen.worlds)]
    show(f"a private mean at equal success, {chosen.worlds:,} worlds", COLUMNS, lines)
    return status(lines)


def compared(name: str, parted: data.Parted, worlds: int) -> Iterator[Line]:
    """All methods on one table."""
    played, rows = Played.of(parted, Mean(), worlds), parted.pool.rows
    successes = [posterior_success(nats) for nats in BUDGETS]
    yield Line((name, "success, ε", *(f"{one:.3f}, {equivalent_epsilon(one):.2f}" for one in successes)))
    for shape in ("optimal", "isotropic"):
        plans = [played.plan(nats, shape) for nats in BUDGETS]
        yield Line((name, f"PAC nats, {shape}", *(distances(played, plan) for plan in plans)))
    plans = [calibrated(played, success) for success in successes]
    yield Line((name, "PAC success, optimal", *(distances(played, plan) for plan in plans)))
    for order, proof in ((1, "DP"), (2, "DP scale as published")):
        epsilons = [equivalent_epsilon(success) for success in successes]
        yield Line((name, f"{proof}, ℓ{order} clip", *(clipped(rows, one, order) for one in epsilons)))


def calibrated(played: Played, success: float) -> NoisePlan:
    """The least noise that keeps a success."""
    wanted = MembershipSuccess(success)
    return calibrate_success(played.outputs, played.worlds, wanted, seed=5, trials=1 << 14)[0]


def distances(played: Played, plan: NoisePlan) -> str:
    """The mean distance of halves, and of releases, to the mean of the pool."""
    pool = played.parted.pool
    halves = played.algorithm.utility(played.outputs, pool.rows, None, played.facts)
    noised = played.algorithm.utility(played.released(plan), pool.rows, None, played.facts)
    return _pair(-np.mean(halves), -np.mean(noised))  # type: ignore[arg-type]  # a mean has a utility


def clipped(rows: Floats, epsilon: float, order: int) -> str:
    """Distances of a clipped mean without and with Laplace noise, at the clip that makes the second least."""
    norms = np.linalg.norm(rows, ord=order, axis=1)
    noise = np.random.default_rng(6).laplace(size=(RELEASES, rows.shape[1]))
    tried = []
    for clip in CLIPS * norms.max():
        bias = (rows * np.minimum(1, clip / norms)[:, None]).mean(axis=0) - rows.mean(axis=0)
        noised = np.linalg.norm(bias + noise * clip / (len(rows) * epsilon), axis=1).mean()
        tried.append((float(noised), float(np.linalg.norm(bias))))
    noised_least, bias_there = min(tried)
    return _pair(bias_there, noised_least)


def _pair(before: float, after: float) -> str:
    return f"{before:.4f}, {after:.4f}"
