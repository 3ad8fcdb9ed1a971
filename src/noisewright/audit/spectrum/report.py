"""The report of an audit: its verdict, the curve, the event that shows it, and what all that rests on."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

from noisewright.audit.spectrum import explanation
from noisewright.audit.spectrum.explanation import Witness
from noisewright.audit.spectrum.plots import spectrum_figure, tradeoff_figure
from noisewright.audit.spectrum.spectrum import Spectrum
from noisewright.report import (
    Block,
    Bullets,
    Caution,
    Cell,
    Facts,
    Figure,
    Mark,
    Report,
    Section,
    Table,
    number,
)
from noisewright.text import about, at_least, at_most, confidence_words, plain

MARKS: Final = {"refuted": "✘", "not refuted": "○", "nothing can be said": "?", "no claim": "–"}
"""The standing of a claim, and the mark before the word; no tick, because nothing is proved."""

SHOWN: Final = 8
"""Values of ε that a table shows, besides that of the claim."""

LONGEST_NAME: Final = 40
"""The most letters of an input's name in a table."""

WITNESS: Final = "The witness"
OTHER_MEASURES: Final = "Other privacy measures (Rényi, zCDP)"
PLAN: Final = "How many runs it takes"
RESTS_ON: Final = "What this rests on"

CURVE_CAPTION: Final = (
    "δ(ε) of the two inputs, both directions together. The proven curve lies below the truth everywhere at "
    "once, at the stated confidence. The estimate is the best guess, not a bound."
)
CURVE_OF_CLAIM: Final = (
    " The claim is false where the proven curve rises above the most that it allows (shaded)."
)
TRADEOFF_CAPTION: Final = (
    "A guess from one output which input it came from makes false alarms and misses. The shaded part is "
    "excluded: better guesses exist."
)
TRADEOFF_OF_CLAIM: Final = " The claim is false where its broken curve enters the shaded part."
PRIVATE: Final = (
    "No input is on this page, but the witness shows values of outputs: it is as private as they are."
)
INTERVALS: Final = "the intervals are exact by themselves, at the confidence of the bounds"
PLAN_CAPTION: Final = (
    "Runs over both inputs that refute the claim with a chance of 90 %, by an event as frequent as that of "
    "the witness; rarer events need more"
)
BY_EVENT: Final = "by one event"
BY_EVENT_NOTE: Final = (
    f"The two estimates rest on different outputs. “{BY_EVENT.capitalize()}” is the ε of one event, the one "
    "bounded best, from how often it came up with either input. “δ estimate” of the curve adds up all "
    "outputs, lucky rare ones included. So at a small δ the curve may reach a larger ε."
)
"""Says what each of the two estimates of an audit rests on, and why they differ."""


def spectrum_report(
    spectrum: Spectrum,
    *,
    became: str | None = None,
    extra: Sequence[Section] = (),
    data: Mapping[str, Any] | None = None,
) -> Report:
    """Describe an audit as a document.

    Args:
        spectrum: The result of the audit.
        became: The standing of the claim, if a whole search decides it and not its worst pair alone.
        extra: Further sections, such as a search.
        data: Further JSON values; they replace those of the same name.
    """
    word = became or standing(spectrum)
    delta = spectrum.claim.delta if spectrum.claim else 0.0
    return Report(
        title=f"Audit of {plain(spectrum.mechanism)}",
        lead=plain(explanation.verdict_words(spectrum)),
        mark=Mark(MARKS[word], word),
        sections=[
            Section("The curve", [_curve_figure(spectrum), _curve(spectrum), _tradeoff_figure(spectrum)]),
            _witness(spectrum),
            *extra,
            *_measures(spectrum),
            *_plan(spectrum),
            Section(RESTS_ON, [Facts(rests_on(spectrum))]),
            Section("What this assumes", [_bullets(explanation.assumptions(spectrum))]),
            Section("Not examined", [_bullets(explanation.not_looked_at(spectrum))]),
        ],
        verb="audit",
        data={
            "standing": word,
            "at_claim": {"delta": delta, "epsilon_lower": spectrum.epsilon_lower(delta)},
            **spectrum.to_dict(),
            "search": None,
            "eureka": None,
            **(data or {}),
        },
        note=PRIVATE,
    )


def standing(spectrum: Spectrum, verdict: str | None = None) -> str:
    """Return the standing of the claim, one of the words that have a mark.

    Args:
        spectrum: The result of the audit.
        verdict: The verdict of a whole search, of which ``spectrum`` is the worst pair.
    """
    verdict = spectrum.verdict if verdict is None else verdict
    if spectrum.claim is None:
        return "no claim"
    if verdict == "false":
        return "refuted"
    return "nothing can be said" if verdict == "identified" or spectrum.inconclusive else "not refuted"


# -- sections --------------------------------------------------------------------------------------------


