"""A box seen from many references: the least sector around it, and a large one inside it.

A sector is an arc of directions times a span of shares of the way to the boundary of the plane. With a
reference r, the share of a point (x, y) is max(gₓ(x), g_y(y)), where gₓ falls evenly from 1 at the left side
to 0 at r and rises to 1 at the right side; so shares of a box are extreme where gₓ and g_y are. Along a ray
the shares at which it enters and leaves the box are ratios of two lengths, each c/cos(direction − c'), and
such ratios rise or fall between the directions of corners: what holds there holds between.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from noisewright.domains import Floats
from noisewright.trajectory.aggregates.regions import Ends
from noisewright.trajectory.spaces import Rectangle
from noisewright.trajectory.spaces.base import TURN, angle_of, unit

NARROWINGS = np.array([0.35, 0.6, 0.85])
"""Parts of the arc around a box that are tried for the arc of a sector inside it."""


@dataclass(frozen=True, eq=False)
class Sectors:
    """One sector for each reference: ``length`` onward from ``start``, shares from ``low`` to ``high``."""

    start: Floats
    length: Floats
    low: Floats
    high: Floats


def sectors_outside(plane: Rectangle, references: Floats, across: Ends, up: Ends) -> Sectors:
    """Return the least sector around a box, from each reference; a full turn from inside it."""
    start, length = _arc(references, across, up)
    left, bottom, right, top = plane.bounds
    shares = (
        _extremes(references[:, 0], across, left, right),
        _extremes(references[:, 1], up, bottom, top),
    )
    least, most = zip(*shares, strict=True)
    low, high = np.maximum(*least), np.minimum(np.maximum(*most), 1.0)
    return Sectors(start, length, np.minimum(low, 1.0), high)


def sectors_inside(plane: Rectangle, references: Floats, across: Ends | None, up: Ends | None) -> Sectors:
    """Return a large sector inside a box, from each reference; of no length if there is none."""
    count = len(references)
    if across is None or up is None:
        return Sectors(*np.zeros((4, count)))
    start, length = _arc(references, across, up)
    home = length >= TURN
    starts = start[:, None] + length[:, None] * (1 - NARROWINGS) / 2
    lengths = length[:, None] * NARROWINGS
    low, high = _through(plane, references, (across, up), starts, lengths)
    best = np.argmax(lengths * np.maximum(high**2 - low**2, 0.0), axis=1)
    row = np.arange(count)
    left, bottom, right, top = plane.bounds
    sides = [_shares(references[:, 0], np.full(count, end), left, right) for end in across]
    sides += [_shares(references[:, 1], np.full(count, end), bottom, top) for end in up]
    room = np.minimum(np.min(sides, axis=0), 1.0)  # up to here every direction stays, from inside the box
    found = [part[row, best] for part in (starts, lengths, low, high)]
    found[1] = np.where(found[3] > found[2], found[1], 0.0)
    return Sectors(
        start=np.where(home, 0.0, found[0]),
        length=np.where(home, TURN, found[1]),
        low=np.where(home, 0.0, found[2]),
        high=np.where(home, room, found[3]),
    )


def _arc(references: Floats, across: Ends, up: Ends) -> tuple[Floats, Floats]:
    """Return where the arc of directions to a box begins, and how long it is."""
    corners = np.array([(x, y) for x in across for y in up])
    middle = angle_of(corners.mean(axis=0) - references)
    aside = angle_of(corners - references[:, None]) - middle[:, None]
    aside = np.mod(aside + np.pi, TURN) - np.pi
    inside = (references >= corners[0]).all(axis=1) & (references <= corners[-1]).all(axis=1)
    start = np.where(inside, 0.0, middle + aside.min(axis=1))
    return start, np.where(inside, TURN, np.ptp(aside, axis=1))


def _shares(at: Floats, values: Floats, low: float, high: float) -> Floats:
    """Return the share of the way from a coordinate of the reference to the side that each value lies at."""
    step = values - at
    room = np.where(step > 0, high - at, at - low)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(step == 0, 0.0, np.abs(step) / room)


def _extremes(at: Floats, ends: Ends, low: float, high: float) -> tuple[Floats, Floats]:
    """Return the least and the largest share of a coordinate between two ends."""
    both = [_shares(at, np.full_like(at, end), low, high) for end in ends]
    between = (at >= ends[0]) & (at <= ends[1])
    return np.where(between, 0.0, np.minimum(*both)), np.maximum(*both)


def _through(
    plane: Rectangle, references: Floats, box: tuple[Ends, Ends], starts: Floats, lengths: Floats
) -> tuple[Floats, Floats]:
    """The last share at which a ray of each arc enters the box, and the first at which one leaves it."""
    left, bottom, right, top = plane.bounds
    corners = [(x, y) for x in box[0] for y in box[1]] + [
        (x, y) for x in (left, right) for y in (bottom, top)
    ]
    after = np.mod(angle_of(np.array(corners) - references[:, None])[:, None] - starts[..., None], TURN)
    turns = np.minimum(after, lengths[..., None])  # corners beside the arc are looked at from its end
    rays = unit(starts[..., None] + np.concatenate([np.zeros_like(turns[..., :1]), turns], axis=-1))
    at = references[:, None, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        meets = np.stack([(np.array([span[end] for span in box]) - at) / rays for end in (0, 1)])
        reach = 1 / plane.sides.share(at, rays)
        enter = np.nanmax(np.min(meets, axis=0), axis=-1) / reach
        leave = np.nanmin(np.max(meets, axis=0), axis=-1) / reach
    missed = ~((leave > enter) & (enter >= 0))
    low = np.where(missed, np.inf, enter).max(axis=-1)
    return np.where(np.isfinite(low), low, 1.0), np.where(missed, 0.0, leave).min(axis=-1)
