"""Intervals that hold for every population, for any average of a known function over the people.

A bin's share, a point of the cumulative distribution, a mean: each is a number ψ(x) averaged over people. If
two functions of the report satisfy

    E[G₋ | x] ≤ ψ(x) ≤ E[G₊ | x]     for every true value x,

then the averages of G₋ and G₊ over the reports bracket that number in expectation *whatever the people are*:
smooth, heaped, all alike. The interval from mean G₋ − z·se₋ to mean G₊ + z·se₊ then holds as often as it
says; each end errs in half of the failures (``docs/theory/estimates.md``, "Sandwich intervals").

The best G₊ for people with shares f of the classes minimizes f·(Z·G − ψ) + z·se(G) subject to Z·G ≥ ψ, with Z
the laws of the classes. With W = 1/expected shares of the reports and M = Z·W·Zᵀ its dual is non-negative
least squares,

    λ = argmin ½·λᵀMλ − (1 + τ·(ψ − c))ᵀλ over λ ≥ 0,   G₊ = (W·Zᵀλ − 1)/τ + c,   τ = z/(n·se),

where c is any constant (here the expected average), since M·f = 1. It is solved for its slack μ = M·λ − (1 +
τ·(ψ − c)) ≥ 0, which is non-negative least squares with M⁻¹, because fewer classes have a positive slack than
a positive λ. What rounding leaves of Z·G < ψ is added to G₊, so domination never rests on the solver. G₋ is
minus the G₊ of −ψ.

A function that is chosen in the light of the reports it is then averaged over follows their accidents. So the
reports are split in two: each half is averaged with the functions whose f comes from the other. The fit and τ
then decide how wide an interval is, never which populations it holds for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import zip_longest
from typing import Final

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.estimate.channel import countable
from noisewright.estimate.em import fit_smoothly
from noisewright.estimate.functional import Answers, Functional, Inverse, average, invert, weights_of
from noisewright.estimate.partition import Classes, common_zones, equal_bins
from noisewright.estimate.tally import Tally, halves

SANDWICH: Final = (
    "two functions of the reports that are expected below and above it for every true value, each with a "
    "normal interval; holds for every population, heaped or smooth"
)
ZONES: Final = (
    "the mechanism has one law for many values; the interval covers every way in which people may be spread "
    "among those"
)
"""How intervals were made, for people to read."""

ZONE: Final = 0.02
"""Of the domain: a longer stretch of values with one law is worth a sentence."""

FITTED_BINS = 256
"""Bins of the fit that sets the weights."""

SPLIT = 40
"""Number of reports below which they are not split; their weights are even and known beforehand."""

STRENGTH = 2.8e-3
MANY = 5_000
"""Strength of that fit's smoothing if there are this many reports or more. The fit only sets weights, so
choosing a strength gains nothing; a fit to fewer reports would follow their accidents, so it is chosen."""

EVERYWHERE = 1e-3
"""The share of the weights that is spread evenly, so that no report is without expectation."""

RIDGE = 1e-9
"""Added to the diagonal of M, which is one, because neighbouring classes have almost the same law."""

STEPS = 3
"""Steps towards the τ that belongs to its own standard error."""

NEAR = 0.15
"""Of a standard error: a closer guess is good enough, since the width hardly depends on it."""

LEAST = 0.05
"""Of the standard error of a plain count: for a smaller target the best G would be constant."""

FIRST_GUESS = 3.0
"""The standard deviation of the first function, in units of the span of its functional."""

FEW = 16
"""Functionals up to which the reports are cut finely; for more, half as finely and several times as fast."""


def method_of(tally: Tally, *, value: str = "") -> str:
    """Say how a sandwich interval was made, and how its value was found if that is another way."""
    zones = common_zones([group.mechanism for group in tally.groups])
    longest = max((high - low for low, high in zones), default=0.0)
    zoned = ZONES if longest > ZONE * tally.domain.length else ""
    return "; ".join(part for part in (value, SANDWICH, zoned) if part)


@dataclass(frozen=True, eq=False)
class Bracket:
    """Averages of lower and upper functions of the reports, with their standard errors, by functional."""

    low: Floats
    low_stderr: Floats
    high: Floats
    high_stderr: Floats

    @property
    def middle(self) -> Floats:
        """Halfway between the two averages; unbiased wherever both functions are."""
        return np.asarray((self.low + self.high) / 2)

    def interval(self, reach: float) -> tuple[Floats, Floats]:
        """Return the ends, ``reach`` standard errors beyond the averages."""
        low, high = self.low - reach * self.low_stderr, self.high + reach * self.high_stderr
        return np.minimum(low, high), np.maximum(low, high)  # reports no population explains may cross them


def bracket(tally: Tally, functionals: Sequence[Functional], reach: float) -> Bracket:
    """Return lower and upper averages for functionals, best for intervals of ``reach`` standard errors."""
    fine, found, scale = len(functionals) <= FEW, [], FIRST_GUESS
    ready = _ready_functions(tally, functionals, fine=fine)
    for functional, (ready_above, ready_below) in zip(functionals, ready, strict=True):
        programs = _programs_for(tally, functional, fine=fine)
        low, high = programs[0].classes.ends(functional)
        above, above_error, scale = _above(programs, high, reach, scale, ready_above)
        below, below_error, scale = _above(programs, -low, reach, scale, [-each for each in ready_below])
        found.append((-below, below_error, above, above_error))
    return Bracket(*np.array(found).T)


def _ready_functions(
    tally: Tally, functionals: Sequence[Functional], *, fine: bool
) -> list[tuple[list[Floats], list[Floats]]]:
    """Upper and lower functions of each functional that an inversion gives, one of each for each half.

    There are none where a program is solved for all classes, since it then finds the best function there is.
    For many whole numbers it is solved for a part of them, and an inversion of all may be far better if the
    window is narrow.
    """
    programs = _programs(tally, (), fine) if countable(tally.domain) else ()
    if not programs or programs[0].classes.solved.size == programs[0].classes.laws.shape[0]:
        return [([], [])] * len(functionals)
    pairs = [program.inversions(functionals) for program in programs]
    return [
        ([above[place] for above, _ in pairs], [below[place] for _, below in pairs])
        for place in range(len(functionals))
    ]


def upper_ends(tally: Tally, functionals: Iterable[Functional], reach: float) -> Iterator[float]:
    """Yield the upper ends of intervals of ``reach`` standard errors, each computed when it is asked for."""
    scale = FIRST_GUESS
    for functional in functionals:
        programs = _programs_for(tally, functional, fine=False)
        above, stderr, scale = _above(programs, programs[0].classes.ends(functional)[1], reach, scale)
        yield above + reach * stderr


@dataclass(frozen=True, eq=False)
class Program:
    """The search for the best upper function, for the classes of a tally.

    ``shares`` of the classes come from one half of the reports, ``judged`` are the counts of the other half,
    over which the function is averaged; ``count`` is the number of all reports.
    """

    classes: Classes
    shares: Floats
    judged: tuple[Floats, ...]
    count: int

    @cached_property
    def laws(self) -> Floats:
        """Laws of the classes among which the best function is sought."""
        return self.classes.laws[self.classes.solved]

    @cached_property
    def expected(self) -> Floats:
        """The share of all reports that is expected in each part."""
        return np.asarray(self.shares @ self.laws)

    @cached_property
    def weights(self) -> Floats:
        """1 over the expected shares; 0 for reports that nobody makes."""
        return weights_of(self.expected)

    @cached_property
    def _roots(self) -> tuple[Floats, Floats, Floats]:
        """The root of M, scaled to a diagonal of one, the inverse of the root, and the scale."""
        from scipy.linalg import cholesky  # noqa: PLC0415  (scipy is slow to load)
        from scipy.linalg.lapack import dtrtri  # noqa: PLC0415

        information = (self.laws * self.weights) @ self.laws.T
        scale = np.sqrt(np.diag(information))
        scaled = information / np.outer(scale, scale)
        scaled[np.diag_indices_from(scaled)] += RIDGE
        root = np.asarray(cholesky(scaled, check_finite=False))
        return root, np.asarray(dtrtri(root)[0]), scale

    @property
    def part(self) -> float:
        """The share of all reports over which functions are averaged."""
        return float(sum(seen.sum() for seen in self.judged)) / self.count

    def above(
        self, wanted: Floats, reach: float, scale: float, ready: Floats | None = None
    ) -> tuple[float, float, float]:
        """Return the average of the best function that is nowhere expected below ``wanted``, and its error.

        ``scale`` is a first guess of the function's standard deviation, in units of the span of ``wanted``;
        the standard deviation found is returned as well, as a guess for a similar functional. ``ready`` is
        another function nowhere expected below ``wanted``, taken instead if its interval is expected to end
        lower.
        """
        function, scale = self.best_above(wanted, reach, scale)
        if ready is not None and self.end(ready[None, :], reach)[0] < self.end(function[None, :], reach)[0]:
            function = ready
        found = self.average(function[None, :])
        return float(found.value[0]), float(found.stderr[0]), scale

    def best_above(self, wanted: Floats, reach: float, scale: float) -> tuple[Floats, float]:
        """Return the best function that is nowhere expected below ``wanted``, and its scale."""
        least, span = float(wanted.min()), max(float(np.ptp(wanted)), 1e-300)
        function, scale = self._best((wanted - least) / span, reach, scale)
        return np.asarray(least + span * function), scale

    def end(self, functions: Floats, reach: float) -> Floats:
        """Return where the upper end of each function's interval is expected, without the judged reports."""
        means = functions @ self.expected
        spread = np.maximum(functions**2 @ self.expected - means**2, 0.0)
        return np.asarray(means + reach * np.sqrt(spread / self.count))

    def inversions(self, functionals: Sequence[Functional]) -> tuple[Floats, Floats]:
        """Return functions nowhere expected below, and nowhere above, functionals of whole numbers, by row.

        One inversion serves all of them; its largest error for any whole number is added.
        """
        wanted = np.array([self.classes.ends(functional)[0] for functional in functionals])
        seen = np.concatenate(self.judged)  # how many, not which
        function = invert([self.classes.laws], [self.weights], [seen], wanted).functions[0]
        off = function @ self.classes.laws.T - wanted
        least, most = np.minimum(off.min(axis=1), 0.0), np.maximum(off.max(axis=1), 0.0)
        return function - least[:, None], function - most[:, None]

    def _best(self, wanted: Floats, reach: float, scale: float) -> tuple[Floats, float]:
        """The best function for ``wanted``, which lies between 0 and 1, and its standard deviation."""
        centre = float(self.shares @ wanted[self.classes.solved])
        plain = float(np.sqrt(max(centre * (1 - centre), 1 / self.count)))
        best, least = np.ones(self.expected.size), 1.0 - centre  # a constant is above anything
        for _ in range(STEPS):
            guess = max(scale, LEAST * plain)
            function = self._solve(wanted, reach / (np.sqrt(self.count) * guess), centre)
            mean = float(self.expected @ function)
            scale = float(np.sqrt(self.expected @ (function - mean) ** 2))
            width = mean - centre + reach * scale / np.sqrt(self.count)
            if width < least:
                best, least = function, width
            if abs(scale - guess) < NEAR * guess:
                break
        return best, max(scale, LEAST * plain)

    def _solve(self, wanted: Floats, rate: float, centre: float) -> Floats:
        try:
            prices = self._prices(1 + rate * (wanted[self.classes.solved] - centre))
        except RuntimeError:  # too many iterations: a constant is not narrow, but it holds
            return np.full(self.expected.size, float(wanted.max()))
        function = ((prices @ self.laws) * self.weights - (self.weights > 0)) / rate + centre
        return np.asarray(function + max(float((wanted - self.classes.laws @ function).max()), 0.0))

    def _prices(self, target: Floats) -> Floats:
        """The λ ≥ 0 that minimizes ½·λᵀMλ − target·λ."""
        from scipy.optimize import nnls  # noqa: PLC0415  (scipy is slow to load)

        root, inverse, scale = self._roots
        free = inverse.T @ (target / scale)
        try:  # fewer classes have a slack than a price, but where few people are, rounding may hide which
            slack = nnls(inverse.T, -free)[0]
        except RuntimeError:
            return np.asarray(nnls(root, free)[0] / scale)
        prices = np.maximum(inverse @ (free + inverse.T @ slack), 0.0)
        return np.where(slack > 0, 0.0, prices) / scale

    def average(self, functions: Floats) -> Answers:
        """Average functions, one a row, over the half of the reports that judges."""
        sizes = np.cumsum([seen.size for seen in self.judged])[:-1]
        pieces, none = np.split(functions, sizes, axis=1), np.zeros(functions.shape[0])
        return average(Inverse(pieces, none, none), self.judged, np.split(self.expected, sizes))


