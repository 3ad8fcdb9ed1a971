"""Zheng & Hu let people choose ε for their own record: the choice itself tells about the record, exactly."""

from __future__ import annotations

import numpy as np
from sklearn.linear_model import LogisticRegression

from noisewright import Interval
from noisewright.mechanisms import OGPM
from noisewright.utility import predict_utility

RECORDS = np.array([[0.05], [0.35], [0.45], [0.6], [0.95]])
TARGET = 0.8


def prediction(records):
    """An exact prediction: the model says yes above about 0.5."""
    places = np.linspace(0, 1, 201)[:, None]
    model = LogisticRegression(C=1e4).fit(places, places[:, 0] > 0.5)
    return predict_utility(
        model, records, sensitive={0: (0, 1)}, epsilons=np.linspace(0.5, 12, 24), mechanisms=["OGPM"]
    )


def test_an_epsilon_that_is_chosen_for_ones_own_record_tells_the_record():
    """Nothing is random about the choice, so that no ε bounds what it tells.

    Records far from the model's threshold choose a small ε and records near it a large one. Between two of
    them a report at the smaller ε raises the odds by at most e^ε; the choice, seen before any report, rules
    one of them out.
    """
    found = prediction(RECORDS)
    chosen = [found.least_epsilon(TARGET, number)["OGPM"] for number in range(1, len(RECORDS) + 1)]
    assert None not in chosen
    assert chosen[0] < 0.9 * chosen[2]
    assert chosen[4] < 0.9 * chosen[2]
    law = OGPM(Interval(0, 1), chosen[0])
    edges = np.linspace(-1, 2, 301)
    one, other = (np.diff(law.law(value).cdf(edges)) for value in (RECORDS[0, 0], RECORDS[2, 0]))
    seen = (one > 1e-12) & (other > 1e-12)
    assert np.log(one[seen] / other[seen]).max() <= chosen[0] + 1e-6  # the report keeps its ε
