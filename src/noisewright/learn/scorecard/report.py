"""A scorecard in a few plain lines, behind ``print(card)``, and as the blocks of a report."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from noisewright.estimate import Estimate
from noisewright.report import Block, Details, Figure, Table, number
from noisewright.text import visible, wrapped

if TYPE_CHECKING:
    from noisewright.learn.scorecard.card import Scorecard


RATES: Final = "Rates that must be read together; the shade is the rate of always giving one answer."
CALIBRATION: Final = (
    "Below, people by their predicted probability, a larger point for more people: on the broken line the "
    "probabilities are right."
)

CARD: Final = 19
"""The column at which the numbers of a scorecard begin in the terminal."""

ROOM: Final = 98
"""Characters of an indented line in the terminal."""

ENDS: Final = ("value", "stderr", "low", "high")


def card_words(card: Scorecard) -> str:
    """Return accuracy, majority class, balanced accuracy and the verdict, a line each."""
    name = repr(card.majority_class)
    return "\n".join(
        [
            f"accuracy           {rate_words(card.accuracy)}, {source_words(card)}",
            f"majority class     {rate_words(card.majority)}: right by always answering {name}",
            f"balanced accuracy  {rate_words(card.balanced_accuracy)}",
            f"better than always answering {name}: {_verdict_words(card)}",
        ]
    )


def source_words(card: Scorecard) -> str:
    """Return what the card was made from."""
    of = "randomized answers" if card.private else "test records that were looked at (not private)"
    return f"from {card.accuracy.count:,} {of if card.accuracy.count != 1 else of.replace('s', '', 1)}"


def rate_words(rate: Estimate) -> str:
    """Return a rate in percent with its interval; ends are rounded outward.

    >>> rate_words(Estimate(0.8542, 0.01, 0.8312, 0.8771))
    '85.4 %  (95 % interval 83.1 % to 87.8 %)'
    """
    low, high = outward(rate)
    return f"{share_words(rate.value)}  ({100 * rate.level:g} % interval {low:.1f} % to {high:.1f} %)"


def outward(rate: Estimate) -> tuple[float, float]:
    """Return the ends of an interval in percent, rounded outward to one decimal."""
    return float(np.floor(1000 * rate.low) / 10), float(np.ceil(1000 * rate.high) / 10)


def _verdict_words(card: Scorecard) -> str:
    low, high = outward(card.advantage)
    match card.beats_majority:
        case "yes":
            return f"yes, by {max(low, 0.0):.1f} to {high:.1f} percentage points"
        case "no":
            return f"no, worse by {max(-high, 0.0):.1f} to {-low:.1f} percentage points"
    return f"not shown (between {-low:.1f} points worse and {high:.1f} better)"


def verdict(card: Scorecard) -> str:
    """Return how good the classifier is, and whether that is better than none."""
    right, without = (
        f"{low:.1f} to {high:.1f} %" for low, high in map(outward, (card.accuracy, card.majority))
    )
    said = {
        "yes": "it is better than no classifier",
        "no": "it is worse than no classifier",
        "not shown": "it is not shown to be better than no classifier",
    }[card.beats_majority]
    return (
        f"The classifier is right about {right} of people, and always answering {card.majority_class!r} "
        f"about {without}: {said}."
    )


def card_blocks(card: Scorecard | None, name: str) -> list[Block]:
    """Return the blocks of a card: drawn on a page, in lines in the terminal, and all rates as a table."""
    if card is None:
        return ["Nobody checked the classifier: there were too few clients."]
    title = "Accuracy, majority-class rate and balanced accuracy with intervals, and the calibration."
    caption = RATES if card.calibration is None else f"Above, {RATES[0].lower()}{RATES[1:]} {CALIBRATION}"
    lines = [part for line in str(card).splitlines() for part in wrapped(visible(line), ROOM, " " * CARD)]
    drawn = Figure(f"scorecard-{name}", [(title, lambda: _figure(card))], caption, lines)
    return [drawn, Details("All rates as a table", [card_table(card)])]


def _figure(card: Scorecard) -> Any:
    from noisewright.report.plots import PAGE_WIDTH, new_figure  # noqa: PLC0415  (matplotlib is an extra)
    from noisewright.report.svg import drawing_style  # noqa: PLC0415

    with drawing_style():
        return card.plot(new_figure(PAGE_WIDTH, 3.2 if card.calibration is None else 7.6))


def card_table(card: Scorecard) -> Table:
    """Return the rates of a scorecard with their intervals."""
    rates = [
        ("Accuracy", card.accuracy),
        (f"Always answering {card.majority_class!r}", card.majority),
        ("Balanced accuracy", card.balanced_accuracy),
        ("Advantage: accuracy less that, in points", card.advantage),
    ]
    recall = type(card.recall)
    rates += [
        (f"Found of those who are {name!r}", recall(*(getattr(card.recall, end)[place] for end in ENDS)))
        for place, name in enumerate(card.classes)
    ]
    ends = {name: "{:.1f} % to {:.1f} %".format(*outward(rate)) for name, rate in rates}
    rows = [
        [name, number(share_words(rate.value), exact=rate.value), number(ends[name])] for name, rate in rates
    ]
    how = "randomized answers" if card.private else "records that were looked at, NOT private"
    caption = f"From {card.accuracy.count:,} {how}; each interval holds by itself"
    return Table(caption, ["Rate", "Estimate", f"{100 * card.accuracy.level:g} % interval"], rows)


def share_words(share: float) -> str:
    """Return a share in percent, or "unknown" for NaN.

    >>> share_words(0.8542), share_words(float("nan"))
    ('85.4 %', 'unknown')
    """
    return "unknown" if isnan(share) else f"{100 * share:.1f} %"
