"""What a reader of a prediction must know, as sentences for the page and the terminal."""

from __future__ import annotations

from collections import Counter

from noisewright.guarantees import PureLDP
from noisewright.pages.predict_forecast import Forecast
from noisewright.pages.predict_numbers import budget, counted, down, epsilon_words, up, within
from noisewright.pages.wording import percent, short
from noisewright.utility.published.caveats import AS_PUBLISHED, CAVEATS

OWN_RECORD = (
    "An ε that was chosen by looking at somebody's record tells something about that record, which no ε "
    "accounts for: choose one for everybody, and before anybody reports."
)
CONFIDENTIAL = (
    "This report tells facts about the records of the data, by their numbers: keep it as confidential as the "
    "data. It holds none of their values."
)

WIDE = 0.05
"""Bounds farther apart than this deserve a word."""


def title(forecast: Forecast) -> str:
    """What the report is about."""
    fate = "survive" if forecast.asked.answers is None else "are still right"
    return f"How often the answers of {forecast.asked.model} {fate}"


def records_words(forecast: Forecast) -> str:
    """Which records were looked at."""
    return f"{counted(len(forecast.prediction.records), 'record')} of {forecast.asked.data}"


def sensitive_words(forecast: Forecast) -> str:
    """The features that are randomized, with their intervals."""
    return ", ".join(
        f"{one.name} from {short(one.domain.low)} to {short(one.domain.high)}"
        for one in forecast.prediction.records.sensitive
    )


def budget_words(forecast: Forecast) -> str:
    """What ε counts."""
    ends = [budget(float(end)) for end in (forecast.budgets[0], forecast.budgets[-1])]
    range_words = " to ".join(dict.fromkeys(ends))
    if forecast.features == 1:
        return f"{range_words} for the one sensitive feature, which is what a record spends"
    if forecast.asked.per == "record":
        return f"{range_words} for a whole record, shared evenly by {forecast.features} sensitive features"
    return (
        f"{range_words} for each of {forecast.features} sensitive features; a record spends "
        f"{forecast.features} times as much"
    )


def method_words(forecast: Forecast) -> str:
    """How the numbers were found, and what they can be relied on for."""
    certificate = forecast.prediction.certificate
    counts = Counter(certificate.method)
    if len(counts) == 1:
        (said,) = counts
    else:
        said = ", ".join(f"{name} for {counted(count, 'record')}" for name, count in counts.most_common())
    if certificate.exact:
        return said
    return f"{said}: the model was asked {counted(certificate.queries, 'time')}"


def utility_words(forecast: Forecast) -> str:
    """What utility means here."""
    if forecast.asked.answers is not None:
        return (
            "Utility of a record is the chance that the model, asked with randomized sensitive values, gives "
            f"the true answer, which is in column {forecast.asked.answers}."
        )
    return (
        "Utility of a record is the chance that the model, asked with randomized sensitive values, gives the "
        "answer that it gives for the true values, right or wrong."
    )


def sure_words(forecast: Forecast) -> str:
    """How far the numbers can be trusted."""
    prediction = forecast.prediction
    if prediction.certificate.exact:
        return (
            "The numbers are computed from the model and the exact laws of the mechanisms; no chance is "
            "involved. Lower bounds are rounded down."
        )
    share = percent(prediction.confidence)
    return (
        f"With {share} confidence all bounds hold at once: for every record, mechanism and ε, on average and "
        "in groups. Lower bounds are rounded down."
    )


def caveats(forecast: Forecast) -> list[str]:
    """What must be said with the numbers, the most important first."""
    found = [
        utility_words(forecast),
        sure_words(forecast),
        "Average is over these records, each counting the same; it says nothing about people who are not "
        "among them. The model is taken to give the same answer to the same question every time.",
    ]
    if forecast.features > 1:
        found.append(
            "Each sensitive feature is randomized by the same mechanism at the same ε, on its own; what "
            "is spent adds up."
        )
    return [*found, *wide(forecast), *weaker(forecast), CONFIDENTIAL]


