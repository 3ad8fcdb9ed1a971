"""Auditing one pair of inputs, from a black box to a spectrum."""

from __future__ import annotations

from os import PathLike
from typing import Any, Final

from numpy.typing import ArrayLike

from noisewright.audit.asking import Question, two_names
from noisewright.audit.blackbox import black_box
from noisewright.audit.claim import Claimed
from noisewright.audit.experiment import Experiment, Progress
from noisewright.audit.folds import Budget
from noisewright.audit.one_pair import spectrum_of
from noisewright.audit.spectrum import Spectrum

SAMPLES: Final = 200_000
"""Runs over both inputs, where no budget is given."""

INPUTS: Final = ("the left input", "the right input")


def audit(
    mechanism: Any,
    left: Any,
    right: Any,
    *,
    claim: Claimed | None = None,
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
    progress: Progress | None = None,
    names: tuple[str, str] = INPUTS,
) -> Spectrum:
    """The privacy spectrum of a black box for two inputs, with bounds that hold at ``confidence``.

    ``mechanism`` is a function of the input, one of our mechanisms, a command line with ``{input}``, an
    address, or a :class:`BlackBox`; with ``vectorized`` a function takes a count as well and gives that many
    outputs at once. ``samples`` counts runs over both inputs. ``aim="epsilon"`` spends all of the failure
    probability on one event, for the largest ε at the claim's δ; the rest of the curve and an upper bound go
    without.

    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> def release(total, count): return total + rng.laplace(scale=1.0, size=count)
    >>> found = audit(release, 0.0, 1.0, claim="epsilon=0.5", samples=40_000, vectorized=True, jobs=1, seed=1)
    >>> found.verdict, 0.5 < found.epsilon_lower() < 1
    ('false', True)
    """
    asked = Question.of(
        claim=claim, epsilons=epsilons, confidence=confidence, score=score, assume=assume, aim=aim, bits=bits
    )
    budget = _budget(samples, seconds)
    called = two_names(names)
    box = black_box(mechanism, vectorized=vectorized, timeout=timeout)
    experiment = Experiment(box, left, right, jobs=jobs, keep=keep, seed=seed, progress=progress)
    return spectrum_of(experiment, budget, asked, called, seed=seed or 0)


def audit_pair(
    experiment: Experiment,
    samples: float | None = None,
    *,
    seconds: float | None = None,
    claim: Claimed | None = None,
    epsilons: ArrayLike | None = None,
    confidence: float = 0.95,
    score: Any = "auto",
    assume: str | None = None,
    aim: str = "curve",
    bits: bool = False,
    seed: int = 0,
    names: tuple[str, str] = INPUTS,
) -> Spectrum:
    """The same for a pair that an experiment of yours draws from."""
    asked = Question.of(
        claim=claim, epsilons=epsilons, confidence=confidence, score=score, assume=assume, aim=aim, bits=bits
    )
    return spectrum_of(experiment, _budget(samples, seconds), asked, two_names(names), seed=seed)


def _budget(samples: float | None, seconds: float | None) -> Budget:
    return Budget.of(SAMPLES if samples is None and seconds is None else samples, seconds)
