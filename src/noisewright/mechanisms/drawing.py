"""Drawing laws and error curves; behind ``Law.plot`` and ``Mechanism.plot``.

A law is drawn as what it is: a step function whose edges are the edges of runs of cells, and *atoms*,
single reports with a probability of their own, as stems with the probability written beside them. The full
height of the axes stands for a probability of one.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from noisewright.domains import Circle, Floats
from noisewright.errors import MissingExtra
from noisewright.mechanisms.law import Law
from noisewright.mechanisms.losses import Loss, power
from noisewright.mechanisms.profile import FEW_REPORTS, VISIBLE, Profile, view

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from noisewright.mechanisms.numeric import NumericMechanism

DEGREES_A_POINT = 0.5
MOST_POINTS = 129
"""Points of an error curve; a mechanism whose curve is smoother, and slower, has fewer on its grid."""


def plot_law(law: Law, axes: Axes | None = None, *, label: str | None = None) -> Axes:
    """Draw one line a true value; a circle gets polar axes unless others are given."""
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
    """True values across the domain and the expected loss of a report at each."""
    domain = mechanism.domain
    truth = domain.places(min(MOST_POINTS, mechanism.grid))
    if isinstance(domain, Circle):  # the curve goes on to the end of the turn
        truth = np.append(truth, domain.length - domain.pitch)
    return truth, np.asarray(mechanism.law(truth).expected(loss))


def new_axes(*, polar: bool = False) -> Axes:
    """Axes on a figure of their own, outside pyplot: no window, no global state."""
    size = (4.8, 4.8) if polar else (6.4, 3.6)
    return new_figure(*size).add_subplot(projection="polar" if polar else None)


def new_figure(width: float, height: float) -> Figure:
    """A matplotlib figure outside pyplot, or a refusal that names the extra to install."""
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415  (matplotlib is an extra)
    except ImportError as absent:
        raise MissingExtra.of("plots need matplotlib", "plots") from absent
    return Figure(figsize=(width, height), layout="constrained")


def _padded(low: float, high: float) -> tuple[float, float]:
    return low - 0.03 * (high - low), high + 0.03 * (high - low)
