"""The fused loop behind TraCS-D in a rectangle, when numba is installed.

Each report is the reference of the next, so the loop cannot be put into vectors; it takes one location after
another, with two words each. It knows no policy and must agree with the plain form in ``location.py``, up to
the last bit of a sine. The numbers of a channel are those of ``mechanisms/fused.py``.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
from __future__ import annotations

import math

import numpy as np
from numba import njit

U64 = np.uint64
TURN = 2 * math.pi


@njit(nogil=True, cache=True)
def drawn_cell(cell, word, window):
    """The report cell of an input cell and a word of 24 coin bits below 40 position bits."""
    slope, shift, furthest, cells, threshold, width, spare = window
    left = min(max(np.floor(cell * slope + shift), 0.0), furthest)
    left = left - cells if left >= cells else left
    position = word >> U64(24)
    product = (((position >> U64(32)) * width) << U64(32)) + (position & U64(0xFFFFFFFF)) * width
    anywhere = (word & U64(0xFFFFFF)) < threshold
    step = np.float64(word >> spare) if anywhere else np.float64(product >> U64(40))
    drawn = step + (0.0 if anywhere else left)
    return drawn - cells if drawn >= cells else drawn


@njit(nogil=True, cache=True, error_model="numpy")
def gauge(x, y, reference_x, reference_y, left, bottom, right, top):
    """The share of the way from the reference to the boundary that a step (x, y) takes; no room is ∞."""
    across = x / (right - reference_x) if x > 0 else (-x / (reference_x - left) if x < 0 else 0.0)
    along = y / (top - reference_y) if y > 0 else (-y / (reference_y - bottom) if y < 0 else 0.0)
    return max(across, along)


@njit(nogil=True, cache=True, error_model="numpy")
def polar_reports(points, begins, words, reports, reference, box, first, directions, distances):
    """Fill ``reports``; ``begins`` marks the rows at which a route begins anew from the point ``first``.

    ``reference`` holds the reference of row 0 and, at the end, that of the row after the last.
    """
    left, bottom, right, top = box
    per_angle, last_angle, pitch_angle = directions[0]
    per_share, last_share, pitch_share = distances[0]
    at_x, at_y = reference[0], reference[1]
    for i in range(len(points)):
        at_x, at_y = (first[0], first[1]) if begins[i] else (at_x, at_y)
        x, y = points[i, 0] - at_x, points[i, 1] - at_y
        angle = math.atan2(y, x)
        angle = angle + TURN if angle < 0 else angle
        angle = 0.0 if angle >= TURN else angle
        share = min(gauge(x, y, at_x, at_y, left, bottom, right, top), 1.0)
        angle_cell = min(np.floor(angle * per_angle), last_angle)
        share_cell = min(np.floor(share * per_share), last_share)
        angle = (drawn_cell(angle_cell, words[2 * i], directions[1]) + 0.5) * pitch_angle
        share = (drawn_cell(share_cell, words[2 * i + 1], distances[1]) + 0.5) * pitch_share
        step_x, step_y = math.cos(angle), math.sin(angle)
        length = share / gauge(step_x, step_y, at_x, at_y, left, bottom, right, top)
        at_x = min(max(at_x + length * step_x, left), right)
        at_y = min(max(at_y + length * step_y, bottom), top)
        reports[i, 0], reports[i, 1] = at_x, at_y
    reference[0], reference[1] = at_x, at_y
