"""A whole release from a secret world: what it promises, refuses, and never tells."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from noisewright.errors import BadRelease, InvalidParameter
from noisewright.guarantees import PACPrivacy
from noisewright.randomness import SeededSource
from noisewright.release.basics.budgets import MembershipSuccess, MutualInformation, information_for
from noisewright.release.execution import Task
from noisewright.release.unbounded import UnboundedReleased, UnprovedRule, release_unbounded
from noisewright.release.unbounded.secret_run import draw_secret_world
from release.unbounded.small import FACTS, ROWS, ColumnMeans

pytestmark = pytest.mark.usefixtures("no_process")

QUARTER = MutualInformation(1 / 4)
LOUD = MutualInformation(60)
"""So much that hardly any noise is left."""


def released(
    algorithm: ColumnMeans | None = None, budget: Any = QUARTER, **changes: Any
) -> UnboundedReleased:
    settings = {"trials": 128, "pilot": 32, "seed": 1, "source": SeededSource(1)} | changes
    return release_unbounded(Task(algorithm or ColumnMeans(), FACTS, ROWS), budget, **settings)


def test_a_release_says_what_it_promises() -> None:
    found = released(failure=1e-4)
    assert found.guarantee == PACPrivacy(1 / 4)
    assert found.failure == 1e-4
    assert found.information_upper is not None
    assert found.information_upper <= 1 / 4 < found.information_certain
    assert found.vector.shape == (2,)
    assert found.model == found.vector.tolist()
    assert 0 <= found.clipped_share < 0.2
    words = found.explain()
    for part in ("NOT PRIVATE", "1 − 0.0001", "0.25 nats", "does not hold", "not protected"):
        assert part in words


def test_with_hardly_any_noise_it_is_the_output_of_the_hidden_half() -> None:
    half = draw_secret_world(8, SeededSource(1).stream())
    assert np.allclose(released(budget=LOUD).vector, ROWS[half.member].mean(axis=0), atol=1e-6)


def test_a_failure_in_the_simulation_is_refused_without_its_text() -> None:
    from noisewright.release.unbounded.simulation import _worlds

    spoilt = int(_worlds(8, 32, 128, 1)[1].seeds[17])
    with pytest.raises(BadRelease, match="ValueError in world 17 of 128") as refusal:
        released(ColumnMeans(spoilt=spoilt))
    assert "secret" not in str(refusal.value)


def test_the_same_chance_gives_the_same_and_is_marked() -> None:
    one, two, other = released(), released(), released(source=SeededSource(2))
    assert one.simulated
    assert (one.vector == two.vector).all()
    assert (one.vector != other.vector).all()
    private = released(source=None)
    assert not private.simulated
    assert "NOT PRIVATE" not in private.explain()


def test_more_trials_and_betting_need_less_noise() -> None:
    few, many = released(), released(trials=1024)
    crude = released(trials=1024, limit="bernstein")
    assert many.plan.total_variance < few.plan.total_variance
    assert many.plan.total_variance < crude.plan.total_variance


def test_a_public_range_replaces_the_pilots() -> None:
    tight, wide = released(clip=(-1.0, 1.0)), released(clip=(-50.0, [50.0, 60.0]))
    assert wide.plan.total_variance > 10 * tight.plan.total_variance
    assert wide.clipped_share == 0


def test_a_membership_success_becomes_nats() -> None:
    assert released(budget=MembershipSuccess(0.6)).guarantee == PACPrivacy(information_for(0.6))


def test_the_published_rule_warns_and_promises_nothing() -> None:
    small = ROWS * 0.01
    with pytest.warns(UnprovedRule, match="proves nothing"):
        found = release_unbounded(
            Task(ColumnMeans(), FACTS, small),
            QUARTER,
            rule="paper",
            shape="paper",
            trials=512,
            pilot=32,
            seed=1,
        )
    assert found.guarantee is None
    assert found.failure is None
    assert found.information_upper is None
    assert "Nothing is promised" in found.explain()


def test_progress_counts_pilot_and_trials_together() -> None:
    told: list[tuple[int, int]] = []
    released(progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (160, 160)
    assert told == sorted(told)


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"rule": "hope"}, "rule must be one of"),
        ({"limit": "hope"}, "limit must be one of"),
        ({"shape": "hope"}, "noise must be one of"),
        ({"failure": 0.0}, "failure"),
        ({"failure": 0.5}, "failure"),
        ({"trials": 1}, "trials"),
        ({"pilot": 3}, "pilot"),
        ({"seed": -1}, "seed"),
        ({"clip": (1, 0)}, "clip"),
    ],
)
def test_refusals(changes: dict[str, Any], word: str) -> None:
    with pytest.raises(InvalidParameter, match=word):
        released(**changes)