def wide(forecast: Forecast) -> list[str]:
    """What to do about bounds that are far apart; queries are shared by the records."""
    certificate = forecast.prediction.certificate
    widest = float((certificate.high - certificate.low).max())
    if certificate.exact or widest <= WIDE:
        return []
    return [
        f"The bounds of a single record lie up to {up(widest, 2)} apart, for all records share the "
        f"{counted(certificate.queries, 'query')}: more queries or fewer records bring them together."
    ]


def weaker(forecast: Forecast) -> list[str]:
    """Mechanisms that promise less than the others."""
    found = []
    for row in forecast.prediction.curve.channels:
        guarantee = row[0].mechanism.guarantee
        if not isinstance(guarantee, PureLDP):
            found.append(
                f"{row[0].name} promises less than pure LDP and does not compare with the others at the "
                f"same ε. At ε = {row[0].epsilon:g}: {guarantee.explain()}"
            )
    return found


def least_note(forecast: Forecast) -> str:
    """Among which ε the least were looked for; the first of them need not be the least that will do."""
    ends = [budget(float(end)) for end in (forecast.epsilons[0], forecast.epsilons[-1])]
    found = [value for row in forecast.least for value in (row.average, row.worst, *row.records.values())]
    first = f"; where it is {ends[0]}, less may do" if float(forecast.epsilons[0]) in found else ""
    where = f"at {ends[0]} only" if ends[0] == ends[1] else f"between {ends[0]} and {ends[1]}"
    return f"The least ε was looked for {where}{first}."


def focus_words(forecast: Forecast) -> str:
    """The mechanism and ε that records and groups are looked at."""
    row, column = forecast.focus
    return f"{forecast.names[row]}, {epsilon_words(float(forecast.epsilons[column]), forecast.features)}"


def best_words(forecast: Forecast, scope: str) -> str:
    """Which mechanism is best from which ε on, for those who cannot see the colours of the strip."""
    best = forecast.prediction.best(scope)
    turns = [place for place, name in enumerate(best) if place == 0 or name != best[place - 1]]
    said = ", ".join(f"{best[place]} from {budget(float(forecast.epsilons[place]))}" for place in turns)
    return f"Best {'on average' if scope == 'average' else 'at the worst record'}: {said}."


def answer_words(forecast: Forecast) -> str:
    """The whole result in one sentence."""
    row, column = forecast.focus
    average, worst = forecast.prediction.average, forecast.prediction.worst
    where = epsilon_words(float(forecast.epsilons[column]), forecast.features)
    best = "is the cheapest" if any(least.average is not None for least in forecast.least) else "is best"
    fate = "survive" if forecast.asked.answers is None else "are right"
    return (
        f"{forecast.names[row]} {best} at {where}: on average at least "
        f"{percent_down(float(average.low[row, column]))} of answers {fate}, and at the worst record at "
        f"least {percent_down(float(worst.low[row, column]))}."
    )


def percent_down(share: float) -> str:
    """A lower bound in per cent.

    >>> percent_down(0.89999)
    '89.9 %'
    """
    return f"{down(100 * share, 1)} %"


def gap_words(forecast: Forecast) -> str | None:
    """Which group loses most, and by how much."""
    if (gap := forecast.gap) is None:
        return None
    row, column = forecast.focus
    ends = {
        name: within(float(band.low[row, column]), float(band.high[row, column]))
        for name, band in forecast.prediction.groups.items()
    }
    sure = (
        f"the difference is {within(gap.low, gap.high)}"
        if gap.low > 0
        else f"the difference may be nothing and is at most {up(gap.high)}"
    )
    return f"Lowest: {gap.least}, {ends[gap.least]}. Highest: {gap.most}, {ends[gap.most]}; {sure}."


def published_words(forecast: Forecast) -> list[str]:
    """What the published number is, and where it is too optimistic."""
    if forecast.published is None:
        return []
    count, size = forecast.optimistic, forecast.prediction.certificate.high.size
    found = (
        f"It exceeds our upper bound, so it is too high, in {count:,} of {size:,} cases (records × "
        "mechanisms × ε)."
        if count
        else "Here it exceeds our upper bound nowhere."
    )
    return [f"{AS_PUBLISHED[0].upper()}{AS_PUBLISHED[1:]}. {CAVEATS[0]}", found]
