"""The search itself, and why it is free.

The winner is a function of the pool, the public worlds and a public seed. The secret, which world is
released, is drawn afterwards and independently, so naming the winner says nothing about it, and the release
then carries what its plan allows: I(secret; winner, release) = I(secret; release | winner) ≤ the budget.

That is so because the worlds are finite and the winner ran in *all* of them. What the winner does tell about
is the pool, its labels above all: like everything in this room, the search promises nothing about the pool.
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Final

from noisewright.domains import Floats
from noisewright.errors import BadRelease, InvalidParameter, OutOfDomain
from noisewright.parameters import whole
from noisewright.release.algorithms.base import Algorithm, Labels
from noisewright.release.budget import NATS
from noisewright.release.noise import plan_noise
from noisewright.release.running import Progress
from noisewright.release.search.result import SearchResult, Tried, reason
from noisewright.release.search.trying import Attempt, Planner, Setting, attempt
from noisewright.release.worlds import Worlds

SCREENING: Final = 8
"""Candidates are first tried in one world of so many,"""

FEWEST: Final = 64
"""but in no fewer than these: noise is planned from how outputs spread over the worlds."""

FINALISTS: Final = 4
"""Then one candidate of so many, and at least three, is tried in all worlds."""


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
    """The candidate that is best *after* the noise that ``nats`` ask of it, judged on records left out.

    The choice costs no nats, and the same arguments always give the same one. A candidate that fails in a
    world is dropped and reported. Many candidates are screened in an eighth of the worlds, and the best
    quarter tried in all. ``planner`` plans the noise in place of ``nats`` and ``shape``, from public chance
    only; ``keep`` is as for :func:`~noisewright.release.running.run_worlds`.

    >>> import numpy as np
    >>> from noisewright.release.algorithms.ridge import Ridge
    >>> table = np.random.default_rng(0).normal(size=(40, 3))
    >>> rows, labels = table[:, :2], table[:, 0] + table[:, 2]
    >>> found = search([Ridge(0.1), Ridge(100.0)], rows, labels, Worlds(40, count=32), nats=1 / 64)
    >>> found.best
    Ridge(alpha=100.0)
    """
    if not candidates:
        raise InvalidParameter("there are no candidates to search; give at least one algorithm")
    NATS.check(nats)
    setting = Setting(
        rows,
        labels,
        None if names is None else tuple(names),
        planner or (lambda outputs, _: plan_noise(outputs, nats, shape)),
        whole("trials", trials, 2, 1 << 20),
        whole("seed", seed, 0, (1 << 63) - 1),
        jobs,
        keep,
    )
    contest = Contest(setting, worlds, progress)
    return contest.hold(list(candidates))


class Contest:
    """One search under way: who was dropped and why, and how many worlds were run of how many."""

    def __init__(self, setting: Setting, worlds: Worlds, progress: Progress | None) -> None:
        self.setting, self.worlds = setting, worlds
        self.progress: Progress = progress or (lambda done, total: None)
        self.dropped: list[tuple[Algorithm, str]] = []
        self.done = self.total = 0

    def hold(self, candidates: list[Algorithm]) -> SearchResult:
        """Screen the candidates if there are many, and take the best of those that ran in all worlds."""
        few, finalists = screening(len(candidates), self.worlds)
        self.total = finalists * self.worlds.count
        screened: list[Attempt] = []
        if few is not None:
            self.total += len(candidates) * few.count
            screened = self.rank(candidates, few)
            candidates = [each.algorithm for each in screened]
        for first in range(0, len(candidates), finalists):
            tried = self.rank(candidates[first : first + finalists], self.worlds)
            if tried:  # otherwise all of them failed in a world that the screening did not see
                return self.result(tried, screened[first + finalists :])
        raise BadRelease(
            f"every candidate failed; the first was {self.dropped[0][0]!r}: {self.dropped[0][1]}"
        )

    def rank(self, algorithms: list[Algorithm], worlds: Worlds) -> list[Attempt]:
        """Attempts that did not fail, the best first."""
        self.total = max(self.total, self.done + len(algorithms) * worlds.count)
        found = [self.tried(algorithm, worlds) for algorithm in algorithms]
        return sorted([each for each in found if each is not None], key=lambda each: -each.utility)

    def tried(self, algorithm: Algorithm, worlds: Worlds) -> Attempt | None:
        """One attempt; None if it fails."""
        before = self.done
        self.done += worlds.count
        try:
            return attempt(
                algorithm, self.setting, worlds, lambda done, _: self.progress(before + done, self.total)
            )
        except (BadRelease, InvalidParameter, OutOfDomain) as error:
            self.dropped.append((algorithm, str(error)))
            return None

    def result(self, tried: list[Attempt], screened: list[Attempt]) -> SearchResult:
        """The best of the tried; the screened that came no further complete the table."""
        best = tried[0]
        return SearchResult(
            best.algorithm,
            self.worlds,
            best.facts,
            best.outputs,
            best.plan,
            tuple(Tried.of(each) for each in (*tried, *screened)),
            tuple(self.dropped),
            reason(tried),
        )


def screening(candidates: int, worlds: Worlds) -> tuple[Worlds | None, int]:
    """The worlds in which candidates are screened, if that saves anything, and how many of them go on.

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
