"""The sentences of a forecast's report: results and caveats.

Lower bounds are rounded down, upper bounds and budgets up.
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
"""Part of the last digit that is ignored, so that rounding does not turn 1 into 0.999."""

NARROW: Final = 5e-4
"""Bounds closer to each other than this are shown as one number."""

APART: Final = 1e-4
"""Exact bounds farther apart than this get a remark."""


def down(value: float, digits: int = DIGITS) -> str:
    """Write a lower bound, rounded down.

    >>> down(0.89999), down(1.0 - 1e-11), down(0.0004)
    ('0.899', '1.000', '0.000')
    """
    return f"{math.floor(value * 10**digits + HAIR) / 10**digits:.{digits}f}"


def up(value: float, digits: int = DIGITS) -> str:
    """Write an upper bound, rounded up.

    >>> up(0.89901), up(1.0), up(0.0004)
    ('0.900', '1.000', '0.001')
    """
    return f"{math.ceil(value * 10**digits - HAIR) / 10**digits:.{digits}f}"


def apart(width: float, digits: int = DIGITS) -> str:
    """Write the distance between bounds, rounded up; rounding errors of doubles do not count.

    >>> apart(2e-12), apart(0.0412), apart(0.00121, 4)
    ('0.000', '0.042', '0.0013')
    """
    return up(round(width, 9), digits)


def within(low: float, high: float) -> str:
    """Write an interval, rounded outward; one number if it has no width.

    >>> within(0.8125, 0.8125), within(0.81, 0.829)
    ('0.812', '0.810 to 0.829')
    """
    ends = down(low), up(high)
    return ends[0] if high - low < NARROW else " to ".join(ends)


def epsilon_words(epsilon: float, features: int) -> str:
    """Write a budget of each sensitive feature and the total that a whole record spends.

    >>> epsilon_words(1.38629, 2), epsilon_words(0.5, 1)
    ('ε = 1.387 each (2.773 in total)', 'ε = 0.5')
    """
    if features == 1:
        return f"ε = {budget(epsilon)}"
    return f"ε = {budget(epsilon)} each ({budget(epsilon * features)} in total)"


def budget(epsilon: float) -> str:
    """Write an ε, rounded up, so that it is never understated.

    >>> budget(1.38629), budget(2.0), budget(0.00125)
    ('1.387', '2', '0.00125')
    """
    return rounded_up(epsilon, DIGITS + 1)


# -- sentences -------------------------------------------------------------------------------------------


def budget_words(forecast: Forecast) -> str:
    """Return what ε refers to."""
    ends = [budget(float(end)) for end in (forecast.budgets[0], forecast.budgets[-1])]
    range_words = " to ".join(dict.fromkeys(ends))
    if forecast.features == 1:
        return f"{range_words} for the one sensitive feature, which is also the budget of a record"
    if forecast.inquiry.per == "record":
        return f"{range_words} for a whole record, shared evenly by {forecast.features} sensitive features"
    return (
        f"{range_words} for each of {forecast.features} sensitive features; a record spends "
        f"{forecast.features} times as much"
    )


def method_words(forecast: Forecast) -> str:
    """Return the method, its confidence, and the number of questions."""
    certificate = forecast.prediction.certificate
    counts = Counter(certificate.method)
    if len(counts) == 1:
        (said,) = counts
    else:
        said = ", ".join(f"{name} for {counted(count, 'record')}" for name, count in counts.most_common())
    if certificate.exact and forecast.widest > APART:
        said += f", bounds up to {apart(forecast.widest, 4)} apart"
    asked = f"the model was asked {counted(forecast.rows, 'time')} in total"
    if forecast.published_rows:
        asked += f", {forecast.published_rows:,} of them for the published number"
    return f"{said}; {asked}"


def width_words(forecast: Forecast) -> str | None:
    """Return the width of the widest interval and the requested width; None if none was requested."""
    if (wanted := forecast.prediction.width) is None:
        return None
    widest = apart(forecast.widest)
    if forecast.prediction.width_reached:
        return f"at most {widest} for every record; {wanted:g} was requested"
    return f"up to {widest} for a record, MORE than the requested {wanted:g}"


def least_note(forecast: Forecast) -> str:
    """Return the range of ε that was searched; the first ε of the range need not be the smallest possible."""
    ends = [budget(float(end)) for end in (forecast.epsilons[0], forecast.epsilons[-1])]
    found = [value for row in forecast.least for value in row.found]
    first = f"; where it is {ends[0]}, less may suffice" if float(forecast.epsilons[0]) in found else ""
    where = f"at {ends[0]} only" if ends[0] == ends[1] else f"between {ends[0]} and {ends[1]}"
    said = f"The least ε was searched {where}{first}."
    if ends[0] == ends[1] or not any(found):
        return said
    return (
        f"{said} Every larger ε of the curve keeps the target; some smaller ε may keep it, too, because "
        "utility does not always rise with ε."
    )


def focus_words(forecast: Forecast) -> str:
    """Return the mechanism and ε at which records and groups are shown."""
    row, column = forecast.focus
    return f"{forecast.names[row]}, {epsilon_words(float(forecast.epsilons[column]), forecast.features)}"


def best_words(forecast: Forecast, scope: str) -> str:
    """Return the best mechanism for each range of ε, for readers who cannot see the colours of the strip."""
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
    """Return how many answers survive at the focus."""
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
    """Return which group loses most, and by how much."""
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
    """Return what the published number is, and how often it is too high."""
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
    "An ε that was chosen by looking at somebody's record reveals something about that record, which no ε "
    "accounts for: choose one ε for everybody, before anybody reports."
)
CONFIDENTIAL = (
    "This report reveals facts about the records of the data, by their numbers: keep it as confidential as "
    "the data. It holds none of their values, except the labels of the requested groups."
)

WIDE = 0.05
"""Bounds farther apart than this get a remark."""

NO_PUBLISHED: Final = (
    "The published number is missing, because --budget left too few rows for it: raise --budget or, for a "
    "sampled model, lower --queries."
)


def caveats(forecast: Forecast) -> list[str]:
    """Return the caveats of the numbers, the most important first."""
    found = [
        utility_words(forecast),
        sure_words(forecast),
        "The model is assumed to give the same answer to the same question every time.",
    ]
    if len(forecast.prediction.records) > 1:
        found.append(
            "The average is over these records with equal weights; it says nothing about people who are not "
            "among them."
        )
    if forecast.features > 1:
        found.append(
            "Each sensitive feature is randomized separately, by the same mechanism at the same ε; their "
            "budgets add up."
        )
    found += [*wide(forecast), *weaker(forecast)]
    if forecast.inquiry.published and forecast.published is None:
        found.append(NO_PUBLISHED)
    return [*found, OWN_RECORD]


def utility_words(forecast: Forecast) -> str:
    """Return the definition of utility."""
    if forecast.inquiry.answers is not None:
        return (
            "The utility of a record is the probability that the model, given randomized sensitive values, "
            f"gives the true answer, which is in column {plain(forecast.inquiry.answers)}."
        )
    return (
        "The utility of a record is the probability that the model, given randomized sensitive values, gives "
        "the answer that it gives for the true values, right or wrong."
    )


def sure_words(forecast: Forecast) -> str:
    """Return the confidence of the numbers."""
    rounded = "Lower bounds are rounded down."
    if forecast.prediction.exact:
        widest = apart(forecast.widest, 4)
        undecided = (
            f", but up to {widest} of the reports of a record could not be decided: bounds are up to "
            f"{widest} apart"
        )
        return (
            "The numbers are computed from the model and the exact laws of the mechanisms, without "
            f"randomness{undecided if forecast.widest > APART else ''}. {rounded}"
        )
    share = percent(forecast.prediction.confidence)
    return (
        f"With {share} confidence all bounds hold together: for every record, mechanism and ε, on average "
        f"and in groups. {rounded}"
    )


def wide(forecast: Forecast) -> list[str]:
    """Return the remedies for bounds that are farther apart than requested, or too far apart to be useful."""
    if forecast.widest <= (forecast.prediction.width or WIDE):
        return []
    digits = 2 if forecast.widest > WIDE else 4
    said = f"The bounds of a single record lie up to {apart(forecast.widest, digits)} apart"
    if forecast.prediction.exact:
        return [
            f"{said}, because some reports could not be decided: a smaller model or fewer sensitive features "
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
    cause = f", because {share}" if several else ""
    return [f"{said}{cause}: {', '.join(ways)} bring them together.{solved}"]


def weaker(forecast: Forecast) -> list[str]:
    """Return remarks on mechanisms that promise less than the others."""
    found = []
    for row in forecast.prediction.curve.channels:
        guarantee = row[0].mechanism.guarantee
        if not isinstance(guarantee, PureLDP):
            found.append(
                f"{row[0].name} promises less than pure LDP and does not compare with the others at the "
                f"same ε. At ε = {rounded_up(row[0].epsilon)}: {guarantee.explain()}"
            )
    return found
