"""The search for a worst pair near a database, by successive halving: many pairs race on few runs.

Few samples for all, more for the quarter that looks worst, and so on. Every round costs about the same
(Jamieson and Talwalkar 2016), so a thousand pairs cost five times the first look at them, and those that
decide the race have been sampled a hundred times as often as the first to leave.

What comes out is a ranking and no statement about privacy: whoever states one draws fresh samples for the
winner, so that the race cannot have favoured them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from typing import Any, Final

import numpy as np

from noisewright.audit.basics.budget import run_count
from noisewright.audit.basics.claim import Claim, Claimed
from noisewright.audit.basics.outputs import Outputs
from noisewright.audit.blackbox import black_box
from noisewright.audit.neighbours.draws import Drawing, Order
from noisewright.audit.neighbours.pairs import Pair
from noisewright.audit.neighbours.proposals import Proposals, SearchRequest, propose
from noisewright.audit.neighbours.statistics import yardstick
from noisewright.errors import InvalidParameter
from noisewright.progress import Progress

# -- how many samples each pair gets -------------------------------------------------------------------


QUOTIENT: Final = 4
"""Of this many pairs one goes on to the next round."""

SHARED: Final = 4
"""Samples of a shared left database for one of each right: enough that it adds little noise of its own."""

LEAST: Final = 30
"""Samples of a right database below which a round says nothing."""


def field_sizes(pairs: int) -> list[int]:
    """Return how many pairs are in each round.

    >>> field_sizes(1000), field_sizes(3)
    ([1000, 250, 63, 16, 4], [3])
    """
    sizes = [pairs]
    while sizes[-1] > QUOTIENT:
        sizes.append(-(-sizes[-1] // QUOTIENT))
    return sizes


def left_share(pairs: int) -> int:
    """Samples of a left database for one of each of its rights."""
    return min(SHARED, pairs)


def draws(sharing: Sequence[int], budget: int) -> int:
    """Samples of each right when ``sharing[k]`` pairs share the k-th left and the round may cost ``budget``.

    >>> draws([1000], 100_400)
    100
    """
    return budget // sum(pairs + left_share(pairs) for pairs in sharing)


def fewest(sharing: Sequence[int]) -> int:
    """Samples below which a race is spread too thin to tell pairs apart.

    >>> fewest([1000])
    150600
    """
    return len(field_sizes(sum(sharing))) * LEAST * sum(pairs + left_share(pairs) for pairs in sharing)


def check_budget(samples: int, sharing: Sequence[int], needed: int, to: str = "the search") -> None:
    """Refuse fewer samples than are needed, and say how many are.

    Args:
        samples: Runs that were given.
        sharing: How many pairs share each left database.
        needed: Runs that are needed.
        to: What should be given more, in the refusal.
    """
    if samples < needed:
        raise InvalidParameter(
            f"{samples} samples are too few to screen {sum(sharing)} neighbours; give {to} at least "
            f"{needed}, or look at fewer rows"
        )


# -- the race ------------------------------------------------------------------------------------------


NOTHING: Final = Outputs(np.empty((0, 1)))

OURS: Final = "made up by the search; beyond=False (--no-beyond) keeps to the database itself"
"""Added to a failure on a made-up database."""


@dataclass(frozen=True)
class Screened:
    """What a race saw of a pair: the ε it suggests (nothing below 0), after how many rounds and samples.

    A suggestion to rank by, not a bound.

    Attributes:
        name: What the pair is called.
        statistic: The ε that it suggests; nothing below 0.
        rounds: How many rounds it was in the race.
        samples: Runs on its right database.
    """

    name: str
    statistic: float
    rounds: int
    samples: int


def sharing(pairs: Sequence[Pair]) -> list[int]:
    """Return how many of these pairs share each left database."""
    return list(Counter(id(pair.left) for pair in pairs).values())


def screen(proposals: Proposals, drawing: Drawing, claim: Claim | None) -> Found:
    """Rank proposed pairs by what they seem to show at the claim's δ, the most exposed first.

    Args:
        proposals: What is ranked.
        drawing: What runs the mechanism, as often as it is wanted at most.
        claim: What is said to hold; None ranks at δ = 0.
    """
    runners = [_Runner(pair) for pair in proposals.pairs]
    by_left: dict[int, _Group] = {}  # one and the same object, not an equal one
    for runner in runners:
        by_left.setdefault(id(runner.pair.left), _Group([])).runners.append(runner)
    groups, shared = list(by_left.values()), sharing(proposals.pairs)
    check_budget(drawing.wanted, shared, fewest(shared))
    sizes = field_sizes(len(runners))
    for size in sizes:
        _run_round(groups, drawing, drawing.wanted // len(sizes), claim.delta if claim else 0.0)
        runners[:size] = sorted(runners[:size], key=lambda runner: -runner.statistic)
        staying = set(map(id, runners[: -(-size // QUOTIENT)]))
        for group in groups:
            group.runners = [runner for runner in group.runners if id(runner) in staying]
        groups = [group for group in groups if group.runners]
    seen = [Screened(each.pair.name, each.statistic, each.rounds, len(each.outputs)) for each in runners]
    pairs = tuple(runner.pair for runner in runners)
    return Found(pairs, tuple(seen), drawing.spent, proposals.people, proposals.passed_over)


@dataclass(eq=False)
class _Runner:
    """A pair in the race, and the outputs for its right database so far."""

    pair: Pair
    outputs: Outputs = NOTHING
    statistic: float = -np.inf
    rounds: int = 0


@dataclass(eq=False)
class _Group:
    """The pairs still in the race that share a left database, and the outputs for it so far."""

    runners: list[_Runner]
    outputs: Outputs = NOTHING

    def orders(self, each: int) -> list[Order]:
        """Return what to draw: for the shared database first, then for each of the others."""
        pair = self.runners[0].pair
        name = "the database itself" if pair.made_up is None else f"{pair.made_up} ({OURS})"
        first = Order(name, partial(_itself, pair.left), each * left_share(len(self.runners)))
        return [first] + [
            Order(one.name if one.made_up is None else f"{one.name} ({OURS})", one.make_right, each)
            for one in (runner.pair for runner in self.runners)
        ]

    def take(self, drawn: Sequence[Outputs], delta: float) -> None:
        """Add what was drawn by such orders, and measure every pair anew."""
        self.outputs = Outputs.join([self.outputs, drawn[0]])
        for runner, outputs in zip(self.runners, drawn[1:], strict=True):
            runner.outputs = Outputs.join([runner.outputs, outputs])
            runner.rounds += 1
        measure = yardstick(self.outputs, [runner.outputs for runner in self.runners])
        for runner in self.runners:
            runner.statistic = measure(runner.outputs, delta)


def _run_round(groups: list[_Group], drawing: Drawing, budget: int, delta: float) -> None:
    each = draws([len(group.runners) for group in groups], budget)
    orders = [group.orders(each) for group in groups]
    drawn = iter(drawing.fill(list(chain.from_iterable(orders))))
    for group, asked in zip(groups, orders, strict=True):
        group.take(list(islice(drawn, len(asked))), delta)


def _itself(database: Any) -> Any:
    return database


# -- the search ----------------------------------------------------------------------------------------


SAMPLES: Final = 1_000_000
"""Default number of runs of a search."""


@dataclass(frozen=True, eq=False)
class Found:
    """The pair that looked most exposed, all that were screened, and what the search cost.

    No number in here is a bound: audit :attr:`pair` on fresh runs, and the search costs nothing else.

    Attributes:
        pairs: All pairs, the most exposed first.
        screened: What the race saw of each pair, in the same order.
        samples: Runs of the search.
        people: Rows of the database.
        passed_over: Rows that were not examined because there were too many.
    """

    pairs: tuple[Pair, ...]
    screened: tuple[Screened, ...]
    samples: int
    people: int
    passed_over: int

    @property
    def pair(self) -> Pair:
        """The most exposed pair."""
        return self.pairs[0]

    def explain(self) -> str:
        """Return what was searched and what was found, for people."""
        rest = f" {self.passed_over:,} rows were not examined." if self.passed_over else ""
        ours = "" if self.pair.made_up is None else "; the search made this database up"
        return (
            f"Of {len(self.screened):,} pairs of neighbours, screened with {self.samples:,} runs, "
            f"the most exposed looks to be: {self.pair.name} (rows count from 0{ours}).{rest} "
            "Screening ranks pairs; it bounds nothing."
        )


def find_pair(
    mechanism: Any,
    database: Any,
    *,
    claim: Claimed | None = None,
    samples: float = SAMPLES,
    vectorized: bool = False,
    timeout: float = 60.0,
    jobs: int | None = None,
    seed: int | np.random.SeedSequence | None = None,
    progress: Progress | None = None,
    **search: Any,
) -> Found:
    """Screen the neighbours of a database for the pair that a mechanism treats most differently.

    Args:
        mechanism: A function, a mechanism, a command line, a web address, or a :class:`BlackBox`.
        database: An array, a list of records, an Arrow or pandas table, a dictionary of columns; or a vector
            of answers to queries.
        claim: What the mechanism is said to keep; pairs are ranked at its δ, or at 0.
        samples: Runs of the whole search.
        vectorized: Whether a function takes a count as well, and returns that many outputs at once.
        timeout: Seconds that one call may take.
        jobs: Processes that run the mechanism; -1 for all cores. None leaves it to joblib: this one alone,
            unless ``joblib.parallel_config`` names workers.
        seed: The seed of the search; None draws a fresh one.
        progress: Called with the runs made so far and those wanted.
        search: Fields of :class:`SearchRequest` by name: ``relation``, ``beyond``, ``bounds``,
            ``sensitivity``, ``times``, ``most``.

    >>> def release(data, count, generator):
    ...     return data.sum() + generator.laplace(size=count)
    >>> data = np.array([0.1, 0.2, 9.0, 0.3])
    >>> find_pair(release, data, samples=20_000, beyond=False, vectorized=True, seed=1).pair.name
    'row 2 removed'
    """
    samples, claimed = run_count(samples, fewest=1), Claim.of(claim)
    chance = seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(seed)
    proposing, drawing_seeds = chance.spawn(2)
    proposals = propose(database, SearchRequest(**search), seed=proposing)
    box = black_box(mechanism, vectorized=vectorized, timeout=timeout)
    return screen(proposals, Drawing(box, drawing_seeds, jobs, progress, samples), claimed)
