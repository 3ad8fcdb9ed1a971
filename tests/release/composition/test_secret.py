"""Releases from one secret: what they cost, what noise they get, and what is refused."""

from __future__ import annotations

import copy
import os
import pickle
from dataclasses import replace

import numpy as np
import pytest

from noisewright.errors import BadLedger, BadRelease, BudgetSpent, InvalidParameter
from noisewright.guarantees import PACPrivacy
from noisewright.randomness import SeededSource
from noisewright.release.algorithms.linear_models import LinearSVM
from noisewright.release.attacks import measured_information
from noisewright.release.basics.budgets import MembershipSuccess, MutualInformation
from noisewright.release.basics.worlds import Worlds
from noisewright.release.composition import Account, Entry, Secret
from noisewright.release.composition.posterior import Posterior
from release.composition.pools import EIGHTH, LABELS, QUARTER, ROWS, Averages, Pick, Twins, simulated


def test_releases_are_charged_what_they_asked_for():
    secret = simulated(total=1.0)
    released = secret.release(Averages(), QUARTER)
    second = secret.release(Averages(), EIGHTH, "paper")
    assert released.guarantee == PACPrivacy(0.25)
    assert second.guarantee == PACPrivacy(0.375)
    assert (second.calibrated.budget, second.calibrated.total) == (EIGHTH, 1.0)
    assert released.plan.information_upper <= 0.25
    assert secret.account == Account(1.0, (Entry("averages", 0.25), Entry("averages", 0.125)))
    assert secret.guarantee == PACPrivacy(0.375)
    assert released.model == released.vector.tolist()


def test_a_release_beyond_the_total_spends_nothing_and_runs_nothing():
    secret = simulated(total=0.25)
    secret.release(Averages(), EIGHTH)
    before = secret.account
    calls: list[int] = []
    with pytest.raises(BudgetSpent, match=r"has 0\.125 nats left of 0\.25, and averages asks for 0\.25"):
        secret.release(Averages(), QUARTER, progress=lambda done, total: calls.append(done))
    assert calls == []
    assert secret.account == before
    secret.release(Averages(), EIGHTH)
    assert secret.account.left == 0


def test_noise_is_planned_with_what_is_known_by_then():
    """The second plan has the posterior of the first release, worked out here from the plan alone."""
    secret = simulated(total=2.5)
    first = secret.release(Averages(), MutualInformation(2.0))
    second = secret.release(Averages(), QUARTER)
    assert np.allclose(first.plan.weights, 1 / 16)
    cells = np.rint(
        (first.vector - first.plan.spread.centre) @ first.plan.spread.directions / first.plan.steps
    )
    expected = Posterior.uniform(16).after(first.plan, cells.astype(np.int64)).weights
    assert np.allclose(second.plan.weights, expected, atol=2e-6)
    assert second.plan.weights.max() > 1.5 / 16


def test_a_later_release_alone_tells_more_than_its_own_budget_and_says_so():
    """Its noise is for who knows the earlier ones: a stranger to them learns far more from it than 1/64 nat.

    The noise of the second release as it was planned, met with a uniform prior: measured information at a
    confidence of 1 − 1e-6 above its budget, and below what the release states.
    """
    secret = simulated(total=2.5)
    secret.release(Averages(), MutualInformation(2.0))
    later = secret.release(Averages(), MutualInformation(1 / 64))
    stranger = replace(later.plan, weights=np.full(16, 1 / 16))
    told = measured_information(stranger, trials=2000, seed=1, confidence=1 - 1e-6)
    assert 1 / 64 < told.low < later.guarantee.mutual_information


def test_releases_fixed_together_do_not_lean_on_each_other():
    secret = simulated(total=1.0)
    one, two = secret.release_together([(Averages(), QUARTER), (Averages(), MutualInformation(0.5))])
    assert one.plan.weights.tolist() == two.plan.weights.tolist()
    assert two.plan.total_variance < one.plan.total_variance
    assert [entry.nats for entry in secret.account.entries] == [0.25, 0.5]
    after = secret.release(Averages(), EIGHTH)
    assert after.plan.weights.tolist() != one.plan.weights.tolist()


def test_releases_fixed_together_are_all_or_none():
    secret = simulated(total=0.5)
    with pytest.raises(BudgetSpent):
        secret.release_together([(Averages(), QUARTER), (Averages(), MutualInformation(0.375))])
    worlds = Worlds(len(ROWS), 16)
    constant = Pick(worlds, ((1.0,),) * 16)
    with pytest.raises(BadRelease, match="same output in every world"):
        secret.release_together([(Averages(), QUARTER), (constant, EIGHTH)])
    assert secret.account == Account(0.5)


def test_the_world_is_drawn_once():
    """Four places, seven deviations of the noise from half way to the next: every release names the same."""
    worlds = Worlds(len(ROWS), 256)
    known = Pick(worlds, tuple((float(world % 4),) for world in range(256)))
    named = set()
    for seed in range(12):
        secret = simulated(total=5.5, seed=seed, worlds=worlds)
        released = secret.release_together([(known, MutualInformation(2.75))] * 2)
        places = {round(float(one.vector[0])) for one in released}
        assert len(places) == 1
        named |= places
    assert len(named) > 2


