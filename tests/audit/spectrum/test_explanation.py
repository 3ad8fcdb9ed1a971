"""What an audit assumes and leaves out is said, and only what is so."""

from dataclasses import replace

import numpy as np
import pytest

from noisewright.audit import AuditRequest, Experiment, Outputs, audit
from noisewright.audit.spectrum.explanation import assumptions, not_looked_at
from noisewright.errors import BadMechanism


def gaps(data, count, generator):
    """Laplace noise that is missing now and then."""
    noise = data + generator.laplace(size=count)
    return np.where(generator.random(count) < (0.2 if data else 0.05), np.nan, noise)


def ask(left, right, **options):
    return audit(gaps, left, right, samples=8_000, vectorized=True, seed=1, **options)


@pytest.fixture(scope="module")
def found():
    return ask(1.0, 0.0, score="value", claim=0.1)


def test_it_is_said_that_runs_are_independent_and_inputs_neighbours(found):
    said = " ".join(assumptions(found))
    for words in ("independent of each other", "remembers nothing", "are neighbours", "as doubles"):
        assert words in said
        assert words in found.explain()
    left_out = " ".join(not_looked_at(found))
    for words in ("Other pairs", "how long a run takes", "memory", "bit patterns", "no upper bound"):
        assert words in left_out


def test_runs_that_failed_are_told(tmp_path):
    """A mechanism that fails once, is asked again, and goes on from what was kept."""
    left = [700]

    def failing(data, count, generator):
        left[0] -= count
        if -100 < left[0] <= 0:
            raise RuntimeError
        return data + generator.laplace(size=count)

    box = Forgetful(failing)
    asked = {"samples": 2_000, "vectorized": True, "keep": tmp_path / "kept", "seed": 1, "jobs": 1}
    with pytest.raises(BadMechanism, match="RuntimeError"):
        audit(box, 0.0, 1.0, **asked)
    left[0] = 10**9
    found = audit(box, 0.0, 1.0, **asked)
    assert found.failures == 1
    assert "the mechanism failed once while these runs were drawn" in " ".join(assumptions(found))
    assert not any("failed" in said for said in assumptions(audit(box, 0.0, 1.0, **asked | {"keep": None})))


def test_failures_are_counted_without_a_folder_too():
    def failing(data, generator):
        if data and generator.random() < 0.01:
            raise RuntimeError
        return data + generator.laplace()

    experiment = Experiment(failing, 0.0, 1.0, seed=1, jobs=1)
    for _ in range(3):
        with pytest.raises(BadMechanism):
            experiment.take("right", 2_000)
    assert experiment.failures == 3


class Forgetful:
    """A function that is known by its name alone, however far it has come."""

    def __init__(self, function):
        self.function = function

    def __call__(self, data, count, generator):
        return self.function(data, count, generator)

    def __getstate__(self):
        return {}


def test_an_upper_bound_moves_from_what_is_missing_to_what_is_assumed(found):
    bought = replace(found, upper=found.estimate, assumption="the upper bound holds only if pigs fly")
    assert "The upper bound holds only if pigs fly" in assumptions(bought)
    assert not any("upper bound" in said for said in not_looked_at(bought))


def test_numbers_that_are_none_are_told_by_where_they_stand(found):
    assert found.looks.nan
    assert any("rank below all numbers" in said for said in assumptions(found))
    clean = replace(found, looks=replace(found.looks, nan=False))
    assert not any("rank below" in said for said in assumptions(clean))


def wide(data, count, generator):
    """Bits in a row, more than are looked at."""
    return ["".join(map(str, bits)) for bits in generator.integers(0, 2, size=(count, 200)).tolist()]


def two_texts(data, count, generator):
    """One of two long texts."""
    return [("01" if answer else "10") * 100 for answer in generator.random(count) < 0.5]


def many_texts(data, count, generator):
    """Words that are hardly ever the same."""
    return [f"word{number}" for number in generator.integers(0, 10_000, count).tolist()]


def test_places_that_are_not_looked_at_are_counted():
    found = audit(wide, 0, 1, samples=800, vectorized=True, seed=1)
    said = " ".join(not_looked_at(found))
    assert "At least 73 of the 200 places in outputs" in said
    assert "At least 73 of the 200 places in outputs" in found.explain()
    assert "texts" not in said


def test_texts_that_are_not_told_apart_are_said():
    said = " ".join(not_looked_at(audit(many_texts, 0, 1, samples=800, vectorized=True, seed=1)))
    assert "Some of the texts, or the numbers, in outputs" in said
    assert "At least" not in said


@pytest.mark.parametrize("mechanism", [two_texts, gaps])
def test_nothing_is_said_of_places_where_all_is_looked_at(mechanism):
    found = audit(mechanism, 1, 0, samples=2_000, vectorized=True, seed=1)
    assert not any("in outputs" in said for said in not_looked_at(found))


@pytest.mark.parametrize("score", ["value", "bins"])
@pytest.mark.parametrize("above", [True, False])
def test_an_event_says_whether_it_holds_for_what_is_no_number(score, above):
    found = ask(1.0, 0.0, score=score)
    threshold = found.bounds.events[0].threshold
    words = found.scorer.words(threshold, above=above, nan=True)
    plain = found.scorer.words(threshold, above=above)
    holds = found.scorer.holds(Outputs.of([np.nan]), threshold, above=above)[0]
    assert words == plain + (", or not a number (NaN)" if holds else "")


def test_what_was_not_examined_names_the_options_that_examine_it():
    """Each option is named as the command line and as Python have it, and both take it."""
    found = audit(
        lambda value, count, generator: value + generator.laplace(size=count),
        0.0, 1.0, samples=2_000, vectorized=True, seed=1,
    )  # fmt: skip
    said = " ".join(not_looked_at(found))
    assert "(see " not in said
    for option, keyword in (("--bits", "bits=True"), ("--assume monotone", 'assume="monotone"')):
        assert f"{option} ({keyword} in Python)" in said
    AuditRequest(bits=True)
    AuditRequest(assume="monotone")
