"""The sentences of a forecast's report: what its numbers say, and what must be said with them.

What is promised is rounded down, what is feared is rounded up.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import Final

from noisewright.guarantees import PureLDP
from noisewright.text import counted, percent, plain
from noisewright.text import epsilon_words as rounded_up
from noisewright.utility.forecast import Forecast

DIGITS: Final = 3

HAIR: Final = 1e-6
"""Of the last digit: what sums of doubles lose does not turn a sure answer into 0.999."""

NARROW: Final = 5e-4
"""Bounds nearer to each other than this are one number for a reader."""

APART: Final = 1e-4
"""Exact bounds farther apart than this are no longer called exact without a word."""


def down(value: float, digits: int = DIGITS) -> str:
    """Return a lower bound, never rounded to more than it is.

    >>> down(0.89999), down(1.0 - 1e-11), down(0.0004)
    ('0.899', '1.000', '0.000')
    """
    return f"{math.floor(value * 10**digits + HAIR) / 10**digits:.{digits}f}"


def up(value: float, digits: int = DIGITS) -> str:
    """Return an upper bound, never rounded to less than it is.

    >>> up(0.89901), up(1.0), up(0.0004)
    ('0.900', '1.000', '0.001')
    """
    return f"{math.ceil(value * 10**digits - HAIR) / 10**digits:.{digits}f}"


def apart(width: float, digits: int = DIGITS) -> str:
    """Say how far bounds lie apart, rounded up; what sums of doubles lose is no distance.

    >>> apart(2e-12), apart(0.0412), apart(0.00121, 4)
    ('0.000', '0.042', '0.0013')
    """
    return up(round(width, 9), digits)


def within(low: float, high: float) -> str:
    """Return an interval, rounded outward; one number where it has no width.

    >>> within(0.8125, 0.8125), within(0.81, 0.829)
    ('0.812', '0.810 to 0.829')
    """
    ends = down(low), up(high)
    return ends[0] if high - low < NARROW else " to ".join(ends)


def epsilon_words(epsilon: float, features: int) -> str:
    """Return a budget of each sensitive feature and of all together, which is what a whole record spends.

    >>> epsilon_words(1.38629, 2), epsilon_words(0.5, 1)
    ('ε = 1.387 each (2.773 in all)', 'ε = 0.5')
    """
    if features == 1:
        return f"ε = {budget(epsilon)}"
    return f"ε = {budget(epsilon)} each ({budget(epsilon * features)} in all)"


def budget(epsilon: float) -> str:
    """Return an ε, rounded up, so that nobody is told less than is spent.

    >>> budget(1.38629), budget(2.0), budget(0.00125)
    ('1.387', '2', '0.00125')
    """
    return rounded_up(epsilon, DIGITS + 1)


# -- sentences -------------------------------------------------------------------------------------------


def budget_words(forecast: Forecast) -> str:
    """Say what ε counts."""
    ends = [budget(float(end)) for end in (forecast.budgets[0], forecast.budgets[-1])]
    range_words = " to ".join(dict.fromkeys(ends))
    if forecast.features == 1:
        return f"{range_words} for the one sensitive feature, which is what a record spends"
    if forecast.inquiry.per == "record":
        return f"{range_words} for a whole record, shared evenly by {forecast.features} sensitive features"
    return (
        f"{range_words} for each of {forecast.features} sensitive features; a record spends "
        f"{forecast.features} times as much"
    )


def method_words(forecast: Forecast) -> str:
    """Say how the numbers were found, and what they can be relied on for."""
    certificate = forecast.prediction.certificate
    counts = Counter(certificate.method)
    if len(counts) == 1:
        (said,) = counts
    else:
        said = ", ".join(f"{name} for {counted(count, 'record')}" for name, count in counts.most_common())
    if certificate.exact and forecast.widest > APART:
        said += f", bounds up to {apart(forecast.widest, 4)} apart"
    asked = f"the model was asked {counted(forecast.rows, 'time')} in all"
    if forecast.published_rows:
        asked += f", {forecast.published_rows:,} of them for the published number"
    return f"{said}; {asked}"


def width_words(forecast: Forecast) -> str | None:
    """How wide the intervals of records were to be, and how wide the widest is; nothing if nobody asked."""
    if (wanted := forecast.prediction.width) is None:
        return None
    widest = apart(forecast.widest)
    if forecast.prediction.width_reached:
        return f"at most {widest} for every record; {wanted:g} was asked for"
    return f"up to {widest} for a record, MORE than the {wanted:g} that was asked for"


def least_note(forecast: Forecast) -> str:
    """Say among which ε the least were looked for; the first of them need not be the least that will do."""
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
    """Return the mechanism and ε that records and groups are looked at."""
    row, column = forecast.focus
    return f"{forecast.names[row]}, {epsilon_words(float(forecast.epsilons[column]), forecast.features)}"


def best_words(forecast: Forecast, scope: str) -> str:
    """Say which mechanism is best from which ε on, for those who cannot see the colours of the strip."""
    best = forecast.prediction.best(scope)
    turns = [place for place, name in enumerate(best) if place == 0 or name != best[place - 1]]
    said = ", ".join(f"{best[place]} from {budget(float(forecast.epsilons[place]))}" for place in turns)
    return f"Best {forecast.scopes[scope]}: {said}."


def answer_words(forecast: Forecast) -> str:
    """Return the whole result in one or two sentences."""
    row, column = forecast.focus
    where = epsilon_words(float(forecast.epsilons[column]), forecast.features)
    several, target = len(forecast.names) > 1, forecast.inquiry.target
    utility = f"a utility of {target:g} {forecast.scopes['average']}" if target is not None else ""
    if (found := forecast.cheapest) is None:
        who = "No mechanism keeps" if several else f"{forecast.names[0]} does not keep"
        end = epsilon_words(float(forecast.epsilons[-1]), forecast.features)
        missed = f"{who} {utility} up to {end}. " if utility else ""
        return f"{missed}{forecast.names[row]}{' is best' if several else ''} at {where}: {_kept(forecast)}."
    praise = f" is {'the' if found.alone else 'one of the'} cheapest: it" if several else ""
    start = epsilon_words(found.epsilon, forecast.features)
    cheapest = f"{found.mechanism}{praise} keeps {utility} from {start} on."
    if found.epsilon == forecast.epsilons[column]:
        return f"{cheapest} At this ε {_kept(forecast)}."
    shown = "Records and groups are" if forecast.prediction.groups else "Records are"
    return f"{cheapest} {shown} shown at the next ε of the curve, {where}: {_kept(forecast)}."


def _kept(forecast: Forecast) -> str:
    """Say how many answers survive at the focus."""
    fate = "survive" if forecast.inquiry.answers is None else "are right"
    lows = {
        words: f"{down(100 * float(forecast.prediction.band(scope).low[forecast.focus]), 1)} %"
        for scope, words in forecast.scopes.items()
    }
    (first, least), *others = lows.items()
    said = [
        f"{first} at least {least} of answers {fate}",
        *(f"{words} at least {low}" for words, low in others),
    ]
    return ", and ".join(said)


def gap_words(forecast: Forecast) -> str | None:
    """Say which group loses most, and by how much."""
    if (gap := forecast.gap) is None:
        return None
    ends = {
        name: within(float(band.low[forecast.focus]), float(band.high[forecast.focus]))
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
    """Say what the published number is, and where it is too optimistic."""
    if forecast.published is None:
        return []
    count, size = forecast.optimistic, forecast.prediction.certificate.high.size
    found = (
        f"It exceeds our upper bound, so it is too high, in {count:,} of {size:,} cases (records × "
        "mechanisms × ε)."
        if count
        else "Here it exceeds our upper bound nowhere."
    )
    label = forecast.published.label
    return [f"{label[0].upper()}{label[1:]}. {forecast.published.caveats[0]}", found]


OWN_RECORD = (
    "An ε that was chosen by looking at somebody's record tells something about that record, which no ε "
    "accounts for: choose one for everybody, and before anybody reports."
)
CONFIDENTIAL = (
    "This report tells facts about the records of the data, by their numbers: keep it as confidential as the "
    "data. It holds none of their values, except the labels of groups that were asked for."
)

WIDE = 0.05
"""Bounds farther apart than this deserve a word."""

NO_PUBLISHED: Final = (
    "The published number is left out, for --budget left too few rows for it: raise --budget or, for a model "
    "that is asked, lower --queries."
)


def caveats(forecast: Forecast) -> list[str]:
    """Return what must be said with the numbers, the most important first."""
    found = [
        utility_words(forecast),
        sure_words(forecast),
        "The model is taken to give the same answer to the same question every time.",
    ]
    if len(forecast.prediction.records) > 1:
        found.append(
            "Average is over these records, each counting the same; it says nothing about people who are not "
            "among them."
        )
    if forecast.features > 1:
        found.append(
            "Each sensitive feature is randomized by the same mechanism at the same ε, on its own; what "
            "is spent adds up."
        )
    found += [*wide(forecast), *weaker(forecast)]
    if forecast.inquiry.published and forecast.published is None:
        found.append(NO_PUBLISHED)
    return [*found, OWN_RECORD]


def utility_words(forecast: Forecast) -> str:
    """Say what utility means here."""
    if forecast.inquiry.answers is not None:
        return (
            "Utility of a record is the chance that the model, asked with randomized sensitive values, gives "
            f"the true answer, which is in column {plain(forecast.inquiry.answers)}."
        )
    return (
        "Utility of a record is the chance that the model, asked with randomized sensitive values, gives the "
        "answer that it gives for the true values, right or wrong."
    )


def sure_words(forecast: Forecast) -> str:
    """Say how far the numbers can be trusted."""
    rounded = "Lower bounds are rounded down."
    if forecast.prediction.exact:
        widest = apart(forecast.widest, 4)
        undecided = (
            f", but up to {widest} of the reports of a record could not be decided: bounds are up to "
            f"{widest} apart"
        )
        return (
            "The numbers are computed from the model and the exact laws of the mechanisms; no chance is "
            f"involved{undecided if forecast.widest > APART else ''}. {rounded}"
        )
    share = percent(forecast.prediction.confidence)
    return (
        f"With {share} confidence all bounds hold at once: for every record, mechanism and ε, on average and "
        f"in groups. {rounded}"
    )


def wide(forecast: Forecast) -> list[str]:
    """Say what to do about bounds that are farther apart than was asked for, or than is of much use."""
    if forecast.widest <= (forecast.prediction.width or WIDE):
        return []
    digits = 2 if forecast.widest > WIDE else 4
    said = f"The bounds of a single record lie up to {apart(forecast.widest, digits)} apart"
    if forecast.prediction.exact:
        return [
            f"{said}, for some reports could not be decided: a smaller model or fewer sensitive features "
            "leave less undecided."
        ]
    several = len(forecast.prediction.records) > 1
    share = f"all records share the {counted(forecast.prediction.certificate.queries, 'query')}"
    more = "more --queries" if forecast.inquiry.budget is None else "more --queries and a larger --budget"
    ways = [*(["fewer records (--records N)"] if several else []), more, "or fewer mechanisms or ε"]
    solved = (
        " Linear models and trees that are saved with joblib, and not as .onnx, are solved exactly."
        if forecast.inquiry.onnx
        else ""
    )
    return [f"{said}{f', for {share}' if several else ''}: {', '.join(ways)} bring them together.{solved}"]


def weaker(forecast: Forecast) -> list[str]:
    """Name mechanisms that promise less than the others."""
    found = []
    for row in forecast.prediction.curve.channels:
        guarantee = row[0].mechanism.guarantee
        if not isinstance(guarantee, PureLDP):
            found.append(
                f"{row[0].name} promises less than pure LDP and does not compare with the others at the "
                f"same ε. At ε = {rounded_up(row[0].epsilon)}: {guarantee.explain()}"
            )
    return found
