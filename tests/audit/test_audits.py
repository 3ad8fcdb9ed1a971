"""Auditing a pair: verdicts, witnesses, words, readings, budgets, and refusals."""

import json
import math
import time
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noisewright.audit import Claim, Experiment, Outputs, audit, audit_pair, black_box
from noisewright.audit.basics.budget import Budget
from noisewright.audit.spectrum.pair import learn
from noisewright.audit.spectrum.summary import RunRecord
from noisewright.errors import BadMechanism, InvalidParameter


def noisy(value, count, generator):
    return value + generator.laplace(size=count)


def ask(mechanism=noisy, left=0.0, right=1.0, **options):
    return audit(mechanism, left, right, **{"samples": 20_000, "vectorized": True, "seed": 1, **options})


def test_a_false_claim_is_refuted_with_a_witness():
    found = ask(claim="epsilon=0.5")
    assert found.verdict == "false"
    assert 0.5 < found.epsilon_lower() < 1
    witness = found.witness
    assert witness.rate.low <= witness.rate.value <= witness.rate.high
    assert witness.rate.value > math.exp(0.5) * witness.other_rate.value
    assert witness.chance < 1e-9
    assert "the output is" in witness.event
    assert found.explain().startswith(
        "The claim of ε = 0.5 is false for this pair of inputs; ε is at least 0."
    )
    assert "fewer than one audit in" in found.explain()


def test_a_true_claim_is_not_refuted_and_the_limit_is_said():
    found = ask(claim=Claim(1.0))
    assert found.verdict == "not refuted"
    assert 1 < found.detectable < 1.5
    assert "would have been found about nine times in ten" in found.explain()


def test_a_claim_with_delta():
    spread = 1.0 / math.sqrt(2 * math.log(1.25 / 1e-2))
    assert ask(lambda x, count, generator: x + generator.normal(0, 1 / spread, count),
               claim="epsilon=1,delta=0.01").verdict == "not refuted"  # fmt: skip
    assert ask(lambda x, count, generator: x + generator.normal(0, 0.3 / spread, count),
               claim="epsilon=1,delta=0.01").verdict == "false"  # fmt: skip


def test_without_a_claim_the_curve_speaks():
    found = ask(epsilons=np.linspace(0, 1.5, 16))
    assert found.verdict == "none"
    assert (found.lower <= found.estimate + 0.02).all()
    assert (np.diff(found.lower) <= 0).all()
    assert found.delta_lower(found.epsilons) == pytest.approx(found.lower)
    assert "No claim below ε = 0." in found.explain()
    assert found.detectable == math.inf


def test_readings_never_exceed_the_truth_and_are_not_idle():
    found = ask(samples=100_000)
    divergence = math.log(2 / 3 * math.exp(1) + 1 / 3 * math.exp(-2))  # Rényi, order 2, Mironov 2017
    assert 0.2 < found.renyi_lower(2.0) < divergence
    assert 0.05 < found.zcdp_lower() < 0.5
    curve = found.tradeoff()
    exact = np.where(
        curve.false_alarms < np.exp(-1) / 2,
        1 - np.e * curve.false_alarms,
        np.where(curve.false_alarms < 0.5, np.exp(-1) / (4 * np.maximum(curve.false_alarms, 1e-9)),
                 np.exp(-1) * (1 - curve.false_alarms)),
    )  # fmt: skip
    assert (curve.misses_upper >= exact - 1e-9).all()
    assert (curve.misses_upper <= 1 - curve.false_alarms).all()
    assert curve.misses_upper[70] < 0.4
    with pytest.raises(InvalidParameter, match="above 1"):
        found.renyi_lower(1.0)


def test_outputs_that_identify_the_input():
    found = audit(lambda value: value, 0.0, 1.0, claim=1.0, samples=400, seed=1)
    assert found.identified
    assert found.verdict == "false"
    assert found.explain().startswith("Infinite: the outputs identify the input")


def zero(value):
    return -0.0 if value else 0.0


def sign_alone(value, count, generator):
    return np.full(count, zero(value))


def sign_of_some(value, count, generator):
    noise = np.maximum(generator.laplace(size=count), 0.0)
    return np.where(noise > 0, noise, zero(value))


