"""LiRA and the linear attack: likelihood ratios as they are written down."""

from __future__ import annotations

import numpy as np
import pytest

from noisewright.release.attacks import BayesAttack, EmpiricalLira, GaussianLira, LinearAttack
from noisewright.release.attacks.trials import Attack, Trials, play
from noisewright.release.basics.worlds import Worlds
from release.attacks.made_up import WORLDS, plan_of, two_worlds


def test_linear_ratio_of_two_worlds_is_exact() -> None:
    """Two normal laws of one deviation: the log ratio is distance · z, for the records of the second world."""
    plan, worlds = two_worlds(1.5)
    cells = play(plan, 10, np.random.default_rng(1)).cells
    expected = 1.5 * cells / (1 << 14) * np.where(worlds.member[1], 1, -1)
    np.testing.assert_allclose(LinearAttack(plan, worlds).scores(cells), expected, rtol=1e-3)


def test_linear_guesses_are_nearly_optimal_where_noise_rules() -> None:
    plan = plan_of(0.05)
    cells = play(plan, 500, np.random.default_rng(2)).cells
    guesses = [kind(plan, WORLDS).scores(cells) > 0 for kind in (LinearAttack, BayesAttack)]
    assert (guesses[0] == guesses[1]).mean() > 0.95


SMALL = Worlds(records=4, count=4, seed=1)


def shadows() -> tuple[Trials, np.ndarray]:
    """Shadows whose published number is their score of every record."""
    generator = np.random.default_rng(3)
    worlds = np.arange(400) % 4
    cells = np.rint(generator.normal(1000 * worlds, 300)).astype(np.int64)[:, None]
    return Trials(worlds, cells), cells[:, 0] / 1000.0


def repeated(cells: np.ndarray) -> np.ndarray:
    return np.repeat(cells / 1000.0, 4, axis=1)


def log_normal(places: np.ndarray, sample: np.ndarray) -> np.ndarray:
    deviation = sample.std(ddof=1)
    return -np.log(deviation) - ((places - sample.mean()) / deviation) ** 2 / 2


def test_gaussian_lira_is_the_ratio_of_two_normal_laws() -> None:
    played, scores = shadows()
    found = GaussianLira(repeated, played, SMALL).scores(np.array([[500], [2500]]))
    for record in range(4):
        held = played.member(SMALL)[:, record]
        inside, outside = (log_normal(np.array([0.5, 2.5]), scores[part]) for part in (held, ~held))
        expected = inside - outside
        np.testing.assert_allclose(found[:, record], expected, rtol=1e-3, atol=1e-3)


def test_empirical_lira_is_the_share_of_lower_shadows() -> None:
    played, scores = shadows()
    found = EmpiricalLira(repeated, played, SMALL).scores(np.array([[-9000], [1500], [9000]]))
    assert found[0].tolist() == [0.0] * 4
    assert found[2].tolist() == [1.0] * 4
    for record in range(4):
        others = scores[~played.member(SMALL)[:, record]]
        assert abs(found[1, record] - (others < 1.5).mean()) < 0.01


@pytest.mark.parametrize("kind", [GaussianLira, EmpiricalLira])
@pytest.mark.parametrize(("factor", "offset"), [(1e300, 0.0), (1e-300, 0.0), (-1e305, 1e308), (1.0, 1e6)])
def test_scores_of_any_size_are_judged_alike(kind: type[Attack], factor: float, offset: float) -> None:
    """In a plain cast to 32 bits the first overflow, the second vanish, and the last lose all but a digit."""
    played, _ = shadows()
    cells = played.cells[:50]
    sign = np.sign(factor)
    found = kind(lambda cells: repeated(cells) * factor + offset, played, SMALL).scores(cells)
    plain = kind(lambda cells: sign * repeated(cells), played, SMALL).scores(cells)
    np.testing.assert_allclose(found, plain, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("kind", [GaussianLira, EmpiricalLira])
def test_scores_far_beyond_the_shadows_are_finite(kind: type[Attack]) -> None:
    """Some were never seen to move, and then are as far away as a number can be."""
    played, _ = shadows()
    still = np.array([1.0, 1.0, 0.0, 1e-300])

    def confidence(cells: np.ndarray) -> np.ndarray:
        return np.where(cells == 99_999, np.array([1.7e308, -1.7e308, 1.7e308, 1.7e308]), still)

    found = kind(confidence, played, SMALL).scores(np.array([[0], [99_999]]))
    assert np.isfinite(found).all()
    if kind is EmpiricalLira:
        assert found.tolist() == [[0.5] * 4, [1.0, 0.0, 1.0, 1.0]]


def test_constant_scores_say_nothing() -> None:
    played, _ = shadows()
    for kind in (GaussianLira, EmpiricalLira):
        found = kind(lambda cells: np.full((len(cells), 4), 0.3), played, SMALL).scores(played.cells[:5])
        assert np.ptp(found, axis=0).max() == 0
        assert np.isfinite(found).all()
