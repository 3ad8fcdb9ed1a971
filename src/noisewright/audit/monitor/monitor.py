"""An audit that never has to end: watched while it runs, and stopped at any moment."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from noisewright.audit.basics.budget import run_count
from noisewright.audit.basics.claim import Claim, Claimed, read_confidence, read_positive
from noisewright.audit.basics.outputs import Outputs
from noisewright.audit.encoding import Encoder, fit_encoder
from noisewright.audit.experiment.experiment import turn_order, turn_sizes
from noisewright.audit.experiment.sampler import SIDES
from noisewright.audit.monitor.capital import Capital, Plan, epsilon_grid
from noisewright.audit.scores import Score, check_wanted, choose_score
from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import whole
from noisewright.text import at_least, at_most, confidence_words


@dataclass(frozen=True)
class State:
    """What can be stated now, true with the stated confidence at all moments together.

    ``log_capital`` is how far the evidence is: the claim is refuted as soon as it reaches ``log_needed``.

    Attributes:
        claim: What is bet against.
        confidence: The confidence of all statements so far together.
        samples: Runs that were seen, over both inputs.
        waiting: Runs whose partner has not come yet.
        epsilon_lower: No smaller ε holds at the claim's δ.
        refuted: Whether the claim is false.
        log_capital: The natural logarithm of the most that bets against the claim have made of 1 so far.
        event: The event on which the richer direction bets, in words; None unless the claim is refuted.

    >>> print(State(Claim(1.0), 0.95, 4000, 0, 0.9, False, 1.5, None).sentence)
    After 4,000 runs nothing refutes ε = 1: the evidence is 4.48 where 20 is needed (ε is at least 0.9).
    """

    claim: Claim
    confidence: float
    samples: int
    waiting: int
    epsilon_lower: float
    refuted: bool
    log_capital: float
    event: str | None

    @property
    def log_needed(self) -> float:
        """ln(1/α): the log capital that refutes, with α = 1 − ``confidence``."""
        return math.log(1 / (1 - self.confidence))

    @property
    def sentence(self) -> str:
        """The state in words."""
        runs = f"After {self.samples:,} runs"
        least = f"ε is at least {at_least(self.epsilon_lower, 4)}"
        if self.refuted:
            more = [least] if self.epsilon_lower > self.claim.epsilon else []
            shown = "; ".join(more + ([f"it shows where {self.event}"] if self.event else []))
            return (
                f"{runs} the claim {self.claim} is false, with {confidence_words(self.confidence)} "
                f"confidence at whatever moment one stops{f' ({shown})' if shown else ''}."
            )
        needed = round(math.exp(self.log_needed), 9)  # 1/0.05 is 20, whatever doubles make of it
        return (
            f"{runs} nothing refutes {self.claim}: the evidence is {at_least(math.exp(self.log_capital))} "
            f"where {at_most(needed, 4)} is needed ({least})."
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the state for a file or another program."""
        return {**asdict(self), "log_needed": self.log_needed, "sentence": self.sentence}


# -- the score, learned anew whenever the pairs have doubled -------------------------------------------


FIRST = 150
"""Pairs from which the first score is learned."""

EVERY = 3
"""Every third pair trains the score; events and stakes are chosen on the others, which it has not seen."""

KEPT = 100_000
"""The number of latest pairs whose outputs and scores are kept: a monitor may run for years."""


