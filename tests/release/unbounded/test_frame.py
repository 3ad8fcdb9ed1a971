"""Everything that leaves is inside the frame, whatever an algorithm gives."""

from __future__ import annotations

import numpy as np
import pytest

from noisewright.errors import BadRelease, InvalidParameter
from noisewright.release.unbounded.plan import WIDEN, Frame, frame_of

PILOT = np.random.default_rng(1).normal(size=(50, 3)) @ np.array(
    [[2.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.1]]
)


@pytest.fixture(params=["pilot", "box", "axes"])
def frame(request: pytest.FixtureRequest) -> Frame:
    return frame_of(
        PILOT, box=(-9.0, [9.0, 9.0, 8.0]) if request.param == "box" else None, turned=request.param != "axes"
    )


def test_no_coordinate_is_beyond_the_reach(frame: Frame) -> None:
    wild = np.array([[1e308, -1e308, 1e308], [np.inf, 0, 0], [np.nan, 1, 2], [1e5, 0, -3]])
    found = frame.coordinates(wild)
    assert np.isfinite(found).all()
    assert (np.abs(found) <= frame.reach).all()


def test_what_is_inside_comes_back(frame: Frame) -> None:
    assert np.allclose(frame.vectors(frame.coordinates(PILOT)), PILOT)
    assert frame.clipped_share(PILOT) == 0


def test_the_reach_is_that_of_the_pilot_widened() -> None:
    frame = frame_of(PILOT)
    seen = np.abs((PILOT - frame.centre) @ frame.directions).max(axis=0)
    assert np.allclose(frame.reach, WIDEN * seen)


def test_directions_are_those_in_which_the_pilot_is_uncorrelated() -> None:
    covariance = np.cov(frame_of(PILOT).coordinates(PILOT), rowvar=False)
    assert np.allclose(covariance, np.diag(np.diag(covariance)))


def test_a_box_cuts_outputs_and_not_directions() -> None:
    frame = frame_of(PILOT, box=(-1.0, 1.0))
    corners = np.array([[1.0, -1.0, 1.0], [-1.0, -1.0, -1.0]])
    assert np.allclose(frame.vectors(frame.coordinates(corners)), corners)
    assert np.allclose(frame.vectors(frame.coordinates(np.array([[7.0, 0.0, -9.0]]))), [[1.0, 0.0, -1.0]])
    assert frame.clipped_share(np.array([[7.0, 0, 0], [0, 0, 0]])) == 0.5


def test_what_the_pilot_never_moved_keeps_its_centre() -> None:
    pilot = np.column_stack([PILOT[:, 0], np.full(50, 4.0)])
    for turned in (True, False):
        frame = frame_of(pilot, turned=turned)
        assert np.allclose(frame.vectors(frame.coordinates(np.array([[0.5, 1e6]]))), [[0.5, 4.0]])


@pytest.mark.parametrize("turned", [True, False])
def test_a_constant_pilot_is_refused(turned: bool) -> None:
    with pytest.raises(BadRelease, match="same output"):
        frame_of(np.ones((5, 2)), turned=turned)


@pytest.mark.parametrize("box", [(1, 0), (0, np.inf), ([0, 0], 1), (0,), 5, ("a", "b"), (np.nan, 1)])
def test_a_box_that_is_none_is_refused(box: object) -> None:
    with pytest.raises(InvalidParameter, match="clip must be a pair"):
        frame_of(PILOT, box=box)  # type: ignore[arg-type]


def test_tiny_outputs_never_leave_without_noise() -> None:
    """Their squares would vanish, and with them the noise: such directions keep their centre."""
    pilot = np.column_stack([PILOT[:, 0], 1e-170 * PILOT[:, 1]])
    for turned in (True, False):
        assert frame_of(pilot, turned=turned).reach.size == 1
    with pytest.raises(BadRelease, match="same output"):
        frame_of(1e-170 * PILOT)


def test_huge_outputs_are_refused() -> None:
    with pytest.raises(BadRelease, match="too large"):
        frame_of(1e150 * PILOT)
    with pytest.raises(BadRelease, match="too large"):
        frame_of(PILOT, box=(-1e150, 1e150))


def test_an_output_has_the_same_coordinates_alone_and_among_others(frame: Frame) -> None:
    together = frame.coordinates(PILOT)
    assert all(
        (frame.coordinates(row[None])[0] == place).all() for row, place in zip(PILOT, together, strict=True)
    )
