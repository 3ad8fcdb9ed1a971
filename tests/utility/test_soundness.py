"""200 random models, records, mechanisms and ε: certificates are never above the truth more often than they say.

Truth is found by asking the model about every report there is, on lattices small enough for that.
"""

from __future__ import annotations

import warnings
from functools import lru_cache
from itertools import product

import numpy as np
import pytest
from scipy.stats import binom
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier

from noisewright.utility.curve import DEFAULT_MECHANISMS, make_curve
from noisewright.utility.models import BlackBox
from noisewright.utility.reading import read_records
from noisewright.utility.sampling import certify_by_queries
from noisewright.utility.solving import find_solver

pytestmark = pytest.mark.slow

CASES, CONFIDENCE = 200, 0.99
MISSES_ALLOWED = int(binom.isf(1e-9, CASES, 1 - CONFIDENCE))
"""More misses than this have a probability below 1e-9 if the confidence is kept."""

KINDS = {
    "LR": lambda: LogisticRegression(C=10),
    "RF": lambda: RandomForestClassifier(20, min_samples_leaf=3, random_state=1),
    "GBM": lambda: GradientBoostingClassifier(n_estimators=20, random_state=1),
    "MLP": lambda: MLPClassifier((12,), max_iter=80, random_state=1),
}


@lru_cache
def trained(kind: str, task: int):
    """A model of three features with two or three classes, and its data."""
    dice = np.random.default_rng(task)
    rows = dice.random((300, 3))
    score = np.sin(4 * rows[:, 0]) + rows[:, 1] * rows[:, 2] * 2 + dice.normal(0, 0.2, 300)
    labels = np.digitize(score, np.quantile(score, [0.5] if task % 2 else [0.4, 0.7]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a network need not converge to have a utility
        return KINDS[kind]().fit(rows, labels), rows


def cases():
    dice = np.random.default_rng(2026)
    for number in range(CASES):
        kind = list(KINDS)[number % len(KINDS)]
        features = {int(f): (0, 1) for f in dice.choice(3, size=int(dice.integers(1, 3)), replace=False)}
        yield (
            kind,
            int(dice.integers(4)),
            int(dice.integers(300)),
            features,
            str(dice.choice(DEFAULT_MECHANISMS)),
            float(np.exp(dice.uniform(np.log(0.5), np.log(8)))),
            number,
        )


def truth(model, records, reference: int, channel) -> float:
    """The utility by asking about all reports, each with its probability."""
    cells = np.array(list(product(range(channel.lattice.cells), repeat=len(records.sensitive))))
    laws = [channel.law(unit) for unit in records.units()[0]]
    masses = np.prod([law.mass(cells[:, axis]) for axis, law in enumerate(laws)], axis=0)
    answers = model.predict(records.placed(0, channel.lattice.centres(cells)))
    return float(masses[np.asarray(answers == model.classes_[reference])].sum())


@pytest.fixture(scope="module")
def outcomes():
    """For each case: the truth, the bounds from queries, and those of the exact method, if there is one."""
    found = []
    for kind, task, row, features, mechanism, epsilon, number in cases():
        model, rows = trained(kind, task)
        records = read_records(rows[row : row + 1], features)
        box = BlackBox(model)
        reference = box.ask(records.values, 1)
        curve = make_curve([mechanism], [epsilon], lattice=64, points=16)
        right = truth(model, records, int(reference[0]), curve.flat()[0])
        asked = certify_by_queries(
            box, records, reference, curve, alpha=1 - CONFIDENCE, queries=1500, source=number
        )
        solver = find_solver(box, records)
        solved = None if solver is None else solver[0](solver[1], records, reference, curve, None)
        found.append((kind, right, asked, solved))
    return found


def test_bounds_from_queries_hold_as_often_as_they_say(outcomes):
    over = sum(float(asked.low[0, 0, 0]) > right + 1e-12 for _, right, asked, _ in outcomes)
    under = sum(float(asked.high[0, 0, 0]) < right - 1e-12 for _, right, asked, _ in outcomes)
    assert over + under <= MISSES_ALLOWED


def test_the_count_of_misses_can_tell_a_bound_from_an_estimate(outcomes):
    """Power: taken as a lower bound, the bare estimate would be convicted."""
    over = sum(float(asked.estimate[0, 0, 0]) > right + 1e-12 for _, right, asked, _ in outcomes)
    assert over > MISSES_ALLOWED


def test_linear_models_and_trees_have_no_gap(outcomes):
    gaps = [(right, solved) for kind, right, _, solved in outcomes if kind != "MLP"]
    assert len(gaps) == CASES * 3 // 4
    for right, solved in gaps:
        assert solved is not None
        assert solved.low[0, 0, 0] <= right + 1e-9
        assert solved.high[0, 0, 0] >= right - 1e-9
        assert solved.high[0, 0, 0] - solved.low[0, 0, 0] < 1e-6


def test_networks_are_asked(outcomes):
    assert all(solved is None for kind, _, _, solved in outcomes if kind == "MLP")