class Learner:
    """Past pairs, the score learned from some of them, and the scores of the others."""

    def __init__(self, wanted: Any = "auto", seed: int = 0) -> None:
        self.wanted, self.seed = wanted, seed
        self.pairs = 0
        self.score: Score | None = None
        self._encoder: Encoder | None = None
        self._learned_at: float = FIRST / 2
        self._outputs: list[tuple[Outputs, Outputs]] = []
        self._scores: list[tuple[Floats, Floats]] = []

    def observe(self, left: Outputs, right: Outputs) -> tuple[Floats, Floats] | None:
        """Remember new pairs; their scores, or None while nothing has been learned."""
        self.pairs += len(left)
        self._outputs.append((left, right))
        _forget(self._outputs)
        if self.score is None:
            return None
        found = self._values(left), self._values(right)
        self._scores.append(found)
        _forget(self._scores)
        return found

    def study(self) -> None:
        """Learn a new score if there are twice as many pairs as when the last was learned."""
        if self.pairs < 2 * self._learned_at:
            return
        self._learned_at = self.pairs
        left, right = (Outputs.join([pair[side] for pair in self._outputs]) for side in (0, 1))
        teaching = np.arange(len(left)) % EVERY == 0
        self._encoder = fit_encoder(left[teaching], right[teaching])
        lessons = [self._encoder.features(side[teaching]) for side in (left, right)]
        self.score = choose_score(lessons[0], lessons[1], self._encoder, self.wanted, self.seed).score
        self._scores = [(self._values(left[~teaching]), self._values(right[~teaching]))]

    def past(self) -> tuple[Floats, Floats]:
        """Scores of past pairs that did not train the score."""
        left, right = zip(*self._scores, strict=True)
        return np.concatenate(left), np.concatenate(right)

    def _values(self, outputs: Outputs) -> Floats:
        assert self.score is not None
        assert self._encoder is not None
        return self.score.values(self._encoder.features(outputs))


def _forget(parts: list[Any]) -> None:
    """Drop the oldest parts as long as enough is left without them."""
    while math.fsum(len(part[0]) for part in parts[1:]) >= KEPT:
        del parts[0]


# -- the monitor ---------------------------------------------------------------------------------------


GROWTH = 1.25
"""Events and stakes are chosen anew when the number of pairs has grown by this factor."""

LARGEST_STEP = 20_000
"""Pairs played at once."""


class Monitor:
    """A monitor of two inputs: it takes outputs as they come, and always says which claims they refute.

    Outputs are paired in the order of their arrival, and event and stake for a pair are chosen from pairs
    before it (:mod:`~noisewright.audit.monitor.capital` says why that is fair). So looking often costs
    nothing: over an endless run the probability that a true claim is ever refuted, or that ``epsilon_lower``
    ever exceeds the true ε at the claim's δ, is at most 1 − ``confidence`` for both together.

    Args:
        claim: What is bet against: a :class:`Claim`, a guarantee, a text, or a number, which is ε.
        confidence: The confidence of all statements together, from 0.5 to below 1.
        epsilons: The ε that are followed besides the claimed one; None takes a grid around it.
        score: What tells the inputs apart, as in :class:`AuditRequest`.
        seed: The seed of learning; results are the same for the same outputs and seed.

    >>> import numpy as np
    >>> noise = np.random.default_rng(0).laplace(size=(2, 3000))  # ε = 1 for inputs that differ by 1
    >>> state = Monitor("epsilon=0.5", score="value").update(noise[0], noise[1] + 1)
    >>> state.refuted, 0.5 <= state.epsilon_lower < 1
    (True, True)
    """

    def __init__(
        self,
        claim: Claimed,
        *,
        confidence: float = 0.95,
        epsilons: ArrayLike | None = None,
        score: Any = "auto",
        seed: int = 0,
    ) -> None:
        watched, self.confidence = Claim.of(claim), read_confidence(confidence)
        if watched is None:
            raise InvalidParameter('a monitor needs a claim to bet against, such as "epsilon=1,delta=1e-6"')
        self.claim = watched
        check_wanted(score)
        self.capital = Capital(epsilon_grid(self.claim, epsilons), self.claim.delta, 1 - self.confidence)
        self._learner = Learner(score, seed)
        self._plan: Plan | None = None
        self._plan_at = FIRST
        self._waiting = [Outputs.join([]), Outputs.join([])]

    def update(self, left: Any, right: Any) -> State:
        """Take new outputs of both inputs (Outputs, arrays or lists) and return the new state."""
        for side, fresh in enumerate((left, right)):
            outputs = fresh if isinstance(fresh, Outputs) else Outputs.of(fresh)
            self._waiting[side] = Outputs.join([self._waiting[side], outputs])
        while min(map(len, self._waiting)):
            self._step()
        return self.state

    def _step(self) -> None:
        """Play the pairs up to the next plan, then plan if it is time."""
        due = self._plan_at - self._learner.pairs
        count = min(due, LARGEST_STEP, *map(len, self._waiting))
        left, right = (outputs[:count] for outputs in self._waiting)
        self._waiting = [outputs[count:] for outputs in self._waiting]
        scores = self._learner.observe(left, right)
        if scores is not None and self._plan is not None:
            self.capital.play(self._plan, *scores)
        if count == due:
            self._learner.study()
            self._plan = Plan.from_past(*self._learner.past(), self.capital.factors, self.claim.delta)
            self._plan_at = math.ceil(self._learner.pairs * GROWTH)

    @property
    def state(self) -> State:
        """The present state."""
        lower = self.capital.epsilon_lower
        capital = self.capital.against(self.claim.epsilon)
        refuted = capital >= self.capital.log_needed
        waiting = sum(map(len, self._waiting))
        event = self._event() if refuted else None
        seen = 2 * self._learner.pairs
        return State(self.claim, self.confidence, seen, waiting, lower, refuted, capital, event)

    def _event(self) -> str | None:
        """Return the event that the richer direction now bets on, in words."""
        if self._plan is None or self._learner.score is None:
            return None
        column = int((self.capital.epsilons < self.claim.epsilon).sum())
        above = bool(self.capital.logs[:, 0, column].max() >= self.capital.logs[:, 1, column].max())
        threshold = float(self._plan.thresholds[0 if above else 1, column])
        return self._learner.score.event(threshold, above)


