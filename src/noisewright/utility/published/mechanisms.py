"""The mechanisms of the paper's figures under the paper's names, as mechanisms of this package."""

from __future__ import annotations

from typing import Final

from noisewright.domains import Interval
from noisewright.mechanisms import OGPM, BinnedKRR, Exponential, Laplace, TunedWindow
from noisewright.mechanisms.piecewise import wave_share
from noisewright.utility.curve import Factory, Wanted


def normalized_sw(domain: Interval, epsilon: float) -> TunedWindow:
    """The paper's "SW": a centred window with the width of the square wave (definition 12).

    >>> round(normalized_sw(Interval(0, 1), 1.0).law(0.5).mass(0.4, 0.6), 4)
    0.3437
    """
    return TunedWindow(domain, epsilon, share=wave_share(epsilon))


PAPER_MECHANISMS: Final[dict[str, Wanted | Factory]] = {
    "Laplace": Laplace,
    "PM": OGPM,
    "SW": normalized_sw,
    "Exponential": Exponential,
    "k-RR": BinnedKRR,
}
"""For ``make_curve``: the paper normalizes PM to 0..1, which makes it OGPM, and SW likewise."""
