"""The search for the best algorithm after the noise, and why it costs no budget.

The winner is a function of the pool, the public worlds and a public seed. The secret, which world is
released, is drawn afterwards and independently, so naming the winner reveals nothing about it, and the
release then carries what its plan allows: I(secret; winner, release) = I(secret; release | winner) ≤ the
budget.

This holds because the worlds are finite and the winner ran in *all* of them. The winner does reveal something
about the pool, in particular about its labels: like everything in this package, the search promises nothing
about the pool.

A candidate runs in its worlds, its noise is planned, and many releases of it are simulated with public
chance. Releases are judged on the records that their world left out. All candidates use the same worlds and
the same random numbers, so that they differ less by luck.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.errors import BadRelease, InvalidParameter, OutOfDomain
from noisewright.parameters import whole
from noisewright.progress import Progress
from noisewright.release.algorithms.base import Algorithm, Labels
from noisewright.release.basics.budgets import NATS
from noisewright.release.basics.worlds import Worlds
from noisewright.release.execution import Task, run_worlds
from noisewright.release.execution.kept_worlds import algorithm_folder
from noisewright.release.noise import NoisePlan, plan_noise
from noisewright.release.search.result import Attempt, Candidate, SearchResult, reason

SCREENING: Final = 8
"""One world in this many is used to screen candidates,"""

FEWEST: Final = 64
"""but at least this many worlds: noise is planned from the spread of outputs over the worlds."""

FINALISTS: Final = 4
"""One candidate in this many, and at least three, go on to all worlds."""


Planner: TypeAlias = Callable[[Floats, Worlds], NoisePlan]
"""Plans noise for the outputs of all worlds, from public chance only."""


def search(
    candidates: Sequence[Algorithm],
    rows: Floats,
    labels: Labels | None,
    worlds: Worlds,
    nats: float,
    *,
    shape: str = "optimal",
    planner: Planner | None = None,
    trials: int = 512,
    seed: int = 0,
    names: Sequence[str] | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
    keep: str | PathLike[str] | None = None,
) -> SearchResult:
    """Find the candidate that is best *after* the noise that ``nats`` require, on left-out records.

    The choice costs no nats, and the same arguments always give the same one. A candidate that fails in a
    world is dropped and reported. Many candidates are screened in an eighth of the worlds, and the best
    quarter is tried in all.

    Args:
        candidates: Algorithms to choose among, at least one.
        rows: Records of the pool, (records, features).
        labels: One label for each record; None if there are none.
        worlds: Public list of worlds.
        nats: Budget of the release for which the winner is chosen.
        shape: Shape of the noise: "optimal", "paper" or "isotropic".
        planner: Plans the noise in place of ``nats`` and ``shape``, from public chance only; None for none.
        trials: Number of simulated releases by which a candidate is judged, at least 2.
        seed: Public seed of the simulation.
        names: Names of the columns; None if they have none.
        jobs: Number of workers, as joblib counts them; None leaves it to joblib.
        progress: Called with the number of finished worlds and the number of all.
        keep: Folder for finished worlds, from which interrupted work continues; None keeps nothing. **It will
            hold exact outputs of private data**: delete it when the release is done.

    >>> import numpy as np
    >>> from noisewright.release.algorithms import Ridge
    >>> table = np.random.default_rng(0).normal(size=(40, 3))
    >>> rows, labels = table[:, :2], table[:, 0] + table[:, 2]
    >>> found = search([Ridge(0.1), Ridge(100.0)], rows, labels, Worlds(40, count=32), nats=1 / 64)
    >>> found.best
    Ridge(alpha=100.0)
    """
    if not candidates:
        raise InvalidParameter("there are no candidates to search; give at least one algorithm")
    NATS.check(nats)
    contest = Contest(
        rows,
        labels,
        None if names is None else tuple(names),
        worlds,
        planner or (lambda outputs, _: plan_noise(outputs, nats, shape)),
        whole("trials", trials, 2, 1 << 20),
        whole("seed", seed, 0, (1 << 63) - 1),
        jobs,
        keep,
        progress or (lambda done, total: None),
    )
    return contest.hold(list(candidates))


@dataclass(eq=False)
class Contest:
    """One running search: its common inputs, the dropped candidates with reasons, and its progress."""

    rows: Floats
    labels: Labels | None
    names: tuple[str, ...] | None
    worlds: Worlds
    planner: Planner
    trials: int
    seed: int
    jobs: int | None
    keep: str | PathLike[str] | None
    progress: Progress
    dropped: list[tuple[Algorithm, str]] = field(default_factory=list)
    done: int = 0
    total: int = 0

    def hold(self, candidates: list[Algorithm]) -> SearchResult:
        """Screen the candidates if there are many, and return the best of those that ran in all worlds."""
        few, finalists = screening(len(candidates), self.worlds)
        self.total = finalists * self.worlds.count
        screened: list[Attempt] = []
        if few is not None:
            self.total += len(candidates) * few.count
            screened = self.rank(candidates, few)
            candidates = [each.algorithm for each in screened]
        for first in range(0, len(candidates), finalists):
            tried = self.rank(candidates[first : first + finalists], self.worlds)
            if tried:  # otherwise all of them failed in a world outside the screening
                table = (*tried, *screened[first + finalists :])
                return SearchResult(
                    tried[0].algorithm,
                    self.worlds,
                    tried[0].facts,
                    tried[0].outputs,
                    tried[0].plan,
                    tuple(Candidate.of(each) for each in table),
                    tuple(self.dropped),
                    reason(tried),
                )
        raise BadRelease(
            f"every candidate failed; the first was {self.dropped[0][0]!r}: {self.dropped[0][1]}"
        )

    def rank(self, algorithms: list[Algorithm], worlds: Worlds) -> list[Attempt]:
        """Return the attempts that did not fail, the best first; those that failed are dropped."""
        self.total = max(self.total, self.done + len(algorithms) * worlds.count)
        found = []
        for algorithm in algorithms:
            try:
                found.append(self.attempt(algorithm, worlds))
            except (BadRelease, InvalidParameter, OutOfDomain) as error:
                self.dropped.append((algorithm, str(error)))
            self.done += worlds.count
        return sorted(found, key=lambda each: -each.utility)

    def attempt(self, algorithm: Algorithm, worlds: Worlds) -> Attempt:
        """Run a candidate and measure its utility."""
        facts = algorithm.facts(self.rows, self.labels, self.names)
        task = Task(algorithm, facts, self.rows, self.labels)
        outputs = run_worlds(
            task,
            worlds,
            jobs=self.jobs,
            progress=lambda done, _: self.progress(self.done + done, self.total),
            keep=algorithm_folder(self.keep, algorithm, worlds),
        )
        plan = self.planner(outputs, worlds)
        chosen = pick_worlds(worlds.count, self.trials, self.seed)
        cells = plan.simulate(chosen, np.random.default_rng([self.seed, 3]))
        pairs = np.stack([plan.vector(cells), outputs[chosen]], axis=1)
        judged = np.array(
            [judge(task, pair, ~worlds.member[world]) for pair, world in zip(pairs, chosen, strict=True)]
        )
        return Attempt(algorithm, facts, outputs, plan, judged[:, 0], judged[:, 1])


def judge(task: Task, vectors: Floats, others: NDArray[np.bool_]) -> Floats:
    """Return the utility of vectors on the records that their world left out."""
    found, name = task.utility(vectors, others), type(task.algorithm).__name__
    if found is None:
        raise BadRelease(
            f"{name} has no measure of utility, so there is nothing to search by; "
            "pass labels if it can use them, or choose its parameters yourself"
        )
    if not np.isfinite(found).all():
        raise BadRelease(f"the utility of {name} is not a finite number after the noise")
    return found


def screening(candidates: int, worlds: Worlds) -> tuple[Worlds | None, int]:
    """Return the worlds for screening candidates, if that saves work, and how many candidates go on.

    >>> screening(8, Worlds(records=100, count=1024))
    (Worlds(records=100, count=128, seed=0), 3)
    >>> screening(8, Worlds(records=100, count=64))
    (None, 8)
    """
    count = max(FEWEST, worlds.count // SCREENING // 2 * 2)
    finalists = max(3, -(-candidates // FINALISTS))
    if candidates <= finalists or 2 * count > worlds.count:
        return None, candidates
    return Worlds(worlds.records, count, worlds.seed), finalists


def pick_worlds(count: int, trials: int, seed: int) -> Cells:
    """Pick the worlds of the trials: all equally often, up to a remainder, in random order.

    >>> sorted(pick_worlds(count=4, trials=8, seed=0).tolist())
    [0, 0, 1, 1, 2, 2, 3, 3]
    """
    generator = np.random.default_rng([seed, 4])
    rounds = [generator.permutation(count) for _ in range(-(-trials // count))]
    return np.concatenate(rounds)[:trials]
