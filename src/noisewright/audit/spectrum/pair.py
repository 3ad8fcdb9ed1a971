"""The question about two inputs, and the way to their spectrum: learn a score, choose events, bound them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewright.audit.basics.budget import FEWEST, Budget, Sizes
from noisewright.audit.basics.claim import Claim, Claimed, read_confidence, read_grid
from noisewright.audit.basics.outputs import Outputs
from noisewright.audit.bounds.lower import AIMS, BAND_SHARE, LowerBounds, choose_events
from noisewright.audit.bounds.tally import AtomTally, ScoreTally, Tally, combine, estimate_curve
from noisewright.audit.bounds.upper import Upper, upper_bound
from noisewright.audit.encoding import fit_encoder
from noisewright.audit.encoding.encoder import Features
from noisewright.audit.experiment import Experiment
from noisewright.audit.experiment.sampler import SIDES
from noisewright.audit.scores import check_wanted, choose_score
from noisewright.audit.scores.score import CountingScore, ValueScore
from noisewright.audit.scores.selection import Scorer
from noisewright.audit.spectrum.spectrum import Spectrum
from noisewright.audit.spectrum.summary import RunRecord
from noisewright.domains import Floats
from noisewright.errors import BadMechanism, InvalidParameter
from noisewright.parameters import one_of, shown

# -- the question --------------------------------------------------------------------------------------


SAMPLES: Final = 200_000
"""Default number of runs over both inputs."""

MOST_INTERVALS: Final = 64


@dataclass(frozen=True, eq=False, kw_only=True)
class AuditRequest:
    """The question that an audit answers, checked before anything is run.

    Attributes:
        claim: The claim to test: a :class:`Claim`, a guarantee, a text such as "epsilon=1,
            delta=1e-6", or a number, which is ε. None tests nothing and still bounds the spectrum.
        samples: Runs over both inputs, at least 200. None means 200,000, or what ``seconds`` allow.
        seconds: About how long the audit may take; with ``samples`` too, whichever ends first.
        epsilons: The ε at which the spectrum is shown, from 0 to 700. None chooses a grid by what is found.
        confidence: The confidence of all bounds together, from 0.5 to below 1.
        score: The score that tells the inputs apart: its name, a scikit-learn classifier, or "auto" for the
            best on held-out rows.
        assume: An assumption that gives an upper bound: "monotone" (the likelihood ratio rises or falls with
            the output), or "intervals:r" (outputs that favour one input make up at most r intervals). None
            assumes nothing.
        aim: "curve" spends the failure probability on every ε. "epsilon" spends all of it on one event, for
            the largest ε at the claim's δ, without the rest of the curve or an upper bound.
        bits: Whether to examine the bit patterns of floating-point outputs, too.

    >>> AuditRequest(claim="epsilon=1", assume="intervals:3").assumption
    3
    """

    claim: Claimed | None = None
    samples: float | None = None
    seconds: float | None = None
    epsilons: ArrayLike | None = None
    confidence: float = 0.95
    score: Any = "auto"
    assume: str | None = None
    aim: str = "curve"
    bits: bool = False

    def __post_init__(self) -> None:
        check_wanted(self.score)
        if self.aim == "epsilon" and self.assume is not None:
            raise InvalidParameter(
                "the aim epsilon spends everything on one lower bound; an upper bound, which an assumption "
                "gives, needs the aim curve"
            )
        object.__setattr__(self, "claim", Claim.of(self.claim))
        if self.epsilons is not None:
            object.__setattr__(self, "epsilons", read_grid(self.epsilons))
        object.__setattr__(self, "confidence", read_confidence(self.confidence))
        _ = self.assumption
        one_of("aim", self.aim, AIMS)
        self.budget()

    @classmethod
    def of(cls, request: AuditRequest | None, **options: Any) -> AuditRequest:
        """Return a request with some fields replaced, or a new one from fields."""
        return cls(**options) if request is None else replace(request, **options)

    @property
    def tested(self) -> Claim | None:
        """The claim, however it was written."""
        return Claim.of(self.claim)

    @property
    def grid(self) -> Floats | None:
        """The values of ε to show, each once and rising; None lets the audit choose them."""
        return None if self.epsilons is None else np.asarray(self.epsilons)

    @cached_property
    def assumption(self) -> int | None:
        """The assumption as :func:`parse_assumption` returns it."""
        if self.assume is not None and not isinstance(self.assume, str):
            raise InvalidParameter(
                f"must be a text such as monotone, got {shown(self.assume)}", field="assume"
            )
        return parse_assumption(self.assume)

    @property
    def failure(self) -> float:
        """The probability with which the answer may be wrong."""
        return 1 - self.confidence

    def budget(self) -> Budget:
        """Return the budget of runs or seconds; its clock starts now."""
        neither = self.samples is None and self.seconds is None
        return Budget.of(SAMPLES if neither else self.samples, self.seconds)


def parse_assumption(text: str | None) -> int | None:
    """Return None for no assumption, 0 for a monotone likelihood ratio, r for at most r intervals.

    >>> parse_assumption("monotone"), parse_assumption("intervals:3")
    (0, 3)
    """
    if text is None:
        return None
    name, _, count = text.partition(":")
    if name == "monotone" and not count:
        return 0
    if name == "intervals" and count.isdecimal() and 1 <= int(count) <= MOST_INTERVALS:
        return int(count)
    raise InvalidParameter(
        f"must be monotone, or intervals:r with r from 1 to {MOST_INTERVALS}, got {text!r}", field="assume"
    )


def two_names(names: object) -> tuple[str, str]:
    """Return the names of the two inputs, or refuse anything that is not two texts.

    >>> two_names(("with Ada", "without"))
    ('with Ada', 'without')
    """
    match names:
        case (str(left), str(right)):
            return left, right
    raise InvalidParameter('must be two texts, such as ("with Ada", "without her")', field="names")


# -- a score that was learned on some runs and is applied to others, piece by piece --------------------


FEWEST_LEARNING = 20
LENIENCE = 2.0
"""An audit is refused if its fewest runs would take more than this factor of the seconds given."""


@dataclass(frozen=True, eq=False)
class Learned:
    """A score that was learned from the first runs, and how it reads further ones.

    ``losses`` are the held-out losses of all scores that were tried. ``seen`` keeps what an upper bound needs
    of every run that is read.
    """

    scorer: Scorer
    losses: Mapping[str, float]
    seen: RunRecord

    @property
    def counts_atoms(self) -> bool:
        """Whether the score is a function of finitely many outputs."""
        return isinstance(self.scorer.score, CountingScore)

    @property
    def trained(self) -> bool:
        """Whether the score does better on the runs it was learned from than on others."""
        return not isinstance(self.scorer.score.base, ValueScore)

    def tally(self, experiment: Experiment, count: int) -> Tally:
        """Draw and score ``count`` further runs of each input."""
        pieces: dict[str, list[NDArray[np.generic]]] = {side: [] for side in SIDES}
        for side, part in experiment.by_turns(count):
            pieces[side].append(self._piece(side, part))
        left, right = (np.concatenate(pieces[side]) for side in SIDES)
        return self._tally(left, right)

    def tally_of(self, left: Outputs, right: Outputs) -> Tally:
        """Return runs that were drawn already, scored."""
        pieces = [self._piece(side, part) for side, part in zip(SIDES, (left, right), strict=True)]
        return self._tally(*pieces)

    def _piece(self, side: str, outputs: Outputs) -> NDArray[np.generic]:
        """Return the code of each output if outputs are counted, else its score."""
        features = self.scorer.encoder.features(outputs)
        self.seen.add(side, outputs, features)
        if self.counts_atoms:
            assert features.atoms is not None
            return features.atoms
        return np.asarray(self.scorer.score.values(features), dtype=np.float64)

    def _tally(self, left: NDArray[np.generic], right: NDArray[np.generic]) -> Tally:
        if not self.counts_atoms:
            return ScoreTally(np.asarray(left, np.float64), np.asarray(right, np.float64))
        assert self.scorer.encoder.atoms is not None
        every = np.arange(len(self.scorer.encoder.atoms), dtype=np.int64)
        scores = self.scorer.score.values(Features(np.empty((every.size, 0)), every))
        return AtomTally.of(scores, np.asarray(left, np.int64), np.asarray(right, np.int64))


def learning_runs(experiment: Experiment, budget: Budget) -> tuple[Outputs, Outputs]:
    """Return the first runs of both inputs: more of them if outputs are not single numbers."""
    if budget.learning_ends is not None:
        _check_pace(experiment, budget)
    few, many, end = budget.learning(wide=False), budget.learning(wide=True), budget.learning_ends
    first = experiment.take("left", min(2 * FEWEST_LEARNING, few))  # however slow they are
    left = Outputs.join([first, experiment.take("left", few - len(first), end)])
    if left.width != 1 and many > few:
        left = Outputs.join([left, experiment.take("left", many - few, end)])
    return left, experiment.take("right", max(len(left), 1))


def _check_pace(experiment: Experiment, budget: Budget) -> None:
    """Refuse a time that the fewest runs would exceed by far."""
    assert budget.seconds is not None
    each = experiment.seconds_a_run()
    if FEWEST * each > LENIENCE * budget.seconds:
        raise BadMechanism(
            f"a run takes about {each:.2g} seconds, and an audit needs {FEWEST} runs at least; give it "
            f"{math.ceil(FEWEST * each)} seconds or more"
        )


def learn(
    left: Outputs, right: Outputs, wanted: object, *, bits: bool, seed: int, keeps_values: bool
) -> Learned:
    """Learn encoder and score from the first runs.

    Args:
        left: Learning outputs of the left input.
        right: Those of the right input.
        wanted: The score, as in :class:`AuditRequest`.
        bits: Whether to examine the binary form of numbers.
        seed: The seed of scores that use randomness.
        keeps_values: Whether plain values are kept for an upper bound.
    """
    if min(len(left), len(right)) < FEWEST_LEARNING:
        raise BadMechanism(
            f"{min(len(left), len(right))} runs are too few to learn a score; give the audit more "
            "samples or time"
        )
    encoder = fit_encoder(left, right, bits=bits)
    chosen = choose_score(encoder.features(left), encoder.features(right), encoder, wanted=wanted, seed=seed)
    return Learned(Scorer(encoder, chosen.score), chosen.losses, RunRecord(encoder, keeps_values))


# -- the spectrum of a pair ----------------------------------------------------------------------------


GRID: Final = 61
LARGEST_EPSILON: Final = 20.0
SMOOTH: Final = 1 / 500
"""Distinct outputs per learning run, up to which learning runs may choose events, too."""

UPPER_SHARE: Final = 0.5
"""The part of the failure probability for an upper bound, if there is one."""


@dataclass(frozen=True, eq=False)
class Folds:
    """All runs of an audit, scored: those that events may be chosen on, and those that bound them."""

    learned: Learned
    choosing: Tally
    bounding: Tally
    samples: int
    """Runs over both inputs."""

    @classmethod
    def draw(cls, experiment: Experiment, budget: Budget, asked: AuditRequest, seed: int) -> Folds:
        """Run the mechanism as often as the budget says.

        Args:
            experiment: The source of outputs.
            budget: The runs of each part.
            asked: The question.
            seed: The seed of learning.
        """
        budget, before = budget.again(experiment.sizes), sum(experiment.drawn.values())
        first, second = learning_runs(experiment, budget)
        keeps_values = asked.assumption is not None
        learned = learn(first, second, asked.score, bits=asked.bits, seed=seed, keeps_values=keeps_values)
        rehearsed = learned.tally_of(first, second)
        if asked.assumption is None:  # these runs decided whether there is an upper bound at all
            learned.seen.forget()
        seen = learned.tally(experiment, budget.choosing(len(first)))
        if budget.seconds is not None:  # the clock of these runs decides how many follow
            learned.seen.forget()
        rest = budget.bounding(sum(experiment.drawn.values()) - before)
        if budget.seconds is not None:
            experiment.sizes = Sizes(len(first), seen.rows[0], rest, float(budget.seconds))
        bounding = learned.tally(experiment, rest)
        flattered = learned.trained and rehearsed.roughness > SMOOTH
        samples = sum(experiment.drawn.values()) - before
        return cls(learned, seen if flattered else combine([rehearsed, seen]), bounding, samples)


def spectrum_of(
    experiment: Experiment,
    budget: Budget,
    asked: AuditRequest,
    names: tuple[str, str],
    *,
    seed: int = 0,
    share: float = 1.0,
    seeks_upper: bool = True,
) -> Spectrum:
    """Return the spectrum of one pair that an experiment can draw from.

    One of several pairs has a ``share`` of the failure probability, so that all spectra hold together.
    Without ``seeks_upper`` only an assumption gives an upper bound, and all else goes into the lower one.

    Args:
        experiment: The source of outputs.
        budget: The runs of each part.
        asked: The question.
        names: The names of the two inputs.
        seed: The seed of learning.
        share: The part of the failure probability of this pair, if several hold together.
        seeks_upper: Whether an upper bound without an assumption is wanted.
    """
    experiment.wanted = max(experiment.wanted, budget.samples or 0)
    folds = Folds.draw(experiment, budget, asked, seed)
    learned = folds.learned
    has_upper = asked.assumption is not None or (
        seeks_upper and learned.seen.counts_outputs and asked.aim == "curve"
    )
    failure = asked.failure * share
    for_upper = failure * UPPER_SHARE if has_upper else 0.0
    bounds = _lower(folds, asked, failure - for_upper)
    grid = _grid(asked, bounds)
    upper = _upper(learned, asked.assumption, grid, for_upper) if has_upper else None
    refuted = upper.contradiction(grid, bounds.delta(grid)) if upper else None
    upper = None if refuted else upper
    estimate = estimate_curve(combine([folds.choosing, folds.bounding]), grid)
    estimate = estimate if upper is None else np.minimum(estimate, upper.delta)  # it contradicts no bound
    return Spectrum(
        mechanism=experiment.box.title, left=names[0], right=names[1], claim=asked.tested,
        confidence=asked.confidence, samples=folds.samples, score=learned.scorer.score.title,
        losses=learned.losses, epsilons=grid, estimate=np.maximum(estimate, bounds.delta(grid)),
        upper=upper.delta if upper else None, assumption=upper.assumption if upper else None, bounds=bounds,
        scorer=learned.scorer, looks=learned.seen.looks, bits=asked.bits, share=share,
        failures=experiment.failures, refuted_assumption=refuted,
    )  # fmt: skip


def _lower(folds: Folds, asked: AuditRequest, failure: float) -> LowerBounds:
    """Choose events and thresholds on the choosing runs, and bound them on the others."""
    singled_out = folds.learned.scorer.score.singled_out
    thresholds = np.union1d(folds.choosing.thresholds(), [each.threshold for each in singled_out])
    rows = min(folds.bounding.rows)
    events = choose_events(folds.choosing.counts(thresholds), rows, asked.tested, asked.aim, singled_out)
    band_share = BAND_SHARE if asked.aim == "curve" else 0.0
    return LowerBounds.of(folds.bounding, events, thresholds, failure, band_share)


def _upper(learned: Learned, assumption: int | None, grid: Floats, failure: float) -> Upper | None:
    """Return the upper bound, from all runs: its class of sets was fixed before any of them."""
    if assumption is not None:
        return upper_bound(grid, failure, values=learned.seen.values(), intervals=assumption)
    atoms = learned.seen.atoms()
    return None if atoms is None else upper_bound(grid, failure, atoms=atoms)


def _grid(asked: AuditRequest, bounds: LowerBounds) -> Floats:
    """Return the ε to show; bounds hold for all ε together, so these may be picked afterwards."""
    if asked.grid is not None:
        return asked.grid
    found = bounds.epsilon(0.0)
    most = max(1.0, 1.5 * found, 1.5 * asked.tested.epsilon if asked.tested else 0.0)
    return np.linspace(0.0, min(math.ceil(2 * most) / 2, LARGEST_EPSILON), GRID)
