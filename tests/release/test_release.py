"""Releasing end to end: what comes out, what stays in, and what is refused with nothing released."""

import copy
import io
import pickle

import joblib
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from joblib import wrap_non_picklable_objects
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.svm import LinearSVC

from noisewright.errors import BadRelease, BadTable, InvalidParameter, NoisewrightError, OutOfDomain
from noisewright.guarantees import PACPrivacy
from noisewright.release import MembershipSuccess, MutualInformation, Release, UnboundedRelease, Worlds
from noisewright.release.algorithms import Mean

BUDGET = MutualInformation(1 / 4)


def groups(records: int = 80) -> tuple[np.ndarray, np.ndarray]:
    labels = np.arange(records) % 2
    return np.random.default_rng(1).normal(size=(records, 2)) + 8 * labels[:, None], labels


def small(algorithm, budget=BUDGET, **others) -> Release:
    return Release(algorithm, budget, worlds=others.pop("worlds", 32), **others)


def test_a_scikit_learn_estimator_comes_back_fitted() -> None:
    rows, labels = groups()
    release = small(KMeans(2)).fit(rows)
    assert isinstance(release.model_, KMeans)
    found = release.model_.predict(rows)
    assert (found == labels).mean() in (
        0.0,
        1.0,
    )  # far apart, so noise does not matter; clusters have no order
    assert release.guarantee_ == PACPrivacy(0.25)
    assert not release.simulated_


def test_data_frames_keep_their_names() -> None:
    rows, labels = groups()
    table = pd.DataFrame(rows, columns=["height", "weight"])
    release = small(LinearSVC(C=0.1)).fit(table, labels)
    assert release.facts_.names == ("height", "weight")
    assert (release.model_.predict(table) == labels).mean() > 0.9


def test_any_function_and_a_single_column() -> None:
    release = small(lambda rows: float(np.ptp(rows))).fit(groups()[0][:, 0])
    assert np.shape(release.model_) == ()


def test_arrow_tables_keep_their_names() -> None:
    rows, _ = groups()
    table = pa.table({"height": rows[:, 0], "weight": rows[:, 1]})
    assert small(Mean()).fit(table).facts_.names == ("height", "weight")


def test_every_fit_draws_a_new_secret_and_new_noise() -> None:
    rows, _ = groups()
    worlds = Worlds(80, 32, seed=4)
    first, second = (small(Mean(), worlds=worlds).fit(rows) for _ in range(2))
    assert (first.vector_ != second.vector_).all()
    again = [small(Mean(), random_state=7).fit(rows).vector_ for _ in range(2)]
    assert (again[0] == again[1]).all()


def test_noise_has_the_size_that_was_planned() -> None:
    """Squared distances to the worlds' outputs: mean within 6 standard errors, and a tenth less is rejected."""
    rows, _ = groups()
    plan = small(Mean()).fit(rows).plan_
    generator = np.random.default_rng(0)
    drawn = np.repeat(np.arange(32), 1000)
    away = plan.vector(plan.simulate(drawn, generator)) - plan.vector(plan.cells[drawn])
    squares = (away**2).sum(axis=1)
    error = squares.std() / np.sqrt(squares.size)
    assert abs(squares.mean() - plan.total_variance) < 6 * error
    assert abs(squares.mean() - 0.9 * plan.total_variance) > 6 * error


def test_success_as_a_budget() -> None:
    rows, _ = groups()
    release = small(Mean(), MembershipSuccess(0.7, confidence=0.99), random_state=3).fit(rows)
    assert release.released_.certificate.rate_upper <= 0.7
    assert release.guarantee_.mutual_information == release.plan_.information_upper
    report = release.attack(trials=200, seed=1)
    assert report.promised == 0.7
    assert report.verdict.startswith("pass")


def test_a_search_releases_the_best_of_a_grid() -> None:
    rows, labels = groups()
    release = small(LinearSVC(), grid={"C": [0.01, 1.0]}, random_state=1).fit(rows, labels)
    assert release.released_.algorithm == release.search_.best
    assert len(release.search_.table) == 2


def test_a_pickle_leaves_out_what_is_exact_about_the_data() -> None:
    rows, _ = groups()
    rows[0] = 123.456789
    release = small(KMeans(2)).fit(rows)
    sent = pickle.dumps(release)
    got = pickle.loads(sent)
    assert (got.model_.predict(rows) == release.model_.predict(rows)).all()
    assert got.card_ == release.card_
    assert rows[0].tobytes()[:8] not in sent
    assert release.plan_.spread.centre.tobytes() not in sent
    with pytest.raises(InvalidParameter, match="without the data"):
        got.attack()


