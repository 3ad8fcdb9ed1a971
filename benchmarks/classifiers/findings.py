"""What a case study shows in sentences; every number in them is computed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmarks.classifiers.digits import at_least, at_most, interval
from benchmarks.classifiers.measured import Measured
from benchmarks.classifiers.results import Panel, Reading


def against_truth(kind: str, one: Measured, mechanism: str, epsilon: float) -> str:
    """The published number of the first record beside the certificate, and the box it comes from."""
    row, column = one.names.index(mechanism), one.prediction.nearest(epsilon)
    found = one.prediction.certificate
    low, high = (float(side[0, row, column]) for side in (found.low, found.high))
    published = float(one.published[0, row, column])
    sides = zip(*(corner[0].tolist() for corner in one.corners), strict=True)
    box = " × ".join(f"[{start:.2f}, {end:.2f}]" for start, end in sides)
    verdict = "more than is true" if published > high else "not above the truth"
    return (
        f"{kind.lower()}, {mechanism} at ε = {epsilon:g}: the published framework finds the box {box} and "
        f"states “at least {published:.3f}”; exact: {interval(low, high)}. That is {verdict}."
    )


def as_they_computed_it(readings: Sequence[Reading]) -> str:
    """One published number as the authors' program and as their text have it, beside the truth."""
    text, _, _, program, _ = readings
    return (
        "logistic regression, the record of figure 6, PM at ε = 1: computed as the authors' program does, "
        f"the published number is {program.published:.3f}; the truth is "
        f"{interval(program.low, program.high)}. "
        f"By the rule of the text it is {text.published:.3f}; a table below has the steps between them."
    )


def too_high(measured: Sequence[Measured]) -> str:
    """How often published numbers exceed what can be true, and where they do it most."""
    numbers = sum(one.published.size for one in measured)
    wrong = sum(int((one.excess > 0).sum()) for one in measured)
    if not wrong:
        return f"none of {numbers:,} published numbers lies above our upper bound."
    return (
        f"{wrong:,} of {numbers:,} published numbers (record × mechanism × ε) lie above our upper bound; the "
        f"farthest is {_farthest(max(measured, key=lambda one: float(one.excess.max())))}."
    )


def _farthest(one: Measured) -> str:
    record, row, column = (int(i) for i in np.unravel_index(np.argmax(one.excess), one.excess.shape))
    high = one.prediction.certificate.high[record, row, column]
    return (
        f"{one.published[record, row, column]:.3f} against at most {at_most(float(high), 3)} (record "
        f"{one.records.numbers[record]}, {one.names[row]} at ε = {one.prediction.epsilons[column]:g})"
    )


def at_small_budgets(by_program: Measured, by_text: Measured, most: float) -> str:
    """How much the published number says at small ε by either rule, and what is certified there."""
    few = by_program.prediction.epsilons <= most
    program, text = (float(one.published[:, :, few].max()) for one in (by_program, by_text))
    low = by_program.prediction.certificate.low[:, :, few].max(axis=(1, 2))
    certified = " and ".join(map(at_least, low.tolist()))
    return (
        f"for ε ≤ {most:g} the published number, before the privacy indicator adds its δ, is at most "
        f"{at_most(text)} by the rule of the text ({at_most(program)} by that of the program) on these "
        f"{low.size} images; the best that we certify for them is {certified}."
    )


def tight(measured: Sequence[Measured]) -> str:
    """How far our bounds lie apart."""
    widest = max(one.width for one in measured)
    return f"our lower and upper bounds lie at most {at_most(widest)} apart."


def tight_figure(average: Panel, worst: Panel) -> str:
    """How far our bounds of an average and of the worst record lie apart."""
    return (
        f"our bounds of the average over {average.records} images lie at most {at_most(average.width)} "
        f"apart, those of the worst image at most {at_most(worst.width)}."
    )
