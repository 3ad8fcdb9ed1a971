"""What a reader of a comparison must know to be fair, as sentences for the page and the terminal."""

from __future__ import annotations

from noisewright.guarantees.words import epsilon_words
from noisewright.mechanisms.catalogue import reference
from noisewright.pages.comparison import Comparison

WHY_FLAT_FLATTERS = (
    "Errors on a circle are measured along the circle: on a clock, a report of 23:30 for a true 00:30 is an "
    "hour off. PM-C and SW-C cut the circle open; their flat errors are measured along the line, where "
    "that report counts as 23 hours off. The dissertation behind OGPM sets these flat errors of PM-C and "
    "SW-C against OGPM's circular error; that charges them for a wall that is not there and so flatters "
    "OGPM. The errors in one metric are the fair ones."
)


def sentences(comparison: Comparison) -> list[str]:
    """The notes of a comparison, the most general first."""
    found = ["Worst is at the true value whose reports err most; average is over all true values alike."]
    found += _signs(comparison)
    found += _weaker(comparison)
    if any(entry.worst_flat is not None for entry in comparison.entries):
        found.append(WHY_FLAT_FLATTERS)
    if any(entry.spent < 0.99 for entry in comparison.entries):
        found.append("Where less than ε is really spent, a mechanism is more private than asked, and pays.")
    return [*found, *(f"Not in the table: {refusal}." for refusal in comparison.absent)]


def _signs(comparison: Comparison) -> list[str]:
    base = reference(comparison.domain).title
    return [
        "★ marks the smallest worst error at its ε among the strongest promises.",
        f"÷ OGPM is the worst error divided by that of {base} at the same ε: below 1 is better.",
        "Bits are what it takes to tell one report from all other possible ones.",
    ]


def _weaker(comparison: Comparison) -> list[str]:
    weaker = {type(entry.mechanism): entry.mechanism for entry in comparison.entries if not entry.pure}
    return [
        f"{kind.title} promises less than pure LDP and is never marked best beside it. At ε = "
        f"{epsilon_words(mechanism.epsilon)}: {mechanism.guarantee.explain()}"
        for kind, mechanism in weaker.items()
    ]