def sign_in_rows(value, count, generator):
    return np.column_stack([np.full(count, zero(value)), generator.laplace(size=count)])


def sign_in_lists(value, count, generator):
    return [[zero(value), None, each] for each in generator.laplace(size=count).tolist()]


@pytest.mark.parametrize("bits", [False, True])
@pytest.mark.parametrize("mechanism", [sign_alone, sign_of_some, sign_in_rows, sign_in_lists])
def test_the_sign_of_zero_is_told(mechanism, bits):
    found = ask(mechanism, claim=1.0, samples=4_000, bits=bits)
    assert (found.verdict, found.identified) == ("false", mechanism is sign_alone)
    assert "-0.0" in found.witness.event


def test_outputs_that_say_nothing():
    found = audit(lambda value: "same", 0.0, 1.0, claim=0.5, samples=400, seed=1)
    assert not found.identified
    assert found.verdict == "not refuted"
    assert found.epsilon_lower() == 0
    assert found.witness is None


def shapes(value, count, generator):
    """A number, nothing, a text, and lists of several lengths; only the last length depends on the input."""
    kinds = generator.integers(0, 4, count)
    lengths = generator.integers(1, 4 if value else 2, count)
    return [[1.5, None, "text", [1.0] * int(size)][kind] for kind, size in zip(kinds, lengths, strict=True)]


def test_outputs_of_any_shape():
    found = ask(shapes, 0, 1)
    assert found.epsilon_lower() > 1
    assert ask(shapes, 0, 0).epsilon_lower() == 0


def test_the_result_is_plain_json():
    text = json.dumps(ask(claim=0.5, assume="monotone", samples=4_000).to_dict(), allow_nan=False)
    assert '"verdict": "false"' in text
    assert "monotone likelihood ratio" in text


def test_upper_bounds_come_only_with_their_assumption():
    assert ask().upper is None
    assert ask().assumption is None
    found = ask(assume="monotone")
    assert (found.upper >= found.lower).all()
    assert found.delta_upper(0.3) >= found.delta_lower(0.3)
    assert "only if the likelihood ratio" in found.explain()
    assert found.refuted_assumption is None


def comb(value, count, generator):
    """Left on [0, 1] and [2, 3], right between and beyond: two intervals each, and no half-line."""
    return generator.random(count) + 2 * generator.integers(0, 2, count) + value


@pytest.mark.parametrize(
    ("assume", "kept"), [("monotone", False), ("intervals:1", False), ("intervals:2", True)]
)
def test_an_assumption_that_contradicts_the_runs_is_refuted(assume, kept):
    found = ask(comb, assume=assume)
    assert (found.upper is not None, found.assumption is not None) == (kept, kept)
    assert (found.delta_upper(0.3) is not None) == kept
    assert (found.refuted_assumption is None) == kept
    assert ("What was assumed is false: that " in found.explain()) == (not kept)
    if kept:
        assert (found.upper >= found.lower).all()
        return
    shown = found.to_dict()["refuted_assumption"]
    assert shown["upper"] < 0.6
    assert 0.9 < shown["lower"] <= found.delta_lower(shown["epsilon"])
    assert "its assumption is false" in found.explain()
    assert found.estimate.max() > 0.95  # no assumption that is false holds it down
    with pytest.raises(BadMechanism, match="single numbers"):
        ask(lambda x, count, generator: generator.normal(x, 1, (count, 2)), assume="monotone")


CALLS = []


def counted(value, count, generator):
    CALLS.append(count)
    return noisy(value, count, generator)


def test_a_second_question_costs_no_run(tmp_path):
    first = ask(counted, samples=4_000, keep=tmp_path / "kept")
    drawn = sum(CALLS)
    assert drawn >= 4_000
    second = ask(counted, samples=4_000, keep=tmp_path / "kept", claim=0.5)
    assert sum(CALLS) == drawn
    assert second.verdict == "false"
    assert (first.bounds.counts.left_above == second.bounds.counts.left_above).all()


@pytest.fixture
def _clock(monkeypatch):
    """Let every run that is counted in CALLS take a tenth of a millisecond, however busy the machine is."""
    by_runs = SimpleNamespace(monotonic=lambda: sum(CALLS) * 1e-4, perf_counter=time.perf_counter)
    monkeypatch.setattr("noisewright.audit.basics.budget.time", by_runs)
    monkeypatch.setattr("noisewright.audit.experiment.sampler.time", by_runs)