# -- a black box under the eyes of a monitor -----------------------------------------------------------


BATCH = 500
"""Runs of each input before the first look."""

BATCH_GROWTH = 0.1
"""Later looks take this much of all that came before, so that looking stays cheap."""

TURNS_A_LOOK = 8
"""Turns that the two inputs take in a look."""


class Source(Protocol):
    """Where outputs come from; an Experiment is one."""

    def take(self, side: Any, count: int, until: float | None = None) -> Outputs:
        """Return ``count`` further outputs of a side, or fewer where the time is up."""


def watch(
    experiment: Source,
    claim: Claimed,
    *,
    samples: float | None = None,
    seconds: float | None = None,
    batch: int = BATCH,
    confidence: float = 0.95,
    epsilons: ArrayLike | None = None,
    score: Any = "auto",
    seed: int = 0,
) -> Iterator[State]:
    """Draw from both inputs in turn and yield the state after every batch; stop whenever you like.

    It ends by itself after ``samples`` runs over both inputs, or after ``seconds``; without either, never.

    Args:
        experiment: Where outputs come from, such as an :class:`Experiment`.
        claim: What is bet against, as in :class:`Monitor`.
        samples: Runs over both inputs after which it ends; None sets no end.
        seconds: Seconds after which it ends; None sets no end.
        batch: Runs of each input before the first state; later batches grow with all that came before.
        confidence: As in :class:`Monitor`.
        epsilons: As in :class:`Monitor`.
        score: As in :class:`Monitor`.
        seed: As in :class:`Monitor`.

    >>> import numpy as np
    >>> class Coins:
    ...     chance = np.random.default_rng(1)
    ...     def take(self, side, count, until=None):
    ...         return Outputs.of(self.chance.random(count) < (0.7 if side == "left" else 0.3))
    >>> [state.refuted for state in watch(Coins(), 0.1, samples=3000, score="value")]
    [True, True, True]
    """
    monitor = Monitor(claim, confidence=confidence, epsilons=epsilons, score=score, seed=seed)
    left = run_count(samples, 2, 1 << 62) // 2 if samples is not None else None
    until = None if seconds is None else time.monotonic() + read_positive("seconds", seconds)
    size, drawn = whole("batch", batch, 1, 1 << 40), 0
    while left is None or drawn < left:
        count = max(size, int(drawn * BATCH_GROWTH))
        count = count if left is None else min(count, left - drawn)
        sides = _batch(experiment, count, until)
        drawn += count
        if any(map(len, sides)):
            yield monitor.update(*sides)
        if min(map(len, sides)) < count:  # the time is up
            return


def _batch(experiment: Source, count: int, until: float | None) -> list[Outputs]:
    """Draw ``count`` outputs per side, alternating, so that paired outputs are close in time."""
    pieces: dict[str, list[Outputs]] = {side: [] for side in SIDES}
    for turn, size in enumerate(turn_sizes(count, 1, TURNS_A_LOOK)):
        for side in turn_order(turn):
            pieces[side].append(experiment.take(side, size, until))
    return [Outputs.join(pieces[side]) for side in SIDES]
