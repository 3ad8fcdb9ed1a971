"""What a prediction says about choices follows from its bounds, and from them alone."""

from __future__ import annotations

import json

import numpy as np
import pytest

from noisewright.errors import InvalidParameter
from noisewright.utility.core.certificate import Band, Certificate, Moments
from noisewright.utility.core.curve import make_curve, read_epsilons
from noisewright.utility.core.records import read_records
from noisewright.utility.predict import average_band, group_members, worst_band
from noisewright.utility.prediction import Prediction

CURVE = make_curve(["OGPM", "SWC"], [1.0, 2.0, 4.0])
LOW = np.array([[[0.5, 0.7, 0.9], [0.6, 0.65, 0.8]], [[0.2, 0.4, 0.95], [0.3, 0.35, 0.7]]])
RECORDS = read_records(np.array([[0.2], [0.4], [0.9]]), {0: (0, 1)}).take([0, 2])
EXACT = Certificate(LOW + 0.01, LOW, LOW + 0.02, ("exact (trees)",) * 2)


def prediction(**changes) -> Prediction:
    members = {"a": np.array([0]), "b": np.array([1])}
    facts = {
        "curve": CURVE,
        "records": RECORDS,
        "certificate": EXACT,
        "confidence": 0.99,
        "average": average_band(EXACT, 0.01),
        "worst": worst_band(EXACT),
        "groups": {name: average_band(EXACT, 0.01, which) for name, which in members.items()},
        "members": members,
    }
    return Prediction(**facts | changes)


def test_average_and_worst() -> None:
    found = prediction()
    assert found.average.low.tolist() == pytest.approx(LOW.mean(axis=0))
    assert found.worst.low.tolist() == LOW.min(axis=0).tolist()
    assert (found.record(3).high == LOW[1] + 0.02).all()
    assert found.total_epsilons.tolist() == [1.0, 2.0, 4.0]


def test_best_mechanism_by_its_lower_bound() -> None:
    assert prediction().best() == ("SWC", "OGPM", "OGPM")
    assert prediction().best("worst") == ("SWC", "OGPM", "OGPM")
    assert prediction().frontier(1).tolist() == [0.6, 0.7, 0.9]


def test_least_epsilon_of_sampled_predictions_keeps_to_the_curve() -> None:
    found = prediction()
    assert found.least_epsilon(0.5) == {"OGPM": 2.0, "SWC": 2.0}
    assert found.least_epsilon(0.92, 3) == {"OGPM": 4.0, "SWC": None}
    assert found.least_epsilon(0.92, "worst") == {"OGPM": None, "SWC": None}
    assert found.least_epsilon(0.3, "group:b") == {"OGPM": 2.0, "SWC": 1.0}


def test_least_epsilon_of_exact_predictions_is_refined() -> None:
    """A utility of ε/4 reaches 0.6 at ε = 2.4, between the values of the curve; the result reaches it."""

    def again(curve, which) -> Certificate:
        low = np.broadcast_to(curve.epsilons / 4, (len(which), *curve.shape))
        return Certificate(low, low, low, ("exact",) * len(which))

    known = again(CURVE, np.arange(2))
    found = prediction(
        certificate=known, average=average_band(known, 0.01), worst=worst_band(known), again=again
    )
    for scope in ("average", "worst", 1):
        for least in found.least_epsilon(0.6, scope).values():
            assert least is not None
            assert 2.4 <= least <= 2.402


@pytest.mark.parametrize("target", [0, -0.1, 1.01, float("nan"), "much"])
def test_targets_are_shares(target: object) -> None:
    with pytest.raises(InvalidParameter, match="a target is a share"):
        prediction().least_epsilon(target)  # type: ignore[arg-type]


def test_losers_are_named_by_number_worst_first() -> None:
    rows = prediction().losers("OGPM", 2.1)
    assert [row["record"] for row in rows] == [3, 1]
    assert rows[0]["low"] == 0.4
    assert prediction().losers("SWC", 1.0, count=1)[0]["record"] == 3


def test_scopes_and_mechanisms_that_are_not_there_are_refused() -> None:
    with pytest.raises(InvalidParameter, match="a scope is"):
        prediction().band("median")
    with pytest.raises(InvalidParameter, match="record 2 is not part"):
        prediction().record(2)
    with pytest.raises(InvalidParameter, match="it has OGPM, SWC"):
        prediction().losers("PM", 1.0)
    with pytest.raises(InvalidParameter, match="only exact"):
        prediction().lower_bounds_at(0, np.array([1.5]))


