"""Auditing one pair of inputs, from a black box to a spectrum."""

from __future__ import annotations

import math
from collections.abc import Callable
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from noisewright.audit.asking import Question, two_names
from noisewright.audit.blackbox import black_box
from noisewright.audit.bounds.choosing import choose_events
from noisewright.audit.bounds.lower import BAND_SHARE, LowerBounds
from noisewright.audit.bounds.upper import Upper, upper_bound
from noisewright.audit.claim import Claim
from noisewright.audit.cross_fitting import cross_fitted
from noisewright.audit.experiment import Experiment
from noisewright.audit.folds import Budget
from noisewright.audit.scoring import Learned, learn, learning_runs
from noisewright.audit.spectrum import Spectrum
from noisewright.audit.tallies import combined
from noisewright.domains import Floats

SAMPLES = 200_000
GRID = 61
LARGEST_EPSILON = 20.0
SMOOTH = 1 / 500
"""Distinct outputs for each learning run up to which their counts are as good on other runs."""

UPPER_SHARE = 0.5
"""The part of the failure probability that pays for an upper bound, where there is one."""


def audit(
    mechanism: Any,
    left: Any,
    right: Any,
    *,
    claim: Claim | str | float | None = None,
    samples: float | None = None,
    seconds: float | None = None,
    epsilons: ArrayLike | None = None,
    confidence: float = 0.95,
    score: Any = "auto",
    assume: str | None = None,
    aim: str = "curve",
    bits: bool = False,
    vectorized: bool = False,
    timeout: float = 60.0,
    jobs: int | None = None,
    keep: str | PathLike[str] | None = None,
    seed: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    names: tuple[str, str] = ("the left input", "the right input"),
) -> Spectrum:
    """The privacy spectrum of a black box for two inputs, with bounds that hold at ``confidence``.

    ``mechanism`` is a function of the input, one of our mechanisms, a command line with ``{input}``, an
    address, or a :class:`BlackBox`; with ``vectorized`` a function takes a count as well and gives that many
    outputs at once. ``samples`` counts runs over
    both inputs. ``aim="epsilon"`` spends all of the failure probability on one event, for the largest ε at
    the claim's δ; the rest of the curve and an upper bound go without.

    >>> rng = np.random.default_rng(1)
    >>> def release(total, count): return total + rng.laplace(scale=1.0, size=count)
    >>> found = audit(release, 0.0, 1.0, claim="epsilon=0.5", samples=40_000, vectorized=True, jobs=1, seed=1)
    >>> found.verdict, 0.5 < found.epsilon_lower() < 1
    ('false', True)
    """
    question: dict[str, Any] = {
        "claim": claim, "epsilons": epsilons, "confidence": confidence, "score": score, "assume": assume,
        "aim": aim,
    }  # fmt: skip
    if samples is None and seconds is None:
        samples = SAMPLES
    Question.of(**question)  # refused now, before a folder is made or anything is run
    Budget.of(samples, seconds)
    two_names(names)
    box = black_box(mechanism, vectorized=vectorized, timeout=timeout)
    experiment = Experiment(box, left, right, jobs=jobs, keep=keep, seed=seed, progress=progress)
    return audit_pair(
        experiment, samples, seconds=seconds, bits=bits, seed=seed or 0, names=names, **question
    )


def audit_pair(
    experiment: Experiment,
    samples: float | None,
    *,
    seconds: float | None = None,
    claim: Claim | str | float | None = None,
    epsilons: ArrayLike | None = None,
    confidence: float = 0.95,
    score: Any = "auto",
    assume: str | None = None,
    aim: str = "curve",
    bits: bool = False,
    seed: int = 0,
    names: tuple[str, str] = ("the left input", "the right input"),
    seeks_upper: bool = True,
) -> Spectrum:
    """Audit one pair that an experiment can draw from: learn a score, choose events, bound them.

    Without ``seeks_upper`` only an assumption buys an upper bound, and all else goes into the lower one.
    """
    asked = Question.of(
        claim=claim, epsilons=epsilons, confidence=confidence, score=score, assume=assume, aim=aim
    )
    failure, assumption = 1 - asked.confidence, asked.assumption
    budget, (left, right) = Budget.of(samples, seconds), two_names(names)
    experiment.wanted = max(experiment.wanted, budget.samples or 0)
    first, second = learning_runs(experiment, budget)
    learned = learn(first, second, score, bits=bits, seed=seed, keeps_values=assumption is not None)
    rehearsed = learned.tally_of(first, second)
    if seconds is not None:
        learned.seen.forget()
    seen = learned.tally(experiment, budget.choosing(len(first)))
    judged = learned.tally(experiment, budget.bounding(sum(experiment.drawn.values())))
    has_upper = assumption is not None or (seeks_upper and learned.seen.counts_outputs and aim == "curve")
    lower_failure = failure * (1 - UPPER_SHARE) if has_upper else failure
    fair = [seen] if learned.trained and rehearsed.roughness > SMOOTH else [rehearsed, seen]
    chosen_on = combined(fair)
    thresholds = chosen_on.thresholds()
    events = choose_events(chosen_on.counts(thresholds), min(judged.rows), asked.claim, aim)
    bounds = LowerBounds.of(judged, events, thresholds, lower_failure, BAND_SHARE if aim == "curve" else 0.0)
    grid = _grid(asked, bounds)
    upper = _upper(learned, assumption, grid, failure * UPPER_SHARE) if has_upper else None
    estimate = cross_fitted(combined([*fair, judged]), grid)
    return Spectrum(
        mechanism=experiment.box.title, left=left, right=right, claim=asked.claim,
        confidence=asked.confidence, samples=sum(experiment.drawn.values()), score=learned.chosen.score.title,
        losses=learned.chosen.losses, epsilons=grid, estimate=_between(estimate, bounds.delta(grid), upper),
        upper=upper.delta if upper else None, assumption=upper.assumption if upper else None, bounds=bounds,
        scorer=learned.scorer, looks=learned.seen.looks, bits=bits,
    )  # fmt: skip


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
