"""The sentences of an audit: its verdict, what it rests on and leaves out; its result as plain values."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from noisewright.audit.scores.univariate import CountingScore
from noisewright.audit.spectrum.summary import COMPARED
from noisewright.text import at_least, at_most, confidence_words, percent

if TYPE_CHECKING:
    from noisewright.audit.spectrum.spectrum import Spectrum


READ = (0.0, 1e-6, 1e-3)
"""Values of δ at which ε is read off."""

ORDERS = (2.0, 8.0, 32.0)
"""Orders of the Rényi divergences that are read off."""


def explain(spectrum: Spectrum) -> str:
    """Return the verdict, the witness, what it rests on and assumes, and what was not looked at."""
    witness = [spectrum.witness.sentence] if spectrum.witness else []
    parts = [
        *witness, rests_on(spectrum), "What this assumes:", *assumptions(spectrum),
        "What was not looked at:", *not_looked_at(spectrum),
    ]  # fmt: skip
    return " ".join([verdict_words(spectrum), *map(close_sentence, parts)])


def verdict_words(spectrum: Spectrum) -> str:
    """The first thing to say: how outputs look where that says it all, and what became of the claim."""
    refuted = spectrum.refuted_assumption
    said = [*_looks(spectrum), _verdict(spectrum), *([] if refuted is None else [refuted.sentence])]
    return " ".join(map(close_sentence, said))


def close_sentence(sentence: str) -> str:
    """Return a sentence with its full stop."""
    return sentence if sentence.endswith((".", "!", ":")) else f"{sentence}."


def _verdict(spectrum: Spectrum) -> str:
    claim, least = spectrum.claim, spectrum.epsilon_lower(spectrum.claim.delta if spectrum.claim else 0.0)
    if spectrum.looks.same:
        return _same(spectrum)
    if spectrum.verdict == "identified":
        return _too_few(spectrum, least)
    if claim is None and least <= 0:
        return "At this number of runs no difference between the two inputs can be stated"
    if claim is None:
        return f"No claim below ε = {at_least(least, 4)} (at δ = 0) holds for this pair of inputs"
    if spectrum.verdict == "false":
        shown = f"δ is at least {at_least(float(spectrum.delta_lower(claim.epsilon)))}"
        if least > claim.epsilon:
            shown = f"ε is at least {at_least(least, 4)}" + (
                f" at δ = {claim.delta:g}" if claim.delta else ""
            )
        return f"The claim of {claim} is false for this pair of inputs; {shown}"
    nothing = f"Nothing was found against the claim of {claim} with {spectrum.samples:,} runs"
    return f"{nothing}; {_power(spectrum)}"


def _looks(spectrum: Spectrum) -> list[str]:
    """What the outputs themselves tell before any counting."""
    if spectrum.looks.empty:
        return ["Every output was empty, or no number (NaN)"]
    if spectrum.looks.unreadable:
        return [
            "The outputs are texts, and no two of them were alike; make sure that the mechanism gives its "
            "output and nothing else"
        ]
    if not spectrum.identified:
        return []
    return [
        f"Infinite: the outputs identify the input, as far as {spectrum.samples:,} runs tell: every run with "
        "one input gave one and the same output, and every run with the other input another one"
    ]


def _too_few(spectrum: Spectrum, least: float) -> str:
    """What runs that gave the input away every time prove of it."""
    delta = f" at δ = {spectrum.claim.delta:g}" if spectrum.claim and spectrum.claim.delta else ""
    proven = f"So many runs prove ε ≥ {at_least(least, 4)}{delta}, and no more"
    if spectrum.claim is None:
        return proven
    allowed = f"which the claim of {spectrum.claim} allows; nothing speaks for the claim"
    return f"{proven}, {allowed}. Give it more runs"


def _same(spectrum: Spectrum) -> str:
    """Nothing was found, and there was nothing to find it in."""
    about = f" about the claim of {spectrum.claim}" if spectrum.claim else ""
    return (
        f"Every one of {spectrum.samples:,} runs gave the same output, whichever the input; nothing can be "
        f"learned{about} from that. Make sure that the mechanism gets its input and returns what it publishes"
    )


def _power(spectrum: Spectrum) -> str:
    if spectrum.looks.unreadable:
        return "there was nothing to compare, so that this says nothing about the claim"
    if not math.isfinite(spectrum.detectable):
        return "they are too few for any statement about it"
    if spectrum.witness is None:
        return "no event was found that is likelier with one input than with the other"
    return (
        f"a violation of ε = {at_most(spectrum.detectable, 4)} or more in the event that was tested (in "
        f"{percent(spectrum.tested)} of runs) would have been found about nine times in ten; one that shows "
        "elsewhere may go unseen"
    )


def rests_on(spectrum: Spectrum) -> str:
    """Runs, score, comparisons and confidence."""
    sure, mixture = confidence_words(spectrum.confidence), spectrum.looks.mixture
    return (
        f"This holds with {sure} confidence for all ε at once, after paying for "
        f"{spectrum.comparisons} comparisons, and rests on {spectrum.bounded:,} runs of each input that had "
        f"no part in choosing what to look at ({spectrum.samples:,} runs in all; score: {spectrum.score}"
        f"{f'; outputs: {mixture}' if mixture else ''})"
    )


def to_dict(spectrum: Spectrum) -> dict[str, Any]:
    """Plain JSON values; infinities as None."""
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
        "assumes": assumptions(spectrum),
        "not_looked_at": not_looked_at(spectrum),
        "explanation": spectrum.explain(),
    }


def _list(values: Any) -> list[float]:
    return [float(value) for value in np.asarray(values)]


def _plain(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


# -- what the word of an audit rests on besides its runs, and what it says nothing about ---------------


INDEPENDENT: Final = (
    "Runs are independent of each other and of one law: the mechanism remembers nothing from one run to the "
    "next, and does not change while the audit runs"
)

NEIGHBOURS: Final = (
    "The two inputs are neighbours, such as data sets that differ in one person; that is taken as given"
)

BY_VALUE: Final = (
    "Outputs are compared by value, fractions as doubles: 1, 1.0 and true are one output, and so are a list "
    "and a tuple, arrays of the same numbers in another shape, and notations of one printed number"
)

NO_NUMBER: Final = (
    "Outputs that are no number (NaN, or of another shape than the others) stand below all numbers"
)

OTHER_PAIRS: Final = "Other pairs of inputs: somebody else, or another data set, may be worse off"
SIDE_CHANNELS: Final = (
    "Anything but outputs: how long a run takes, the memory it needs, what it prints or leaves behind"
)

BITS: Final = "The bit patterns of floating-point outputs (see bits)"

UNSEEN: Final = (
    "outputs that were never seen may give everything away, unless something is known about them (see assume)"
)


def assumptions(spectrum: Spectrum) -> list[str]:
    """Return what has to be true for the bounds to hold, in sentences without their full stops."""
    said = [INDEPENDENT, NEIGHBOURS, BY_VALUE, *_failures(spectrum)]
    if spectrum.looks.nan:
        said.append(NO_NUMBER)
    if spectrum.assumption is not None:
        said.append(spectrum.assumption[0].upper() + spectrum.assumption[1:])
    return said


def _failures(spectrum: Spectrum) -> list[str]:
    """What it means that runs are missing."""
    if not spectrum.failures:
        return []
    times = "once" if spectrum.failures == 1 else f"{spectrum.failures:,} times"
    return [
        f"That the mechanism failed {times} while these runs were drawn has nothing to do with its input: if "
        "it has, a failure is an output that tells, and no bound holds where it is left out"
    ]


def not_looked_at(spectrum: Spectrum) -> list[str]:
    """Return what an audit of one pair says nothing about, in sentences without their full stops."""
    said = [OTHER_PAIRS, SIDE_CHANNELS]
    if spectrum.looks.fractions and not spectrum.bits:
        said.append(BITS)
    said += _left_out(spectrum)
    if spectrum.upper is None:
        said.append(_no_upper(spectrum))
    return said


def _left_out(spectrum: Spectrum) -> list[str]:
    """Places of outputs without a column, unless outputs are told apart as a whole."""
    encoder, left_out = spectrum.scorer.encoder, spectrum.scorer.encoder.left_out
    if encoder.exact and isinstance(spectrum.scorer.score, CountingScore):
        return []
    said = []
    if left_out.places:
        said.append(
            f"At least {left_out.places:,} of the {left_out.met:,} places in outputs that were met while "
            "learning (bits count singly): a score does not take in so many, and these promised least"
        )
    if left_out.partly:
        of = f"at {left_out.partly:,} of the {left_out.met:,} places " if left_out.met > 1 else ""
        said.append(f"Some of the texts, or the numbers, {of}in outputs: there are more than are told apart")
    return said


def _no_upper(spectrum: Spectrum) -> str:
    """Why there is no upper bound."""
    if spectrum.refuted_assumption is not None:
        return "How bad it is at most (no upper bound): what was assumed for it is false"
    compared = min(spectrum.samples, COMPARED)
    uncounted = f"of the first {compared:,} outputs none came twice, so they cannot be counted, and "
    return f"How bad it is at most (no upper bound): {uncounted if spectrum.looks.unrepeated else ''}{UNSEEN}"