def test_a_pickle_does_not_carry_what_the_estimator_had_learned_before() -> None:
    rows, _ = groups()
    exact = KMeans(2, n_init=1).fit(rows)
    sent = pickle.dumps(small(exact).fit(rows))
    assert exact.cluster_centers_[0].tobytes() not in sent
    assert not hasattr(pickle.loads(sent).algorithm, "labels_")


COPIES = [
    pickle.dumps,
    copy.copy,
    copy.deepcopy,
    lambda made: joblib.dump({"made": made}, io.BytesIO()),
    lambda made: pickle.dumps(wrap_non_picklable_objects([made])),
]


@pytest.mark.parametrize("copied", COPIES)
def test_what_knows_the_outputs_of_all_worlds_is_not_pickled_or_copied(copied) -> None:
    """Its pickle would hold them exactly; the model and the vector of it are what leaves."""
    rows, labels = groups()
    release = small(LinearSVC(), grid={"C": [0.01, 1.0]}, random_state=1).fit(rows, labels)
    for made in (release.released_, release.search_):
        with pytest.raises(InvalidParameter, match="exact outputs of private data"):
            copied(made)
    sent = pickle.dumps((release.released_.model, release.released_.vector))
    assert release.search_.outputs[0].tobytes() not in sent
    assert (pickle.loads(sent)[1] == release.vector_).all()


def test_labels_that_are_not_classes_are_not_published(tmp_path) -> None:
    rows, _ = groups()
    release = small(Mean()).fit(rows, np.random.default_rng(2).normal(size=80))
    assert release.card_.classes is None
    with pytest.raises(InvalidParameter, match="published by name"):
        small(LinearSVC()).fit(rows, [f"patient {number}" for number in range(80)])


def test_an_attack_fails_a_release_that_tells_more_than_its_budget() -> None:
    """Four nats where one was promised: no success rate can show it, the measured information does."""
    rows, _ = groups()
    release = small(Mean(), MutualInformation(1.0), worlds=256).fit(rows)
    leaky = small(Mean(), MutualInformation(4.0), worlds=release.released_.worlds).fit(rows)
    assert release.attack(trials=300, seed=1).passed
    leaky.released_.calibrated.__dict__["budget"] = MutualInformation(1.0)
    assert not leaky.attack(trials=300, seed=1).passed


def test_nothing_exact_shows_in_a_repr() -> None:
    release = small(Mean()).fit(groups()[0])
    shown = repr(release.released_) + repr(release.plan_) + repr(release.facts_) + repr(release._pool)
    assert not any(f"{value:.6g}" in shown for value in release.plan_.spread.centre)


def test_scikit_learn_can_clone_it() -> None:
    release = small(KMeans(2))
    assert clone(release).get_params()["budget"] == BUDGET


def test_kept_worlds_are_the_same_halves_when_work_goes_on(tmp_path) -> None:
    rows, _ = groups()
    calls = []

    def stop(done: int, total: int) -> None:
        calls.append(done)
        if done >= 16:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        small(Mean(), keep=tmp_path / "kept", progress=stop).fit(rows)
    resumed: list[int] = []
    release = small(Mean(), keep=tmp_path / "kept", progress=lambda done, total: resumed.append(done)).fit(
        rows
    )
    assert resumed[-1] == 32
    assert release.released_.worlds == small(Mean(), keep=tmp_path / "kept").fit(rows).released_.worlds


class Once:
    """An algorithm that does something else in a world that starts with a given record."""

    def __init__(self, trouble) -> None:
        self.trouble = trouble

    def __call__(self, rows: np.ndarray, labels: np.ndarray, seed: int) -> np.ndarray:
        found = rows.mean(axis=0)
        return self.trouble(found) if seed % 7 == 3 else found


def raises(_):
    raise RuntimeError("patient 4711 has 39.2")


