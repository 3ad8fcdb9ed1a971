"""The figures of an audit in the style of our pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noisewright.audit.spectrum import Spectrum
from noisewright.mechanisms.drawing import new_figure
from noisewright.pages.figures import drawing_style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def spectrum_figure(spectrum: Spectrum, *, logarithmic: bool = False) -> Figure:
    """δ over ε: as it is, or on a logarithmic axis, where small δ can be read."""
    with drawing_style():
        drawn = new_figure(5.2, 4.4)
        axes = spectrum.plot(drawn.add_subplot(), logarithmic=logarithmic)
        axes.get_legend().remove()
        drawn.legend(*axes.get_legend_handles_labels(), loc="outside upper center", ncols=2, fontsize=9)
    return drawn


def tradeoff_figure(spectrum: Spectrum) -> Figure:
    """Misses over false alarms of whoever guesses the input from one output."""
    with drawing_style():
        drawn = new_figure(6.4, 4.6)
        spectrum.tradeoff().plot(drawn.add_subplot(), claim=spectrum.claim).legend(
            loc="upper right", fontsize=9
        )
    return drawn
