"""Stops about mechanisms: which one to choose, and what is inside one."""

from __future__ import annotations

from noisewright.mechanisms import OGPM
from noisewright.pages.compare import glance
from noisewright.pages.explain import errors_table, law_figure
from noisewright.pages.explanation import explain
from noisewright.pages.fairness import sentences
from noisewright.pages.law_words import in_words
from noisewright.pages.markup import bullets, paragraph, tag
from noisewright.pages.measuring import compare
from noisewright.pages.proof_words import proof
from noisewright.pages.tour.clinic import PRESSURE_RANGE
from noisewright.pages.tour.trip import EPSILON, Stop, Trip
from noisewright.pages.wording import domain_words, short


def choosing(trip: Trip) -> Stop:
    """Which mechanism is best depends on what is asked."""
    comparison = compare(PRESSURE_RANGE, [EPSILON / 2, EPSILON, 2 * EPSILON])
    best = next(entry for entry in comparison.at(EPSILON) if entry.best)
    unbiased = [entry.mechanism for entry in comparison.at(EPSILON) if entry.unbiased and entry.pure]
    for_means = min(unbiased, key=lambda mechanism: mechanism.worst_error("squared"))
    told = (
        f"For one report on {domain_words(PRESSURE_RANGE)} at ε = {EPSILON:g}, {type(best.mechanism).title} "
        f"is least wrong in the worst case, by {short(best.worst)} mmHg on average. For means an unbiased "
        f"mechanism is wanted, and {type(for_means).title} has the least variance in the worst case."
    )
    facts = {"best": type(best.mechanism).__name__, "worst_error": best.worst,
             "best_for_means": type(for_means).__name__}  # fmt: skip
    command = tag("code", "noisewright compare --interval 50:150 --html FILE")
    more = paragraph("All numbers and plots: ", command)
    content = [told, glance(comparison), bullets(sentences(comparison)), more]
    return Stop("Choosing a mechanism", [told], facts, content)


def looking_inside(trip: Trip) -> Stop:
    """One mechanism, explained."""
    explanation = explain(OGPM(PRESSURE_RANGE, EPSILON), at=[60.0, 95.0])
    mechanism, words = explanation.mechanism, in_words(explanation.mechanism)
    facts = {
        "mechanism": mechanism.to_dict(),
        "epsilon_upper": mechanism.epsilon_upper,
        "worst_absolute": explanation.worst_absolute,
    }
    hint = paragraph("More: ", tag("code", "noisewright explain ogpm --interval 50:150 --epsilon 2"))
    content = [
        explanation.purpose,
        bullets(words),
        law_figure(explanation),
        errors_table(explanation),
        mechanism.guarantee.explain(),
        proof(mechanism),
        hint,
    ]
    return Stop("Inside OGPM", [*words, proof(mechanism)], facts, content)
