"""Advice from public numbers: the model against simulation, and the choice against its grid."""

import itertools

import numpy as np
import pytest

from noisewright.errors import InvalidParameter
from noisewright.learn.advisor import Setting, advise, expected_accuracy
from noisewright.learn.ensemble import Plan
from noisewright.learn.mrma import MRMA

PUBLISHED = {
    1: Plan(25, 500, 100, 2500),
    2: Plan(50, 500, 100, 5000),
    3: Plan(50, 500, 50, 5000),
    4: Plan(50, 500, 100, 2500),
    5: Plan(50, 500, 50, 2500),
    6: Plan(50, 2500, 250, 2500),
    7: Plan(50, 5000, 500, 2500),
    8: Plan(50, 2500, 250, 5000),
}
"""The cases of tables A.2 and A.3."""


def directions(plan, setting, random):
    """Unit directions of weak rules; a trained one is the mean of label times report over its subset."""
    drawn = random.normal(size=(plan.weak, setting.width))
    if plan.training:
        units, signs = records(plan.training, setting, random)
        scale = 2 * (setting.width + 1) / setting.epsilon
        kept = 1 / (1 + np.exp(-setting.epsilon / (setting.width + 1)))
        said = np.where(random.random(plan.training) < kept, signs, -signs)
        product = said[:, None] * (units + random.laplace(0, scale, units.shape))
        drawn = np.stack([random.permutation(product)[: plan.subset].mean(axis=0) for _ in range(plan.weak)])
    return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)


def records(people, setting, random):
    """Uniform records whose label is the side of a fixed direction, as often as the best rule is right."""
    units = random.uniform(-1, 1, (people, setting.width))
    side = np.sign(units.sum(axis=1))
    return units, np.where(random.random(people) < setting.best_accuracy, side, -side)


def played(plan, setting, cutoff, random):
    """The accuracy of one mixed rule, clients and all."""
    rules = directions(plan, setting, random)
    units, signs = records(plan.evaluation // plan.weak * plan.weak, setting, random)
    scores = np.einsum("bnd,bd->bn", units.reshape(plan.weak, -1, setting.width), rules)
    right = np.sign(scores) == signs.reshape(plan.weak, -1)
    truth = 1 / (1 + np.exp(-setting.epsilon))
    said = np.where(random.random(right.shape) < truth, right, ~right).mean(axis=1)
    lean = (said - 0.5) / (2 * truth - 1)
    weights = np.sign(lean) * np.maximum(np.abs(lean) - (cutoff - 0.5), 0)
    mixed = (weights if weights.any() else lean) @ rules
    units, signs = records(2000, setting, random)
    return float((np.sign(units @ mixed) == signs).mean())


@pytest.mark.parametrize(
    ("plan", "setting", "cutoff"),
    [
        (Plan(100, 0, 0, 3000), Setting(4, 1.0, 0.85), 0.5),
        (Plan(20, 0, 0, 3000), Setting(10, 3.0, 0.8), 0.6),
        (Plan(50, 500, 50, 2500), Setting(4, 3.0, 0.85), 0.5),
        (Plan(1, 1500, 1500, 1500), Setting(4, 10.0, 0.85), 0.5),
        (Plan(50, 1500, 150, 1500), Setting(10, 30.0, 0.8), 0.5),
    ],
)
def test_the_model_is_near_what_is_played(plan, setting, cutoff):
    random = np.random.default_rng(8)
    found = np.array([played(plan, setting, cutoff, random) for _ in range(25)])
    # Half of the advantage would be noticed at once; the model's own error is a few hundredths.
    assert abs(found.mean() - expected_accuracy(plan, setting, cutoff)) < 0.03


@pytest.mark.parametrize("width", [1, 4, 20])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0, 32.0])
def test_the_model_never_promises_more_than_the_best_rule_and_grows_with_people(width, epsilon):
    setting = Setting(width, epsilon, 0.8)
    found = [expected_accuracy(Plan(50, 0, 0, people), setting) for people in (100, 1000, 10_000)]
    assert found == sorted(found)
    assert found[0] > 0.5
    assert found[-1] <= 0.8 + 1e-12


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 3.0, 10.0])
def test_no_cutoff_beats_a_half(epsilon):
    setting = Setting(6, epsilon)
    for plan in (Plan(500, 0, 0, 3000), Plan(50, 0, 0, 3000)):
        half, *higher = (expected_accuracy(plan, setting, cutoff) for cutoff in (0.5, 0.55, 0.6, 0.7, 0.8))
        assert max(higher) <= half


@pytest.mark.parametrize("case", PUBLISHED)
@pytest.mark.parametrize("epsilon", [0.5, 5.0])
def test_the_advice_expects_no_less_than_the_published_cases(case, epsilon):
    plan = PUBLISHED[case]
    advice = advise(plan.training + plan.evaluation, 4, epsilon, best_accuracy=0.85)
    published = expected_accuracy(plan, advice.setting, 0.6)
    assert advice.accuracy - 0.5 >= 0.99 * (published - 0.5)


def test_random_directions_until_noise_lets_trained_rules_through():
    bases = [advise(3000, 4, epsilon).base for epsilon in (0.1, 1.0, 5.0, 24.0, 32.0)]
    assert bases == ["random", "random", "random", "trained", "trained"]


def test_an_advice_uses_everybody_once():
    for people, epsilon in itertools.product((7, 100, 3001, 10**6), (0.3, 30.0)):
        advice = advise(people, 5, epsilon)
        assert advice.training + advice.evaluation == people
        assert advice.people_per_rule >= 2
        assert advice.weak * advice.people_per_rule <= advice.evaluation
        assert advice.subset <= advice.training
        assert (advice.training == 0) == (advice.base == "random")


def test_more_classes_share_the_people():
    three = advise(3000, 4, 1.0, classes=3)
    assert three.people == 1000
    assert "one-against-rest" in three.explain()


def test_an_advice_explains_itself():
    low, high = advise(3000, 4, 1.0).explain(), advise(3000, 4, 30.0).explain()
    assert "Noise swamps trained rules" in low
    assert "Training pays" in high
    assert "less than half" in advise(300, 20, 0.5).explain()


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: advise(3, 4, 1.0),
        lambda: advise(100, 0, 1.0),
        lambda: advise(100, 4, 0.0),
        lambda: advise(100, 4, 1.0, classes=1),
        lambda: advise(10, 4, 1.0, classes=5),
        lambda: advise(100, 4, 1.0, best_accuracy=0.5),
        lambda: Setting(4, 1.0, spread=0.0),
    ],
)
def test_numbers_out_of_range_are_refused(wrong):
    with pytest.raises(InvalidParameter):
        wrong()


def test_an_advice_is_what_mrma_takes():
    units = np.random.default_rng(1).uniform(-1, 1, (400, 3))
    for epsilon in (1.0, 30.0):
        advice = advise(400, 3, epsilon)
        model = MRMA(epsilon=epsilon, random_state=1, **advice.parameters()).fit(units, units[:, 0] > 0)
        assert (model.plan_.training, model.plan_.weak) == (advice.training, advice.weak)
