"""One repetition of the diabetes experiment: the error of every column on the same test rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.learning.diabetes_table import Table
from benchmarks.learning.functional_trial import COLUMNS as WITH_LOGISTIC
from benchmarks.learning.functional_trial import Design, People, trial
from noisewright.domains import Floats, Interval
from noisewright.learn.baselines import Histogram
from noisewright.learn.bases import find_base
from noisewright.learn.ensemble import Mixing, Mixture, make_plan
from noisewright.learn.ensemble.mixing import errors
from noisewright.learn.mrma import MRMA
from noisewright.learn.rules import ConstantRule, Rule
from noisewright.learn.schema import read_schema

WEAK, TRAINING, SUBSET, CUTOFF = 30, 414, 60, 0.7

PUBLISHED = (*WITH_LOGISTIC, "Histogram")
OURS = ("no intercept", "random", "random, shrunken")
"""Weak classifiers that no intercept swamps: trained ones, and untrained directions judged by all clients."""

COLUMNS = (*PUBLISHED, *OURS, "majority")


def repetition(table: Table, split: str, epsilon: float, seed: int) -> Floats:
    """The errors of all columns, in their order, for one random split and one draw of all noise."""
    rows, tested = table.split(split, np.random.default_rng(seed))
    schema = read_schema(table.domain, table.values.shape[1])
    clients, testing = (People(schema.encode(table.values[i]), table.codes[i]) for i in (rows, tested))
    plan = make_plan(len(clients), schema.width, weak=WEAK, training=TRAINING, subset=SUBSET)
    with_logistic = trial(clients, testing, find_base("logistic"), Design(plan, CUTOFF), epsilon, seed)
    others = errors(_rules(clients, epsilon, seed), testing.units, testing.codes)
    return np.array([*with_logistic, *others])


def _rules(clients: People, epsilon: float, seed: int) -> list[Rule]:
    """The rules of the histogram, of our variants, and of the majority."""
    fixed: dict[str, Any] = {"epsilon": epsilon, "domain": Interval(-1, 1), "random_state": seed}
    numbers: dict[str, Any] = {"weak": WEAK, "training": TRAINING, "subset": SUBSET, "cutoff": CUTOFF}
    models = [
        Histogram(**fixed),
        MRMA(**fixed, **numbers, intercept=False),
        MRMA("random", **fixed, **numbers),
    ]
    fitted = [model.fit(clients.units, clients.codes) for model in models]
    directions: Mixture = fitted[-1].weak_
    shrunken = Mixing(averaging="shrunken", centred=True).mix(directions.trained, directions.evaluation)
    frequent = ConstantRule(int(2 * clients.codes.sum() > len(clients)))
    return [*(model.rule_ for model in fitted), shrunken.rule, frequent]
