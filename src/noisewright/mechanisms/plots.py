"""Plots of laws and of error curves; behind ``Law.plot`` and ``Mechanism.plot``.

Nearly every law of this package is constant over a few runs of cells, so it is a step function. Some laws
also have *atoms*, single reports with a probability of their own: the ends of a truncated law, Duchi's two
reports. As a density an atom would be a spike of 10⁵, so it is a stem with its probability beside it, and
the full height of the axes stands for a probability of one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from noisewright.domains import Circle, Floats, NumericDomain
from noisewright.mechanisms.basics.losses import Loss, power
from noisewright.mechanisms.law import Law
from noisewright.report.plots import new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from noisewright.mechanisms.numeric import NumericMechanism

FEW_REPORTS = 16
"""On a lattice of at most this many cells every report is an atom."""

STANDS_OUT = 32.0
"""A single cell this many times as likely as its neighbours is an atom."""

VISIBLE = 5e-4
"""The least probability that gets a stem; also the probability that the view may omit at either side."""

DEGREES_A_POINT = 0.5
MOST_POINTS = 129
"""Points of an error curve; a mechanism whose curve is smoother, and slower, has fewer on its grid."""


@dataclass(frozen=True, eq=False)
class Profile:
    """One law as a step function (``edges`` and ``heights``) and atoms (``places`` and ``masses``).

    >>> from noisewright import Interval
    >>> from noisewright.mechanisms import OGPM
    >>> profile = Profile.of(OGPM(Interval(0, 1), epsilon=2.0).law(0.5))
    >>> profile.edges.round(3).tolist(), profile.masses.tolist()
    ([0.0, 0.366, 0.634, 1.0], [])
    """

    edges: Floats
    heights: Floats
    places: Floats
    masses: Floats

    @staticmethod
    def of(law: Law, row: int = 0) -> Profile:
        """Return the profile of the law of one true value, counted through a flattened array of them."""
        edges, inside = _segments(law, row)
        reports = law.reports
        if reports.lattice <= FEW_REPORTS:
            widths = np.diff(edges).astype(np.int64)
            cells = np.repeat(inside, widths)
            kept = cells > 0
            return Profile(np.zeros(1), np.zeros(0), reports.centres(np.flatnonzero(kept)), cells[kept])
        beside = _beside(inside, around=isinstance(reports, Circle))
        atom = (np.diff(edges) == 1) & (inside > STANDS_OUT * beside)
        return Profile(
            edges=reports.start + edges * reports.pitch,
            heights=np.where(atom, beside, inside) / reports.pitch,
            places=reports.centres(edges[:-1][atom]),
            masses=(inside - beside)[atom],
        )


def _segments(law: Law, row: int) -> tuple[Floats, Floats]:
    """Return edges, in cells, between which the law is constant, and the probability of a cell in each."""
    lattice, shape = float(law.reports.lattice), (*law.truth.shape, _runs(law))
    start, count, mass = (
        np.broadcast_to(part, shape).reshape(-1, shape[-1])[row]
        for part in (law.start, law.count, law.mass_of_run)
    )
    start, count, share = start[mass > 0], count[mass > 0], (mass / count)[mass > 0]
    wraps = start + count > lattice  # a run over the end of a circle goes on at its beginning
    begins = np.concatenate([start, np.zeros(int(wraps.sum()))])
    ends = np.concatenate([np.minimum(start + count, lattice), (start + count - lattice)[wraps]])
    shares = np.concatenate([share, share[wraps]])
    edges = np.unique(np.concatenate([begins, ends, [0.0, lattice]]))
    change = np.zeros(edges.size)
    np.add.at(change, np.searchsorted(edges, begins), shares)
    np.add.at(change, np.searchsorted(edges, ends), -shares)
    return edges, np.maximum(np.cumsum(change)[:-1], 0.0)


def _runs(law: Law) -> int:
    return max(int(part.shape[-1]) for part in (law.start, law.count, law.mass_of_run))


def _beside(inside: Floats, *, around: bool) -> Floats:
    """Return the larger of the two neighbours of each segment; nothing lies beyond the ends of a line."""
    left, right = np.roll(inside, 1), np.roll(inside, -1)
    if not around:
        left[0] = right[-1] = 0.0
    return np.maximum(left, right)


def view(law: Law) -> tuple[float, float]:
    """Return the part of the line to show: the domain, and all but a thousandth of the reports.

    >>> from noisewright import Interval
    >>> from noisewright.mechanisms import Laplace
    >>> law = Laplace(Interval(0, 1), epsilon=4.0).law(0.5)
    >>> law.reports.start, [round(end, 2) for end in view(law)]
    (-5.50..., [-1.23, 2.23])
    """
    ends: list[float] = [law.metric.start, law.metric.start + law.metric.length]
    for row in range(law.truth.size):
        profile = Profile.of(law, row)
        below = np.concatenate([[0.0], np.cumsum(profile.heights * np.diff(profile.edges))])
        ends += np.interp([VISIBLE, below[-1] - VISIBLE], below, profile.edges).tolist()
        ends += profile.places[profile.masses >= VISIBLE].tolist()
    return float(min(ends)), float(max(ends))


def plot_law(law: Law, axes: Axes | None = None, *, label: str | None = None) -> Axes:
    """Draw one line for each true value; a circle gets polar axes unless others are given."""
    axes = axes if axes is not None else new_axes(polar=isinstance(law.reports, Circle))
    low, high = view(law)
    if axes.has_data() and axes.name != "polar":
        low, high = min(low, axes.get_xlim()[0]), max(high, axes.get_xlim()[1])
    for row, truth in enumerate(law.truth.reshape(-1).tolist()):
        profile, name = Profile.of(law, row), label or f"true value {truth:g}"
        if label and law.truth.size > 1:
            name = f"{label}, true value {truth:g}"
        if axes.name == "polar":
            _draw_round(axes, law.reports.length, profile, truth, name)
        else:
            _draw_flat(axes, profile, truth, name, middle=(low + high) / 2)
    if axes.name == "polar":
        _finish_round(axes, law.reports.length)
    else:
        axes.set(xlabel="report", xlim=_padded(low, high))
        axes.set_ylabel("density" if law.reports.lattice > FEW_REPORTS else "probability")
    return axes


def _draw_flat(axes: Axes, profile: Profile, truth: float, name: str, *, middle: float) -> None:
    (handle,) = axes.plot([], [], label=name)
    colour = handle.get_color()
    if profile.heights.size:
        axes.stairs(profile.heights, profile.edges, color=colour, linewidth=1.8)
    height = axes.get_xaxis_transform()  # places in the units of the data, heights as a share of the axes
    for place, mass in zip(profile.places.tolist(), profile.masses.tolist(), strict=True):
        if mass >= VISIBLE:
            axes.plot([place, place], [0, mass], "o-", color=colour, markevery=[1], transform=height)
            inward, side = (5, "left") if place < middle else (-5, "right")
            axes.annotate(
                f"{100 * mass:.3g} %", (place, mass), xycoords=height, horizontalalignment=side,
                xytext=(inward, 4), textcoords="offset points", color=colour,
            )  # fmt: skip
    axes.axvline(truth, color=colour, linestyle=":", linewidth=1)
    axes.set_ylim(0, None if profile.heights.size else 1)


def _draw_round(axes: Axes, period: float, profile: Profile, truth: float, name: str) -> None:
    turn = 2 * math.pi / period
    edges = profile.edges * turn
    points = [
        np.linspace(low, high, 2 + int(math.degrees(high - low) / DEGREES_A_POINT))
        for low, high in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)
    ]
    angle = np.concatenate([*points, [2 * math.pi]]) if points else np.zeros(0)
    sizes = [part.size for part in points]
    radius = np.append(np.repeat(profile.heights, sizes), profile.heights[:1])
    (line,) = axes.plot(angle, radius, label=name, linewidth=1.8)
    for place, mass in zip((profile.places * turn).tolist(), profile.masses.tolist(), strict=True):
        if mass >= VISIBLE:
            axes.plot([place], [0], "o", color=line.get_color(), markersize=4 + 10 * math.sqrt(mass))
            axes.annotate(f"{100 * mass:.3g} %", (place, 0), color=line.get_color())
    axes.plot([truth * turn] * 2, [0, radius.max(initial=0.0)], ":", color=line.get_color(), linewidth=1)


def _finish_round(axes: Axes, period: float) -> None:
    polar: Any = axes
    polar.set_theta_zero_location("N")
    polar.set_theta_direction(-1)
    axes.set_xticks(np.arange(8) * math.pi / 4, [f"{period * part / 8:.4g}" for part in range(8)])
    top = axes.get_ylim()[1]
    axes.set_ylim(0, top)
    polar.set_rorigin(-0.6 * top)  # a hole in the middle, so that a small density is not a point
    axes.set_yticks([top / 2, top], ["", f"{top:.2g}"])
    polar.set_rlabel_position(22.5)


def plot_error(mechanism: NumericMechanism, axes: Axes | None = None, loss: Loss = "absolute") -> Axes:
    """Draw the expected loss of a report over the true values of the domain."""
    axes = axes if axes is not None else new_axes()
    truth, errors = error_curve(mechanism, loss)
    axes.plot(truth, errors, label=type(mechanism).title, linewidth=1.8)
    exponent = power(loss)
    axes.set(xlabel="true value", xlim=(truth[0], truth[-1]))
    axes.set_ylabel("expected |error|" + ("" if exponent == 1 else f"^{exponent:g}"))
    return axes


def error_curve(mechanism: NumericMechanism, loss: Loss = "absolute") -> tuple[Floats, Floats]:
    """Return true values across the domain, and the expected loss of a report at each."""
    domain = mechanism.domain
    truth = domain.places(min(MOST_POINTS, mechanism.grid))
    if isinstance(domain, Circle):  # the curve goes on to the end of the turn
        truth = np.append(truth, domain.length - domain.pitch)
    return truth, np.asarray(mechanism.law(truth).expected(loss))


def _padded(low: float, high: float) -> tuple[float, float]:
    return low - 0.03 * (high - low), high + 0.03 * (high - low)


def fit_domain(axes: Axes, domain: NumericDomain) -> None:
    """Let the true values fill the axes from end to end; a circle is marked at its quarters."""
    axes.set_xlim(domain.start, domain.start + domain.length)
    if isinstance(domain, Circle):
        axes.set_xticks([domain.period * quarter / 4 for quarter in range(5)])
