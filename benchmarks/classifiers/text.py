"""The case studies in the terminal: one table a figure."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.classifiers.digits import interval
from benchmarks.classifiers.results import Figure, Map, Panel, Study
from noisewright.published.classifier_utility.framework import DRAWS
from noisewright.text import percent

SHOWN = (1.0, 2.0, 4.0, 8.0)
"""ε that fit into a line of a terminal."""

KEY = (
    f"Numbers: as published, share of {DRAWS:,} draws, certified; “!” marks a published one above the truth."
)


def in_words(study: Study) -> str:
    """A whole study as text."""
    lines = [study.title, ""]
    lines += [f"  {name}: {value}" for name, value in study.facts]
    lines += ["", *(f"* {finding}" for finding in study.findings)]
    lines += [f"    {reading.published:.4f}  {reading.name} {reading.box}" for reading in study.readings]
    lines += ["", KEY]
    for figure in study.figures:
        lines += ["", f"{figure.name}. {figure.title}", *_panels(figure)]
    return "\n".join([*lines, "", f"({study.seconds:.0f} s)"])


def _panels(figure: Figure) -> Iterator[str]:
    for panel in figure.panels:
        yield f"  {panel.title}"
        yield from _map(panel) if isinstance(panel, Map) else _curves(panel)


def _map(panel: Map) -> Iterator[str]:
    sides = zip(panel.axes, *panel.published, strict=True)
    box = " × ".join(f"{name} [{low:.2f}, {high:.2f}]" for name, low, high in sides)
    yield f"    published box {box}: the answer changes in {percent(panel.failing_inside)} of it;"
    yield f"    it leaves out {percent(panel.left_out)} of the area in which the answer is kept"


def _curves(panel: Panel) -> Iterator[str]:
    places = [place for place, epsilon in enumerate(panel.epsilons.tolist()) if epsilon in SHOWN]
    heads = "".join(f"{f'ε = {panel.epsilons[place]:g}':^28}" for place in places)
    yield f"    {'':<14}{heads}"
    for row, name in enumerate(panel.names):
        cells = (
            f"{panel.published[row, place]:.3f} {panel.drawn[row, place]:.3f} "
            f"{interval(float(panel.low[row, place]), float(panel.high[row, place]))}"
            f"{'!' if panel.excess[row, place] > 0 else ' '}"
            for place in places
        )
        yield f"    {name:<14}" + "".join(f"{cell:<28}" for cell in cells)