def _curve_figure(spectrum: Spectrum) -> Figure:
    return Figure(
        "spectrum",
        [
            ("The privacy spectrum: δ over ε, estimated and bounded.", lambda: spectrum_figure(spectrum)),
            ("The same on a logarithmic axis.", lambda: spectrum_figure(spectrum, logarithmic=True)),
        ],
        CURVE_CAPTION + (CURVE_OF_CLAIM if spectrum.claim else ""),
    )


def _tradeoff_figure(spectrum: Spectrum) -> Figure:
    title = "Misses over false alarms of the best guess of the input."
    caption = TRADEOFF_CAPTION + (TRADEOFF_OF_CLAIM if spectrum.claim else "")
    return Figure("tradeoff", [(title, lambda: tradeoff_figure(spectrum))], caption)


def _curve(spectrum: Spectrum) -> Table:
    header = ["ε", "δ at least", "δ estimate", *([] if spectrum.upper is None else ["δ at most"])]
    rows = [
        [Cell(f"{row.name} (claimed)" if row.claimed else row.name, exact=row.epsilon), number(row.lower),
         number(row.estimate),
         *([] if row.upper is None else [number(row.upper)])]
        for row in curve_rows(spectrum)
    ]  # fmt: skip
    return Table("The curve in numbers, estimated from all outputs; bounds are rounded outward", header, rows)


def _witness(spectrum: Spectrum) -> Section:
    if spectrum.witness is None:
        nothing = "No event was found that is likelier with one input than with the other."
        return Section("What was found", [nothing])
    return Section(WITNESS, witness_blocks(spectrum, spectrum.witness))


def witness_blocks(spectrum: Spectrum, witness: Witness) -> list[Block]:
    """Return the strongest event with its two probabilities; as a caution if it refutes the claim."""
    sentence = plain(witness.sentence)
    names = plain(witness.favoured), plain(witness.other)
    if max(map(len, names)) > LONGEST_NAME:  # the sentence has them in full
        names = "the favoured input", "the other input"
    rates = [
        [name, number(f"{float(rate.value):.4g}", exact=float(rate.value)),
         number(at_least(float(rate.low), 4), exact=float(rate.low)),
         number(at_most(float(rate.high), 4), exact=float(rate.high)), number(f"{rate.count:,}")]
        for name, rate in zip(names, (witness.rate, witness.other_rate), strict=True)
    ]  # fmt: skip
    caption = f"How often {plain(witness.event)}; {INTERVALS}"
    return [
        Caution(sentence) if spectrum.verdict in ("false", "identified") else sentence,
        Table(caption, ["Input", "Seen", "At least", "At most", "Runs"], rates),
    ]


def _measures(spectrum: Spectrum) -> list[Section]:
    rows = [[name, number(lower), number(event)] for name, lower, event in measures(spectrum)]
    caption = f"Bounds from below hold all at once ({confidence_words(spectrum.confidence)} confidence)"
    shown = Table(caption, ["Measure", "At least", BY_EVENT.capitalize()], rows)
    return [Section(OTHER_MEASURES, [shown, BY_EVENT_NOTE])] if rows else []


def _plan(spectrum: Spectrum) -> list[Section]:
    rows = [[what, number(runs)] for what, runs in plan_rows(spectrum)]
    table = Table(PLAN_CAPTION, ["Violation", "Runs"], rows, captioned=True)
    return [Section(PLAN, [table])] if rows else []


# -- rows ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """The curve at one ε; ``claimed`` marks the ε of the claim."""

    epsilon: float
    lower: str
    estimate: str
    upper: str | None
    claimed: bool = False

    @property
    def name(self) -> str:
        """The ε as it is shown."""
        return f"{self.epsilon:.4g}"


def curve_rows(spectrum: Spectrum) -> list[Row]:
    """Return the curve at some points of its grid, and at the ε of the claim."""
    claim = spectrum.claim
    places = np.unique(np.linspace(0, len(spectrum.epsilons) - 1, SHOWN).round().astype(int))
    chosen = {float(spectrum.epsilons[place]) for place in places}
    if claim is not None and spectrum.epsilons[0] <= claim.epsilon <= spectrum.epsilons[-1]:
        chosen.add(claim.epsilon)
    rows = []
    for epsilon in sorted(chosen):
        lower, estimate = float(spectrum.delta_lower(epsilon)), float(spectrum.delta_estimate(epsilon))
        upper = spectrum.delta_upper(epsilon)
        most = None if upper is None else at_most(float(upper))
        claimed = claim is not None and epsilon == claim.epsilon
        rows.append(Row(epsilon, at_least(lower), about(estimate), most, claimed))
    return rows


def plan_rows(spectrum: Spectrum) -> list[tuple[str, str]]:
    """Return the number of runs that shows each of some violations, in words."""
    return [
        (f"ε = {spectrum.claim.epsilon:g} → {actual:.4g}", f"about {about(float(runs), 2)}")
        for actual, runs in spectrum.plan
        if spectrum.claim is not None
    ]


