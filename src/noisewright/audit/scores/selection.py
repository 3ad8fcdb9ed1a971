"""The score that tells the two inputs apart best on rows kept back from fitting, and giveaways beside it.

A giveaway is an exact value that points to one input. Continuous noise never gives one number twice, so an
output that repeats while all others differ is no accident. A mechanism that publishes the true value in one
run of a thousand repeats it, and a score that looks at sizes alone never sees it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from noisewright.audit.basics.outputs import MOST, Outputs
from noisewright.audit.encoding import Encoder, Features
from noisewright.audit.encoding.encoder import float_words
from noisewright.audit.scores.classifiers import (
    AdditiveScore,
    BoostingScore,
    ForeignScore,
    LinearScore,
    NetworkScore,
    SidesScore,
    is_classifier,
)
from noisewright.audit.scores.score import (
    GRAIN,
    BinnedScore,
    CountingScore,
    GrainScore,
    MonotoneChances,
    Score,
    SingledOut,
    ValueScore,
    log_losses,
)
from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import shown

SCORES: Mapping[str, Callable[..., Score]] = {
    "value": ValueScore.fit,
    "counting": CountingScore.fit,
    "bins": BinnedScore.fit,
    "grain": GrainScore.fit,
    "sides": SidesScore.fit,
    "linear": LinearScore.fit,
    "additive": AdditiveScore.fit,
    "boosting": BoostingScore.fit,
    "network": NetworkScore.fit,
}

HELD_OUT = 0.25
"""Share of the fitting rows that candidates are judged on; half of it turns scores into chances."""

MOST_HELD_OUT = 500_000
FEWEST_HELD_OUT = 20
FEW_ROWS = 20_000
"""Up to this number of fitting rows, any score is fitted again on all of them."""

CLEARLY = {"bins": 3.0}
"""Standard errors by which a less simple candidate must do better, by default one. The output itself has
nothing to learn, so bins that are only luckier cost more than they bring."""

MANY_ATOMS = 64
"""With more different outputs than this, counts are rough enough for other scores to compete."""

Fit = Callable[[Features, Features], Score]

Sides = tuple[Features, Features]


@dataclass(frozen=True)
class Chosen:
    """The score, and the held-out log-loss in nats of every candidate (ln 2 = 0.693 is guessing).

    Attributes:
        score: The chosen score.
        losses: The held-out log-loss of every candidate by name, in nats.
    """

    score: Score
    losses: dict[str, float]


def choose_score(
    left: Features, right: Features, encoder: Encoder, wanted: Any = "auto", seed: int = 0
) -> Chosen:
    """Return the best score that the fitting rows can give; candidates are judged on held-out rows.

    No score wins everywhere. Candidates come in order of simplicity, and a later one is taken only if its
    log-loss is clearly smaller. If ``wanted`` names one (or is a classifier), there is no choice.

    Args:
        left: Features of the fitting rows of the left input.
        right: Those of the right input.
        encoder: The encoder that made the features.
        wanted: "auto", or the name of a score or a scikit-learn classifier, which leaves no choice.
        seed: The seed of candidates that use randomness.

    >>> rows = np.random.default_rng(1).laplace(size=(2000, 1))
    >>> from noisewright.audit.encoding import fit_encoder
    >>> from noisewright.audit.basics.outputs import MOST, Outputs
    >>> encoder = fit_encoder(Outputs(rows), Outputs(rows + 1))
    >>> choose_score(Features(rows), Features(rows + 1), encoder).score.title
    'the output itself'
    """
    candidates = _candidates(encoder, wanted, seed)
    training, calibrating, judging = _split_rows(left, right)
    scores = {name: fit(*training) for name, fit in candidates.items()}
    if len(judging[0]) < FEWEST_HELD_OUT:  # too few rows to judge: the simplest
        name = next(iter(scores))
        return Chosen(candidates[name](left, right), {})
    losses = {name: log_losses(score, calibrating, judging) for name, score in scores.items()}
    best = _best(losses)
    again = scores[best].cheap or min(len(left), len(right)) <= FEW_ROWS
    score = candidates[best](left, right) if again else scores[best]
    if isinstance(wanted, str) and wanted == "auto" and not isinstance(score, CountingScore):
        held_out = left[len(training[0]) :], right[len(training[1]) :]
        score = with_giveaways(score, left, right, encoder, held_out)
    return Chosen(score, {name: float(loss.mean()) for name, loss in losses.items()})


def check_wanted(wanted: Any) -> None:
    """Refuse anything that is neither the name of a score nor a classifier.

    Args:
        wanted: The name of a score, "auto", or a scikit-learn classifier.
    """
    known = wanted == "auto" or wanted in SCORES if isinstance(wanted, str) else is_classifier(wanted)
    if not known:
        raise InvalidParameter(
            f"must be auto, {', '.join(SCORES)} or a scikit-learn classifier, got {shown(wanted)}",
            field="score",
        )


def _candidates(encoder: Encoder, wanted: Any, seed: int) -> dict[str, Fit]:
    check_wanted(wanted)
    if not isinstance(wanted, str):
        return {type(wanted).__name__: lambda left, right: ForeignScore.fit(wanted, left, right)}
    names = _suitable(encoder) if wanted == "auto" else [wanted]
    return {name: partial(SCORES[name], encoder=encoder, seed=seed) for name in names}


def _suitable(encoder: Encoder) -> Iterator[str]:
    """Yield suitable candidates in order of simplicity."""
    if encoder.atoms is not None and encoder.exact:
        yield "counting"
    if encoder.width == 1:
        yield from ("value", "bins")
    if GRAIN in encoder.columns:
        yield from ("grain", "counting")
    few = encoder.atoms is not None and len(encoder.atoms) <= MANY_ATOMS
    if encoder.width != 1 and not few:
        yield from ("sides", "linear", "additive")
        if len(encoder.columns) > 1:
            yield from ("boosting", "network")


def _split_rows(left: Features, right: Features) -> tuple[Sides, Sides, Sides]:
    """Return rows to train on, to turn scores into chances, and to judge by; slices, so nothing is copied."""
    rows = min(len(left), len(right))
    half = min(int(rows * HELD_OUT), MOST_HELD_OUT) // 2
    sides = left, right
    training = tuple(side[: len(side) - 2 * half] for side in sides)
    calibrating = tuple(side[len(side) - 2 * half : len(side) - half] for side in sides)
    judging = tuple(side[len(side) - half :] for side in sides)
    return training, calibrating, judging  # type: ignore[return-value]


def _best(losses: Mapping[str, Floats]) -> str:
    """Return the first candidate that no later one clearly beats."""
    names = list(losses)
    best = names[0]
    for name in names[1:]:
        gain = losses[best] - losses[name]
        if gain.mean() > CLEARLY.get(name, 1.0) * gain.std() / np.sqrt(len(gain)):
            best = name
    return best


# -- a score on outputs --------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Scorer:
    """A score with the encoder of outputs: it decides for any output whether {score > threshold} holds."""

    encoder: Encoder
    score: Score

    def holds(self, outputs: Outputs, threshold: float, *, above: bool) -> NDArray[np.bool_]:
        """Return whether {score > threshold} holds for each output, or else {score ≤ threshold}."""
        at_most = self.score.values(self.encoder.features(outputs)) <= threshold
        return np.asarray(at_most != above, dtype=np.bool_)

    def words(self, threshold: float, *, above: bool, nan: bool = False) -> str:
        """Return the event in words; with ``nan``, it also says whether it includes outputs that are NaN.

        They rank below all numbers, so "at most 0.3" holds for them and "above 0.3" does not.
        """
        said = self.score.event(threshold, above)
        if not nan or not isinstance(self.score.base, ValueScore | BinnedScore):
            return said
        holds = bool(self.holds(Outputs(np.array([[np.nan]])), threshold, above=above)[0])
        return f"{said}, or not a number (NaN)" if holds else said


# -- giveaways: exact values that speak for one input --------------------------------------------------


FEWEST_REPEATS: Final = 3
"""Repetitions of a value before it is examined; two happen by accident among short numbers."""

ACCIDENTS: Final = 1.0
"""Mean number of values that stand out by chance in an audit; they cost power and never validity."""

TAIL: Final = 0.01
"""The share of rows at either end that shows how well the score tells inputs apart by itself."""

CLEARER: Final = 1.5
"""Least ratio of a giveaway's odds to the score's own odds, which are estimates, too."""

RARE: Final = 0.05
"""The largest share of rows of a value that is examined in a column that mostly holds one other value. The
score already knows bits and codes."""

CELLS: Final = 20_000_000
"""The most numbers of the table that are searched for repetitions."""

LARGEST: Final = float(np.finfo(np.float64).max)


@dataclass(frozen=True)
class Giveaway:
    """A value of one column, compared bit by bit, that speaks for the left input or for the right one."""

    column: int
    value: float
    speaks_for_left: bool
    words: str

    def holds(self, table: Floats) -> NDArray[np.bool_]:
        """Return the rows that hold it."""
        return np.asarray(float_words(table[:, self.column]) == float_words(np.array([self.value])))


@dataclass(frozen=True, eq=False)
class GiveawayScore(Score):
    """Another score with all giveaways beyond its ends: those for left at +∞, those for right at −∞.

    So the giveaways of either input are an event of their own, and every other event has them on the
    correct side.
    """

    inner: Score
    giveaways: tuple[Giveaway, ...]
    title: str
    cheap: ClassVar[bool] = False

    @property
    def base(self) -> Score:
        """The score that the giveaways were added to."""
        return self.inner

    @property
    def singled_out(self) -> tuple[SingledOut, ...]:
        """The events of the giveaways alone."""
        sides = {one.speaks_for_left for one in self.giveaways}
        ends = SingledOut(True, LARGEST), SingledOut(False, -np.inf)
        return tuple(end for end in ends if end.above in sides)

    def values(self, features: Features) -> Floats:
        for_left, for_right = (self._any(features.table, side) for side in (True, False))
        found = np.where(for_left & ~for_right, np.inf, self.inner.values(features))
        return np.where(for_right & ~for_left, -np.inf, found)

    def event(self, threshold: float, above: bool) -> str:
        left, right = (self._words(side) for side in (True, False))
        if threshold == np.inf:
            return "the output is nothing that was seen" if above else "the output is anything"
        if threshold == LARGEST and left:
            return left if above else f"it is not true that {left}"
        if threshold == -np.inf:
            return f"it is not true that {right}" if above else right
        always, never = (left, right) if above else (right, left)
        besides = [f"{how} where {what}" for how, what in (("always", always), ("never", never)) if what]
        return f"{self.inner.event(threshold, above)} ({', '.join(besides)})"

    def _any(self, table: Floats, side: bool) -> NDArray[np.bool_]:
        found = np.zeros(len(table), dtype=np.bool_)
        for one in self.giveaways:
            if one.speaks_for_left == side:
                found |= one.holds(table)
        return found

    def _words(self, side: bool) -> str:
        words = list(dict.fromkeys(one.words for one in self.giveaways if one.speaks_for_left == side))
        return " or ".join(
            [*words[:MOST], *([f"{len(words) - MOST} more such"] if len(words) > MOST else [])]
        )


def with_giveaways(
    score: Score, left: Features, right: Features, encoder: Encoder, held_out: tuple[Features, Features]
) -> Score:
    """Return the score with the giveaways that the fitting rows show, or the score itself if they show none.

    A repeated value is a giveaway if it points to one input more surely than the score does for 98 % of the
    held-out rows.

    Args:
        score: The score that was chosen.
        left: The fitting rows of the left input, in which repeated values are looked for.
        right: Those of the right input.
        encoder: The encoder that made the rows; it has words for their values.
        held_out: Rows of the left and of the right input that the score was not fitted to.
    """
    chances = MonotoneChances.fit(*(score.values(side) for side in held_out))
    every = np.concatenate([chances.at(score.values(side)) for side in held_out])
    lowest, highest = np.quantile(every, [TAIL, 1 - TAIL]).tolist()
    repeated = list(_find_repeated(left, right, encoder))
    times = np.array([one.left for one in repeated]), np.array([one.right for one in repeated])
    for_left, for_right = _stand_out(*times, highest), _stand_out(*times[::-1], 1 - lowest)
    found = tuple(
        Giveaway(one.column, one.value, bool(for_left[place]), one.words)
        for place, one in enumerate(repeated)
        if for_left[place] or for_right[place]
    )
    if not found:
        return score
    return GiveawayScore(score, found, f"{score.title}, and exact values that give an input away")


class _Repeated(NamedTuple):
    """A value that a column repeats, in words, and how often it came with either input."""

    column: int
    value: float
    words: str
    left: int
    right: int


def _find_repeated(left: Features, right: Features, encoder: Encoder) -> Iterator[_Repeated]:
    """Yield every value that some column repeats, except those that stand for something else."""
    columns = left.table.shape[1]
    rows = min(len(left), len(right), CELLS // (2 * max(columns, 1)))
    for column in range(columns):
        sides = [float_words(side.table[:rows, column]) for side in (left, right)]
        different, counts = np.unique(np.concatenate(sides), return_counts=True)
        often = different[(counts >= FEWEST_REPEATS) & _surprising(different, counts)]
        times = [_count(often, side).tolist() for side in sides]
        for value, *both in zip(often.view(np.float64).tolist(), *times, strict=True):
            words = encoder.value_words(column, value)
            if words is not None:
                yield _Repeated(column, value, words, *both)


def _surprising(different: NDArray[np.uint64], counts: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which values of a column a score does not know.

    All of them if most rows have a value of their own; signed zeros; and rare ones if most rows have the same
    value.
    """
    rows = counts.sum()
    if 2 * np.count_nonzero(counts == 1) >= rows:
        return np.ones(len(counts), dtype=np.bool_)
    zero = different.view(np.float64) == 0
    rare = (counts <= RARE * rows) & (2 * counts.max(initial=0) >= rows)
    return np.asarray(rare | (zero & (np.count_nonzero(zero) == 2)))


def _count(known: NDArray[np.uint64], words: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return how often each of some sorted words occurs in a column."""
    if not len(known):
        return np.zeros(0, dtype=np.int64)
    place = np.minimum(np.searchsorted(known, words), len(known) - 1)
    return np.bincount(place[known[place] == words], minlength=len(known))


def _stand_out(own: NDArray[np.int64], other: NDArray[np.int64], chance: float) -> NDArray[np.bool_]:
    """Return which values came with one input more often than in a share ``chance``, and not by accident.

    A value that could not stand out even if all its rows were of one input costs no correction (Tarone 1990).
    """
    total = own + other
    least, looks = np.sort(chance ** total.astype(np.float64)), np.arange(1, len(total) + 1)
    levels = ACCIDENTS / (2 * looks)  # both inputs are looked at
    paid = np.searchsorted(least, levels, side="right") <= looks
    unlikely = binom.sf(own - 1, total, chance) <= levels[paid].max(initial=0.0)
    return np.asarray(unlikely & ((own + 0.5) * (1 - chance) > CLEARER * (other + 0.5) * chance))
