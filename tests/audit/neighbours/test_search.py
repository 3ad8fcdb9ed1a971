"""The race finds planted worst pairs of every shape of output, within its budget, and is no bound."""

import numpy as np
import pytest
from joblib import parallel_config

from noisewright.audit.neighbours import find_pair
from noisewright.audit.neighbours.search import field_sizes
from noisewright.audit.neighbours.statistics import exposure, of_cells
from noisewright.errors import BadMechanism, InvalidParameter

ROWS, WORST = 60, 37
DATA = np.linspace(0.4, 0.6, ROWS)
DATA[WORST] = 3.0


def noisy_sum(data, count, generator):
    return data.sum() + generator.laplace(size=count)


def vector(data, count, generator):
    """The person shows in the spread of one of five columns, not in its mean."""
    columns = generator.normal(size=(count, 5))
    columns[:, 3] *= 1 + data.max()
    return columns


def words(data, count, generator):
    """Whether the largest is above 1 decides how often the answer is "yes"; now and then there is none."""
    odds = 0.8 if data.max() > 1 else 0.2
    draws = generator.random(count)
    return [None if draw > 0.95 else ["yes" if draw < odds else "no"] for draw in draws]


def ragged(data, count, generator):
    """Without the person some outputs have no number at all."""
    lost = generator.random(count) < (0.3 if data.max() < 1 else 0.0)
    return [
        None if gone else value for gone, value in zip(lost, generator.random(count).tolist(), strict=True)
    ]


def middle(data, count, generator):
    """Same mean, same tails: without the person the middle is empty."""
    draws = generator.uniform(-1, 1, size=count)
    return np.where((np.abs(draws) < 0.2) & (data.max() < 1), draws * 5, draws)


MECHANISMS = [noisy_sum, vector, words, ragged, middle]


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda mechanism: mechanism.__name__)
def test_the_planted_worst_row_is_found(mechanism):
    found = find_pair(mechanism, DATA, samples=60_000, beyond=False, vectorized=True, seed=1)
    assert found.pair.name == f"row {WORST} removed"
    assert 50_000 < found.samples <= 60_000
    assert len(found.screened) == len({seen.name for seen in found.screened}) == ROWS
    assert found.screened[0].statistic > 0.3
    assert found.screened[0].rounds == len(field_sizes(ROWS))


def test_a_plain_function_and_workers_find_the_same_row():
    def release(data, generator):
        return data.sum() + generator.laplace()

    alone = find_pair(release, DATA[34:40], samples=3_000, beyond=False, jobs=1, seed=2)
    with parallel_config(backend="threading"):
        together = find_pair(release, DATA[34:40], samples=3_000, beyond=False, jobs=2, seed=2)
    assert alone.pair.name == together.pair.name == "row 3 removed"
    assert alone.screened == together.screened


def test_the_extremes_of_a_harmless_database_are_found():
    def clipped(data, count, generator):
        return np.clip(data, 0, 1).sum() + generator.laplace(scale=0.3, size=count)

    data = np.full(20, 0.02)
    found = find_pair(clipped, data, bounds=(0, 1), samples=60_000, vectorized=True, seed=3)
    assert found.pair.made_up is not None
    assert "the search made this database up" in found.explain()
    assert "the largest values" in found.pair.name


def test_a_leak_on_one_pattern_of_queries_is_found():
    def lowest_leaks(answers, count, generator):
        noise = answers + generator.laplace(scale=20, size=(count, len(answers)))
        return np.argmax(noise, axis=1) + 0.5 * (answers[0] < answers[1:].min())

    found = find_pair(lowest_leaks, np.ones(5), relation="queries", samples=60_000, vectorized=True, seed=4)
    assert found.pair.left.tolist() == [1] * 5 or "half" in found.pair.name
    gaps = [side[0] < side[1:].min() for side in (found.pair.left, found.pair.right)]
    assert gaps[0] != gaps[1]


def test_what_the_claim_forgives_is_not_exposed():
    def leaky(data, count, generator):
        out = data.sum() + generator.laplace(size=count)
        return np.where(generator.random(count) < 0.05 * (data.max() == 1), 1e9, out)

    data = np.full(20, 0.1)
    data[4], data[11] = 1.0, -1.6
    strict = find_pair(leaky, data, samples=100_000, beyond=False, vectorized=True, seed=5)
    lenient = find_pair(
        leaky, data, claim="epsilon=1,delta=0.1", samples=100_000, beyond=False, vectorized=True, seed=5
    )
    assert (strict.pair.name, lenient.pair.name) == ("row 4 removed", "row 11 removed")


def test_harmless_pairs_suggest_nothing(monkeypatch):
    """Four standard deviations in 40 events: above zero with a chance below 0.002 a pair, 12 of 400 below 1e-10.

    With one standard deviation many more would be.
    """
    random = np.random.default_rng(6)
    counts = random.multinomial(500, np.full(20, 0.05), size=(400, 2, 2))
    assert np.mean([of_cells(*pair) > 0 for pair in counts]) < 0.03
    monkeypatch.setitem(exposure.__globals__, "CAUTION", 1.0)
    assert np.mean([of_cells(*pair) > 0 for pair in counts]) > 0.03


def test_a_rare_event_counts_when_it_was_seen_often():
    rates = np.array([0.05]), np.array([0.0])
    assert exposure(*rates, 500) > 1
    assert exposure(*rates, 100) < 0


def test_too_few_samples_are_refused_with_the_number_needed():
    with pytest.raises(InvalidParameter, match=r"100 samples are too few.*at least (\d+)") as refusal:
        find_pair(noisy_sum, DATA, samples=100, beyond=False, vectorized=True)
    needed = int(str(refusal.value).split("at least ")[1].split(",")[0])
    found = find_pair(noisy_sum, DATA, samples=needed, beyond=False, vectorized=True, seed=7)
    assert found.samples <= needed


def test_a_mechanism_that_fails_on_a_neighbour_is_told_with_its_name_and_no_value():
    def brittle(data, count):
        if data.max() < 1:
            raise ValueError(f"cannot read {data[0]}")
        return np.zeros(count)

    with pytest.raises(BadMechanism, match="row 37 removed: the mechanism raised ValueError") as failure:
        find_pair(brittle, DATA, samples=60_000, beyond=False, vectorized=True)
    assert "0.4" not in str(failure.value)


def test_a_mechanism_that_fails_on_an_invention_is_told_how_to_do_without():
    def brittle(data, count, generator):
        if np.ptp(data[:-2]) == 0:
            raise ValueError("one value only")
        return generator.normal(size=count)

    with pytest.raises(
        BadMechanism, match=r"made up by the search; beyond=False \(--no-beyond\) keeps to.*raised ValueError"
    ):
        find_pair(brittle, DATA, samples=60_000, vectorized=True, seed=1)


def test_progress_ends_at_the_budget():
    seen = []
    find_pair(noisy_sum, DATA, samples=30_000, vectorized=True, seed=8, progress=lambda *at: seen.append(at))
    assert seen == sorted(seen)
    assert seen[-1][0] <= seen[-1][1] == 30_000
