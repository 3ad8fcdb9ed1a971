"""Where LocalClassifier is tried: two tables of people, two kinds of curves, and whom it stands beside.

Everything comes scaled to [−1, 1] by ranges that are taken as public, as in the paper.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.learning import phonemes
from benchmarks.learning.diabetes_published import published
from benchmarks.learning.diabetes_table import read_diabetes
from benchmarks.learning.diabetes_trial import as_published
from benchmarks.learning.functional import AS_PUBLISHED, DESIGN, TESTING, Learner
from benchmarks.learning.functional_trial import COLUMNS, Design, People, trial
from noisewright.domains import Interval
from noisewright.learn.functional import FunctionalFeatures
from noisewright.learn.functional.simulation import single_server
from noisewright.learn.learners.candidates import ADDITIVE, LINEAR
from noisewright.learn.local import LocalClassifier
from noisewright.learn.rules.schema import read_schema

Halves = tuple[People, People]
Rival = Callable[[People, People, float, int], float]
"""The error, on test people, of another classifier for the same clients, ε and seed."""

UNIT: Final = Interval(-1, 1)
CANCER_TEST_ROWS: Final = 114


@dataclass(frozen=True, eq=False)
class World:
    """Clients and test people of a seed, the ε to try, rivals, and errors (in %) that are known or asked."""

    name: str
    draw: Callable[[int], Halves]
    epsilons: tuple[float, ...]
    rivals: Mapping[str, Rival] = field(default_factory=dict)
    asked: Mapping[float, float] = field(default_factory=dict)
    known: Callable[[float], str] = lambda epsilon: ""


def diabetes(folder: Path, split: str, swapped: bool = False) -> World:
    """The diabetes table (section 7.1), beside MRMA as published.

    Two in three are well, and "well" is the first class, which LocalClassifier answers where nothing can be
    known; with the labels ``swapped`` it has to find out that the second class is the more frequent one.
    """
    table = read_diabetes(folder)
    units = read_schema(table.domain, table.values.shape[1]).encode(table.values)
    codes = 1 - table.codes if swapped else table.codes

    def draw(seed: int) -> Halves:
        clients, testing = table.split(split, np.random.default_rng(seed))
        return People(units[clients], codes[clients]), People(units[testing], codes[testing])

    def known(epsilon: float) -> str:
        printed = published(epsilon, "MRMA")
        return "" if printed is None else f"MRMA in the paper {printed:.2f}"

    return World(
        f"diabetes, split by {split}{', labels swapped' if swapped else ''}", draw,
        (0.1, 0.25, 0.5, 0.7, 1.0, 2.0, 5.0), {"all learners": _all_learners, "MRMA": _mrma},
        {1.0: 32.5, 2.0: 29.0, 5.0: 25.5}, known,
    )  # fmt: skip


def _all_learners(clients: People, testing: People, epsilon: float, seed: int) -> float:
    """LocalClassifier with every learner on a share of the clients, and feedback to choose among them."""
    model = LocalClassifier(epsilon, domain=UNIT, learners=(ADDITIVE, *LINEAR), random_state=seed)
    return float(1 - model.fit(clients.units, clients.codes).score(testing.units, testing.codes))


def _mrma(clients: People, testing: People, epsilon: float, seed: int) -> float:
    model = as_published(clients, epsilon, seed)
    return float(np.mean(model.predict(testing.units) != testing.codes))


def spoken(folder: Path) -> World:
    """The phonemes "sh" and "iy" (section 7.2), beside MRMA as published with its four learners."""
    people = phonemes.read_phonemes(folder)
    rivals = {
        f"MRMA {each.name}": _of_curves(each, phonemes.FEATURES, phonemes.DESIGN) for each in AS_PUBLISHED
    }
    return World(
        "phonemes sh and iy",
        lambda seed: phonemes.halves(people, seed),
        (1.0,),
        {"all learners": _all_learners, **rivals},
    )


def curves() -> World:
    """Simulated curves (section 6.1), beside MRMA with and without an intercept, and random directions.

    These turn their weights into a slope and score whole curves with it. LocalClassifier knows features only:
    even without noise, naive Bayes is wrong about 15 % of people by the squashed coefficients that it sees.
    """
    features = FunctionalFeatures()
    learners = (
        Learner("svm", "coefficients"),
        Learner("svm", "coefficients", intercept=False),
        Learner("random", "coefficients"),
    )

    def draw(seed: int) -> Halves:
        generator = np.random.default_rng(seed)
        samples = [single_server().draw(count, generator) for count in (DESIGN.plan.people, TESTING)]
        clients, testing = (People(features.transform(each.curves), each.labels) for each in samples)
        return clients, testing

    rivals = {f"MRMA {each.name}": _of_curves(each, features, DESIGN) for each in learners}
    rivals["all learners"] = _all_learners
    return World("simulated curves", draw, (0.5, 1.0), rivals, known=lambda epsilon: "Bayes 10.0")


def _of_curves(learner: Learner, features: FunctionalFeatures, design: Design) -> Rival:
    place, base = COLUMNS.index("MRMA"), learner.on(features)
    return lambda clients, testing, epsilon, seed: float(
        trial(clients, testing, base, design, epsilon, seed)[place]
    )


def cancer() -> World:
    """Breast cancer (scikit-learn's copy): 455 clients, 30 features; beside learners who see everything."""
    from sklearn.datasets import load_breast_cancer
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB

    values, codes = load_breast_cancer(return_X_y=True)
    low, high = values.min(axis=0), values.max(axis=0)
    units = 2 * (values - low) / (high - low) - 1

    def draw(seed: int) -> Halves:
        order = np.random.default_rng(seed).permutation(len(codes))
        testing, clients = order[:CANCER_TEST_ROWS], order[CANCER_TEST_ROWS:]
        return People(units[clients], codes[clients]), People(units[testing], codes[testing])

    rivals = {
        "naive Bayes, no privacy": _seeing(GaussianNB()),
        "logistic, no privacy": _seeing(LogisticRegression()),
    }
    return World("breast cancer", draw, (2.0, 5.0), rivals)


def _seeing(model: Any) -> Rival:
    return lambda clients, testing, epsilon, seed: float(
        1 - model.fit(clients.units, clients.codes).score(testing.units, testing.codes)
    )
