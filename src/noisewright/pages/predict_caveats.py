"""What must be said with the numbers of a prediction, so that nobody takes them for more than they are."""

from __future__ import annotations

from typing import Final

from noisewright.guarantees import PureLDP
from noisewright.guarantees.words import epsilon_words
from noisewright.pages.predict_forecast import Forecast
from noisewright.pages.predict_numbers import APART, apart, counted
from noisewright.pages.wording import percent
from noisewright.text import plain

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


def caveats(forecast: Forecast, *, whole: bool = False) -> list[str]:
    """What must be said with the numbers, the most important first.

    ``whole`` is for a page, which reaches people who do not know what was asked.
    """
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
    if forecast.asked.published and forecast.published is None:
        found.append(NO_PUBLISHED)
    if whole or forecast.asked.target is not None or forecast.asked.records:
        found.append(OWN_RECORD)
    return [*found, CONFIDENTIAL]


def utility_words(forecast: Forecast) -> str:
    """What utility means here."""
    if forecast.asked.answers is not None:
        return (
            "Utility of a record is the chance that the model, asked with randomized sensitive values, gives "
            f"the true answer, which is in column {plain(forecast.asked.answers)}."
        )
    return (
        "Utility of a record is the chance that the model, asked with randomized sensitive values, gives the "
        "answer that it gives for the true values, right or wrong."
    )


def sure_words(forecast: Forecast) -> str:
    """How far the numbers can be trusted."""
    rounded = "Lower bounds are rounded down."
    if forecast.prediction.exact:
        return (
            "The numbers are computed from the model and the exact laws of the mechanisms; no chance is "
            f"involved{undecided(forecast)}. {rounded}"
        )
    share = percent(forecast.prediction.confidence)
    return (
        f"With {share} confidence all bounds hold at once: for every record, mechanism and ε, on average and "
        f"in groups. {rounded}"
    )


def undecided(forecast: Forecast) -> str:
    """What is missing where bounds that no chance is involved in do not meet."""
    if forecast.widest <= APART:
        return ""
    widest = apart(forecast.widest, 4)
    return (
        f", but up to {widest} of the reports of a record could not be decided: bounds are up to {widest} "
        "apart"
    )


def wide(forecast: Forecast) -> list[str]:
    """What to do about bounds that are farther apart than was asked for, or than is of much use."""
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
    more = "more --queries" if forecast.asked.budget is None else "more --queries and a larger --budget"
    ways = [*(["fewer records (--records N)"] if several else []), more, "or fewer mechanisms or ε"]
    solved = (
        " Linear models and trees that are saved with joblib, and not as .onnx, are solved exactly."
        if forecast.asked.onnx
        else ""
    )
    return [f"{said}{f', for {share}' if several else ''}: {', '.join(ways)} bring them together.{solved}"]


def weaker(forecast: Forecast) -> list[str]:
    """Mechanisms that promise less than the others."""
    found = []
    for row in forecast.prediction.curve.channels:
        guarantee = row[0].mechanism.guarantee
        if not isinstance(guarantee, PureLDP):
            found.append(
                f"{row[0].name} promises less than pure LDP and does not compare with the others at the "
                f"same ε. At ε = {epsilon_words(row[0].epsilon)}: {guarantee.explain()}"
            )
    return found