def test_a_world_that_was_named_is_not_released_from():
    """An algorithm that sets one world apart, and happens to hit the hidden one."""
    worlds = Worlds(len(ROWS), 16)
    secret = simulated(total=2.75, worlds=worlds)
    hit = secret._storage.state.world
    secret.release(Pick(worlds, tuple((float(world == hit),) for world in range(16))), MutualInformation(2.5))
    with pytest.raises(BudgetSpent, match="nearly identify the secret world"):
        secret.release(Averages(), EIGHTH)
    assert secret.account.spent == 2.5


def test_nats_that_tell_the_world_are_refused():
    """ln 16 = 2.77 nats name one of 16 worlds."""
    with pytest.raises(InvalidParameter, match=r"a budget of 3 nats promises nothing: 2\.77 nats show"):
        simulated(total=3.0)
    secret = simulated(total=2.75)
    with pytest.raises(InvalidParameter, match="a budget of 3 nats promises nothing"):
        secret.release(Averages(), MutualInformation(3.0))
    assert secret.account.spent == 0


def test_a_seeded_secret_repeats_and_says_so():
    """Two private releases are equal by chance in one of 3·10⁹ runs: two cells, deviations of 2¹⁴ each."""
    one, two = (simulated(seed=9).release(Averages(), QUARTER) for _ in range(2))
    assert one.simulated
    assert one.vector.tolist() == two.vector.tolist()
    private = [Secret(ROWS, total=QUARTER, worlds=16).release(Averages(), QUARTER) for _ in range(2)]
    assert not private[0].simulated
    assert private[0].vector.tolist() != private[1].vector.tolist()


def test_scikit_learn_estimators_and_functions_are_taken():
    from sklearn.cluster import KMeans

    secret = simulated(total=1.0)
    model = secret.release(KMeans(2, n_init=1), QUARTER).model
    assert model.predict(ROWS).shape == (20,)
    assert secret.release(lambda rows: rows.max(axis=0), QUARTER).vector.shape == (2,)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"total": 1.0}, "total must be a MutualInformation"),
        ({"worlds": 15}, "must be even"),
        ({"worlds": Worlds(21, 16)}, "these worlds are halves of 21 records, but"),
        ({"source": 7}, "source must be a SecureSource, not int"),
        ({"names": ["a"]}, "names must be one for each of the 2 columns"),
    ],
)
def test_arguments_without_meaning(arguments, message):
    with pytest.raises(InvalidParameter, match=message):
        Secret(ROWS, **({"total": QUARTER, "worlds": 16} | arguments))


def test_requests_without_meaning():
    secret = Secret(ROWS, total=QUARTER, worlds=16, names=["height", "weight"])
    with pytest.raises(InvalidParameter, match="is a MutualInformation, not MembershipSuccess"):
        secret.release(Averages(), MembershipSuccess(0.6))  # type: ignore[arg-type]
    with pytest.raises(InvalidParameter, match="needs labels; give them when the secret is drawn"):
        secret.release(LinearSVM(), EIGHTH)
    with pytest.raises(InvalidParameter, match="noise must be one of"):
        secret.release(Averages(), EIGHTH, "pink")
    assert secret.account.spent == 0
    assert secret.release(Averages(), EIGHTH).facts.columns() == ("height", "weight")


def test_labels_are_passed_on():
    assert simulated().release(LinearSVM(), QUARTER).facts.classes == ("no", "yes")


def test_twins_are_never_told_apart():
    """What tests with unseeded noise rest on."""
    secret = simulated(total=2.75)
    released = [secret.release(Twins(), MutualInformation(1.25)) for _ in range(2)]
    cells = released[0].plan.cells
    assert (cells[::2] == cells[1::2]).all()
    assert len(np.unique(cells, axis=0)) > 2
    assert secret._storage.state.posterior.weights.max() <= 0.5


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_secret_cannot_be_copied(copied):
    with pytest.raises(InvalidParameter, match="that would double its budget"):
        copied(simulated())


def test_nothing_shown_names_the_world():
    secret = simulated(total=1.0)
    assert repr(secret) == "<Secret with 1.0 nats left of 1.0>"
    assert "world=" not in repr(secret._storage.state)


def test_a_forked_process_cannot_spend_its_parents_budget():
    secret = simulated()
    child = os.fork()
    if child == 0:
        try:
            secret.release(Averages(), QUARTER)
        except BadLedger as refusal:
            os._exit(7 if "forked" in str(refusal) else 1)
        except BaseException:
            os._exit(98)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


def test_later_changes_of_the_callers_rows_do_not_matter():
    rows = ROWS.copy()
    secret = Secret(rows, LABELS, total=QUARTER, worlds=16, source=SeededSource(3))
    rows[:] = 0
    assert (
        secret.release(Averages(), EIGHTH).vector.tolist()
        == simulated().release(Averages(), EIGHTH).vector.tolist()
    )
