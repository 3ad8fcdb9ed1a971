"""scikit-learn's own checks of what a classifier must do, on every private classifier."""

import numpy as np
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from noisewright import Categories, Interval
from noisewright.errors import InvalidParameter, OutOfDomain
from noisewright.learn.local import LocalClassifier
from noisewright.learn.mrma import MRMA
from noisewright.published.mrma.baselines import AllData, Averaging, Histogram, Reversed, Voting, Weak

CLASSIFIERS = [
    LocalClassifier(),
    MRMA(),
    MRMA("random", multiclass="confusion"),
    Weak(),
    Reversed("bayes"),
    AllData("moments"),
    Voting(),
    Averaging(),
    Histogram(cuts=2),
]


@parametrize_with_checks(CLASSIFIERS)
def test_scikit_learn_accepts(estimator, check):
    check(estimator)


def people(count=60, seed=0):
    generator = np.random.default_rng(seed)
    return generator.uniform(0, 1, (count, 2)), generator.integers(2, size=count)


def test_one_class_only_is_refused_unless_the_classes_are_public():
    records, _ = people()
    with pytest.raises(InvalidParameter, match="one class only"):
        MRMA().fit(records, np.zeros(60))
    model = MRMA(classes=["yes", "no"]).fit(records, np.full(60, "no"))
    assert model.classes_.tolist() == ["no", "yes"]


def test_a_label_outside_the_public_list_is_refused_without_naming_it():
    records, _ = people()
    with pytest.raises(OutOfDomain, match="not among classes") as refusal:
        MRMA(classes=["yes", "no"]).fit(records, np.full(60, "perhaps"))
    assert "perhaps" not in str(refusal.value)


@pytest.mark.parametrize(("gap", "word"), [(np.nan, "missing"), (np.inf, "infinite")])
def test_gaps_are_refused_with_their_place(gap, word):
    records, codes = people()
    records[4, 1] = gap
    with pytest.raises(OutOfDomain, match=rf"X\[4, 1\] is {word}"):
        MRMA().fit(records, codes)


def test_tables_with_names_and_labels_are_read_by_their_domain():
    pandas = pytest.importorskip("pandas")
    numbers, codes = people()
    table = pandas.DataFrame(
        {"age": 100 * numbers[:, 0], "smokes": np.where(numbers[:, 1] > 0.5, "yes", "no")}
    )
    domain = {"smokes": Categories(["no", "yes"]), "age": Interval(0, 100)}  # in another order
    model = MRMA(domain=domain, random_state=0).fit(table, codes)
    assert model.schema_.names == ("age", "smokes")
    assert model.feature_names_in_.tolist() == ["age", "smokes"]
    assert model.predict(table).shape == (60,)
    assert set(np.unique(model._units(table.to_numpy(dtype=object))[:, 1])) == {-1.0, 1.0}


def test_columns_that_the_domain_does_not_know_are_refused():
    pandas = pytest.importorskip("pandas")
    numbers, codes = people()
    table = pandas.DataFrame(numbers, columns=["age", "weight"])
    with pytest.raises(InvalidParameter, match="does not declare the column 'weight'"):
        MRMA(domain={"age": Interval(0, 1), "height": Interval(0, 1)}).fit(table, codes)
    with pytest.raises(InvalidParameter, match="3 features, and the records have 2"):
        MRMA(domain=dict.fromkeys(["age", "weight", "height"], Interval(0, 1))).fit(table, codes)