@pytest.mark.usefixtures("_clock")
def test_a_second_question_costs_no_run_under_a_clock_either(tmp_path):
    """The clock gave the parts their sizes once; kept runs serve the same parts again."""
    asked = {"samples": None, "seconds": 0.3, "keep": tmp_path / "kept"}
    first = ask(counted, **asked)
    drawn = sum(CALLS)
    second = ask(counted, **asked, claim=0.5)
    assert sum(CALLS) == drawn
    assert (first.samples, first.bounded) == (second.samples, second.bounded)
    assert (first.bounds.counts.left_above == second.bounds.counts.left_above).all()
    longer = ask(counted, **asked | {"seconds": 0.6})
    assert longer.bounded == 2 * first.bounded
    more = ask(counted, samples=2 * longer.samples, keep=tmp_path / "kept")
    assert more.bounded > longer.bounded


def test_a_time_that_the_fewest_runs_exceed_by_far_is_refused_at_once(monkeypatch):
    monkeypatch.setattr(Experiment, "seconds_a_run", lambda self: 1.0)
    with pytest.raises(BadMechanism, match=r"takes about 1 seconds, and .* 200 runs .* give it 200 seconds"):
        ask(samples=None, seconds=5.0)


def test_an_experiment_that_was_drawn_from_before_has_its_whole_budget():
    experiment = Experiment(black_box(noisy, vectorized=True), 0.0, 1.0, seed=1)
    experiment.take("left", 1_000)
    first, second = (audit_pair(experiment, 8_000, claim=0.3) for _ in range(2))
    assert first.samples == second.samples == 8_000
    assert first.bounded == second.bounded > 2_500
    assert first.verdict == second.verdict == "false"


@pytest.mark.usefixtures("_clock")
def test_folds_share_no_run_and_time_is_a_budget_too():
    budget = Budget(10_000_000)
    sizes = budget.learning(wide=True), budget.choosing(0)
    assert sum(sizes) + budget.bounding(2 * sum(sizes)) == 5_000_000
    found = ask(counted, samples=None, seconds=0.3)
    assert found.bounded >= 100
    assert found.samples < 10**7


@pytest.mark.usefixtures("_clock")
def test_an_upper_bound_rests_on_no_run_that_had_a_say_in_it():
    """Learning runs decide whether outputs are counted; under a clock no earlier number is fixed."""

    def response(data, count, generator):
        CALLS.append(count)
        return np.where(generator.random(count) < 0.75, data, 1 - data)

    seen = []

    class Spy(RunRecord):
        def atoms(self):
            seen.append(super().atoms())
            return seen[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("noisewright.audit.spectrum.pair.RunRecord", Spy)
        timed = audit(response, 0, 1, seconds=0.3, vectorized=True, jobs=1, seed=1)
        counted = audit(response, 0, 1, samples=4_000, vectorized=True, jobs=1, seed=1)
    assert [counts.sum() for counts in seen[0]] == [timed.bounded] * 2
    assert [counts.sum() for counts in seen[1]] == [1_600] * 2
    assert counted.bounded < 2_000


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"samples": 100}, "samples"),
        ({"seconds": -1.0, "samples": None}, "seconds"),
        ({"confidence": 1.0}, "confidence"),
        ({"claim": "delta=1"}, "epsilon"),
        ({"claim": "epsilon=-1"}, "epsilon"),
        ({"epsilons": [-1.0]}, "epsilons"),
        ({"assume": "nothing"}, "assume"),
    ],
)
def test_refusals_name_what_is_wrong(options, words):
    with pytest.raises(InvalidParameter, match=words):
        ask(**options)


def test_too_few_runs_for_any_statement():
    found = ask(samples=200, claim=1.0)
    assert found.verdict == "not refuted"
    few = Outputs.of(np.zeros(5))
    with pytest.raises(BadMechanism, match="too few"):
        learn(few, few, "auto", bits=False, seed=0, keeps_values=False)


