"""Tables of errors in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from benchmarks.learning.functional_trial import COLUMNS
from noisewright.domains import Floats

WITH_FEEDBACK = ("MR", "MA", "MRMA")
RIVALS = ("Weak", "Voting", "Averaging", "All data")
_FEEDBACK = [COLUMNS.index(name) for name in WITH_FEEDBACK]
_RIVALS = [COLUMNS.index(name) for name in RIVALS]


def error_table(title: str, names: Sequence[str], errors: Floats) -> Iterator[str]:
    """Mean errors in % with their standard errors; ``errors`` is (names, repetitions, columns)."""
    yield f"{title}: error in % (standard error)"
    yield f"  {'':<24}" + "".join(f"{column:>14}" for column in COLUMNS)
    for name, found in zip(names, errors, strict=True):
        cells = (f"{100 * a:.1f} ({100 * b:.1f})" for a, b in zip(found.mean(0), spread(found), strict=True))
        yield f"  {name:<24}" + "".join(f"{cell:>14}" for cell in cells)


def spread(found: Floats) -> Floats:
    """The standard error of each column's mean."""
    return np.asarray(found.std(axis=0, ddof=1) / np.sqrt(len(found)))


def lead(found: Floats, column: str) -> tuple[float, float]:
    """How far a column's mean error lies below that of its best rival, and the standard error of that."""
    means = found.mean(axis=0)
    rival = _RIVALS[int(np.argmin(means[_RIVALS]))]
    difference = found[:, rival] - found[:, COLUMNS.index(column)]
    return float(difference.mean()), float(difference.std(ddof=1) / np.sqrt(len(found)))


def ordering(name: str, found: Floats) -> str:
    """Which of the columns with feedback beat all rivals, and by how much."""
    parts = []
    for column in WITH_FEEDBACK:
        gain, error = lead(found, column)
        verdict = "ahead" if gain > 2 * error else "behind" if gain < -2 * error else "level"
        parts.append(f"{column} {verdict} ({100 * gain:+.1f} ± {100 * error:.1f})")
    return f"  {name:<24}" + ", ".join(parts)
