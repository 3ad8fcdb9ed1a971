"""Algorithm 1: δ at every ε for one pair of inputs, each from a classifier of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewright.audit.blackbox import black_box
from noisewright.audit.coordinates import read_epsilons
from noisewright.audit.eureka.classifiers import chosen_title, predicted
from noisewright.audit.eureka.problem import Takes, Tosses, toss
from noisewright.audit.eureka.tables import tables
from noisewright.audit.eureka.ties import moved_apart
from noisewright.audit.experiment import Experiment
from noisewright.domains import Floats

CURVES = ("epsilons", "deltas", "risks", "steps")
LABEL = "Eureka (Lu et al. 2024), as published: an estimate, not a bound"


@dataclass(frozen=True, eq=False)
class PairEstimate:
    """Estimated δ of the left input against the right one; ``risks`` are the classifiers' error rates."""

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
        """The estimate in plain JSON values."""
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
    """δ(ε) of ``left`` against ``right`` by the published method; swap the inputs for the other direction.

    ``mechanism`` is anything that can be audited; ``samples`` are its runs in all. ``classifier``:
    "neighbours" (√n of them), "network", "auto" by the width of the outputs, or one of scikit-learn.

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
    """The same from an experiment, which may keep its outputs.

    Half of the runs train a classifier of the coin-scaled problem, the others measure its risk r, and
    δ = max(1 − 2·e^ε·r, 0). Where δ is 0 the estimate is above 0 about half of the time, and it is a
    plain 1 where no test row was wrong; see :attr:`PairEstimate.meaningful`.
    """
    grid = np.atleast_1d(read_epsilons(epsilons))
    tosses = toss(experiment, samples, seed)
    halves = tosses[: len(tosses) // 2], tosses[len(tosses) // 2 :]
    rows = tables(*halves)
    title = chosen_title(classifier, rows[0].shape[1])
    if title == "neighbours":
        rows = moved_apart(*rows, np.random.default_rng([seed or 0, len(tosses)]))
    risks = np.array([_risk(halves, rows, epsilon, classifier, seed or 0) for epsilon in grid.tolist()])
    # Lu et al. 2024, figure 1, step 5
    return PairEstimate(grid, np.maximum(1 - 2 * np.exp(grid) * risks, 0.0), risks, len(tosses), title)


def _risk(
    halves: tuple[Tosses, Tosses], rows: tuple[Floats, Floats], epsilon: float, classifier: Any, seed: int
) -> float:
    """The share of the second half that a classifier of the first gets wrong (figure 1, steps 2 to 4)."""
    train, test = halves
    learn, shown = train.shown(epsilon), test.shown(epsilon)
    answers = predicted(
        classifier, rows[0][learn], train.labels[learn], rows[1][shown],
        tosses=len(train), seed=seed % (1 << 32),
    )  # fmt: skip
    # ⊥ is near to nothing but itself and always answered with 0, which is right
    return int(np.count_nonzero(answers != test.labels[shown])) / len(test)
