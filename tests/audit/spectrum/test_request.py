"""Questions without a meaning are refused before the mechanism is run or a folder is made."""

import numpy as np
import pytest

from noisewright.audit import Claim, audit
from noisewright.audit.basics.budget import run_count
from noisewright.audit.spectrum.pair import AuditRequest
from noisewright.errors import InvalidParameter

WRONG = [
    ({"score": "magic"}, "score must be auto"),
    ({"score": 3}, "score must be auto"),
    ({"score": None}, "score must be auto"),
    ({"aim": "fame"}, "aim must be one of"),
    ({"aim": ["curve"]}, "aim must be one of"),
    ({"epsilons": []}, "epsilons must be numbers from 0 to 700"),
    ({"epsilons": [0, np.nan]}, "epsilons must be numbers"),
    ({"epsilons": [-1.0]}, "epsilons must be numbers"),
    ({"epsilons": [701]}, "epsilons must be numbers"),
    ({"epsilons": ["many"]}, "epsilons must be numbers"),
    ({"epsilons": [[0.0], [1.0, 2.0]]}, "epsilons must be numbers"),
    ({"confidence": 1.0}, "confidence must be at least 0.5"),
    ({"confidence": "high"}, "confidence must be a finite number"),
    ({"assume": "magic"}, "assume must be monotone"),
    ({"assume": 3}, "assume must be a text"),
    ({"claim": "delta=1"}, "a claim"),
    ({"claim": [1.0]}, "the claim's epsilon must be a finite number"),
    ({"claim": -1.0}, "the claim's epsilon must be from 0"),
]
BESIDES = [
    ({"aim": "epsilon", "assume": "monotone"}, "needs the aim curve"),
    ({"samples": 100}, "samples must be a whole number from 200"),
    ({"samples": 1e4 + 0.5}, "samples must be a whole number"),
    ({"samples": float("inf")}, "samples must be a whole number"),
    ({"samples": True}, "samples must be a whole number"),
    ({"samples": "many"}, "samples must be a whole number"),
    ({"names": ("one",)}, "names must be two texts"),
    ({"names": "ab"}, "names must be two texts"),
    ({"names": (1, 2)}, "names must be two texts"),
    ({"seconds": 0}, "seconds must be above 0"),
    ({"seconds": "long"}, "seconds must be a finite number"),
]


def never(data, count):
    raise AssertionError("the mechanism was run")


@pytest.mark.parametrize(("options", "said"), [*WRONG, *BESIDES])
def test_nothing_is_run_for_a_question_without_a_meaning(options, said, tmp_path):
    with pytest.raises(InvalidParameter, match=said):
        audit(never, 0.0, 1.0, vectorized=True, keep=tmp_path / "kept", **options)
    assert not (tmp_path / "kept").exists()


@pytest.mark.parametrize(("options", "said"), WRONG)
def test_others_can_ask_before_they_run_anything(options, said):
    with pytest.raises(InvalidParameter, match=said):
        AuditRequest(**options)


def test_a_question_is_kept_in_its_proper_kinds():
    asked = AuditRequest(claim="epsilon=1,delta=0.1", epsilons=(2, 1, 1), assume="monotone", confidence=0.9)
    assert asked.claim == Claim(1.0, 0.1)
    assert asked.epsilons.tolist() == [1.0, 2.0]
    assert (asked.assumption, asked.confidence, asked.score, asked.aim) == (0, 0.9, "auto", "curve")


@pytest.mark.parametrize("samples", [1e4, np.float64(1e4), 10_000, np.int64(10_000)])
def test_whole_numbers_of_runs_are_welcome_in_any_type(samples):
    assert run_count(samples) == 10_000
    assert type(run_count(samples)) is int


def test_an_audit_with_a_whole_float_is_the_one_with_the_integer():
    def noisy(data, count, generator):
        return data + generator.laplace(size=count)

    first, second = (
        audit(noisy, 0.0, 1.0, samples=runs, vectorized=True, seed=1, score="value") for runs in (1e4, 10_000)
    )
    assert first.samples == second.samples == 10_000
    assert first.to_dict() == second.to_dict()
