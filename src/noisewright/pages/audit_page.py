"""The page of an audit: what was found, the event that shows it, the curves, and what all that rests on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from noisewright import __version__
from noisewright.audit.rounding import at_least, at_most, confidence_words
from noisewright.audit.spectrum import Spectrum
from noisewright.audit.witness import Witness
from noisewright.pages.audit_charts import spectrum_figure, tradeoff_figure
from noisewright.pages.audit_rows import curve_rows, planner_rows
from noisewright.pages.audit_words import (
    assumptions,
    badge,
    not_looked_at,
    readings,
    rests_on,
    standing,
    verdict,
)
from noisewright.pages.figures import panels
from noisewright.pages.markup import Content, Html, bullets, facts, joined, tag
from noisewright.pages.tables import number, table
from noisewright.pages.template import Section, page
from noisewright.text import plain

CURVE: Final = (
    "δ(ε) of the two inputs, both directions together. The proven curve lies below the truth everywhere at "
    "once at the stated confidence; the estimate is the best guess and is no bound."
)
CURVE_OF_CLAIM: Final = (
    " Where the proven curve rises above the most that the claim allows, it is false (shaded)."
)
TRADEOFF: Final = (
    "Whoever guesses from one output which input it came from makes false alarms and misses. The shaded part "
    "is excluded: somebody can guess better than that."
)
TRADEOFF_OF_CLAIM: Final = " The claim is false where its broken curve enters it."
PRIVATE: Final = (
    "No input is on this page, but the witness is told by values of outputs: it is as private as they are."
)
INTERVALS: Final = (
    "the intervals are exact by themselves, at the confidence of the bounds beside which they stand"
)
PLAN: Final = (
    "Runs over both inputs that show a claim to be false with a chance of 90 %, by an event that happens as "
    "often as that of the witness. Rarer events need more."
)


def audit_page(
    spectrum: Spectrum,
    extra: Sequence[Section] = (),
    provenance: Sequence[Section] = (),
    *,
    became: str | None = None,
) -> str:
    """The whole document.

    Args:
        spectrum: What the audit found.
        extra: Sections of what else was asked, such as a search or Eureka.
        provenance: The section that says how the result came about, where somebody knows.
        became: What became of the claim, where a whole search says more than its worst pair.
    """
    sections = [
        Section("What was found", _found(spectrum)),
        Section("The privacy spectrum", [spectrum_drawn(spectrum), _curve(spectrum)]),
        Section("Telling the inputs apart", [tradeoff_drawn(spectrum)]),
        *_readings(spectrum),
        *extra,
        *_planner(spectrum),
        Section("What this rests on", [facts(rests_on(spectrum))]),
        Section("What this assumes", [bullets(assumptions(spectrum))]),
        Section("What was not looked at", [bullets(not_looked_at(spectrum))]),
        *provenance,
    ]
    footer = f"Written by noisewright audit, version {__version__}. {PRIVATE}"
    lead = joined([badge(became or standing(spectrum)), " ", verdict(spectrum)])
    return page(f"Audit of {plain(spectrum.mechanism)}", lead, sections, footer)


def spectrum_drawn(spectrum: Spectrum, name: str = "spectrum") -> Html:
    """The spectrum as a figure with its caption."""
    titles = ("The privacy spectrum: δ over ε, estimated and bounded.", "The same on a logarithmic axis.")
    drawn = [
        (title, spectrum_figure(spectrum, logarithmic=logarithmic))
        for title, logarithmic in zip(titles, (False, True), strict=True)
    ]
    return panels(name, drawn, caption=CURVE + (CURVE_OF_CLAIM if spectrum.claim else ""))


def tradeoff_drawn(spectrum: Spectrum, name: str = "tradeoff") -> Html:
    """The trade-off curve as a figure with its caption."""
    title = "Misses over false alarms of the best guess of the input."
    caption = TRADEOFF + (TRADEOFF_OF_CLAIM if spectrum.claim else "")
    return panels(name, [(title, tradeoff_figure(spectrum))], caption=caption)


def _found(spectrum: Spectrum) -> list[Content]:
    witness = spectrum.witness
    if witness is None:
        return ["No event was found that is likelier under one input than under the other."]
    return witness_box(spectrum, witness)


def witness_box(spectrum: Spectrum, witness: Witness) -> list[Content]:
    """The event that says most, with its two probabilities; set off where it refutes the claim."""
    said = tag("strong", "The witness. "), plain(witness.sentence)
    rates = [
        [plain(name), number(f"{float(rate.value):.4g}"), number(at_least(float(rate.low), 4)),
         number(at_most(float(rate.high), 4)), number(f"{rate.count:,}")]
        for name, rate in ((witness.favoured, witness.rate), (witness.other, witness.other_rate))
    ]  # fmt: skip
    caption = f"How often {plain(witness.event)}; {INTERVALS}"
    return [
        tag("p", *said, class_="warning" if spectrum.verdict in ("false", "identified") else None),
        table(caption, ["Input", "Seen", "At least", "At most", "Runs"], rates),
    ]


def _curve(spectrum: Spectrum) -> Html:
    header = ["ε", "δ at least", "δ estimate", *([] if spectrum.upper is None else ["δ at most"])]
    rows = [
        [f"{row.name} (claimed)" if row.claimed else row.name, number(row.lower), number(row.estimate),
         *([] if row.upper is None else [number(row.upper)])]
        for row in curve_rows(spectrum)
    ]  # fmt: skip
    return table("The curve in numbers; bounds are rounded outward", header, rows)


def _readings(spectrum: Spectrum) -> list[Section]:
    rows = [[name, number(lower), number(estimate)] for name, lower, estimate in readings(spectrum)]
    caption = f"Bounds from below hold all at once ({confidence_words(spectrum.confidence)} confidence)"
    shown = table(caption, ["Reading", "At least", "Estimate"], rows)
    return [Section("In other currencies", [shown])] if rows else []


def _planner(spectrum: Spectrum) -> list[Section]:
    rows = [[what, number(runs)] for what, runs in planner_rows(spectrum)]
    return [Section("How many runs it takes", [table(PLAN, ["Violation", "Runs"], rows)])] if rows else []
