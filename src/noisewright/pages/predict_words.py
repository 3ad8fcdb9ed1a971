"""What a reader of a prediction must know, as sentences for the page and the terminal."""

from __future__ import annotations

from collections import Counter

from noisewright.pages.predict_forecast import Forecast
from noisewright.pages.predict_numbers import APART, apart, budget, counted, down, epsilon_words, up, within
from noisewright.pages.wording import span
from noisewright.text import plain
from noisewright.utility.published.caveats import AS_PUBLISHED, CAVEATS


def title(forecast: Forecast) -> str:
    """What the report is about."""
    fate = "survive" if forecast.asked.answers is None else "are still right"
    return f"How often the answers of {plain(forecast.asked.model)} {fate}"


def records_words(forecast: Forecast) -> str:
    """Which records were looked at."""
    return f"{counted(len(forecast.prediction.records), 'record')} of {plain(forecast.asked.data)}"


def sensitive_words(forecast: Forecast) -> str:
    """The features that are randomized, with their intervals."""
    return ", ".join(
        f"{plain(one.name)} {span(*one.domain.ends)}" for one in forecast.prediction.records.sensitive
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
    if certificate.exact and forecast.widest > APART:
        said += f", bounds up to {apart(forecast.widest, 4)} apart"
    return f"{said}; {asked_words(forecast)}"


def asked_words(forecast: Forecast) -> str:
    """How often the model was asked, about true records and for checks too."""
    said = f"the model was asked {counted(forecast.rows, 'time')} in all"
    if not forecast.published_rows:
        return said
    return f"{said}, {forecast.published_rows:,} of them for the published number"


def width_words(forecast: Forecast) -> str | None:
    """How wide the intervals of records were to be, and how wide the widest is; nothing if nobody asked."""
    if (wanted := forecast.prediction.width) is None:
        return None
    widest = apart(forecast.widest)
    if forecast.prediction.width_reached:
        return f"at most {widest} for every record; {wanted:g} was asked for"
    return f"up to {widest} for a record, MORE than the {wanted:g} that was asked for"


def least_note(forecast: Forecast) -> str:
    """Among which ε the least were looked for; the first of them need not be the least that will do."""
    ends = [budget(float(end)) for end in (forecast.epsilons[0], forecast.epsilons[-1])]
    found = [value for row in forecast.least for value in row.found]
    first = f"; where it is {ends[0]}, less may do" if float(forecast.epsilons[0]) in found else ""
    where = f"at {ends[0]} only" if ends[0] == ends[1] else f"between {ends[0]} and {ends[1]}"
    said = f"The least ε was looked for {where}{first}."
    if ends[0] == ends[1] or not any(found):
        return said
    return (
        f"{said} From it on every ε of the curve keeps the target; below it some ε may, for more ε is not "
        "always more utility."
    )


def focus_words(forecast: Forecast) -> str:
    """The mechanism and ε that records and groups are looked at."""
    row, column = forecast.focus
    return f"{forecast.names[row]}, {epsilon_words(float(forecast.epsilons[column]), forecast.features)}"


def losers_words(forecast: Forecast) -> str:
    """The heading of what is said of single records."""
    return "Who loses most" if len(forecast.prediction.records) > 1 else "The record"


def best_words(forecast: Forecast, scope: str) -> str:
    """Which mechanism is best from which ε on, for those who cannot see the colours of the strip."""
    best = forecast.prediction.best(scope)
    turns = [place for place, name in enumerate(best) if place == 0 or name != best[place - 1]]
    said = ", ".join(f"{best[place]} from {budget(float(forecast.epsilons[place]))}" for place in turns)
    return f"Best {forecast.scopes[scope]}: {said}."


def answer_words(forecast: Forecast) -> str:
    """The whole result in one or two sentences."""
    row, column = forecast.focus
    where = epsilon_words(float(forecast.epsilons[column]), forecast.features)
    if (found := forecast.cheapest) is None:
        missed = "" if forecast.asked.target is None else f"{_missed(forecast)} "
        best = " is best" if len(forecast.names) > 1 else ""
        return f"{missed}{forecast.names[row]}{best} at {where}: {_kept(forecast)}."
    if found.epsilon == forecast.epsilons[column]:
        return f"{_cheapest(forecast)} At this ε {_kept(forecast)}."
    shown = "Records and groups are" if forecast.prediction.groups else "Records are"
    return f"{_cheapest(forecast)} {shown} shown at the next ε of the curve, {where}: {_kept(forecast)}."


def _cheapest(forecast: Forecast) -> str:
    """Which mechanism keeps the target at the least cost, and from which ε on."""
    found, target = forecast.cheapest, forecast.asked.target
    assert found is not None
    praise = f" is {'the' if found.alone else 'one of the'} cheapest: it" if len(forecast.names) > 1 else ""
    where = epsilon_words(found.epsilon, forecast.features)
    kept = f"keeps a utility of {target:g} {forecast.scopes['average']} from {where} on"
    return f"{found.mechanism}{praise} {kept}."


def _missed(forecast: Forecast) -> str:
    """That the target is out of reach."""
    who = "No mechanism keeps" if len(forecast.names) > 1 else f"{forecast.names[0]} does not keep"
    kept = f"a utility of {forecast.asked.target:g} {forecast.scopes['average']}"
    return f"{who} {kept} up to {epsilon_words(float(forecast.epsilons[-1]), forecast.features)}."


def _kept(forecast: Forecast) -> str:
    """How many answers survive at the focus."""
    fate = "survive" if forecast.asked.answers is None else "are right"
    lows = {
        words: percent_down(float(forecast.prediction.band(scope).low[forecast.focus]))
        for scope, words in forecast.scopes.items()
    }
    (first, least), *others = lows.items()
    said = [
        f"{first} at least {least} of answers {fate}",
        *(f"{words} at least {low}" for words, low in others),
    ]
    return ", and ".join(said)


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
    lowest, highest = (f"{plain(name)}, {ends[name]}" for name in (gap.least, gap.most))
    return f"Lowest: {lowest}. Highest: {highest}; {sure}."


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
