"""Plots of what a classifier has learned: the evidence of each feature, or the weights of a hyperplane."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from noisewright.domains import Categories, Circle, Floats, Integers, Interval
from noisewright.learn.rules import AdditiveRule, LinearRule
from noisewright.learn.rules.schema import Block, Schema
from noisewright.report.plots import PAGE_WIDTH, legend_below, new_figure
from noisewright.report.svg import DASHES, INK, PALETTE, drawing_style
from noisewright.text import plain, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ACROSS: Final = 2
"""Panels side by side."""

MOST_PANELS: Final = 12
MOST_BARS: Final = 24
MOST_LINES: Final = len(PALETTE)
LONG: Final = 22
"""Letters of a name that an axis has room for."""


POINTS: Final = 320
"""Values at which the evidence of a number is shown: twenty to each of sixteen cells."""

FAR: Final = 3.0
"""How far from zero a number without a declared domain is shown."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """A feature's values, and what each adds to the score of each class (values by classes)."""

    block: Block
    values: Any
    scores: Floats

    @property
    def strength(self) -> float:
        """How far the feature can move a score."""
        return float(np.ptp(self.scores, axis=0).max())


def evidence_of(rule: AdditiveRule, schema: Schema) -> list[Evidence]:
    """Return the evidence of every feature that the rule uses, the strongest first.

    >>> from noisewright.learn import read_schema
    >>> from noisewright.learn.rules import Axis
    >>> rule = AdditiveRule([Axis(0, 1, 2, ordered=False)], [[[0.0, 0.0], [0.0, 2.0]]], [0.0, 0.0])
    >>> (found,) = evidence_of(rule, read_schema({"smokes": Categories(["no", "yes"])}, 1))
    >>> found.values, found.scores.tolist()
    (['no', 'yes'], [[0.0, 0.0], [0.0, 2.0]])
    """
    found = [_of_block(rule, schema, block) for block in schema.blocks]
    return sorted((each for each in found if each is not None), key=lambda each: -each.strength)


def _of_block(rule: AdditiveRule, schema: Schema, block: Block) -> Evidence | None:
    pairs = zip(rule.axes, rule.tables, strict=True)
    mine = [(axis, table) for axis, table in pairs if block.start <= axis.start < block.stop]
    if not mine:
        return None
    values = _values(block)
    units = np.zeros((len(values), schema.width))
    units[:, block.start : block.stop] = block.encode(values, "clip")
    scores = np.sum([table[axis.places(units)] for axis, table in mine], axis=0)
    return Evidence(block, values, scores)


def _values(block: Block) -> Any:
    """Return the values at which a feature is shown: its labels, or numbers from end to end."""
    match block.domain:
        case Categories() as categories:
            return list(categories.labels)
        case Integers() as integers:
            return integers.places(POINTS)
        case Interval() as interval:
            return _middles(interval.low, interval.high)
        case Circle() as circle:
            return _middles(0.0, circle.period)
    return _middles(-FAR, FAR)


def _middles(low: float, high: float) -> Floats:
    """Return values within equal parts, so that none lies on the border of two cells."""
    return np.asarray(low + (high - low) * (np.arange(POINTS) + 0.5) / POINTS)


def plot_evidence(found: Sequence[Evidence], classes: Sequence[str]) -> Figure:
    """Draw a small panel for each feature, the strongest first, all on one scale of evidence."""
    shown = list(found)[:MOST_PANELS]
    across = min(len(shown), ACROSS)
    down = math.ceil(len(shown) / across)
    with drawing_style():
        drawn = new_figure(PAGE_WIDTH, 2.1 * down + 0.1)
        panels = drawn.subplots(down, across, sharey=True, squeeze=False)
        for axes, each in zip(panels.reshape(-1), shown, strict=False):
            _panel(axes, each, classes)
        for axes in panels.reshape(-1)[len(shown) :]:
            axes.remove()
        for axes in panels[:, 0]:
            axes.set_ylabel("evidence, log odds" if len(classes) == 2 else "evidence")
        if len(classes) > 2:
            legend_below(drawn, panels[0, 0])
    return drawn


def _panel(axes: Axes, each: Evidence, classes: Sequence[str]) -> None:
    axes.axhline(0, color=INK, linewidth=0.8)
    axes.set_title(shortened(plain(each.block.name), LONG))
    draw = _bars if each.block.labels else _curve
    if len(classes) == 2:
        draw(axes, each, [("", each.scores[:, 1] - each.scores[:, 0])])
    else:
        names = [shortened(plain(name), LONG) for name in classes[:MOST_LINES]]
        draw(axes, each, [(name, each.scores[:, place]) for place, name in enumerate(names)])
    axes.grid(alpha=0.2, axis="y")


Series = Sequence[tuple[str, Any]]


def _curve(axes: Axes, each: Evidence, series: Series) -> None:
    """Draw over numbers: with two classes, values above zero favour the second; with more, a line each."""
    if len(series) == 1:
        rows = series[0][1]
        for place, part in enumerate((np.maximum(rows, 0), np.minimum(rows, 0))):
            axes.fill_between(each.values, part, color=PALETTE[place], alpha=0.25, linewidth=0)
        axes.plot(each.values, rows, color=INK, linewidth=1.2)
    else:
        for place, (name, rows) in enumerate(series):
            axes.plot(each.values, rows, color=PALETTE[place], linestyle=DASHES[place], label=name)
    axes.margins(x=0)
    if isinstance(each.block.domain, Circle):
        period = each.block.domain.period
        axes.set_xticks([period * quarter / 4 for quarter in range(5)])


def _bars(axes: Axes, each: Evidence, series: Series) -> None:
    """Draw over labels: a bar each, or a group of bars."""
    labels = list(each.values)[:MOST_BARS]
    wide = 0.7 / len(series)
    for place, (name, rows) in enumerate(series):
        spots = np.arange(len(labels)) + (place - (len(series) - 1) / 2) * wide
        signs = [PALETTE[0] if row > 0 else PALETTE[1] for row in rows[: len(labels)]]
        colours: Any = signs if len(series) == 1 else PALETTE[place]
        axes.bar(spots, rows[: len(labels)], wide, color=colours, alpha=0.75, label=name)
    slanted = len(labels) > 4 or max(len(str(label)) for label in labels) > 10
    axes.set_xticks(
        range(len(labels)), [shortened(plain(label), LONG) for label in labels], rotation=30 if slanted else 0
    )


def plot_weights(rule: LinearRule, schema: Schema) -> Figure:
    """Draw the weights of a linear rule, the largest first."""
    order = np.argsort(-np.abs(rule.weights), kind="stable")[:MOST_BARS]
    with drawing_style():
        drawn = new_figure(PAGE_WIDTH, 0.9 + 0.3 * len(order))
        axes = drawn.add_subplot()
        colours = [PALETTE[0] if rule.weights[place] > 0 else PALETTE[1] for place in order]
        axes.barh(range(len(order)), rule.weights[order], color=colours, alpha=0.75)
        axes.set_yticks(range(len(order)), [shortened(plain(schema.names[place]), LONG) for place in order])
        axes.invert_yaxis()
        axes.axvline(0, color=INK, linewidth=0.8)
        axes.set_xlabel("weight of half the range of the feature")
        axes.grid(alpha=0.2, axis="x")
    return drawn
