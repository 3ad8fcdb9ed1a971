"""LocalClassifier: what it learns, what it costs, what it says about itself, and what it refuses."""

from fractions import Fraction

import numpy as np
import pytest
from joblib import parallel_config
from sklearn.base import clone
from sklearn.model_selection import cross_val_score

from noisewright import Categories, Interval, PureLDP
from noisewright.errors import InvalidParameter, OutOfDomain
from noisewright.learn import Client, Coordinator, LocalClassifier
from noisewright.learn.learners.additive import Additive
from noisewright.learn.learners.evidence import LabelShares
from noisewright.learn.questions.rounds import Population, read_chance, simulate
from noisewright.learn.rules.schema import read_schema
from noisewright.ledger import Ledger

DOMAIN = {"glucose": Interval(40, 200), "age": Interval(20, 80), "sex": Categories(["f", "m"])}


def patients(count: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """A third is ill, mostly those of high glucose."""
    generator = np.random.default_rng(seed)
    glucose = generator.normal(115, 25, count).clip(40, 200)
    age = generator.normal(45, 12, count).clip(20, 80)
    ill = (glucose - 125) / 12 + (age - 45) / 20 + generator.logistic(size=count) > 0
    sex = np.array(["f", "m"])[generator.integers(2, size=count)]
    return np.column_stack([glucose, age, sex.astype(object)]), np.where(ill, "ill", "a well")


def fitted(count: int = 5000, epsilon: float = 2.0, seed: int = 1, **changes) -> LocalClassifier:
    return LocalClassifier(epsilon, domain=DOMAIN, random_state=seed, **changes).fit(*patients(count))


def test_it_learns_and_tells_how_well():
    model = fitted()
    records, labels = patients(20_000, seed=9)
    truth, majority = model.score(records, labels), np.mean(labels == "a well")
    card = model.accuracy_
    assert truth > majority + 0.08
    assert abs(card.value - truth) < 4 * card.stderr
    assert card.low <= card.value <= card.high
    assert abs(card.majority.value - majority) < 0.1
    assert card.majority_class == "a well"
    assert card.beats_majority == "yes"
    assert "majority class" in str(card)
    assert str(model.choice_) == "additive before always the same class"


@pytest.mark.parametrize(
    "path",
    [
        {},
        {"check": 0.0},
        {"choose": 0.0, "check": 0.3},
        {"learners": ("additive", "moments", "directions")},
        {"learners": ("directions", "additive"), "combine": "mix"},
        {"epsilon": 0.3},
    ],
)
@pytest.mark.parametrize("clients", [10, 20, 40, 59, 1003])
def test_every_client_spends_exactly_epsilon_whatever_the_path(path, clients):
    model = fitted(clients, **path)
    assert model.spent_ == {Fraction(path.get("epsilon", 2.0)): clients}
    assert (model.accuracy_ is None) == (path.get("check") == 0.0)
    assert model.simulated_


def test_without_a_seed_it_is_private_and_differs_each_time():
    records, labels = patients(400)
    models = [LocalClassifier(4.0, domain=DOMAIN).fit(records, labels) for _ in range(2)]
    assert not any(model.simulated_ for model in models)
    assert not np.array_equal(*(model.decision_function(records) for model in models))


def test_a_seed_repeats_everything():
    records, _ = patients(50)
    assert np.array_equal(fitted(600).decision_function(records), fitted(600).decision_function(records))


def test_three_classes_are_learned():
    records, _ = patients(9000)
    labels = np.digitize(records[:, 0].astype(float), [100, 130])
    model = LocalClassifier(3.0, domain=DOMAIN, random_state=2).fit(records, labels)
    assert model.score(records, labels) > 0.75
    assert model.decision_function(records).shape == (9000, 3)
    assert model.predict_proba(records).sum(axis=1) == pytest.approx(1)
    assert model.accuracy_.confusion.value.shape == (3, 3)


@pytest.mark.parametrize(("default", "expected"), [(None, "a well"), ("ill", "ill")])
def test_where_nothing_can_be_known_the_public_default_is_predicted(default, expected):
    records, labels = patients(300)
    for seed in range(5):
        model = LocalClassifier(0.1, domain=DOMAIN, default=default, random_state=seed).fit(records, labels)
        assert set(model.predict(records)) == {expected}


def test_it_is_no_worse_than_the_majority_class_at_any_epsilon():
    """16 fits each; the mean loss beyond the majority rate stays below four standard errors and two points."""
    fresh, truth = patients(2000, seed=7)
    majority = np.mean(truth == "a well")
    for epsilon in (0.1, 0.5, 1.0):
        right = [fitted(800, epsilon, seed).score(fresh, truth) for seed in range(16)]
        short = majority - np.mean(right)
        assert short < max(0.01, 4 * np.std(right) / np.sqrt(16)), epsilon
        assert short < 0.02, epsilon


def shuffled_loss(epsilon: float, fits: int = 30) -> tuple[float, float]:
    """Points by which the constant answer is better where labels have nothing to do with features, ± error."""
    records, labels = patients(1200)
    fresh, truth = patients(2000, seed=7)
    found = []
    for seed in range(fits):
        mixed = np.random.default_rng(seed).permutation(labels)
        away = np.random.default_rng(seed + 1000).permutation(truth)
        model = LocalClassifier(epsilon, domain=DOMAIN, random_state=seed).fit(records, mixed)
        found.append(100 * (np.mean(truth == "a well") - model.score(fresh, away)))
    return float(np.mean(found)), float(np.std(found) / np.sqrt(fits))


@pytest.mark.parametrize("epsilon", [0.4, 1.0])
def test_where_labels_say_nothing_it_is_as_good_as_the_constant_answer(epsilon):
    """30 fits: not more than 0.3 points and 3 standard errors below (false alarm below 1 % if the loss is 0.3)."""
    loss, error = shuffled_loss(epsilon)
    assert loss < 0.3 + 3 * error


def test_a_rule_that_is_taken_without_evidence_would_be_found_out(monkeypatch):
    """The power of the test above: as hopeful as if every answer were evidence, it is far below."""
    monkeypatch.setattr(Additive, "convinced", True)
    monkeypatch.setattr(Additive, "doubt", 0.0)
    monkeypatch.setattr(LabelShares, "cautious", lambda self: self.shares)
    loss, error = shuffled_loss(0.4)
    assert loss > 0.3 + 3 * error


def test_what_can_be_learned_is_learned_from_epsilon_one_on():
    """8 fits of 2,500 clients: on average at least half of what is gained at ε = 8; the constant gains 0.

    The gain spreads by 5 points at ε = 1, so half of 17 points is missed with a chance below 1e-4.
    """
    fresh, truth = patients(4000, seed=7)
    majority = np.mean(truth == "a well")
    gains = {
        epsilon: np.mean([fitted(2500, epsilon, seed).score(fresh, truth) for seed in range(8)]) - majority
        for epsilon in (1.0, 8.0)
    }
    assert gains[8.0] > 0.1
    assert gains[1.0] > gains[8.0] / 2


def test_few_clients_learn_instead_of_choosing_what_they_could_not_tell():
    assert LocalClassifier(1.0).set_apart(2000) == (200, 0)
    assert LocalClassifier(4.0).set_apart(2000) == (200, 100)
    assert LocalClassifier(1.0, choose=0.05).set_apart(2000) == (200, 100)
    assert LocalClassifier(1.0, learners=("additive", "directions")).set_apart(2000) == (200, 400)


def test_the_interval_of_the_accuracy_covers():
    """40 fits at 95 %: at least 32 hold the truth (false alarm 2e-4; intervals half as wide hold in 27)."""
    fresh, truth = patients(4000, seed=8)
    models = [fitted(400, 3.0, seed) for seed in range(40)]
    scores = [model.score(fresh, truth) for model in models]
    held = sum(m.accuracy_.low <= s <= m.accuracy_.high for m, s in zip(models, scores, strict=True))
    assert held >= 32


def test_devices_and_coordinator_learn_what_the_simulation_learns_and_everybody_pays_epsilon(tmp_path):
    """The same questions in the same order, answered by devices with ledgers, JSON in between."""
    records, labels = patients(40)
    schema, names = read_schema(DOMAIN, 3), ["a well", "ill"]
    model = LocalClassifier(2.0, choose=0.25, check=0.25)
    ledger = Ledger.create(tmp_path / "devices.db", budget=2.0)
    rounds = model.procedure(40, schema, names, np.random.default_rng(1))
    coordinator = Coordinator(rounds, schema, epsilon=2.0)
    for place, (record, label) in enumerate(zip(records, labels, strict=True)):
        task = coordinator.task_for(f"person {place}")
        client = Client(ledger, f"person {place}", schema, classes=names)
        coordinator.receive(client.answer(task.to_json(), list(record), label).to_json())
    assert coordinator.done
    _, choice, card = coordinator.result
    people = Population(schema.encode(records), (labels == "ill").astype(int), 2.0, read_chance(2))
    again = simulate(model.procedure(40, schema, names, np.random.default_rng(1)), people)
    assert [each.name for each in choice.candidates] == [each.name for each in again[1].candidates]
    assert card.count == again[2].count == 10
    assert {ledger.spent(f"person {place}") for place in range(40)} == {PureLDP(2.0)}


def test_it_lives_in_scikit_learns_world():
    records, labels = patients(900)
    model = LocalClassifier(3.0, domain=DOMAIN, random_state=1)
    assert clone(model).get_params() == model.get_params()
    with parallel_config(backend="threading"):
        assert cross_val_score(model, records, labels, cv=3, n_jobs=2).mean() > 0.6


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"epsilon": 0}, "epsilon"),
        ({"epsilon": float("nan")}, "epsilon"),
        ({"check": 0.6}, "check is a share"),
        ({"choose": -0.1}, "choose is a share"),
        ({"default": "dead"}, "default must be one of the classes"),
        ({"learners": ("forest",)}, "unknown learner"),
        ({"combine": "stack"}, "combine must be pick or mix"),
        ({"domain": [Categories("fm")]}, "1 feature"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(changes, words):
    records, labels = patients(100)
    with pytest.raises(InvalidParameter, match=words):
        LocalClassifier(**{"epsilon": 1.0, "domain": DOMAIN, **changes}).fit(records, labels)


def test_records_that_do_not_fit_are_refused_without_their_values():
    records, labels = patients(100)
    outside, gap = records.copy(), records.copy()
    outside[17, 0], gap[3, 1] = 231.5, np.nan
    for broken, words in ((outside, r"glucose\[17\] lies above"), (gap, r"age\[3\] is missing")):
        with pytest.raises(OutOfDomain, match=words) as refusal:
            LocalClassifier(1.0, domain=DOMAIN).fit(broken, labels)
        assert "231" not in str(refusal.value)


def test_values_outside_can_be_clipped_on_request():
    records, labels = patients(100)
    records[17, 0] = 231.5
    model = LocalClassifier(1.0, domain=DOMAIN, out_of_domain="clip").fit(records, labels)
    assert model.predict(records).shape == (100,)


def test_one_class_only_and_too_few_clients_are_refused():
    records, labels = patients(100)
    with pytest.raises(InvalidParameter, match="one class only"):
        LocalClassifier(1.0, domain=DOMAIN).fit(records, np.full(100, "ill"))
    with pytest.raises(InvalidParameter, match="at least 10 clients"):
        LocalClassifier(1.0, domain=DOMAIN, classes=["a well", "ill"]).fit(records[:9], labels[:9])


def test_text_where_no_labels_are_declared_is_refused_without_quoting_it():
    records, labels = patients(50)
    with pytest.raises(OutOfDomain, match="X holds text") as refusal:
        LocalClassifier(1.0).fit(records, labels)
    assert "'f'" not in str(refusal.value)
    assert refusal.value.__cause__ is None
