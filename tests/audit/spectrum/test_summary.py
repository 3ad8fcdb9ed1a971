"""Facts about outputs: true of all runs that were seen, of both inputs, and of nothing else."""

import numpy as np
import pytest

from noisewright.audit import Outputs, audit
from noisewright.audit.encoding import fit_encoder
from noisewright.audit.spectrum.summary import (
    COMPARED,
    OutputSummary,
    RunRecord,
    SummaryBuilder,
    all_empty,
    any_fraction,
)
from noisewright.errors import BadMechanism

NAN = float("nan")


def looked(left, right, nan=False):
    lookout = SummaryBuilder()
    for side, chunks in (("left", left), ("right", right)):
        for chunk in chunks:
            lookout.see(side, Outputs.of(chunk), nan=nan)
    return lookout.looks


def test_nothing_is_said_of_nothing():
    assert looked([], []) == OutputSummary()


@pytest.mark.parametrize(
    ("left", "right", "identified", "same"),
    [
        ([["a"] * 30], [["a"] * 30], False, True),
        ([["a"] * 30], [["b"] * 30], True, False),
        ([["a"] * 30, ["b"]], [["a"] * 30], False, False),
        ([["a"] * 30, ["b"], ["a"]], [["b"] * 30], False, False),
        ([["a"] * 30 + ["b"]], [["b"] * 30], False, False),
        ([[0.0] * 30], [[-0.0] * 30], True, False),
        ([[NAN] * 30], [[NAN] * 30], False, True),
        ([[1] * 30], [[True] * 30], False, True),
        ([["a"] * 30], [], False, False),
    ],
)
def test_sameness(left, right, identified, same):
    found = looked(left, right)
    assert (found.identified, found.same) == (identified, same)


@pytest.mark.parametrize("nothing", [None, "", [], [NAN, None], {}, set(), b"", NAN])
def test_what_is_empty(nothing):
    assert all_empty(Outputs.of([nothing] * 3))
    assert looked([[nothing]], [[nothing]]).empty
    assert not looked([[nothing]], [[nothing, 0.0]]).empty


@pytest.mark.parametrize("something", [0, "nan", "null", [None, 0], {"a": None}, False, float("inf")])
def test_what_is_not_empty(something):
    assert not all_empty(Outputs.of([something]))


@pytest.mark.parametrize(
    ("outputs", "fractions"),
    [
        ([1.0, 2.0], False),
        ([1.0, 2.5], True),
        ([NAN, float("inf")], False),
        (["2.5"], False),
        ([["a", 0.25]], True),
        ([{"a": 1.0}, {"a": 0.5}], True),
        ([b"\x01\x02"], False),
    ],
)
def test_fractions(outputs, fractions):
    assert any_fraction(Outputs.of(outputs)) is fractions


def test_a_repetition_is_found_within_a_chunk_across_chunks_and_across_inputs():
    rows = np.random.default_rng(1).random((3, 500))
    assert looked([rows[0], rows[1]], [rows[2]]).unrepeated
    assert not looked([np.append(rows[0], rows[0][3])], [rows[2]]).unrepeated
    assert not looked([rows[0], rows[1], rows[0][:1]], [rows[2]]).unrepeated
    assert not looked([rows[0]], [rows[2], rows[0][-1:]]).unrepeated
    assert looked([[f"{each}" for each in rows[0]]], [[f"{each}" for each in rows[1]]]).unrepeated
    assert not looked([rows[:2].T], [rows[:2].T[5:6]]).unrepeated


def test_so_many_outputs_are_compared_and_no_more():
    rows = np.arange(COMPARED, dtype=np.float64)
    assert looked([rows], [rows]).unrepeated
    assert not looked([rows[1:]], [rows[1:]]).unrepeated


def test_kinds_are_counted_over_both_inputs_the_most_frequent_first():
    found = looked([np.arange(3.0)], [[None, "yes", "0110", [1], {"a": 1}, b"x", {1}, float("inf")]])
    assert dict(found.kinds) == {
        "numbers": 4, "empty (null)": 1, "texts": 1, "bit strings": 1, "lists": 1, "dictionaries": 1,
        "bytes": 1, "sets": 1,
    }  # fmt: skip
    assert next(iter(found.kinds)) == "numbers"
    assert found.mixture.startswith("36.4 % numbers, 9.09 % ")
    assert looked([np.arange(3.0)], [np.arange(3.0)]).mixture is None


def garbage(data, count, generator):
    return ["".join(map(chr, letters)) for letters in generator.integers(97, 123, size=(count, 20))]


def test_garbage_is_called_so_and_gets_no_clean_bill():
    found = ask(garbage, claim=1.0)
    assert found.looks.unreadable
    said = found.explain()
    assert said.startswith("The outputs are texts, and no two of them were alike; make sure")
    assert "nothing to compare" in said
    assert "nine times in ten" not in said
    assert not ask(lambda data, count: ["fine"] * count).looks.unreadable