def _above(
    programs: tuple[Program, ...], wanted: Floats, reach: float, scale: float, ready: Sequence[Floats] = ()
) -> tuple[float, float, float]:
    """The upper average over all reports: each half with the function that the other half chose.

    A value that few people have may be missing from the collection, and then no report shows it. Wilson's
    terms, z²/2n and z²/4n², make room for that: with no noise and nobody seen the upper end is z²/n, as for
    a count.
    """
    span = float(np.ptp(wanted)) * reach / (2 * programs[0].count)
    value, variance = span * reach, span**2
    for program, other in zip_longest(programs, ready):
        average_of_half, stderr, scale = program.above(wanted, reach, scale, other)
        value += program.part * average_of_half
        variance += (program.part * stderr) ** 2
    return value, float(np.sqrt(variance)), scale


def _programs_for(tally: Tally, functional: Functional, *, fine: bool) -> tuple[Program, ...]:
    return _programs(tally, () if countable(tally.domain) else functional.turns, fine)


@lru_cache(maxsize=16)
def _programs(tally: Tally, turns: tuple[float, ...], fine: bool) -> tuple[Program, ...]:
    """A program for each half of the reports, with weights from the other half."""
    classes = Classes.of(tally, turns, fine=fine)
    if tally.count < SPLIT:
        even = np.full(classes.solved.size, 1 / classes.solved.size)
        return (Program(classes, even, classes.counts(tally), tally.count),)
    first, second = halves(tally)
    return tuple(
        Program(classes, _shares(classes, learned), classes.counts(judged), tally.count)
        for learned, judged in ((first, second), (second, first))
    )


