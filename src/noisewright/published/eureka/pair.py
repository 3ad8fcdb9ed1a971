"""Algorithm 1: δ at every ε for one pair of inputs, each from a classifier of its own.

A fair coin decides whether the mechanism runs on the right input (label 1) or on the left one (label 0); an
output of the left is shown only with chance e^(−ε) and is otherwise replaced by nothing, ⊥. The best
classifier of such pairs errs with chance R, and δ(ε) = 1 − 2·e^ε·R (Lu et al. 2024, def 12 and thm 4).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewright.audit.basics.budget import run_count
from noisewright.audit.basics.claim import read_epsilons
from noisewright.audit.basics.outputs import Outputs
from noisewright.audit.blackbox import black_box
from noisewright.audit.encoding import fit_encoder
from noisewright.audit.experiment import Experiment
from noisewright.domains import Cells, Floats
from noisewright.published.eureka.classifiers import chosen_title, predict_labels, separate_ties

# -- the classification problem ------------------------------------------------------------------------


SMALLEST, LARGEST = 100, 1 << 40
"""The fewest and most tosses: among 100, both sides of the coin come up."""


class Takes(Protocol):
    """The part of an experiment that is used: outputs of one side, "left" or "right"."""

    def take(self, side: str, count: int) -> Outputs:
        """Return ``count`` independent outputs."""


@dataclass(frozen=True, eq=False)
class Tosses:
    """Labelled outputs before anything is hidden, and for each the chance number that decides when it is.

    One set serves every ε: at each of them the shown and hidden outputs have exactly the law of definition
    12. Only across different ε are the estimates dependent.

    Attributes:
        outputs: One output for each toss.
        labels: 1 for the right input, 0 for the left one.
        chances: A uniform number for each toss: it decides at which ε a left output is shown.
    """

    outputs: Outputs
    labels: Cells
    chances: Floats

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, rows: slice) -> Tosses:
        return Tosses(self.outputs[rows], self.labels[rows], self.chances[rows])

    def shown(self, epsilon: float) -> NDArray[np.bool_]:
        """Return which outputs are not replaced by ⊥: all of the right input, a share e^(−ε) of the left one.

        >>> tosses = Tosses(Outputs.of([5.0, 6.0, 7.0]), np.array([1, 0, 0]), np.array([0.9, 0.2, 0.9]))
        >>> tosses.shown(0.0).tolist(), tosses.shown(1.0).tolist()
        ([True, True, True], [True, True, False])
        """
        return np.asarray((self.labels == 1) | (self.chances < np.exp(-epsilon)))


def toss(experiment: Takes, count: int, seed: int | None = None) -> Tosses:
    """Toss fair coins, and run the mechanism for each.

    Args:
        experiment: The source of outputs.
        count: How many tosses.
        seed: The seed of the coins; None draws a fresh one.

    >>> class Echo:
    ...     def take(self, side, count):
    ...         return Outputs.of(np.full(count, {"left": 4.0, "right": 9.0}[side]))
    >>> tosses = toss(Echo(), 100, seed=3)
    >>> bool(np.all(tosses.outputs.numbers[:, 0] == np.where(tosses.labels == 1, 9.0, 4.0)))
    True
    """
    size = run_count(count, SMALLEST, LARGEST)
    random = np.random.default_rng(seed)
    labels = random.integers(0, 2, size)
    zeros = size - int(labels.sum())
    outputs = Outputs.join([experiment.take("left", zeros), experiment.take("right", size - zeros)])
    # the next output of the left for every 0, the next of the right for every 1
    place = np.where(labels == 1, zeros + np.cumsum(labels) - 1, np.cumsum(1 - labels) - 1)
    return Tosses(outputs[place], labels, random.random(size))


def tables(train: Tosses, test: Tosses) -> tuple[Floats, Floats]:
    """Return both halves as tables: finite numbers as they are, else encoded as learned on ``train``.

    >>> from noisewright.audit.basics.outputs import Outputs
    >>> half = Tosses(Outputs.of([5.0, 6.0]), np.array([0, 1]), np.zeros(2))
    >>> tables(half, half)[0].tolist()
    [[5.0], [6.0]]
    """
    known, asked = train.outputs.numbers, test.outputs.numbers
    if known is not None and asked is not None and np.isfinite(known).all() and np.isfinite(asked).all():
        return known, asked
    encoder = fit_encoder(train.outputs[train.labels == 0], train.outputs[train.labels == 1])
    return encoder.features(train.outputs).table, encoder.features(test.outputs).table


# -- the estimate --------------------------------------------------------------------------------------


CURVES = ("epsilons", "deltas", "risks", "steps")

LABEL = "Eureka (Lu et al. 2024), as published: an estimate, not a bound"


@dataclass(frozen=True, eq=False)
class PairEstimate:
    """Estimated δ of the left input against the right one; ``risks`` are the classifiers' error rates.

    Attributes:
        epsilons: The ε that were asked for.
        deltas: The estimate of δ at each ε, for one direction.
        risks: The empirical risk of the classifier at each ε.
        samples: Runs over both inputs.
        classifier: Which classifier was used, in words.
        label: Its name beside bounds.
    """

    epsilons: Floats
    deltas: Floats
    risks: Floats
    samples: int
    classifier: str
    label: str = LABEL

    @property
    def steps(self) -> Floats:
        """How far one error more among the test rows moves an estimate: 2·e^ε over their number."""
        return np.asarray(2 * np.exp(self.epsilons) / (self.samples - self.samples // 2))

    @property
    def meaningful(self) -> NDArray[np.bool_]:
        """Where a step is below 1. Beyond, an estimate is 1 whenever no error happened to occur."""
        return np.asarray(self.steps < 1)

    def to_dict(self) -> dict[str, Any]:
        """Return the estimate in plain JSON values."""
        curves = {name: getattr(self, name).tolist() for name in CURVES}
        return {**curves, "samples": self.samples, "classifier": self.classifier, "label": self.label}


def eureka_pair(
    mechanism: Any,
    left: Any,
    right: Any,
    epsilons: ArrayLike,
    *,
    samples: int = 100_000,
    classifier: Any = "auto",
    vectorized: bool = False,
    timeout: float = 60.0,
    jobs: int | None = None,
    seed: int | None = None,
) -> PairEstimate:
    """Estimate δ(ε) of ``left`` against ``right`` as published; swap the inputs for the other direction.

    Args:
        mechanism: A function, a mechanism, a command line, a web address, or a black box.
        left: One input.
        right: The other input.
        epsilons: The ε at which δ is wanted: one number or an array, from 0 to 700.
        samples: Runs in all; half of them train, half test.
        classifier: "neighbours" (√n of them), "network", "auto" by the width of the outputs, or one of
            scikit-learn.
        vectorized: Whether a function takes a count as well, and returns that many outputs at once.
        timeout: Seconds that one call may take.
        jobs: Processes that run the mechanism; None as many as suit it.
        seed: The seed of coins, mechanism and classifiers; None draws a fresh one.

    >>> def response(data, count, generator):
    ...     return np.where(generator.random(count) < 0.75, data, 1 - data)
    >>> found = eureka_pair(response, 0, 1, [0.0, 0.5], vectorized=True, samples=4000, seed=2)
    >>> bool(np.all(np.abs(found.deltas - [0.5, 0.3378]) < 0.06)), found.classifier
    (True, 'neighbours')
    """
    box = black_box(mechanism, vectorized=vectorized, timeout=timeout)
    experiment = Experiment(box, left, right, jobs=jobs, seed=seed)
    return eureka_experiment(experiment, epsilons, samples=samples, classifier=classifier, seed=seed)


def eureka_experiment(
    experiment: Takes,
    epsilons: ArrayLike,
    *,
    samples: int = 100_000,
    classifier: Any = "auto",
    seed: int | None = None,
) -> PairEstimate:
    """Return the same from an experiment, which may keep its outputs.

    Half of the runs train a classifier of the coin-scaled problem, the others measure its risk r, and
    δ = max(1 − 2·e^ε·r, 0). Where δ is 0 the estimate is above 0 about half of the time, and it is a
    plain 1 where no test row was wrong; see :attr:`PairEstimate.meaningful`.

    Args:
        experiment: Two inputs and a black box.
        epsilons: The ε at which δ is wanted: one number or an array, from 0 to 700.
        samples: As in :func:`eureka_pair`.
        classifier: As in :func:`eureka_pair`.
        seed: As in :func:`eureka_pair`.
    """
    grid = np.atleast_1d(read_epsilons(epsilons))
    tosses = toss(experiment, samples, seed)
    halves = tosses[: len(tosses) // 2], tosses[len(tosses) // 2 :]
    rows = tables(*halves)
    title = chosen_title(classifier, rows[0].shape[1])
    if title == "neighbours":
        rows = separate_ties(*rows, np.random.default_rng([seed or 0, len(tosses)]))
    risks = np.array([_risk(halves, rows, epsilon, classifier, seed or 0) for epsilon in grid.tolist()])
    # Lu et al. 2024, figure 1, step 5
    return PairEstimate(grid, np.maximum(1 - 2 * np.exp(grid) * risks, 0.0), risks, len(tosses), title)


def _risk(
    halves: tuple[Tosses, Tosses], rows: tuple[Floats, Floats], epsilon: float, classifier: Any, seed: int
) -> float:
    """Return the share of the second half that the classifier gets wrong (figure 1, steps 2 to 4)."""
    train, test = halves
    learn, shown = train.shown(epsilon), test.shown(epsilon)
    answers = predict_labels(
        classifier, rows[0][learn], train.labels[learn], rows[1][shown],
        tosses=len(train), seed=seed % (1 << 32),
    )  # fmt: skip
    # ⊥ is near to nothing but itself and always answered with 0, which is right
    return int(np.count_nonzero(answers != test.labels[shown])) / len(test)
