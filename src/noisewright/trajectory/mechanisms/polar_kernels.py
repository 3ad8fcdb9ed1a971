"""The fused loops behind TraCS-D, when numba is installed: one for every shape of a space.

Each report is the reference of the next, so a loop cannot be vectorized; it takes one location after another,
with two words each. It contains no policy and must agree with the plain form in ``location.py``, up to the
last bit of a sine: for every shape, ``…_polar`` and ``…_place`` repeat ``to_polar`` and ``from_polar`` of its
space for a single point. The numbers of a channel are those of ``mechanisms/fused.py``, and those of a shape
are in ``polar_loop.py``.

All loops share this file, since numba compiles one anew only when the file that holds it has changed.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
from __future__ import annotations

import math

import numpy as np
from numba import njit

U64 = np.uint64
TURN = 2 * math.pi

# -- channels --------------------------------------------------------------------------------------


@njit(nogil=True, cache=True)
def draw_cell(cell, word, window):
    """Return the report cell of an input cell and a word of 24 coin bits below 40 position bits."""
    slope, shift, furthest, cells, threshold, width, spare = window
    left = min(max(np.floor(cell * slope + shift), 0.0), furthest)
    left = left - cells if left >= cells else left
    position = word >> U64(24)
    product = (((position >> U64(32)) * width) << U64(32)) + (position & U64(0xFFFFFFFF)) * width
    anywhere = (word & U64(0xFFFFFF)) < threshold
    step = np.float64(word >> spare) if anywhere else np.float64(product >> U64(40))
    drawn = step + (0.0 if anywhere else left)
    return drawn - cells if drawn >= cells else drawn


@njit(nogil=True, cache=True)
def draw(value, word, channel):
    """Return the report of a direction or a share, and of a word."""
    (per_unit, last, pitch), window = channel
    return (draw_cell(min(np.floor(value * per_unit), last), word, window) + 0.5) * pitch


@njit(nogil=True, cache=True)
def angle_of(x, y):
    """Return the direction of a step in [0, 2π); 0 for a step of length 0."""
    angle = math.atan2(y, x)
    angle = angle + TURN if angle < 0 else angle
    return 0.0 if angle >= TURN else angle


# -- rectangles ------------------------------------------------------------------------------------


@njit(nogil=True, cache=True, error_model="numpy")
def gauge(x, y, reference_x, reference_y, left, bottom, right, top):
    """Return the share of the way from the reference to the boundary that a step takes; ∞ without room."""
    room_x = max(right - reference_x if x > 0 else reference_x - left, 0.0)
    room_y = max(top - reference_y if y > 0 else reference_y - bottom, 0.0)
    across = abs(x) / room_x if x != 0 else 0.0
    along = abs(y) / room_y if y != 0 else 0.0
    return max(across, along)


@njit(nogil=True, cache=True, error_model="numpy")
def box_polar(at_x, at_y, x, y, box):
    """Return the direction of (x, y) from the reference, and its share of the way to the boundary."""
    left, bottom, right, top = box
    x, y = x - at_x, y - at_y
    return angle_of(x, y), min(gauge(x, y, at_x, at_y, left, bottom, right, top), 1.0)


@njit(nogil=True, cache=True, error_model="numpy")
def box_place(at_x, at_y, angle, share, box):
    """Return the point in a direction from the reference, at a share of the way to the boundary."""
    left, bottom, right, top = box
    x, y = math.cos(angle), math.sin(angle)
    length = share / gauge(x, y, at_x, at_y, left, bottom, right, top)
    return min(max(at_x + length * x, left), right), min(max(at_y + length * y, bottom), top)


@njit(nogil=True, cache=True, error_model="numpy")
def polar_reports(points, begins, words, reports, reference, box, first, directions, distances):
    """Fill ``reports``; ``begins`` marks the rows at which a route begins anew from the point ``first``.

    ``reference`` holds the reference of row 0 and, at the end, that of the row after the last. The loops of
    other shapes differ only in the two lines that name the shape.
    """
    at_x, at_y = reference[0], reference[1]
    for i in range(len(points)):
        at_x, at_y = (first[0], first[1]) if begins[i] else (at_x, at_y)
        angle, share = box_polar(at_x, at_y, points[i, 0], points[i, 1], box)
        angle, share = draw(angle, words[2 * i], directions), draw(share, words[2 * i + 1], distances)
        at_x, at_y = box_place(at_x, at_y, angle, share, box)
        reports[i, 0], reports[i, 1] = at_x, at_y
    reference[0], reference[1] = at_x, at_y


# -- disks -----------------------------------------------------------------------------------------


@njit(nogil=True, cache=True, error_model="numpy")
def disk_reach(at_x, at_y, step_x, step_y, radius):
    """Return how many times a step fits between its reference, counted from the centre, and the circle."""
    length = math.hypot(at_x, at_y)
    room = max((radius - length) * (radius + length), 0.0)
    along, squared = at_x * step_x + at_y * step_y, step_x * step_x + step_y * step_y
    root = math.sqrt(along * along + room * squared)
    return room / (along + root) if along > 0 else (root - along) / squared


@njit(nogil=True, cache=True, error_model="numpy")
def disk_polar(at_x, at_y, x, y, disk):
    """Return a direction and a share of the way to the circle; 0 and 0 for a step of length 0."""
    centre_x, centre_y, radius, _ = disk
    x, y = x - at_x, y - at_y
    length = math.hypot(x, y)
    if length == 0:
        return 0.0, 0.0
    reach = disk_reach(at_x - centre_x, at_y - centre_y, x / length, y / length, radius)
    return angle_of(x, y), min(length / reach, 1.0)


@njit(nogil=True, cache=True, error_model="numpy")
def disk_place(at_x, at_y, angle, share, disk):
    """Return the point of a direction and a share, moved to the circle if beyond it by more than rounding."""
    centre_x, centre_y, radius, slack = disk
    step_x, step_y = math.cos(angle), math.sin(angle)
    length = share * disk_reach(at_x - centre_x, at_y - centre_y, step_x, step_y, radius)
    x, y = at_x + length * step_x, at_y + length * step_y
    away = math.hypot(x - centre_x, y - centre_y)
    if away <= radius + slack:
        return x, y
    return centre_x + (x - centre_x) * (radius / away), centre_y + (y - centre_y) * (radius / away)


@njit(nogil=True, cache=True, error_model="numpy")
def disk_reports(points, begins, words, reports, reference, disk, first, directions, distances):
    """``polar_reports`` for a disk: its centre, its radius and its slack."""
    at_x, at_y = reference[0], reference[1]
    for i in range(len(points)):
        at_x, at_y = (first[0], first[1]) if begins[i] else (at_x, at_y)
        angle, share = disk_polar(at_x, at_y, points[i, 0], points[i, 1], disk)
        angle, share = draw(angle, words[2 * i], directions), draw(share, words[2 * i + 1], distances)
        at_x, at_y = disk_place(at_x, at_y, angle, share, disk)
        reports[i, 0], reports[i, 1] = at_x, at_y
    reference[0], reference[1] = at_x, at_y


# -- straight sides: convex areas by half-planes, polygons by the rectangle around them ------------------


@njit(nogil=True, cache=True, error_model="numpy")
def nearest(x, y, corners, steps):
    """Return the nearest point of a closed line."""
    best_x, best_y, least = x, y, np.inf
    for k in range(len(corners)):
        step_x, step_y = steps[k, 0], steps[k, 1]
        along = (x - corners[k, 0]) * step_x + (y - corners[k, 1]) * step_y
        share = min(max(along / (step_x * step_x + step_y * step_y), 0.0), 1.0)
        foot_x, foot_y = corners[k, 0] + share * step_x, corners[k, 1] + share * step_y
        away = (x - foot_x) ** 2 + (y - foot_y) ** 2
        if away < least:
            best_x, best_y, least = foot_x, foot_y, away
    return best_x, best_y


@njit(nogil=True, cache=True, error_model="numpy")
def sides_share(at_x, at_y, x, y, normals, offsets):
    """Return the share of the way to the boundary that a step (x, y) takes; ∞ without room."""
    share = 0.0
    for k in range(len(offsets)):
        toward = x * normals[k, 0] + y * normals[k, 1]
        if toward > 0:
            room = max(offsets[k] - (at_x * normals[k, 0] + at_y * normals[k, 1]), 0.0)
            share = max(share, toward / room)
    return share


@njit(nogil=True, cache=True, error_model="numpy")
def convex_polar(at_x, at_y, x, y, convex):
    """Return a direction and a share of the way to the nearest side ahead."""
    (start_x, start_y), normals, offsets, _, _, _ = convex
    at_x, at_y = at_x - start_x, at_y - start_y
    x, y = (x - start_x) - at_x, (y - start_y) - at_y
    return angle_of(x, y), min(sides_share(at_x, at_y, x, y, normals, offsets), 1.0)


@njit(nogil=True, cache=True, error_model="numpy")
def convex_place(at_x, at_y, angle, share, convex):
    """Return the point of a direction and a share, moved to the border if beyond it by more than rounding."""
    (start_x, start_y), normals, offsets, slack, corners, steps = convex
    at_x, at_y = at_x - start_x, at_y - start_y
    step_x, step_y = math.cos(angle), math.sin(angle)
    length = share * (1 / sides_share(at_x, at_y, step_x, step_y, normals, offsets))
    x, y = start_x + (at_x + length * step_x), start_y + (at_y + length * step_y)
    for k in range(len(offsets)):
        if (x - start_x) * normals[k, 0] + (y - start_y) * normals[k, 1] > offsets[k] + slack:
            return nearest(x, y, corners, steps)
    return x, y


@njit(nogil=True, cache=True, error_model="numpy")
def convex_reports(points, begins, words, reports, reference, convex, first, directions, distances):
    """``polar_reports`` for half-planes seen from a corner, with a slack and a border to move to."""
    at_x, at_y = reference[0], reference[1]
    for i in range(len(points)):
        at_x, at_y = (first[0], first[1]) if begins[i] else (at_x, at_y)
        angle, share = convex_polar(at_x, at_y, points[i, 0], points[i, 1], convex)
        angle, share = draw(angle, words[2 * i], directions), draw(share, words[2 * i + 1], distances)
        at_x, at_y = convex_place(at_x, at_y, angle, share, convex)
        reports[i, 0], reports[i, 1] = at_x, at_y
    reference[0], reference[1] = at_x, at_y


@njit(nogil=True, cache=True, error_model="numpy")
def surrounds(x, y, corners, steps):
    """Return whether a point lies inside: a ray to the right crosses the line an odd number of times."""
    inside = False
    for k in range(len(corners)):
        low, after = corners[k, 1], corners[k + 1 if k + 1 < len(corners) else 0, 1]
        if (low > y) != (after > y):
            inside ^= x < corners[k, 0] + steps[k, 0] * ((y - low) / steps[k, 1])
    return inside


@njit(nogil=True, cache=True, error_model="numpy")
def polygon_place(at_x, at_y, angle, share, polygon):
    """Return the point of a direction and a share in the rectangle, moved to the border if it is outside."""
    box, slack, corners, steps = polygon
    x, y = box_place(at_x, at_y, angle, share, box)
    if surrounds(x, y, corners, steps):
        return x, y
    foot_x, foot_y = nearest(x, y, corners, steps)
    if math.hypot(x - foot_x, y - foot_y) <= slack:
        return x, y
    left, bottom, right, top = box
    return min(max(foot_x, left), right), min(max(foot_y, bottom), top)


@njit(nogil=True, cache=True, error_model="numpy")
def polygon_reports(points, begins, words, reports, reference, polygon, first, directions, distances):
    """``polar_reports`` for a polygon: the rectangle around it, its slack and its border."""
    at_x, at_y = reference[0], reference[1]
    for i in range(len(points)):
        at_x, at_y = (first[0], first[1]) if begins[i] else (at_x, at_y)
        angle, share = box_polar(at_x, at_y, points[i, 0], points[i, 1], polygon[0])
        angle, share = draw(angle, words[2 * i], directions), draw(share, words[2 * i + 1], distances)
        at_x, at_y = polygon_place(at_x, at_y, angle, share, polygon)
        reports[i, 0], reports[i, 1] = at_x, at_y
    reference[0], reference[1] = at_x, at_y


# -- the sphere ------------------------------------------------------------------------------------


@njit(nogil=True, cache=True)
def sphere_polar(longitude, latitude, to_longitude, to_latitude):
    """Return the direction of a great circle, and a share of the way to the antipode."""
    here, there = math.radians(latitude), math.radians(to_latitude)
    turn = math.radians(to_longitude - longitude)
    east = math.cos(there) * math.sin(turn)
    north = math.sin(there - here) + 2 * math.sin(here) * math.cos(there) * math.sin(turn / 2) ** 2
    up = math.sin(here) * math.sin(there) + math.cos(here) * math.cos(there) * math.cos(turn)
    return angle_of(east, north), math.atan2(math.hypot(east, north), up) / math.pi


@njit(nogil=True, cache=True)
def sphere_place(longitude, latitude, angle, share):
    """Return the place in a direction along a great circle, at a share of the way to the antipode."""
    here, way = math.radians(latitude), math.pi * share
    east, north, up = math.sin(way) * math.cos(angle), math.sin(way) * math.sin(angle), math.cos(way)
    outward = up * math.cos(here) - north * math.sin(here)
    upward = up * math.sin(here) + north * math.cos(here)
    latitude = math.degrees(math.atan2(upward, math.hypot(east, outward)))
    turned = longitude + math.degrees(math.atan2(east, outward))
    return wrap_longitude(turned), min(max(latitude, -90.0), 90.0)


@njit(nogil=True, cache=True)
def wrap_longitude(longitude):
    """Return a longitude in [−180, 180)."""
    if -180 <= longitude < 180:
        return longitude
    turned = (longitude + 180) % 360 - 180
    return -180.0 if turned >= 180 else turned


@njit(nogil=True, cache=True)
def sphere_reports(points, begins, words, reports, reference, _sphere, first, directions, distances):
    """``polar_reports`` for the sphere, which has no numbers of its own."""
    at_x, at_y = reference[0], reference[1]
    for i in range(len(points)):
        at_x, at_y = (first[0], first[1]) if begins[i] else (at_x, at_y)
        angle, share = sphere_polar(at_x, at_y, points[i, 0], points[i, 1])
        angle, share = draw(angle, words[2 * i], directions), draw(share, words[2 * i + 1], distances)
        at_x, at_y = sphere_place(at_x, at_y, angle, share)
        reports[i, 0], reports[i, 1] = at_x, at_y
    reference[0], reference[1] = at_x, at_y
