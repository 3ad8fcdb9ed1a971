"""The report of a forecast: the bounds, the least ε, the records that lose most, and caveats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from noisewright.report import (
    Block,
    Bullets,
    Cell,
    Details,
    Facts,
    Figure,
    Report,
    Section,
    Table,
    number,
    paragraphs,
)
from noisewright.text import counted, percent, plain, span
from noisewright.utility.forecast import LOSERS, Forecast
from noisewright.utility.plots import plot_frontier, plot_groups, plot_published, plot_records
from noisewright.utility.report_words import (
    CONFIDENTIAL,
    NARROW,
    answer_words,
    apart,
    best_words,
    budget,
    budget_words,
    caveats,
    down,
    focus_words,
    gap_words,
    least_note,
    method_words,
    published_words,
    up,
    width_words,
)

MOST_LOSERS: Final = 20
"""Number of records in the longer table of who loses most, which only a page shows."""

Bounded = tuple[list[object], float, float]
"""The first cells of a row, and the bounds after them."""


def forecast_report(forecast: Forecast) -> Report:
    """Describe a forecast as a document."""
    fate = "survive" if forecast.inquiry.answers is None else "are still right"
    who = "Records that lose most" if len(forecast.prediction.records) > 1 else "The record"
    return Report(
        title=f"How often the answers of {plain(forecast.inquiry.model)} {fate}",
        lead=answer_words(forecast),
        cautions=[CONFIDENTIAL],
        sections=[
            Section("At a glance", [_glance(forecast)]),
            Section("Utility against ε", _curves(forecast)),
            *_target(forecast),
            Section(f"{who}: {focus_words(forecast)}", _losers(forecast)),
            *_groups(forecast),
            *_published(forecast),
            Section("How these numbers were made", [_method(forecast), Bullets(caveats(forecast))]),
        ],
        verb="predict",
        data=forecast.to_dict(),
    )


def _glance(forecast: Forecast) -> Facts:
    records, width = forecast.prediction.records, width_words(forecast)
    sensitive = (f"{plain(one.name)} {span(*one.domain.ends)}" for one in records.sensitive)
    return Facts([
        ("Records", f"{counted(len(records), 'record')} of {plain(forecast.inquiry.data)}"),
        ("Sensitive features", ", ".join(sensitive)),
        ("ε", budget_words(forecast)),
        ("Method", method_words(forecast)),
        *([] if width is None else [("Width of intervals", width)]),
    ])  # fmt: skip


def _curves(forecast: Forecast) -> list[Block]:
    """Return the lower bounds as tables, the curves as a figure, and the best mechanism at each ε."""
    tables = [bounds_table(forecast, scope) for scope in forecast.scopes]
    best = [best_words(forecast, scope) for scope in forecast.scopes if len(forecast.names) > 1]
    caption = (
        "How often the answer survives, as a line, with its bounds as a shade around it; below, the "
        "mechanism with the highest lower bound. The axis of ε is logarithmic."
    )
    if forecast.inquiry.target is not None:
        caption += f" The dotted horizontal line is the target, {percent(forecast.inquiry.target)}."
    names = ", ".join(forecast.names)
    said = f"Line charts of utility against ε for {names}, {' and '.join(forecast.scopes.values())}."
    frontier = Figure("frontier", [(said, lambda: plot_frontier(forecast))], caption)
    return [*tables, frontier, *paragraphs(best)]


def bounds_table(forecast: Forecast, scope: str) -> Table:
    """Return the lower bounds on the utility: a row per mechanism, a column per ε."""
    band, best = forecast.prediction.band(scope), forecast.prediction.best(scope)
    several = len(forecast.names) > 1
    rows = [
        [
            name,
            *(
                number(
                    down(band.low[row, place]),
                    best=several and best[place] == name,
                    exact=float(band.low[row, place]),
                )
                for place in forecast.columns
            ),
        ]
        for row, name in enumerate(forecast.names)
    ]
    caption = f"Utility at least, {forecast.scopes[scope]}; larger is better"
    return Table(caption, _epsilon_header(forecast), rows, captioned=True)


def _epsilon_header(forecast: Forecast) -> list[str]:
    return ["Mechanism", *(f"ε = {budget(forecast.budgets[place])}" for place in forecast.columns)]


def _target(forecast: Forecast) -> list[Section]:
    if not forecast.least:
        return []
    end = budget(float(forecast.epsilons[-1]))
    note = f"A dash means that the target is not kept up to ε = {end}. {least_note(forecast)}"
    heading = f"Least ε for a utility of {forecast.inquiry.target:g}"
    return [Section(heading, [least_table(forecast), note])]


def least_table(forecast: Forecast) -> Table:
    """Return the least ε for the target: a row per mechanism, the cheapest of each column marked."""
    names = list(forecast.scopes.values())
    if len(names) > 1:  # a single record is its own average
        names += [f"at record {record}" for record in forecast.inquiry.records]
    unit = (
        "each feature; in brackets, of a whole record" if forecast.features > 1 else "the sensitive feature"
    )
    caption = f"The smallest ε of {unit} from which on the utility is at least {forecast.inquiry.target:g}"
    columns = [row.found[: len(names)] for row in forecast.least]
    cheapest = [
        min((epsilon for epsilon in column if epsilon is not None), default=None)
        for column in zip(*columns, strict=True)
    ]
    rows = [
        [row.mechanism, *(_spent(pair, forecast) for pair in zip(cells, cheapest, strict=True))]
        for row, cells in zip(forecast.least, columns, strict=True)
    ]
    return Table(caption, ["Mechanism", *names], rows, captioned=True)


def _spent(pair: tuple[float | None, float | None], forecast: Forecast) -> Cell:
    epsilon, cheapest = pair
    if epsilon is None:
        return number("–")
    in_all = f" ({budget(epsilon * forecast.features)})" if forecast.features > 1 else ""
    return number(
        budget(epsilon) + in_all, best=len(forecast.names) > 1 and epsilon == cheapest, exact=epsilon
    )


def _losers(forecast: Forecast) -> list[Block]:
    size = len(forecast.prediction.records)
    first = _losers_table(forecast, LOSERS)
    if size == 1:
        return [first]
    said = "Histogram of the lower bounds of the utility of single records."
    caption = f"Number of the {size:,} records by the lower bound on their utility; "
    spread = Figure("records", [(said, lambda: plot_records(forecast))], f"{caption}{focus_words(forecast)}.")
    if size <= LOSERS:
        return [first, spread]
    more = _losers_table(forecast, MOST_LOSERS)
    return [first, spread, Details(f"{counted(len(more.rows), 'record')} as a table", [more])]


def _losers_table(forecast: Forecast, count: int) -> Table:
    found = forecast.losers(count)
    rows: list[Bounded] = [([f"record {one['record']}"], one["low"], one["high"]) for one in found]
    least = f": the {counted(len(rows), 'record')} with the least utility" if len(rows) > 1 else ""
    return _bounded_table(f"{focus_words(forecast)}{least}", ["Record"], rows)


def _groups(forecast: Forecast) -> list[Section]:
    if (said := gap_words(forecast)) is None:
        return []
    bands, members = forecast.prediction.groups, forecast.prediction.members
    rows: list[Bounded] = [
        (
            [plain(name), number(f"{len(members[name]):,}")],
            float(bands[name].low[forecast.focus]),
            float(bands[name].high[forecast.focus]),
        )
        for name in forecast.ranked_groups
    ]
    drawn = Figure(
        "groups",
        [("Average utility of each group with its interval.", lambda: plot_groups(forecast))],
        f"The average of each group as a point, its bounds as a line; {focus_words(forecast)}.",
    )
    table = _bounded_table(f"Groups, {focus_words(forecast)}", ["Group", "records"], rows, captioned=True)
    return [Section("Differences between groups", [said, drawn, table])]


def _bounded_table(
    caption: str, header: Sequence[str], rows: Sequence[Bounded], *, captioned: bool = False
) -> Table:
    """Return rows with their bounds, or with one number if the bounds look the same."""
    if all(high - low < NARROW for _, low, high in rows):
        single = [[*first, number(down(low), exact=low)] for first, low, _ in rows]
        return Table(caption, [*header, "utility"], single, captioned=captioned)
    pairs = [
        [*first, number(down(low), exact=low), number(up(high), exact=high)] for first, low, high in rows
    ]
    return Table(caption, [*header, "at least", "at most"], pairs, captioned=captioned)


def _published(forecast: Forecast) -> list[Section]:
    if forecast.published is None:
        return []
    theirs, ours = forecast.published.average, forecast.prediction.average.low
    rows = [
        [
            name,
            *(number(f"{theirs[row, place]:.3f} / {down(ours[row, place])}") for place in forecast.columns),
        ]
        for row, name in enumerate(forecast.names)
    ]
    said = "Line charts of the published number and of our bounds against ε, one per mechanism."
    drawn = Figure(
        "published",
        [(said, lambda: plot_published(forecast))],
        "Averages over records: our bounds as a line with a shade, the published number as a broken line. "
        "Above our shade it is too optimistic; far below, it says little.",
    )
    caption = "Average utility: as published / our lower bound"
    table = Table(caption, _epsilon_header(forecast), rows, captioned=True)
    return [Section("As published, for comparison", [*published_words(forecast), drawn, table])]


def _method(forecast: Forecast) -> Facts:
    average = apart(float(forecast.prediction.average.width.max()), 4)
    return Facts([
        ("Mechanisms and ε", f"{len(forecast.names)} × {forecast.epsilons.size} at once"),
        ("Questions with randomized values", f"{forecast.prediction.certificate.queries:,}"),
        ("Widest interval of a record", apart(forecast.widest, 4)),
        *([("Widest interval of the average", average)] if len(forecast.scopes) > 1 else []),
    ])  # fmt: skip