def measures(spectrum: Spectrum) -> list[tuple[str, str, str]]:
    """Return other privacy measures: the name of each, its bound from below, and ε by the best event.

    Nothing if all outputs were the same: zeros would then say nothing.
    """
    if spectrum.looks.same:
        return []
    epsilons = [
        (
            f"ε at δ = {delta:g}",
            at_least(spectrum.epsilon_lower(delta)),
            about(spectrum.epsilon_estimate(delta)),
        )
        for delta in READ
    ]
    orders = [
        (f"Rényi divergence of order {order:g}", at_least(spectrum.renyi_lower(order)), "–")
        for order in ORDERS
    ]
    return [*epsilons, ("ρ of zero-concentrated privacy", at_least(spectrum.zcdp_lower()), "–"), *orders]


def rests_on(spectrum: Spectrum) -> list[tuple[str, object]]:
    """Return the basis of the numbers, by name."""
    return [
        ("Mechanism", plain(spectrum.mechanism)),
        ("Inputs", f"{plain(spectrum.left)} against {plain(spectrum.right)}"),
        (
            "Runs",
            f"{spectrum.samples:,} runs over both inputs; bounds rest on {spectrum.bounded:,} of each input",
        ),
        *([("Outputs", spectrum.looks.mixture)] if spectrum.looks.mixture else []),
        ("Score", plain(spectrum.score) + _losses(spectrum)),
        (
            "Confidence",
            f"{confidence_words(spectrum.confidence)} for the whole curve, both directions at once",
        ),
        ("Comparisons paid for", f"{spectrum.comparisons:,}"),
    ]


def _losses(spectrum: Spectrum) -> str:
    """Return the held-out log-losses of the scores that were tried, the best first."""
    if len(spectrum.losses) < 2:
        return ""
    ranked = sorted(spectrum.losses.items(), key=lambda tried: tried[1])
    return f" (held-out log loss: {', '.join(f'{plain(name)} {loss:.4f}' for name, loss in ranked)})"


def _bullets(sentences: Sequence[str]) -> Bullets:
    return Bullets([explanation.close_sentence(plain(sentence)) for sentence in sentences])


# -- plain values ------------------------------------------------------------------------------------------


READ = (0.0, 1e-6, 1e-3)
"""Values of δ at which ε is reported."""

ORDERS = (2.0, 8.0, 32.0)
"""Orders of the Rényi divergences that are reported."""


def to_dict(spectrum: Spectrum) -> dict[str, Any]:
    """Return the result in plain JSON values; infinities are None."""
    refuted = spectrum.refuted_assumption
    return {
        "mechanism": spectrum.mechanism,
        "inputs": [spectrum.left, spectrum.right],
        "claim": {"epsilon": spectrum.claim.epsilon, "delta": spectrum.claim.delta}
        if spectrum.claim
        else None,
        "verdict": spectrum.verdict,
        "inconclusive": spectrum.inconclusive,
        "identified": spectrum.identified,
        "looks": asdict(spectrum.looks),
        "confidence": spectrum.confidence,
        "share": spectrum.share,
        "failures": spectrum.failures,
        "samples": spectrum.samples,
        "bounded": spectrum.bounded,
        "comparisons": spectrum.comparisons,
        "score": spectrum.score,
        "log_losses": {name: _plain(loss) for name, loss in spectrum.losses.items()},
        "epsilons": _list(spectrum.epsilons),
        "delta_lower": _list(spectrum.lower),
        "delta_estimate": _list(spectrum.estimate),
        "delta_upper": None if spectrum.upper is None else _list(spectrum.upper),
        "assumption": spectrum.assumption,
        "refuted_assumption": asdict(refuted) if refuted else None,
        "epsilon_lower": {f"{delta:g}": spectrum.epsilon_lower(delta) for delta in READ},
        "epsilon_estimate": {f"{delta:g}": _plain(spectrum.epsilon_estimate(delta)) for delta in READ},
        "zcdp_lower": spectrum.zcdp_lower(),
        "renyi_lower": {f"{order:g}": _plain(spectrum.renyi_lower(order)) for order in ORDERS},
        "tradeoff": {name: _list(curve) for name, curve in vars(spectrum.tradeoff()).items()},
        "detectable": _plain(spectrum.detectable),
        "tested": spectrum.tested if spectrum.claim else None,
        "plan": [{"epsilon": actual, "samples": runs} for actual, runs in spectrum.plan],
        "witness": spectrum.witness.to_dict() if spectrum.witness else None,
        "assumes": explanation.assumptions(spectrum),
        "not_looked_at": explanation.not_looked_at(spectrum),
        "explanation": spectrum.explain(),
    }


def _list(values: Any) -> list[float]:
    return [float(value) for value in np.asarray(values)]


def _plain(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
