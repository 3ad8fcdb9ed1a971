"""What must be said about estimates: mechanisms, methods, assumptions, and what cannot be learned."""

from __future__ import annotations

from collections.abc import Iterable

from noisewright.guarantees.words import epsilon_words
from noisewright.pages.estimates import ColumnEstimates, Estimates
from noisewright.pages.label_estimates import LabelEstimates
from noisewright.pages.wording import report_span

MOST_ZONES = 4
"""Stretches that are worth listing."""


def through(column: ColumnEstimates | LabelEstimates) -> list[str]:
    """The mechanisms of a column with their ε, and how many reports each made if there are several."""
    groups = column.tally.groups
    names = [
        f"{type(group.mechanism).title}, ε = {epsilon_words(group.mechanism.epsilon)}" for group in groups
    ]
    if len(groups) == 1:
        return names
    return [f"{name}: {reports(group.count)}" for name, group in zip(names, groups, strict=True)]


def reports(count: int) -> str:
    """How many reports.

    >>> reports(1), reports(100000)
    ('1 report', '100,000 reports')
    """
    return "1 report" if count == 1 else f"{count:,} reports"


def undivided(column: ColumnEstimates) -> str | None:
    """Which values the mechanism cannot tell apart, if there are any."""
    zones = column.undivided
    if not zones:
        return None
    listed = _listed(report_span(low, high, column.tally.domain) for low, high in zones[:MOST_ZONES])
    more = f", and {len(zones) - MOST_ZONES} stretches more" if len(zones) > MOST_ZONES else ""
    return (
        f"Some values cannot be told apart, however many reports there are: those {listed}{more}. All values "
        "of such a stretch have the same law of reports. The intervals allow for every way in which people "
        "may be spread there, so they can be far wider than the standard error alone would have them."
    )


def left_open(column: ColumnEstimates | LabelEstimates) -> str | None:
    """Why some numbers cannot be told from the reports of a column, if there are such numbers."""
    spots = column.left_open
    return f"What cannot be told from these reports: {'; and '.join(spots)}." if spots else None


def remarks(found: Estimates) -> list[str]:
    """What a reader must know before trusting any number."""
    said = []
    if not found.tallies.private:
        said.append(f"The reports were {found.tallies.randomness}.")
    if found.tallies.clipped:
        said.append(
            "True values outside their domain, if there were any, were moved into it before they were "
            "randomized, as perturb was asked to; the estimates are about the values after that. The reports "
            "do not say whether there were any."
        )
    return said


def methods(found: Estimates) -> list[tuple[str, str]]:
    """Which numbers were made how: every method once, with what it was used for."""
    used: dict[str, dict[str, list[str]]] = {}
    for column in found.columns:
        for what, estimate in column.parts().items():
            used.setdefault(estimate.method, {}).setdefault(what, []).append(column.name)
    one = len(found.columns) == 1
    return [(_capital(_listed(parts) if one else _by_columns(parts)), how) for how, parts in used.items()]


def _by_columns(parts: dict[str, list[str]]) -> str:
    """Numbers of the same columns together: "mean and quantiles of a, b; mean direction of c"."""
    together: dict[str, list[str]] = {}
    for what, names in parts.items():
        together.setdefault(", ".join(names), []).append(what)
    return "; ".join(f"{_listed(whats)} of {names}" for names, whats in together.items())


def assumptions(found: Estimates) -> str:
    """What must be true for the intervals to mean what they say, each thing once."""
    parts = [
        part
        for column in found.columns
        for estimate in column.parts().values()
        for part in estimate.assumption.split("; ")
    ]
    return "; ".join(dict.fromkeys(parts))


def _listed(parts: Iterable[str]) -> str:
    """Parts with commas and a last "and".

    >>> _listed(["mean", "quantiles", "shares"])
    'mean, quantiles and shares'
    """
    *others, last = parts
    return f"{', '.join(others)} and {last}" if others else last


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def promised(found: Estimates) -> list[str]:
    """What one row reveals, and what it means to be in several files."""
    if len(found.tallies.origins) == 1:
        return found.tallies.promises()
    again = (
        "This is for one row of one file; for somebody who is in several files the factors of all their rows "
        "multiply."
    )
    return [*found.tallies.promises(), again]
