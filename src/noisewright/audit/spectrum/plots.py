"""Plots of a spectrum and its trade-off curve, for ``Spectrum.plot`` and ``TradeOff.plot``.

Lines take the next colours of the axes, and the limit of the claim has the colour of the labels, so a plot
fits any style.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from noisewright.audit.basics.claim import allowed_delta, allowed_misses
from noisewright.domains import Floats
from noisewright.report.plots import PAGE_WIDTH, legend_below, new_axes, new_figure
from noisewright.report.svg import drawing_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from noisewright.audit.basics.claim import Claim
    from noisewright.audit.spectrum.spectrum import Spectrum, TradeOff


SHADE: Final = 0.16
SMALLEST: Final = 1e-8
"""The lowest δ that a logarithmic axis goes down to."""

HIGHEST_FLOOR: Final = 1e-3
"""The axis always goes down to this, so that there are decades to read."""

READABLE: Final = 1e-6
"""A curve that falls below it does not pull the axis down with it."""

FINE: Final = np.linspace(0.0, 1.0, 513)
"""Rates of false alarms, fine enough to show the corners of a claim's curve."""


def plot_spectrum(spectrum: Spectrum, axes: Axes | None = None, *, logarithmic: bool = False) -> Axes:
    """Draw δ over ε: the estimate, the bounds, and the most that the claim allows."""
    axes = axes if axes is not None else new_axes()
    proven = _draw_curves(axes, spectrum)
    if spectrum.claim is not None:
        _draw_claim(axes, spectrum, spectrum.claim, proven)
    axes.set(xlabel="ε", xlim=(spectrum.epsilons[0], spectrum.epsilons[-1]))
    top = _top(spectrum)
    if logarithmic:
        axes.set(ylabel="δ, logarithmic", yscale="log", ylim=(_floor(spectrum), top))
        axes.yaxis.set_major_formatter(lambda delta, _: f"{delta:g}")
        axes.yaxis.set_minor_formatter(lambda *_: "")
    else:
        axes.set(ylabel="δ", ylim=(0, top))
    axes.legend(fontsize=8)
    return axes


def plot_tradeoff(curve: TradeOff, axes: Axes | None = None, *, claim: Claim | None = None) -> Axes:
    """Draw misses over false alarms of the best guess of the input from one output."""
    axes = axes if axes is not None else new_axes()
    alarms, blind = curve.false_alarms, 1 - curve.false_alarms
    axes.plot(alarms, curve.misses, label="estimate")
    (proven,) = axes.plot(alarms, curve.misses_upper, linestyle="-.", label="at most (proven)")
    axes.fill_between(
        alarms, np.minimum(curve.misses_upper, blind), blind,
        color=proven.get_color(), alpha=SHADE, linewidth=0, label="excluded",
    )  # fmt: skip
    axes.plot(alarms, blind, color=_ink(axes), linestyle=":", linewidth=1, label="blind guessing")
    if claim is not None:
        least = allowed_misses(claim, FINE)
        axes.plot(FINE, least, color=_ink(axes), linestyle="--", label="the least the claim allows")
    axes.set(xlabel="false alarms", ylabel="misses", xlim=(0, 1), ylim=(0, 1))
    axes.legend(loc="upper right", fontsize=8)
    return axes


def _draw_curves(axes: Axes, spectrum: Spectrum) -> Any:
    """Draw the estimate and the bounds; return the colour of the proven curve."""
    epsilons, lower, upper = spectrum.epsilons, spectrum.lower, spectrum.upper
    (estimate,) = axes.plot(epsilons, _visible(spectrum.estimate), label="estimate")
    (proven,) = axes.plot(epsilons, _visible(lower), linestyle="-.", label="at least (proven)")
    if upper is not None:
        axes.plot(epsilons, upper, linestyle=":", label="at most (under the assumption)")
        axes.fill_between(epsilons, lower, upper, color=estimate.get_color(), alpha=SHADE, linewidth=0)
    return proven.get_color()


def _draw_claim(axes: Axes, spectrum: Spectrum, claim: Claim, proven: Any) -> None:
    """Draw the most that the claim allows; shade where the proven curve lies above it."""
    epsilons, lower = spectrum.epsilons, spectrum.lower
    allowed = allowed_delta(claim, epsilons)
    axes.fill_between(
        epsilons, allowed, lower, where=lower > allowed, color=proven, alpha=2 * SHADE, linewidth=0
    )
    axes.plot(
        epsilons, _visible(allowed), color=_ink(axes), linestyle="--", label="the most the claim allows"
    )


def _ink(axes: Axes) -> str:
    return str(axes.xaxis.label.get_color())


def _visible(curve: Floats) -> Floats:
    """Return a curve that ends where it reaches 0, so that no line is drawn along the axis."""
    gone = curve <= 0
    gone[1:] &= gone[:-1].copy()  # the first point on the axis stays
    return np.where(gone, np.nan, curve)


def _top(spectrum: Spectrum) -> float:
    highest = [spectrum.estimate.max(), spectrum.lower.max()]
    if spectrum.claim is not None:
        highest.append(allowed_delta(spectrum.claim, spectrum.epsilons).max())
    return min(1.05, 1.1 * float(max(*highest, 10 * SMALLEST)))


def _floor(spectrum: Spectrum) -> float:
    """Return a floor below the smallest δ worth reading: of the lower bound, the estimate, the claim."""
    curves = np.concatenate([spectrum.lower, spectrum.estimate])
    claimed = [] if spectrum.claim is None else [spectrum.claim.delta]
    positive = [value for value in (*curves[curves > READABLE].tolist(), *claimed) if value > 0]
    return float(max(SMALLEST, min([*positive, 3 * HIGHEST_FLOOR]) / 3))


# -- figures of a page -----------------------------------------------------------------------------------


def spectrum_figure(spectrum: Spectrum, *, logarithmic: bool = False) -> Figure:
    """Draw δ over ε: as it is, or on a logarithmic axis, where small δ can be read."""
    with drawing_style():
        drawn = new_figure(PAGE_WIDTH, 3.6)
        axes = spectrum.plot(drawn.add_subplot(), logarithmic=logarithmic)
        legend_below(drawn, axes)
    return drawn


def tradeoff_figure(spectrum: Spectrum) -> Figure:
    """Draw misses over false alarms of whoever guesses the input from one output."""
    with drawing_style():
        drawn = new_figure(PAGE_WIDTH, 4)
        spectrum.tradeoff().plot(drawn.add_subplot(), claim=spectrum.claim).legend(loc="upper right")
    return drawn
