"""The figures of an audit: the spectrum with its band and the claim, and the trade-off curve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from noisewright.audit.spectrum import Spectrum
from noisewright.domains import Floats
from noisewright.mechanisms.drawing import new_figure
from noisewright.pages.audit_curves import allowed_delta, allowed_misses
from noisewright.pages.figures import DASHES, INK, PALETTE, drawing_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SMALLEST: Final = 1e-8
"""The lowest δ that the logarithmic panel goes down to."""

HIGHEST_FLOOR: Final = 1e-3
"""It goes down to this at least, so that there are decades to read."""

READABLE: Final = 1e-6
"""A curve that falls below it does not pull the axis down with it."""

SHADE: Final = 0.16


def spectrum_figure(spectrum: Spectrum) -> Figure:
    """δ over ε twice: as it is, and on a logarithmic axis, where small δ can be read."""
    with drawing_style():
        drawn = new_figure(10, 4.4)
        plain, tail = drawn.subplots(1, 2)
        for axes in (plain, tail):
            _curves(axes, spectrum)
        plain.set(ylabel="δ", ylim=(0, _top(spectrum)))
        tail.set(ylabel="δ, logarithmic", yscale="log", ylim=(_floor(spectrum), _top(spectrum)))
        tail.yaxis.set_major_formatter(lambda delta, _: f"{delta:g}")
        tail.yaxis.set_minor_formatter(lambda *_: "")
        drawn.legend(*plain.get_legend_handles_labels(), loc="outside upper center", ncols=4, fontsize=9)
    return drawn


def _curves(axes: Axes, spectrum: Spectrum) -> None:
    epsilons, lower, upper = spectrum.epsilons, spectrum.lower, spectrum.upper
    axes.plot(epsilons, _seen(spectrum.estimate), color=PALETTE[0], linestyle=DASHES[0], label="estimate")
    axes.plot(epsilons, _seen(lower), color=PALETTE[1], linestyle=DASHES[2], label="at least (proven)")
    if upper is not None:
        axes.plot(epsilons, upper, color=PALETTE[2], linestyle=DASHES[3], label="at most (see assumption)")
        axes.fill_between(epsilons, lower, upper, color=PALETTE[0], alpha=SHADE, linewidth=0)
    if spectrum.claim is not None:
        allowed = allowed_delta(spectrum.claim, epsilons)
        axes.plot(epsilons, _seen(allowed), color=INK, linestyle=DASHES[1], label="the most the claim allows")
        broken = lower > allowed
        axes.fill_between(
            epsilons, allowed, lower, where=broken, color=PALETTE[1], alpha=2 * SHADE, linewidth=0
        )
    axes.set(xlabel="ε", xlim=(epsilons[0], epsilons[-1]))


def _seen(curve: Floats) -> Floats:
    """A curve that ends where it reaches nothing, so that no line is drawn along the axis."""
    gone = curve <= 0
    gone[1:] &= gone[:-1].copy()  # the first point on the axis stays
    return np.where(gone, np.nan, curve)


def _top(spectrum: Spectrum) -> float:
    highest = [spectrum.estimate.max(), spectrum.lower.max()]
    if spectrum.claim is not None:
        highest.append(allowed_delta(spectrum.claim, spectrum.epsilons).max())
    return min(1.05, 1.1 * float(max(*highest, 10 * SMALLEST)))


def _floor(spectrum: Spectrum) -> float:
    """Somewhat below the smallest δ worth reading: of the lower bound, of the estimate, of the claim."""
    curves = np.concatenate([spectrum.lower, spectrum.estimate])
    claimed = [] if spectrum.claim is None else [spectrum.claim.delta]
    positive = [value for value in (*curves[curves > READABLE].tolist(), *claimed) if value > 0]
    return float(max(SMALLEST, min([*positive, 3 * HIGHEST_FLOOR]) / 3))


def tradeoff_figure(spectrum: Spectrum) -> Figure:
    """Misses over false alarms of whoever guesses the input from one output."""
    curve = spectrum.tradeoff()
    with drawing_style():
        drawn = new_figure(10, 5)
        axes = drawn.add_subplot()
        diagonal = np.array([0.0, 1.0])
        axes.plot(diagonal, 1 - diagonal, color=INK, linestyle=DASHES[3], linewidth=1, label="blind guessing")
        axes.plot(curve.false_alarms, curve.misses, color=PALETTE[0], linestyle=DASHES[0], label="estimate")
        axes.plot(
            curve.false_alarms, curve.misses_upper, color=PALETTE[1], linestyle=DASHES[2],
            label="at most (proven)",
        )  # fmt: skip
        blind = 1 - curve.false_alarms
        axes.fill_between(
            curve.false_alarms, np.minimum(curve.misses_upper, blind), blind,
            color=PALETTE[1], alpha=SHADE, linewidth=0, label="excluded",
        )  # fmt: skip
        if spectrum.claim is not None:
            grid = np.linspace(0.0, 1.0, 513)
            axes.plot(
                grid, allowed_misses(spectrum.claim, grid), color=INK, linestyle=DASHES[1],
                label="the least the claim allows",
            )  # fmt: skip
        axes.set(xlabel="false alarms", ylabel="misses", xlim=(0, 1), ylim=(0, 1))
        axes.legend(loc="upper right", fontsize=9)
    return drawn
