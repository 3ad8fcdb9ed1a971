"""The entry point: columns by name, only the records that are asked for, within a budget, and nothing shown."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression

from noisewright.errors import BadModel, InvalidParameter
from noisewright.utility import Asking, predict_utility, stable_region

DICE = np.random.default_rng(11)
TABLE = pd.DataFrame(DICE.random((60, 3)), columns=["a", "b", "c"])
LABELS = (TABLE["a"] + 0.3 * TABLE["b"] > 0.6).astype(int)
FOREST = RandomForestClassifier(8, random_state=0).fit(TABLE, LABELS)
USUAL = {"sensitive": {"a": (0, 1)}, "epsilons": [1, 4], "mechanisms": ["OGPM"]}
BOTH = Asking(classes=(0, 1))


def rule(rows):
    return (rows[:, 0] + 0.3 * rows[:, 1] > 0.6).astype(int)


def test_columns_are_taken_by_the_names_that_the_model_remembers():
    right = predict_utility(FOREST, TABLE, **USUAL)
    shuffled = TABLE[["c", "a", "b"]].assign(name="somebody")
    assert (predict_utility(FOREST, shuffled, **USUAL).average.low == right.average.low).all()
    with pytest.raises(InvalidParameter, match="order of the model"):
        predict_utility(FOREST, TABLE, features=["c", "b", "a"], **USUAL)
    assert stable_region(FOREST, shuffled, 3, sensitive={"a": (0, 1)}).records.names == ("a", "b", "c")


def test_only_the_records_that_are_looked_at_are_asked_about():
    seen = []

    def watched(rows):
        seen.append(rows.copy())
        return rule(rows)

    predict_utility(watched, TABLE.to_numpy(), sensitive={0: (0, 1)}, epsilons=[1], mechanisms=["OGPM"],
                    records=[7], queries=500, asking=BOTH)  # fmt: skip
    others = np.concatenate(seen)[:, 1:]
    assert (others == TABLE.to_numpy()[6, 1:]).all()


def test_queries_keep_within_the_budget():
    asking = Asking(classes=(0, 1), budget=3000)
    found = predict_utility(rule, TABLE.to_numpy(), sensitive={0: (0, 1)}, epsilons=[1, 2],
                            mechanisms=["OGPM"], records=[1, 2], asking=asking)  # fmt: skip
    assert found.certificate.queries < found.asked <= 3000
    with pytest.raises(InvalidParameter, match="budget"):
        predict_utility(
            rule, TABLE.to_numpy(), sensitive={0: (0, 1)}, asking=Asking(classes=(0, 1), budget=5)
        )


def test_a_model_whose_methods_were_replaced_is_asked():
    model = LogisticRegression(C=100).fit(TABLE.to_numpy(), LABELS)
    plain = {"sensitive": {0: (0, 1)}, "epsilons": [2], "mechanisms": ["OGPM"]}
    assert predict_utility(model, TABLE.to_numpy()[:2], **plain).exact
    usual = model.predict
    model.predict = lambda rows: np.where(np.abs(rows[:, 0] - 0.2) < 1e-3, 1, usual(rows))
    assert not predict_utility(model, TABLE.to_numpy()[:2], queries=500, **plain).exact


def test_nothing_of_the_records_is_in_a_repr():
    found = predict_utility(FOREST, TABLE, **USUAL)
    text = repr(found) + repr(found.records) + repr(found.certificate)
    assert "0." not in text.replace("0.99", "").replace("0.0, 1.0", "")
    assert repr(found) == "Prediction(RandomForestClassifier: 60 records, 1 mechanisms × 2 ε, exact)"


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"confidence": 0.4}, "confidence must be"),
        ({"confidence": 1.0}, "confidence must be"),
        ({"width": -1}, "width must be"),
        ({"width": float("nan")}, "width must be"),
        ({"width": "narrow"}, "width must be"),
        ({"per": "person"}, "per must be"),
        ({"records": [0]}, "no record 0"),
        ({"records": [61]}, "no record 61"),
        ({"records": ["a"]}, "by their numbers"),
        ({"answers": [1, 0]}, "2 answers for 60 records"),
        ({"groups": ["x"]}, "1 group labels for 60 records"),
        ({"queries": 0, "exact": False}, "queries"),
    ],
)
def test_what_makes_no_sense_is_refused(changes, says):
    with pytest.raises(InvalidParameter, match=says):
        predict_utility(FOREST, TABLE, **(USUAL | changes))


def test_a_budget_of_a_record_is_divided_among_its_features():
    features = {"a": (0, 1), "b": (0, 1)}
    each = predict_utility(FOREST, TABLE, **(USUAL | {"sensitive": features}))
    whole = predict_utility(
        FOREST, TABLE, **(USUAL | {"sensitive": features, "epsilons": [2, 8], "per": "record"})
    )
    assert (each.average.low == whole.average.low).all()
    assert whole.total_epsilons.tolist() == [2.0, 8.0]


def test_true_answers_ask_for_right_answers_instead_of_unchanged_ones():
    wrong = 1 - FOREST.predict(TABLE)
    kept, hit = (predict_utility(FOREST, TABLE, answers=answers, **USUAL) for answers in (None, wrong))
    assert hit.average.low == pytest.approx(1 - kept.average.low, abs=1e-9)


def test_a_model_that_answers_two_ways_is_refused():
    dice = np.random.default_rng(0)
    with pytest.raises(BadModel, match="two answers"):
        predict_utility(lambda rows: dice.integers(2, size=len(rows)), TABLE, asking=BOTH, **USUAL)


def two_rules(rows):
    """Three answers; the true record below shows one of them."""
    return np.where(rows[:, 0] > 0.55, "high", np.where(rows[:, 1] > 0.6, "side", "low"))


@pytest.mark.parametrize("answers", [None, ["low"], ["side"]])
def test_a_function_and_one_record_are_enough(answers):
    """Answers that no true record shows are other answers, as if all classes had been declared."""
    one = np.array([[0.4, 0.5]])
    usual = {"sensitive": {0: (0, 1), 1: (0, 1)}, "epsilons": [8], "mechanisms": ["SW"], "queries": 4000}
    found = predict_utility(two_rules, one, answers=answers, seed=3, **usual)
    declared = Asking(classes=("low", "side", "high"))
    same = predict_utility(two_rules, one, answers=answers, seed=3, asking=declared, **usual)
    assert (found.average.low, found.average.high) == (same.average.low, same.average.high)
    assert found.asked == same.asked
    with pytest.raises(BadModel, match="record 1 is not one of its 2 known classes"):
        predict_utility(two_rules, one, seed=3, asking=Asking(classes=("low", "side")), **usual)


def test_a_function_is_asked_about_the_chosen_records_only():
    seen = []

    def watched(rows):
        seen.append(rows.copy())
        return rule(rows)

    stable_region(watched, TABLE.to_numpy(), 7, sensitive={0: (0, 1)}, queries=500)
    assert (np.concatenate(seen)[:, 1:] == TABLE.to_numpy()[6, 1:]).all()
