"""Drawing where a record's answer survives."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from noisewright.errors import InvalidParameter

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from noisewright.utility.region import Region


def plot_region(region: Region, axes: Axes | None = None) -> Axes:
    """The boxes of one or two sensitive features, in their own units, and the record among them.

    The darker a box, the smaller the share of it that may fail.
    """
    from matplotlib import pyplot as plt  # noqa: PLC0415  (slow to load)

    sensitive = region.records.sensitive
    if len(sensitive) > 2:
        raise InvalidParameter(f"only one or two sensitive features can be drawn, not {len(sensitive)}")
    drawn = plt.subplots()[1] if axes is None else axes
    for limits, failing in zip(region.limits(), region.failing_upper, strict=True):
        ends = [*limits.values(), (0.0, 1.0)][:2]
        _draw_box(drawn, ends, 0.15 + 0.55 * (1 - float(failing)))
    truth = [region.records.values[0, one.column] for one in sensitive]
    drawn.plot(truth[0], truth[1] if len(truth) == 2 else 0.5, "o", color="black", label="the record")
    for axis, one in zip((drawn.xaxis, drawn.yaxis), sensitive, strict=False):
        axis.set_label_text(one.name)
    drawn.set_xlim(sensitive[0].domain.low, sensitive[0].domain.high)
    drawn.set_ylim(*((sensitive[1].domain.low, sensitive[1].domain.high) if len(truth) == 2 else (0, 1)))
    return drawn


def _draw_box(axes: Axes, ends: list[tuple[float, float]], strength: float) -> None:
    from matplotlib.patches import Rectangle  # noqa: PLC0415

    (left, right), (bottom, top) = ends
    corner, size = (left, bottom), np.subtract((right, top), (left, bottom))
    axes.add_patch(Rectangle(corner, *size, color="tab:blue", alpha=strength, linewidth=0.3))