@pytest.mark.parametrize(
    ("trouble", "words"),
    [
        (lambda found: found[:1], r"world \d+"),
        (lambda found: found * np.nan, r"world \d+"),
        (raises, r"RuntimeError in world \d+"),
        (lambda found: ["a", "b"], r"world \d+"),
    ],
)
def test_a_world_that_goes_wrong_is_named_and_nothing_is_released(trouble, words: str) -> None:
    release = small(Once(trouble), worlds=Worlds(80, 64, seed=1))
    with pytest.raises(BadRelease, match=words) as caught:
        release.fit(*groups())
    assert "4711" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert not hasattr(release, "model_")


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: small(lambda rows: 1.0).fit(groups()[0]), BadRelease, "same output in every world"),
        (lambda: small(Mean(), worlds=31).fit(groups()[0]), InvalidParameter, "even"),
        (lambda: small(Mean()).fit(groups()[0][:3]), BadTable, "at least 4"),
        (lambda: small(Mean(), MutualInformation(0.0)), InvalidParameter, "budget must be a number above"),
        (lambda: small(Mean(), MutualInformation(-1.0)), InvalidParameter, "budget must be a number above"),
        (lambda: small(Mean(), MutualInformation(float("nan"))), InvalidParameter, "must be a number above"),
        (lambda: small(Mean(), MutualInformation(3.5)).fit(groups()[0]), InvalidParameter, "promises nothing"),
        (lambda: small(lambda rows: rows.mean() * 1e200).fit(groups()[0]), BadRelease, "too large"),
        (lambda: small(Mean(), 0.25).fit(groups()[0]), InvalidParameter, "MutualInformation"),
        (lambda: small(Mean(), MembershipSuccess(0.5)), InvalidParameter, "at least 0.501"),
        (lambda: small(Mean(), noise="pink").fit(groups()[0]), InvalidParameter, "one of optimal"),
        (lambda: small(LinearSVC(), grid={"C": 1.0}).fit(*groups()), InvalidParameter, "list values"),
        (lambda: small(Mean(), grid="all").fit(groups()[0]), InvalidParameter, "auto"),
        (lambda: small(Mean(), worlds=Worlds(10, 4)).fit(groups()[0]), InvalidParameter, "halves of 10"),
        (lambda: small(Mean()).fit([[1.0, "x"]] * 9), BadTable, "not a number"),
        (lambda: small(Mean()).fit(np.full((9, 2), np.inf)), OutOfDomain, "row 0, column 0"),
        (lambda: small(LinearSVC()).fit(groups()[0]), InvalidParameter, "labels"),
        (lambda: small(LinearSVC()).fit(groups()[0], [1, 2]), InvalidParameter, "one label for each"),
        (lambda: small("kmeans").fit(groups()[0]), InvalidParameter, "must be"),
        (lambda: small(Mean()).fit(groups()[0] * 1e150), OutOfDomain, "column 0 of X has numbers too large"),
        (lambda: small(Mean()).fit(groups()[0] * 1e-150), OutOfDomain, "too close"),
        (lambda: small(Mean()).fit(np.array([["1", "2"]] * 9)), BadTable, "not a number"),
        (lambda: small(Mean()).fit(groups()[0] + 1j), BadTable, "not a number"),
        (lambda: small(Mean()).fit(pd.DataFrame(groups()[0], columns=["a", "a"])), BadTable, "same name"),
        (lambda: small(Mean(), MutualInformation(1e-310)), InvalidParameter, "above"),
        (lambda: small(KMeans(3)).fit(groups()[0], ["ok"] * 79 + ["A. Name"]), InvalidParameter, "published by name"),
        (lambda: small(LinearSVC()).fit(groups()[0], np.repeat([0.5, 1.7], 40)), InvalidParameter, "fractions"),
        (lambda: small(Mean(), random_state=-1).fit(groups()[0]), InvalidParameter, "random_state"),
    ],
)  # fmt: skip
def test_refusals(make, error: type[NoisewrightError], words: str) -> None:
    with pytest.raises(error, match=words):
        make()


def test_any_half_of_the_pool() -> None:
    rows, _ = groups()
    release = UnboundedRelease(Mean(), BUDGET, trials=256, pilot=32, random_state=1).fit(rows)
    assert release.card_.worlds is None
    report = release.attack(trials=100, seed=1, worlds=64)
    assert report.verdict.startswith("pass")
    with pytest.raises(InvalidParameter, match="without the data"):
        pickle.loads(pickle.dumps(release)).attack()
    with pytest.raises(InvalidParameter, match="UnboundedReleased holds exact outputs"):
        pickle.dumps(release.released_)
