"""A scorecard in a few plain lines; behind ``print(card)``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from noisewright.estimate import Estimate

if TYPE_CHECKING:
    from noisewright.learn.scorecard.card import Scorecard


def card_words(card: Scorecard) -> str:
    """Accuracy, majority class, balanced accuracy and the verdict, a line each."""
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
    """What the card was made from."""
    of = "randomized answers" if card.private else "test records that were looked at (not private)"
    return f"from {card.accuracy.count:,} {of if card.accuracy.count != 1 else of.replace('s', '', 1)}"


def rate_words(rate: Estimate) -> str:
    """A rate in percent with its interval; ends are rounded outward.

    >>> rate_words(Estimate(0.8542, 0.01, 0.8312, 0.8771))
    '85.4 %  (95 % interval 83.1 % to 87.8 %)'
    """
    value = "unknown" if np.isnan(rate.value) else f"{100 * rate.value:.1f} %"
    low, high = outward(rate)
    return f"{value}  ({100 * rate.level:g} % interval {low:.1f} % to {high:.1f} %)"


def outward(rate: Estimate) -> tuple[float, float]:
    """The ends of an interval in percent, rounded outward to one decimal."""
    return float(np.floor(1000 * rate.low) / 10), float(np.ceil(1000 * rate.high) / 10)


def _verdict_words(card: Scorecard) -> str:
    low, high = outward(card.advantage)
    match card.beats_majority:
        case "yes":
            return f"yes, by {max(low, 0.0):.1f} to {high:.1f} percentage points"
        case "no":
            return f"no, worse by {max(-high, 0.0):.1f} to {-low:.1f} percentage points"
    return f"not shown (between {-low:.1f} points worse and {high:.1f} better)"