def test_group_gap_brackets_the_difference() -> None:
    gap = prediction().group_gap()
    assert gap is not None
    truth = np.abs(LOW[0] - LOW[1])  # wherever in the bands the truths lie, the gap is this ± 0.02
    assert (gap.low <= np.maximum(truth - 0.02, 0) + 1e-12).all()
    assert (gap.high >= truth + 0.02 - 1e-12).all()
    assert prediction(groups={}).group_gap() is None


def test_groups_are_places_among_the_chosen_records() -> None:
    members = group_members(np.array([1, 2, 1, 3]), 4, np.array([1, 2, 3]))
    assert {name: which.tolist() for name, which in members.items()} == {"1": [1], "2": [0], "3": [2]}
    with pytest.raises(InvalidParameter, match="3 group labels for 4 records"):
        group_members([1, 2, 3], 4, np.arange(4))
    with pytest.raises(InvalidParameter, match="fall into 101 groups"):
        group_members(np.arange(101), 101, np.arange(101))


def test_the_average_of_sampled_records_is_narrower_than_the_mean_of_their_bounds() -> None:
    many = 400
    failing = np.full((many, 2, 3), 0.3)
    moments = Moments(failing, np.full_like(failing, 1e-4), np.full_like(failing, 1e-3))
    low, high = np.full_like(failing, 0.6), np.full_like(failing, 0.8)
    sampled = Certificate(1 - failing, low, high, ("queries",) * many, 10, moments)
    band = average_band(sampled, 1e-6)
    assert (band.low > 0.69).all()
    assert (band.high < 0.71).all()
    assert (band.low < 0.7).all()


def test_bounds_move_outward_but_not_beyond_the_ends() -> None:
    wide = Certificate(LOW, LOW, LOW, ("exact",) * 2).widen(0.08)
    assert wide.low[0, 0, 0] == pytest.approx(0.42)
    assert wide.high.max() == 1.0


def test_least_epsilon_looks_past_a_curve_that_falls_again() -> None:
    low = np.array([[[0.95, 0.5, 0.96], [0.2, 0.9, 0.8]]])
    falling = Certificate(low, low, low, ("queries",))
    found = prediction(certificate=falling, average=average_band(falling, 0.01), records=RECORDS.take([0]))
    assert found.least_epsilon(0.9) == {"OGPM": 4.0, "SWC": None}


def test_for_machines_it_is_strict_json() -> None:
    found = json.loads(json.dumps(prediction().to_dict(), allow_nan=False))
    assert found["mechanisms"] == ["OGPM", "SWC"]
    assert found["by_record"]["3"]["low"][0] == [0.2, 0.4, 0.95]
    assert found["exact"] is True


@pytest.mark.parametrize(
    ("mechanisms", "epsilons", "says"),
    [
        (["OGMP"], [1.0], "did you mean OGPM"),
        ("OGPM", [1.0], "must be a list"),
        ([], [1.0], "at least one mechanism"),
        (["CircularOGPM"], [1.0], "needs a domain of kind Circle"),
        (["OGPM"], [], "1 to 512 values"),
        (["OGPM"], [2.0, 1.0], "must ascend"),
        (["OGPM"], [0.0, 1.0], "epsilon"),
        (["OGPM"], [float("nan")], "epsilon"),
        (["OGPM"], ["much"], "must be numbers"),
        (["OGPM", "ogpm"], [1.0], "OGPM is named twice"),
    ],
)
def test_curves_that_make_no_sense_are_refused(mechanisms, epsilons, says) -> None:
    with pytest.raises(InvalidParameter, match=says):
        make_curve(mechanisms, epsilons)


def test_a_mapping_labels_mechanisms_of_ones_own() -> None:
    from noisewright.mechanisms import TunedWindow

    curve = make_curve(
        {"mine": lambda domain, epsilon: TunedWindow(domain, epsilon, 0.1), "SW": "SWC"}, [1.0]
    )
    assert curve.names == ("mine", "SW")
    assert read_epsilons([1, 2]).tolist() == [1.0, 2.0]


def test_band_width() -> None:
    assert Band(np.array([0.5]), np.array([0.25]), np.array([1.0])).width.tolist() == [0.75]
