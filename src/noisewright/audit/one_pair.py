"""From the runs of two inputs to their spectrum: learn a score, choose events, bound them on fresh runs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from noisewright.audit.asking import Question
from noisewright.audit.bounds.choosing import choose_events
from noisewright.audit.bounds.lower import BAND_SHARE, LowerBounds
from noisewright.audit.bounds.upper import Upper, upper_bound
from noisewright.audit.cross_fitting import cross_fitted
from noisewright.audit.experiment import Experiment
from noisewright.audit.folds import Budget, Sizes
from noisewright.audit.scoring import Learned, learn, learning_runs
from noisewright.audit.spectrum import Spectrum
from noisewright.audit.tallies import Tally, combined
from noisewright.domains import Floats

GRID: Final = 61
LARGEST_EPSILON: Final = 20.0
SMOOTH: Final = 1 / 500
"""Distinct outputs for each learning run up to which their counts are as good on other runs."""

UPPER_SHARE: Final = 0.5
"""The part of the failure probability that pays for an upper bound, where there is one."""


@dataclass(frozen=True, eq=False)
class Folds:
    """All runs of an audit, scored: those that events may be chosen on, and those that bound them."""

    learned: Learned
    choosing: Tally
    bounding: Tally
    samples: int
    """Runs over both inputs."""

    @classmethod
    def drawn(cls, experiment: Experiment, budget: Budget, asked: Question, seed: int) -> Folds:
        """Run the mechanism as often as the budget says."""
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
        return cls(learned, seen if flattered else combined([rehearsed, seen]), bounding, samples)


def spectrum_of(
    experiment: Experiment,
    budget: Budget,
    asked: Question,
    names: tuple[str, str],
    *,
    seed: int = 0,
    share: float = 1.0,
    seeks_upper: bool = True,
) -> Spectrum:
    """What a question gets for an answer, from one pair that an experiment can draw from.

    One of several pairs has a ``share`` of the failure probability, so that all answers hold together.
    Without ``seeks_upper`` only an assumption buys an upper bound, and all else goes into the lower one.
    """
    experiment.wanted = max(experiment.wanted, budget.samples or 0)
    folds = Folds.drawn(experiment, budget, asked, seed)
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
    estimate = cross_fitted(combined([folds.choosing, folds.bounding]), grid)
    return Spectrum(
        mechanism=experiment.box.title, left=names[0], right=names[1], claim=asked.claim,
        confidence=asked.confidence, samples=folds.samples, score=learned.scorer.score.title,
        losses=learned.losses, epsilons=grid, estimate=_between(estimate, bounds.delta(grid), upper),
        upper=upper.delta if upper else None, assumption=upper.assumption if upper else None, bounds=bounds,
        scorer=learned.scorer, looks=learned.seen.looks, bits=asked.bits, share=share,
        failures=experiment.failures, refuted_assumption=refuted,
    )  # fmt: skip


def _lower(folds: Folds, asked: Question, failure: float) -> LowerBounds:
    """Events and thresholds from the choosing runs, bounded on the others."""
    singled_out = folds.learned.scorer.score.singled_out
    thresholds = np.union1d(folds.choosing.thresholds(), [each.threshold for each in singled_out])
    rows = min(folds.bounding.rows)
    events = choose_events(folds.choosing.counts(thresholds), rows, asked.claim, asked.aim, singled_out)
    band_share = BAND_SHARE if asked.aim == "curve" else 0.0
    return LowerBounds.of(folds.bounding, events, thresholds, failure, band_share)


def _upper(learned: Learned, assumption: int | None, grid: Floats, failure: float) -> Upper | None:
    """The upper bound, from all runs: its class of sets was fixed before any of them."""
    if assumption is not None:
        return upper_bound(grid, failure, values=learned.seen.values(), intervals=assumption)
    atoms = learned.seen.atoms()
    return None if atoms is None else upper_bound(grid, failure, atoms=atoms)


def _between(estimate: Floats, lower: Floats, upper: Upper | None) -> Floats:
    """An estimate that does not contradict the bounds beside it."""
    return np.maximum(estimate if upper is None else np.minimum(estimate, upper.delta), lower)


def _grid(asked: Question, bounds: LowerBounds) -> Floats:
    """The ε to show; the bounds hold for all of them together, so they may be picked after looking."""
    if asked.epsilons is not None:
        return asked.epsilons
    found = bounds.epsilon(0.0)
    most = max(1.0, 1.5 * found, 1.5 * asked.claim.epsilon if asked.claim else 0.0)
    return np.linspace(0.0, min(math.ceil(2 * most) / 2, LARGEST_EPSILON), GRID)
