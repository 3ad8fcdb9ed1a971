"""Drawing an attack report; behind ``AttackReport.plot``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from noisewright.domains import Floats
from noisewright.mechanisms.drawing import new_figure
from noisewright.release.attacks.bounds import most_true_positives

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from noisewright.release.attacks.report import AttackReport
    from noisewright.release.attacks.roc import Curve

LEAST_RATE = 1e-4
"""Where the logarithmic axes begin."""


def plot_report(report: AttackReport, axes: Axes | None = None) -> Axes:
    """The curve of each attack on logarithmic axes, blind guessing, and what the promise allows."""
    axes = axes if axes is not None else new_figure(5.6, 5.2).add_subplot()
    rates = np.geomspace(LEAST_RATE, 1, 200)
    allowed = most_true_positives(rates, report.promised, report.information_upper)
    axes.fill_between(
        rates, allowed, 1.0, color="tab:red", alpha=0.12, linewidth=0, label="never, as promised"
    )
    for result in report.attacks:
        axes.plot(*_seen(result.curve), linewidth=1.8, label=f"{result.title} (AUC {result.area.value:.3f})")
    best = report.attacks[0]
    name = f"{best.title}, most exposed record"
    axes.plot(*_seen(best.exposed_curve), color="tab:blue", linestyle=":", label=name)
    axes.plot(rates, rates, color="gray", linestyle="--", linewidth=1, label="blind guessing")
    axes.set(xscale="log", yscale="log", xlim=(LEAST_RATE, 1), ylim=(LEAST_RATE, 1.05))
    axes.set(xlabel="others taken for members", ylabel="members found")
    axes.set_title(report.sentence, fontsize=9, wrap=True)
    axes.legend(loc="lower right", fontsize=8)
    return axes


def _seen(curve: Curve) -> tuple[Floats, Floats]:
    """Rates moved to where the axes begin."""
    return np.maximum(curve.false_positives, LEAST_RATE), np.maximum(curve.true_positives, LEAST_RATE)
