"""The experiments on releasing: how they judge, and that their tables come out; small ones without the data."""

import os
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from benchmarks.release import data, information, speed
from benchmarks.release.__main__ import EXPERIMENTS, main
from benchmarks.release.clusters import matched_accuracy
from benchmarks.release.iris import asked_line
from benchmarks.release.iris_asked import Asked
from benchmarks.release.mean import clipped
from benchmarks.release.playing import BUDGETS, Played
from benchmarks.release.text import Line, status, table

from noisewright.release.algorithms.catalogue import ALGORITHMS
from noisewright.release.algorithms.clusters import Clusters, nearest
from noisewright.release.algorithms.statistics import Mean
from noisewright.release.noise import plan_noise

FOLDER = os.environ.get("NOISEWRIGHT_DATA")
with_data = pytest.mark.skipif(FOLDER is None, reason="set NOISEWRIGHT_DATA to the folder that holds iris/")


def best_naming(parted, centroids):
    """The plain twin: every way to name the clusters, the best in the pool, judged on the test."""
    classes = np.unique(parted.pool.labels)
    right = [
        [
            (np.array(way)[nearest(part.rows, centroids)] == part.labels).mean()
            for part in (parted.pool, parted.test)
        ]
        for way in permutations(classes.tolist())
    ]
    return max(right, key=lambda pair: pair[0])[1]


@pytest.mark.parametrize("count", [3, 5])  # all ways at once, and by assignment
def test_clusters_are_named_by_the_pool_and_judged_on_the_test(count):
    generator = np.random.default_rng(count)
    whole = data.Table(generator.normal(size=(150, 2)), np.array(list("abcde"))[np.arange(150) % count])
    parted = whole.parted(100, seed=0)
    clusters = Clusters(count)
    facts = clusters.facts(parted.pool.rows, parted.pool.labels)
    vectors = generator.normal(size=(20, count * 2))
    found = matched_accuracy(clusters, facts, vectors, parted)
    pools = {best_naming(parted, vector.reshape(count, 2)) for vector in vectors}
    assert len(pools) > 5  # vectors differ, so the comparison can fail
    for vector, share in zip(vectors, found, strict=True):
        expected = best_naming(parted, vector.reshape(count, 2))
        assert share == pytest.approx(expected) or _tied(parted, vector.reshape(count, 2))


def _tied(parted, centroids):
    """Whether two namings are equally good in the pool, so that either may be taken."""
    classes = np.unique(parted.pool.labels).tolist()
    sides = nearest(parted.pool.rows, centroids)
    right = sorted((np.array(way)[sides] == parted.pool.labels).sum() for way in permutations(classes))
    return right[-1] == right[-2]


def test_figures_are_met_within_a_margin_or_reached():
    near, least = Asked((0.5, 0.6), margin=0.02), Asked((0.5, 0.6))
    assert near.kept([0.515, 0.585])
    assert not near.kept([0.515, 0.625])
    assert least.kept([0.5, 0.9])
    assert not least.kept([0.499, 0.9])
    assert (str(near), str(least)) == (".5 .6 ± .02", "≥ .5 .6")


def test_a_missed_figure_sets_the_status_and_is_marked():
    missed = asked_line("SVM C=1", "optimal", 0.9, (0.46, 0.59, 0.76, 0.89, 0.93))
    kept = asked_line("SVM C=1", "optimal", 0.9, (0.46, 0.59, 0.76, 0.89, 0.95))
    assert (status([kept, Line(("nothing asked",))]), status([kept, missed])) == (0, 1)
    shown = list(table("title", ["algorithm", "noise", "no noise", *"abcde"], [kept, missed]))
    assert [line.split()[-1] for line in shown[2:4]] == ["yes", "NO"]


def test_more_nats_are_worth_more_and_none_exceed_the_worlds():
    played = Played.of(data.iris(None, split=0), Clusters(3, bounds=(-1.0, 1.0)), worlds=64)
    curve = played.curve("optimal", releases=500)
    assert list(curve) == sorted(curve)
    assert curve[-1] <= played.unnoised() + 0.01
    assert curve[0] < played.unnoised() - 0.1


def test_every_algorithm_of_the_catalogue_is_measured():
    assert set(ALGORITHMS) <= set(information.EVERY)


def test_nats_above_the_budget_are_seen(monkeypatch):
    outputs = np.random.default_rng(0).normal(size=(64, 2))
    honest = information.line("mean", outputs, "optimal", trials=1000)
    # noise for half as many nats again, sold as what was asked
    monkeypatch.setattr(
        information, "plan_noise", lambda rows, nats, shape: plan_noise(rows, 1.5 * nats, shape)
    )
    broken = information.line("mean", outputs, "optimal", trials=1000)
    assert (honest.kept, broken.kept) == (True, False)


def test_the_published_rule_stops_when_no_variance_moves():
    rows = np.random.default_rng(0).normal(size=(20, 2))
    trials, _ = speed.published_rule(rows, fit=lambda half, seed: np.zeros((3, 2)))
    assert trials == 2 * speed.EVERY  # nothing ever moves, which takes two looks to see
    later, _ = speed.published_rule(rows, fit=lambda half, seed: np.full((3, 2), 0.1 * (seed < 10)))
    # 0.01·(10/t)(1 − 10/t) falls by less than 1e-6 in ten trials only from about a thousand on
    assert 900 < later < 1100


def test_more_private_means_are_farther_and_unclipped_ones_have_no_bias():
    rows = np.random.default_rng(0).uniform(0.2, 0.8, (200, 3))
    (bias, near), (_, far) = (map(float, clipped(rows, epsilon, 1).split(",")) for epsilon in (50.0, 0.1))
    assert bias < 1e-3
    assert near < far


def test_a_half_is_as_far_from_the_mean_as_theory_says():
    parted = data.iris(None, split=0)
    played = Played.of(parted, Mean(), worlds=512)
    squares = (played.outputs - parted.pool.rows.mean(axis=0)) ** 2
    expected = parted.pool.rows.var(axis=0, ddof=1) / len(parted.pool.rows)  # without replacement, a half
    assert np.allclose(squares.mean(axis=0), expected, rtol=0.6)


@pytest.mark.parametrize("experiment", ["iris", "drybean", "mean", "components"])
def test_experiments_that_need_data_say_so(experiment, capsys, tmp_path):
    assert main([experiment]) == 2
    assert "--data" in capsys.readouterr().err
    assert main([experiment, "--data", str(tmp_path)]) == 2
    assert f"benchmarks.release {experiment}:" in capsys.readouterr().err


def test_every_experiment_has_a_module():
    folder = Path(data.__file__).parent
    assert all((folder / f"{name}.py").exists() for name in EXPERIMENTS)


@with_data
def test_iris_is_that_of_uci_and_parted_in_two():
    folder = Path(FOLDER)
    parted = data.iris(folder, split=0)
    assert (len(parted.pool.rows), len(parted.test.rows)) == (100, 50)
    assert parted.pool.rows.min() >= -1
    assert parted.pool.rows.max() <= 1
    differing = data.read_iris(folder).rows != data.read_iris(None).rows
    assert differing.sum() == 3
    assert len(BUDGETS) == 5