def test_outputs_keep_every_bit():
    odd = [0.1 + 0.2, -0.0, 2.0**-1074, None]
    kept = [json.loads(word) for word in Outputs.of(odd).words]
    assert kept == odd
    assert math.copysign(1, kept[1]) == -1
    large = Outputs.of([2**60, 2**60 + 1, 0.5])
    assert len(set(large.words)) == 3
    with pytest.raises(BadMechanism, match="not an output"):
        Outputs.of([object()])


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3) | st.binary(max_size=2),
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(st.text(max_size=2), parts, max_size=2),
    max_leaves=5,
)


@given(st.lists(ANYTHING, min_size=1, max_size=6))
@settings(max_examples=200, deadline=None)
def test_the_text_of_an_output_depends_on_that_output_alone(outputs):
    """Otherwise rows would not be independent, and an innocent mechanism could be convicted."""
    together = Outputs.of(outputs).as_words().tolist()
    alone = [Outputs.of([output]).as_words()[0] for output in outputs]
    joined = Outputs.join([Outputs.of([output]) for output in outputs]).as_words().tolist()
    assert together == alone == joined


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (5, [5]),
        (math.nan, {"float": "nan"}),
        (b"\x01", {"hex": "01"}),
        ({1: 0}, {"1": 0}),
        ({0}, [0]),
        (0.0, -0.0),
    ],
)
def test_outputs_that_differ_have_different_texts(one, other):
    assert Outputs.of([one, None]).words[0] != Outputs.of([other, None]).words[0]


def test_a_rare_shape_convicts_nobody():
    """Lists of one number, and once in a while none: the same for both inputs."""

    def ragged(value, count, generator):
        return [[] if chance < 2e-4 else [5] for chance in generator.random(count)]

    assert all(ask(ragged, 0, 1, samples=40_000, seed=seed).epsilon_lower() == 0 for seed in range(4))


def test_kinds_of_doubles_bound_nothing_from_above():
    """They merge outputs that differ, so an upper bound over them would be false."""
    found = ask(lambda x, count, generator: x + generator.laplace(0, 10, count), bits=True, samples=100_000)
    assert found.score == "counting of kinds of numbers"
    assert found.upper is None
    assert "no upper bound" in found.explain()


def test_not_a_number_has_no_place_on_a_half_line():
    def rare(value, count, generator):
        return np.where(generator.random(count) < 0.4 * (1 - value), np.nan, 0.0)

    with pytest.raises(BadMechanism, match="needs numbers, not NaN"):
        ask(rare, assume="monotone", samples=2_000)


def test_the_aim_is_one_epsilon():
    def answer(value, count, generator):
        return (generator.random(count) < (0.75 if value else 0.25)).astype(float)

    curve, epsilon = (ask(answer, 0, 1, samples=4_000, aim=aim) for aim in ("curve", "epsilon"))
    assert curve.epsilon_lower() < epsilon.epsilon_lower() < math.log(3)
    assert epsilon.comparisons == 1
    assert epsilon.upper is None
    with pytest.raises(InvalidParameter, match="aim"):
        ask(aim="everything")


def test_a_claim_far_from_the_truth_still_has_a_limit():
    found = ask(lambda x, count, generator: x + generator.laplace(0, 10, count), claim=1.0)
    assert found.verdict == "not refuted"
    assert 1 < found.detectable < 1.3


def test_hardly_any_chance_is_not_none():
    """Randomized response with ε = 8: a few runs may all be true ones, but not many."""

    def response(value, count, generator):
        return np.where(generator.random(count) < math.exp(8) / (1 + math.exp(8)), value, 1 - value)

    assert not any(ask(response, 0, 1, samples=40_000, seed=seed).identified for seed in range(3))
    few = ask(response, 0, 1, samples=200, claim=9.0)
    assert (few.verdict, few.inconclusive) == ("identified", True)  # as in 93 of 100 such audits
    assert few.explain().startswith("Infinite: the outputs identify the input, as far as 200")
    assert "which the claim of ε = 9 allows; nothing speaks for the claim." in few.explain()
    assert "Nothing was found" not in few.explain()
    assert few.to_dict()["verdict"] == "identified"
    without = ask(response, 0, 1, samples=200)
    assert (without.verdict, without.inconclusive) == ("identified", False)
