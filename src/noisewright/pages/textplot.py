"""A law in the terminal: how likely reports are, column by column, in block characters."""

from __future__ import annotations

import numpy as np

from noisewright.domains import Circle, Floats
from noisewright.mechanisms import Law
from noisewright.mechanisms.profile import view
from noisewright.pages.wording import report_span

BLOCKS = " ▁▂▃▄▅▆▇█"


def text_plot(law: Law, columns: int = 64, rows: int = 6) -> list[str]:
    r"""Lines of a histogram of the reports of one true value, which a caret below marks.

    Each column is the exact probability of a report in its stretch, so single reports with a probability
    of their own stand out as bars and not as infinitely high spikes.

    >>> from noisewright import Interval
    >>> from noisewright.mechanisms import OGPM
    >>> print(*text_plot(OGPM(Interval(0, 1), epsilon=2.0).law(0.5), columns=24, rows=2), sep="|\n")
             ██████         |
    ▂▂▂▂▂▂▂▂▅██████▅▂▂▂▂▂▂▂▂|
                ^           |
    0                      1
    """
    low, high = view(law)
    shares = column_shares(law, low, high, columns)
    levels = np.rint(shares / shares.max() * rows * (len(BLOCKS) - 1)).astype(int)
    levels[(shares > 0) & (levels == 0)] = 1
    lines = [
        "".join(BLOCKS[min(max(level - (len(BLOCKS) - 1) * row, 0), len(BLOCKS) - 1)] for level in levels)
        for row in reversed(range(rows))
    ]
    place = min(int((float(law.truth) - low) / (high - low) * columns), columns - 1)
    _, left, _, right = report_span(low, high, law.metric).split()
    return [*lines, " " * place + "^" + " " * (columns - place - 1), f"{left}{right:>{columns - len(left)}}"]


def column_shares(law: Law, low: float, high: float, columns: int) -> Floats:
    """The probability of a report in each of some equal stretches; what lies outside is left out."""
    edges = np.linspace(low, high, columns + 1)
    below = np.array([law.cdf(edge) for edge in edges])
    below[0] -= law.mass(low, low) if not isinstance(law.reports, Circle) else 0.0
    if isinstance(law.reports, Circle) and high >= law.reports.period:
        below[-1] = 1.0
    return np.maximum(np.diff(below), 0.0)