def test_numbers_behind_a_line_break_are_numbers():
    assert dict(looked([["mean:\n52.1", "mean:\t7"]], [["a\u00e9 3"]]).kinds) == {"texts with numbers": 3}


def test_warnings_among_numbers_are_told():
    def chatty(data, count, generator):
        return [f"warning {k}" if k % 8 == 0 else data + generator.laplace() for k in range(count)]

    assert "outputs: 87.5 % numbers, 12.5 % texts" in ask(chatty, claim=1.0).explain()


def ask(mechanism, **options):
    return audit(mechanism, 0.0, 1.0, **{"samples": 2_000, "vectorized": True, "seed": 1, **options})


def test_the_same_output_from_every_run_teaches_nothing():
    found = ask(lambda data, count: ["fine"] * count, claim=1.0)
    assert found.looks.same
    assert found.verdict == "not refuted"
    said = found.explain()
    assert said.startswith("Every one of 2,000 runs gave the same output, whichever the input; nothing can")
    assert "nine times in ten" not in said
    assert "about the claim" not in ask(lambda data, count: ["fine"] * count).explain().split("that.")[0]


def test_empty_outputs_are_called_so():
    def silent(data, count, generator):
        return np.where(generator.random(count) < 0.5, None, "").tolist()

    found = ask(silent)
    assert found.looks.empty
    assert found.explain().startswith("Every output was empty, or not a number (NaN).")


def noisy(data, count, generator):
    return data + generator.laplace(size=count)


def rounded(data, count, generator):
    return np.round(noisy(data, count, generator))


def test_bits_and_counting_are_spoken_of_where_they_matter():
    fine, coarse = ask(noisy), ask(rounded)
    assert (fine.looks.fractions, fine.looks.unrepeated) == (True, True)
    assert (coarse.looks.fractions, coarse.looks.unrepeated) == (False, False)
    assert "bit patterns" in fine.explain()
    assert "of the first 2,000 outputs none came twice" in fine.explain()
    assert "bit patterns" not in coarse.explain()
    assert "came twice" not in coarse.explain()
    assert "bit patterns" not in ask(noisy, bits=True).explain()


def test_looks_are_in_the_json():
    told = ask(noisy).to_dict()
    assert told["looks"] == {
        "identified": False, "same": False, "empty": False, "unrepeated": True, "fractions": True, "nan": False,
        "kinds": {"numbers": 2000},
    }  # fmt: skip
    assert told["assumes"]
    assert told["not_looked_at"]


# -- What is remembered of all runs: counts and values of what may bound from above, and sameness

FEW = np.tile([0.0, 1.0], 40)


def sightings(left=FEW, right=FEW, **options):
    seen = RunRecord(fit_encoder(Outputs.of(left), Outputs.of(right)), **options)
    for side, values in (("left", left), ("right", right)):
        see(seen, side, values)
    return seen


def see(seen, side, values):
    outputs = Outputs.of(values)
    seen.add(side, outputs, seen.encoder.features(outputs))


def test_every_run_is_counted_until_all_is_forgotten():
    seen = sightings(keeps_values=True)
    see(seen, "left", np.array([1.0, 7.0]))
    assert seen.counts_outputs
    assert seen.atoms()[0].tolist() == [40, 41, 1]  # 7 has no atom of its own
    assert seen.values()[0].size == 82
    seen.forget()
    assert seen.atoms() is None
    see(seen, "left", np.array([0.0]))
    see(seen, "right", np.array([1.0]))
    assert [each.tolist() for each in seen.atoms()] == [[1, 0, 0], [0, 1, 0]]


def test_inputs_are_identified_while_each_has_an_output_of_its_own():
    seen = sightings(np.zeros(40), np.ones(40))
    assert seen.looks.identified
    seen.forget()
    see(seen, "left", np.zeros(100))
    assert seen.looks.identified
    see(seen, "left", np.append(np.zeros(50), 1.0))
    assert not seen.looks.identified
    see(seen, "left", np.zeros(100))  # once seen, it stays seen
    assert not seen.looks.identified
    assert not sightings(np.zeros(40), np.zeros(40)).looks.identified
    assert not RunRecord(seen.encoder).looks.identified


def test_outputs_that_are_no_numbers_are_noticed_after_learning_too():
    seen = sightings(np.arange(80.0), np.arange(80.0))
    assert not seen.looks.nan
    see(seen, "left", np.array([0.5, -np.inf]))
    assert not seen.looks.nan
    see(seen, "right", [1.0, None])
    assert seen.looks.nan
    vectors = sightings(np.zeros((40, 2)), np.full((40, 2), np.nan))
    assert not vectors.looks.nan


def test_values_without_a_place_on_the_line_are_refused():
    with pytest.raises(BadMechanism, match="needs numbers, not NaN"):
        see(sightings(keeps_values=True), "left", np.array([np.nan]))
    with pytest.raises(BadMechanism, match="single numbers"):
        see(sightings(keeps_values=True), "left", np.zeros((3, 2)))
