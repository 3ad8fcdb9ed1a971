"""Draw the pictures of the README: ``python docs/images/before_and_after.py``.

20,000 made-up people say how many hours they work in a week; 40 % say exactly 40. Left: what they would have
to reveal. Middle: what they report at ε = 2. Right: the shares that the reports show, with 95 %
intervals. ``before-and-after-narrow.svg`` has the same panels one below the other, for small screens.
"""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import numpy as np

from noisewright import Integers
from noisewright.estimate import distribution
from noisewright.mechanisms import SW
from noisewright.randomness import SeededSource

mpl.use("svg")
mpl.rcParams |= {"svg.hashsalt": "noisewright", "svg.fonttype": "path", "font.size": 11}

import matplotlib.pyplot as plt  # noqa: E402  (after the choice of a backend)

PEOPLE, BINS = 20_000, 9
TRUE, NOISE, ESTIMATE = "#b5541c", "#8a8f98", "#1f6f8b"

chance = np.random.default_rng(1)
bell = np.clip(np.rint(chance.normal(36, 12, PEOPLE)), 0, 80)
hours = np.where(chance.random(PEOPLE) < 0.4, 40.0, bell)
mechanism = SW(Integers(0, 80), epsilon=2.0)
reports = mechanism.perturb(hours, SeededSource(1))
found = distribution(reports, mechanism, bins=BINS)
edges = np.asarray(found.edges)
truth = 100 * np.histogram(hours, edges)[0] / PEOPLE

middles, shares = (edges[1:] + edges[:-1]) / 2, 100 * np.asarray(found.value)
below, above = shares - 100 * np.asarray(found.low), 100 * np.asarray(found.high) - shares


def draw(name: str, rows: int, columns: int, size: tuple[float, float]) -> None:
    """Draw the three panels in rows and columns."""
    figure, grid = plt.subplots(rows, columns, figsize=size, layout="constrained")
    panels = grid.ravel()
    panels[0].hist(hours, np.arange(-0.5, 81.5), color=TRUE)
    panels[0].set_title("What is true, and stays with people")
    panels[1].hist(reports, 81, color=NOISE)
    panels[1].set_title("What each of them reports, ε = 2")
    panels[2].bar(middles, shares, 7, color=ESTIMATE, alpha=0.45)
    panels[2].errorbar(
        middles, shares, [np.maximum(below, 0), np.maximum(above, 0)], fmt="none", color=ESTIMATE, capsize=3,
        label="95 % interval",
    )  # fmt: skip
    panels[2].plot(middles, truth, "o", color=TRUE, markersize=5, label="truth")
    panels[2].set_title("What the reports show, in %")
    panels[2].legend(frameon=False)
    for panel in panels:
        panel.spines[["top", "right"]].set_visible(False)
        panel.set_xlabel("hours of work in a week")
    for panel in panels[:2]:
        panel.set_yticks([])
        panel.set_ylabel("people")
    figure.savefig(Path(__file__).with_name(name), metadata={"Date": None}, facecolor="white")


draw("before-and-after.svg", 1, 3, (11, 3.1))
draw("before-and-after-narrow.svg", 3, 1, (4.2, 8.4))
