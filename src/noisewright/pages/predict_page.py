"""The page of a prediction."""

from __future__ import annotations

from noisewright import __version__
from noisewright.pages import predict_charts as charts
from noisewright.pages import predict_tables as tables
from noisewright.pages.figures import figure
from noisewright.pages.markup import Content, Html, bullets, facts, tag
from noisewright.pages.predict_caveats import CONFIDENTIAL, caveats
from noisewright.pages.predict_forecast import Forecast
from noisewright.pages.predict_numbers import apart, budget
from noisewright.pages.predict_words import (
    answer_words,
    best_words,
    budget_words,
    focus_words,
    gap_words,
    least_note,
    losers_words,
    method_words,
    published_words,
    records_words,
    sensitive_words,
    title,
    width_words,
)
from noisewright.pages.template import Section, page
from noisewright.pages.wording import percent

ROWS = 20
"""Records in the table of who loses most."""


def predict_page(forecast: Forecast) -> str:
    """The whole document."""
    sections = [
        Section("At a glance", _glance(forecast)),
        Section("Utility against ε", _frontier(forecast)),
        *_target(forecast),
        Section(losers_words(forecast), _losers(forecast)),
        *_groups(forecast),
        *_published(forecast),
        Section("How these numbers were made", [_method(forecast), bullets(caveats(forecast, whole=True))]),
    ]
    footer = f"Written by noisewright predict, version {__version__}."
    return page(title(forecast), answer_words(forecast), sections, footer)


def _glance(forecast: Forecast) -> list[Content]:
    width = width_words(forecast)
    asked = facts([
        ("Records", records_words(forecast)),
        ("Sensitive features", sensitive_words(forecast)),
        ("ε", budget_words(forecast)),
        ("Method", method_words(forecast)),
        *([] if width is None else [("Width of intervals", width)]),
    ])  # fmt: skip
    bounds = [tables.lower_bounds(forecast, scope) for scope in forecast.scopes]
    return [tag("p", CONFIDENTIAL, class_="warning"), asked, *bounds]


def _frontier(forecast: Forecast) -> list[Content]:
    caption = (
        "How often the answer survives, as a line, with everything it may be as a shade around it; below, "
        "the mechanism with the highest lower bound. Equal ratios of ε are equally wide."
    )
    if forecast.asked.target is not None:
        caption += f" The dotted line across is the target, {percent(forecast.asked.target)}."
    names = ", ".join(forecast.names)
    said = f"Line charts of utility against ε for {names}, {' and '.join(forecast.scopes.values())}."
    drawn = figure("frontier", charts.frontier(forecast), title=said, caption=caption)
    several = len(forecast.names) > 1
    return [drawn, *(best_words(forecast, scope) for scope in forecast.scopes if several)]


def _target(forecast: Forecast) -> list[Section]:
    if not forecast.least:
        return []
    end = budget(float(forecast.epsilons[-1]))
    notes = f"A dash stands where the target is not kept up to ε = {end}. {least_note(forecast)}"
    heading = f"Least ε for a utility of {forecast.asked.target:g}"
    return [Section(heading, [tables.least_epsilons(forecast), notes])]


def _losers(forecast: Forecast) -> list[Content]:
    listed = tables.losers(forecast, ROWS)
    size = len(forecast.prediction.records)
    if size == 1:
        return [listed]
    spread = figure(
        "records",
        charts.spread_of_records(forecast),
        title="Histogram of the lower bounds of the utility of single records.",
        caption=f"How many of {size:,} records keep how much utility, by their lower bounds; "
        f"{focus_words(forecast)}.",
    )
    return [spread, listed]


def _groups(forecast: Forecast) -> list[Section]:
    if (said := gap_words(forecast)) is None:
        return []
    drawn = figure(
        "groups",
        charts.groups(forecast),
        title="Average utility of each group with its interval.",
        caption=f"The average of each group as a point, its bounds as a line; {focus_words(forecast)}.",
    )
    return [Section("Who is served worse", [said, drawn, tables.groups(forecast)])]


def _published(forecast: Forecast) -> list[Section]:
    if forecast.published is None:
        return []
    drawn = figure(
        "published",
        charts.published_beside(forecast),
        title="Line charts of the published number and of our bounds against ε, one a mechanism.",
        caption="Averages over records: our bounds as a line with a shade, the published number as a broken "
        "line. Above our shade it is too optimistic, far below it says little.",
    )
    content = [*published_words(forecast), drawn, tables.published_beside(forecast)]
    return [Section("As published, for comparison", content)]


def _method(forecast: Forecast) -> Html:
    average = apart(float(forecast.prediction.average.width.max()), 4)
    return facts([
        ("Method", method_words(forecast)),
        ("Mechanisms and ε", f"{len(forecast.names)} × {forecast.epsilons.size} at once"),
        ("Questions with randomized values", f"{forecast.prediction.certificate.queries:,}"),
        ("Widest interval of a record", apart(forecast.widest, 4)),
        *([("Widest interval of the average", average)] if len(forecast.scopes) > 1 else []),
    ])  # fmt: skip