def _shares(classes: Classes, tally: Tally) -> Floats:
    """The fitted share of people in each class, with a little everywhere."""
    heights, edges = _fit(tally)
    middles = (classes.right[classes.solved][:-1] + classes.left[classes.solved][1:]) / 2
    shares = np.maximum(np.diff(np.concatenate([[0.0], np.interp(middles, edges, heights), [1.0]])), 0.0)
    return np.asarray((1 - EVERYWHERE) * shares / shares.sum() + EVERYWHERE / shares.size)


@lru_cache(maxsize=16)
def _fit(tally: Tally) -> tuple[Floats, Floats]:
    """The smoothed cumulative distribution and the places where it is known."""
    many = tally.count >= MANY
    fit = fit_smoothly(tally, FITTED_BINS, strength=STRENGTH if many else None)
    return np.concatenate([[0.0], np.cumsum(fit.shares)]), equal_bins(tally.domain, FITTED_BINS)


def bracket_numbers(
    tally: Tally, functionals: Sequence[Functional], groups: Sequence[Functional], group: Cells, reach: float
) -> Bracket:
    """Return lower and upper averages for the shares of many bins of whole numbers.

    Programs for all of them would take long. Each bin takes the functions of one inversion that serves all,
    or those of its group: no bin has more people than its group, and each may be empty. Like all functions,
    they are chosen by the other half of the reports.

    Args:
        tally: The reports of a column of whole numbers.
        functionals: The share of each bin.
        groups: The shares of larger bins.
        group: The place in ``groups`` of the one that each bin is a part of.
        reach: Standard errors by which an interval reaches beyond an average.
    """
    low, high, low_variance, high_variance = np.zeros((4, len(functionals)))
    scale, slack = FIRST_GUESS, reach / (2 * tally.count)
    for program in _programs(tally, (), False):
        above, below = program.inversions(functionals)
        above = above + slack * reach  # Wilson's term, as for functions of one program each
        wide = []
        for functional in groups:
            function, scale = program.best_above(program.classes.ends(functional)[1], reach, scale)
            wide.append(function + slack * reach)
        whole = np.array(wide)[group]
        wider = program.end(whole, reach) < program.end(above, reach)
        empty = program.end(-below, reach) > 0.0
        upper = program.average(np.where(wider[:, None], whole, above))
        lower = program.average(np.where(empty[:, None], 0.0, below))
        low, high = low + program.part * lower.value, high + program.part * upper.value
        low_variance += (program.part * lower.stderr) ** 2
        high_variance += (program.part * upper.stderr) ** 2
    return Bracket(low, np.sqrt(low_variance), high, np.sqrt(high_variance + slack**2))
