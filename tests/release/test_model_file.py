"""Releases in files: everything a model needs, nothing exact about the pool, and no trust in strangers."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pytest

from algorithms import ALGORITHMS
from noisewright.errors import BadModel, BadTable
from noisewright.release import MutualInformation, Release
from noisewright.release.algorithms import Clusters, LinearSVM, Ridge
from noisewright.release.model_file import RELEASE, load, save

GENERATOR = np.random.default_rng(8)
ROWS = GENERATOR.uniform(0, 1, size=(40, 3))
LABELS = np.where(ROWS[:, 0] > 0.5, "yes", "no")


def made(algorithm, rows=ROWS) -> Release:
    labels = ROWS[:, 1] if isinstance(algorithm, Ridge) else LABELS if algorithm.needs_labels else None
    return Release(algorithm, MutualInformation(1.0), worlds=16, random_state=3).fit(rows, labels)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.json"


@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=repr)
def test_a_model_comes_back_as_it_was(algorithm, path):
    release = made(algorithm)
    saved = load(save(path, release.released_, release.card_, label="ill"))
    assert saved.vector.tolist() == release.vector_.tolist()
    assert saved.guarantee == release.guarantee_
    assert (saved.label, saved.card) == ("ill", release.card_)
    for name in ("predict", "transform"):
        if hasattr(release.model_, name):
            again, before = getattr(saved.model, name)(ROWS), getattr(release.model_, name)(ROWS)
            assert np.array_equal(again, before)
    if hasattr(release.model_, "value"):
        assert np.array_equal(saved.model.value, release.model_.value)


def test_nothing_exact_about_the_pool_is_written(path):
    """The reference of the clusters, the centre of the plan and the seed of the worlds stay with the data."""
    release = made(Clusters(2))
    save(path, release.released_)
    content = json.loads(path.read_text(encoding="utf-8"))
    assert set(content) == set(RELEASE.fields)
    numbers = set(_numbers(content))
    plan, facts = release.plan_, release.facts_
    for private in (facts.reference, plan.spread.centre, plan.steps, plan.vector(plan.cells), ROWS):
        assert not numbers & set(np.ravel(private).tolist())
    assert release.released_.worlds.seed not in numbers - {0, 1, 2, 3}
    assert load(path).facts.reference is None


def test_a_function_leaves_its_numbers_but_no_model(path):
    release = Release(lambda rows: rows.max(axis=0), MutualInformation(1.0), worlds=16, random_state=3).fit(
        ROWS
    )
    saved = load(save(path, release.released_))
    assert saved.from_function
    assert saved.vector.tolist() == release.vector_.tolist()
    with pytest.raises(BadModel, match="function"):
        _ = saved.model


BROKEN = [
    ({"noisewright": "classifier"}, "not a release"),
    ({"format": 2}, "newer Noisewright"),
    ({"format": True}, "fields must be exactly"),
    ({"extra": 1}, "fields must be exactly"),
    ({"vector": []}, "12 finite numbers|6 finite numbers"),
    ({"vector": "x"}, "lists"),
    ({"vector": ["1"] * 6}, "numbers only"),
    ({"coordinates": ["x"] * 6}, "those of the algorithm"),
    ({"coordinates": [1] * 6}, "texts"),
    ({"label": 1}, "label must be text"),
    ({"card": None}, "another kind"),
    ({"card": {}}, "missing"),
]


@pytest.mark.parametrize(("change", "said"), BROKEN, ids=[str(change)[:40] for change, _ in BROKEN])
def test_damaged_files_are_refused_with_a_sentence(change, said, path):
    save(path, made(Clusters(2)).released_)
    content = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**content, **change}), encoding="utf-8")
    with pytest.raises(BadTable, match=said):
        load(path)


@pytest.mark.parametrize(
    "parameters",
    [{"name": "kmeans", "count": 3}, {"name": "nothing"}, {"name": "kmeans", "count": "2"}, {"name": []},
     {"name": "forest", "trees": 1000, "depth": 10}, {"name": "svm"}, {"name": "kmeans", "__class__": 2}],
    ids=str,
)  # fmt: skip
def test_descriptions_that_do_not_fit_the_vector_are_refused(parameters, path):
    save(path, made(Clusters(2)).released_)
    content = json.loads(path.read_text(encoding="utf-8"))
    content["card"]["parameters"] = parameters
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(BadTable, match="is refused"):
        load(path)


def test_any_damage_gives_a_refusal_and_nothing_else(path):
    """Letters of a file are overwritten at random: it is refused, or still a release, but never a crash."""
    save(path, made(LinearSVM()).released_)
    whole, generator = path.read_bytes(), np.random.default_rng(5)
    refused = 0
    for _ in range(60):
        letters = bytearray(whole)
        for place in generator.integers(len(letters), size=3):
            letters[place] = generator.integers(32, 127)
        path.write_bytes(bytes(letters))
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                load(path)
        except BadTable:
            refused += 1
    assert refused > 20


def test_other_files_are_refused(path):
    for text, said in (
        ("{", "strict JSON"),
        ('{"a": NaN}', "strict JSON"),
        ("[]", "not a release"),
        ("", "empty"),
    ):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(BadTable, match=said):
            load(path)


def _numbers(content):
    if isinstance(content, dict):
        content = list(content.values())
    if isinstance(content, list):
        for part in content:
            yield from _numbers(part)
    elif isinstance(content, int | float):
        yield content
