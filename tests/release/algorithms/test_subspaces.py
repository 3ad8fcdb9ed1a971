"""Bases turned to a reference: no turn comes closer, and the printed claim does not either."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noisewright.domains import Floats
from noisewright.release.algorithms.components import align, orthonormal, rotation_onto

SEEDS = st.integers(0, 2**32 - 1)
EXAMPLES = settings(max_examples=30, deadline=None)


def random_basis(generator: np.random.Generator, count: int, features: int) -> Floats:
    return np.linalg.qr(generator.normal(size=(features, count))).Q.T


def gap(target: Floats, turn: Floats, basis: Floats) -> float:
    return float(np.linalg.norm(target - turn @ basis))


def all_turns(steps: int) -> Floats:
    """Rotations by small steps around the circle, and each with a reflection."""
    angles = np.linspace(0, 2 * np.pi, steps, endpoint=False)
    turns = np.array([[np.cos(angles), -np.sin(angles)], [np.sin(angles), np.cos(angles)]]).transpose(2, 0, 1)
    return np.concatenate([turns, turns * np.array([1, -1])])


def claim_one(target: Floats, basis: Floats) -> Floats:
    """The corner of V_A V_Bᵀ, as Sridhar et al. 2024 print it (their V has the singular vectors in rows)."""
    count = len(target)
    return (np.linalg.svd(target).Vh @ np.linalg.svd(basis).Vh.T)[:count, :count]


@EXAMPLES
@given(SEEDS)
def test_no_rotation_or_reflection_in_the_plane_comes_closer(seed: int) -> None:
    generator = np.random.default_rng(seed)
    target, basis = random_basis(generator, 2, 5), random_basis(generator, 2, 5)
    gaps = np.linalg.norm(target - all_turns(2000) @ basis, axis=(1, 2))
    found = gap(target, rotation_onto(target, basis), basis)
    assert found <= gaps.min() + 1e-12
    assert found == pytest.approx(gaps.min(), abs=1e-4)


@EXAMPLES
@given(SEEDS, st.integers(1, 4))
def test_the_turn_is_orthogonal_and_reaches_the_bound(seed: int, count: int) -> None:
    target, basis = np.random.default_rng(seed).normal(size=(2, count, 6))
    turn = rotation_onto(target, basis)
    assert np.allclose(turn @ turn.T, np.eye(count), atol=1e-12)
    nuclear = np.linalg.svd(target @ basis.T, compute_uv=False).sum()
    assert gap(target, turn, basis) ** 2 == pytest.approx(
        (target**2).sum() + (basis**2).sum() - 2 * nuclear, abs=1e-9
    )


def test_the_printed_claim_is_no_orthogonal_matrix_and_farther_away() -> None:
    generator = np.random.default_rng(0)
    worse, skewed = 0, 0
    for _ in range(100):
        target = random_basis(generator, 2, 6)
        # A subspace close to the target, with a basis turned at random: what two worlds look like.
        basis = random_basis(generator, 2, 2) @ orthonormal(target + 0.1 * generator.normal(size=(2, 6)))
        printed = claim_one(target, basis)
        worse += gap(target, printed, basis) > gap(target, rotation_onto(target, basis), basis) + 0.1
        skewed += not np.allclose(printed @ printed.T, np.eye(2), atol=0.01)
    assert worse > 90
    assert skewed > 50


@pytest.mark.parametrize("shared", [0, 1])
def test_subspaces_with_nothing_in_common_are_still_turned_by_an_orthogonal_matrix(shared: int) -> None:
    everything = np.eye(6)
    target, basis = everything[:3], everything[3 - shared : 6 - shared]
    turn = rotation_onto(target, basis)
    assert np.allclose(turn @ turn.T, np.eye(3), atol=1e-12)
    assert gap(target, turn, basis) ** 2 == pytest.approx(6 - 2 * shared)


@EXAMPLES
@given(SEEDS)
def test_the_basis_that_a_subspace_comes_with_does_not_matter(seed: int) -> None:
    generator = np.random.default_rng(seed)
    reference, basis = random_basis(generator, 3, 7), random_basis(generator, 3, 7)
    turned = random_basis(generator, 3, 3) @ basis
    assert np.allclose(align(turned, reference), align(basis, reference), atol=1e-8)


@EXAMPLES
@given(SEEDS)
def test_a_noised_basis_is_made_orthonormal_without_leaving_its_span(seed: int) -> None:
    generator = np.random.default_rng(seed)
    rows = random_basis(generator, 3, 6) + 0.2 * generator.normal(size=(3, 6))
    basis = orthonormal(rows)
    assert np.allclose(basis @ basis.T, np.eye(3), atol=1e-12)
    assert np.allclose(rows @ basis.T @ basis, rows, atol=1e-12)
    others = [np.linalg.norm(rows - random_basis(generator, 3, 3) @ basis) for _ in range(50)]
    assert np.linalg.norm(rows - basis) <= min(others)


def test_an_orthonormal_basis_is_left_alone() -> None:
    basis = random_basis(np.random.default_rng(1), 3, 5)
    assert np.allclose(orthonormal(basis), basis, atol=1e-12)


def test_stacks_are_treated_one_by_one() -> None:
    stack = np.random.default_rng(2).normal(size=(4, 2, 5))
    assert np.allclose(orthonormal(stack), [orthonormal(rows) for rows in stack], atol=1e-12)


def test_rows_that_depend_on_each_other_are_completed() -> None:
    basis = orthonormal(np.array([[1.0, 0.0, 0.0], [2.0, 0.0, 0.0]]))
    assert np.allclose(basis @ basis.T, np.eye(2), atol=1e-12)
    assert np.linalg.norm(basis[:, 0]) == pytest.approx(1)
