"""The figures of an audit in the style of our pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noisewright.audit.spectrum import Spectrum
from noisewright.mechanisms.drawing import new_figure
from noisewright.pages.figures import drawing_style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def spectrum_figure(spectrum: Spectrum) -> Figure:
    """δ over ε twice: as it is, and on a logarithmic axis, where small δ can be read."""
    with drawing_style():
        drawn = new_figure(10, 4.4)
        plain, tail = drawn.subplots(1, 2)
        for axes, logarithmic in ((plain, False), (tail, True)):
            spectrum.plot(axes, logarithmic=logarithmic).get_legend().remove()
        drawn.legend(*plain.get_legend_handles_labels(), loc="outside upper center", ncols=4, fontsize=9)
    return drawn


def tradeoff_figure(spectrum: Spectrum) -> Figure:
    """Misses over false alarms of whoever guesses the input from one output."""
    with drawing_style():
        drawn = new_figure(10, 5)
        spectrum.tradeoff().plot(drawn.add_subplot(), claim=spectrum.claim).legend(
            loc="upper right", fontsize=9
        )
    return drawn
