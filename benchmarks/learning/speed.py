"""How fast learning is: many small fits at once, clients a second, and what the feedback costs."""

from __future__ import annotations

import time
from typing import Final

import numpy as np
from sklearn.linear_model import LogisticRegression

from benchmarks.timing import Row, rate
from noisewright.domains import Cells, Floats, Interval
from noisewright.learn.bases import find_base
from noisewright.learn.local import LocalClassifier
from noisewright.learn.mrma import MRMA
from noisewright.learn.questions import FeedbackQuestion
from noisewright.learn.questions.feedback import response
from noisewright.learn.rules import LinearRule
from noisewright.randomness import SecureSource

SAMPLES, RECORDS, WIDTH = 30, 60, 8
"""The weak classifiers of the diabetes experiment."""

FEW, MANY = 200_000, 2_000_000
"""Among fewer clients most of the time goes into what does not grow with them."""

GROWTH: Final = 1.5
"""How much longer a client may take among ten times as many, whose records no cache holds any more."""

UNIT, EPSILON, ASKED = Interval(-1, 1), 1.0, 1_000_000


def rows() -> list[Row]:
    """The lines of ``make bench`` about learning."""
    local = LocalClassifier(EPSILON, domain=UNIT)
    return [fits(), growth("LocalClassifier", local), growth("MRMA", MRMA(domain=UNIT)), feedback()]


def fits() -> Row:
    """Logistic regressions of the size of weak classifiers, stacked, against one after another."""
    random = np.random.default_rng(7)
    units = random.laplace(0, 2, (SAMPLES, RECORDS, WIDTH))
    signs = np.where(random.random((SAMPLES, RECORDS)) < 0.5, -1, 1)
    base, known = find_base("logistic"), LogisticRegression(C=np.inf)
    ours = rate(lambda: base.fit_many(units, signs, random), SAMPLES)
    theirs = rate(lambda: [known.fit(*sample) for sample in zip(units, signs, strict=True)], SAMPLES)
    return Row(
        f"{SAMPLES} logistic fits of {RECORDS} × {WIDTH}", None, "scikit-learn in a loop", ours / theirs,
        note=f"{1e3 * SAMPLES / ours:.1f} ms",
    )  # fmt: skip


def growth(name: str, model: LocalClassifier | MRMA) -> Row:
    """The time of a client among many against that of one among few: no more, if fit is linear."""
    few, many = (clients_per_second(model, people) for people in (FEW, MANY))
    return Row(
        f"{name}.fit, {MANY:,} clients", many, f"{FEW:,}: time of one", few / many,
        f"≤ {GROWTH}×", few / many <= GROWTH,
    )  # fmt: skip


def clients_per_second(model: LocalClassifier | MRMA, people: int, repeats: int = 3) -> float:
    """The best of a few fits in processor time, so that a busy machine does not pass for growth."""
    units, codes = clients(people)
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        model.fit(units, codes)
        best = min(best, time.process_time() - start)
    return people / best


def clients(people: int) -> tuple[Floats, Cells]:
    """Records of uniform features, and on which side of a plane each lies."""
    units = np.random.default_rng(7).uniform(-1, 1, (people, WIDTH))
    return units, (units.sum(axis=1) > 0).astype(np.int64)


def feedback() -> Row:
    """One bit of feedback of each client, against the randomized response that is a part of it."""
    units, codes = clients(ASKED)
    source, question = SecureSource(), FeedbackQuestion(EPSILON, LinearRule(np.ones(WIDTH), 0.0))
    ours = rate(lambda: question.answers(units, codes, source), ASKED)
    bare = rate(lambda: response(EPSILON).perturb_cells(codes, source), ASKED)
    return Row(f"feedback on a rule of {WIDTH} columns", ours, "its RR.perturb_cells", ours / bare)
