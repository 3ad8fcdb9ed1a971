"""The tables of the page of a prediction."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from noisewright.pages.markup import Content, Html
from noisewright.pages.predict_forecast import Forecast
from noisewright.pages.predict_groups import ranked_groups
from noisewright.pages.predict_numbers import NARROW, budget, counted, down, up
from noisewright.pages.predict_words import focus_words
from noisewright.pages.tables import Cell, number, table
from noisewright.text import plain

Bounded = tuple[list[Content | Cell], float, float]
"""The first cells of a row, and the bounds that stand behind them."""


def lower_bounds(forecast: Forecast, scope: str) -> Html:
    """Lower bounds of the utility: a row a mechanism, a column an ε."""
    band, best = forecast.prediction.band(scope), forecast.prediction.best(scope)
    several = len(forecast.names) > 1
    rows = [
        [
            name,
            *(
                number(down(band.low[row, place]), best=several and best[place] == name)
                for place in forecast.columns
            ),
        ]
        for row, name in enumerate(forecast.names)
    ]
    return table(
        f"Utility at least, {forecast.scopes[scope]}; larger is better", epsilon_header(forecast), rows
    )


def epsilon_header(forecast: Forecast) -> list[str]:
    """The header of a table with a column for some ε."""
    return ["Mechanism", *(f"ε = {budget(forecast.budgets[place])}" for place in forecast.columns)]


def least_epsilons(forecast: Forecast) -> Html:
    """The least ε for the target: a row a mechanism, the cheapest of each column marked."""
    names = list(forecast.scopes.values())
    if len(names) > 1:  # a single record is its own average, and said once
        names += [f"at record {record}" for record in forecast.asked.records]
    unit = (
        "each feature; in brackets, of a whole record" if forecast.features > 1 else "the sensitive feature"
    )
    caption = f"The least ε of {unit}, from which on the utility is at least {forecast.asked.target:g}"
    columns = [row.found[: len(names)] for row in forecast.least]
    cheapest = [
        min((epsilon for epsilon in column if epsilon is not None), default=None)
        for column in zip(*columns, strict=True)
    ]
    rows = [
        [row.mechanism, *(_spent(pair, forecast) for pair in zip(cells, cheapest, strict=True))]
        for row, cells in zip(forecast.least, columns, strict=True)
    ]
    return table(caption, ["Mechanism", *names], rows)


def _spent(pair: tuple[float | None, float | None], forecast: Forecast) -> Cell:
    epsilon, cheapest = pair
    if epsilon is None:
        return number("–")
    in_all = f" ({budget(epsilon * forecast.features)})" if forecast.features > 1 else ""
    return number(budget(epsilon) + in_all, best=len(forecast.names) > 1 and epsilon == cheapest)


def losers(forecast: Forecast, count: int) -> Html:
    """The records that lose most at the focus, by their numbers."""
    found = forecast.losers(count)
    rows: list[Bounded] = [([f"record {one['record']}"], one["low"], one["high"]) for one in found]
    least = f": the {counted(len(rows), 'record')} with the least utility" if len(rows) > 1 else ""
    caption = f"{focus_words(forecast)}{least}"
    return _bounded(caption, ["Record"], rows)


def groups(forecast: Forecast) -> Html:
    """The groups at the focus, the worst served first."""
    row, column = forecast.focus
    bands, members = forecast.prediction.groups, forecast.prediction.members
    rows: list[Bounded] = [
        (
            [plain(name), number(f"{len(members[name]):,}")],
            float(bands[name].low[row, column]),
            float(bands[name].high[row, column]),
        )
        for name in ranked_groups(forecast.prediction, row, column)
    ]
    return _bounded(f"Groups, {focus_words(forecast)}", ["Group", "records"], rows)


def _bounded(caption: str, header: Sequence[str], rows: Sequence[Bounded]) -> Html:
    """Rows with their bounds, or with one number where the bounds are the same for a reader."""
    if all(high - low < NARROW for _, low, high in rows):
        single = [[*first, number(down(low))] for first, low, _ in rows]
        return table(caption, [*header, "utility"], single)
    pairs = [[*first, number(down(low)), number(up(high))] for first, low, high in rows]
    return table(caption, [*header, "at least", "at most"], pairs)


def published_beside(forecast: Forecast) -> Html:
    """The published averages with our lower bounds behind them."""
    assert forecast.published is not None
    theirs, ours = np.asarray(forecast.published.average), forecast.prediction.average.low
    rows = [
        [
            name,
            *(number(f"{theirs[row, place]:.3f} / {down(ours[row, place])}") for place in forecast.columns),
        ]
        for row, name in enumerate(forecast.names)
    ]
    return table("Average utility: as published / our lower bound", epsilon_header(forecast), rows)
