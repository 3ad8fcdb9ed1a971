"""The sentences of an audit: its verdict, what it rests on and leaves out, and the event that shows it."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, field, replace
from decimal import ROUND_CEILING
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from noisewright.audit.basics.claim import Claim
from noisewright.audit.basics.outputs import Outputs
from noisewright.audit.bounds.event_bounds import EventBounds
from noisewright.audit.scores.score import CountingScore
from noisewright.audit.scores.selection import Scorer
from noisewright.audit.spectrum.summary import COMPARED
from noisewright.estimate import Estimate
from noisewright.statistics import bisect, exact_chance
from noisewright.text import at_least, at_most, confidence_words, percent

if TYPE_CHECKING:
    from noisewright.audit.spectrum.spectrum import Spectrum


def explain(spectrum: Spectrum) -> str:
    """Return the verdict, the witness, the basis and assumptions of both, and the limits of the audit."""
    witness = [spectrum.witness.sentence] if spectrum.witness else []
    parts = [
        *witness, rests_on(spectrum), "What this assumes:", *assumptions(spectrum),
        "Not examined:", *not_looked_at(spectrum),
    ]  # fmt: skip
    return " ".join([verdict_words(spectrum), *map(close_sentence, parts)])


def verdict_words(spectrum: Spectrum) -> str:
    """Return the lead: striking facts about the outputs, and the verdict on the claim."""
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
    """Return facts about the outputs that need no counting."""
    if spectrum.looks.empty:
        return ["Every output was empty, or not a number (NaN)"]
    if spectrum.looks.unreadable:
        return [
            "The outputs are texts, and no two of them were alike; make sure that the mechanism gives its "
            "output and nothing else"
        ]
    if not spectrum.identified:
        return []
    return [
        f"Infinite: the outputs identify the input, as far as {spectrum.samples:,} runs show: every run with "
        "one input gave one and the same output, and every run with the other input another one"
    ]


def _too_few(spectrum: Spectrum, least: float) -> str:
    """Return what is proven by runs that gave the input away every time."""
    delta = f" at δ = {spectrum.claim.delta:g}" if spectrum.claim and spectrum.claim.delta else ""
    proven = f"These runs prove ε ≥ {at_least(least, 4)}{delta}, and no more"
    if spectrum.claim is None:
        return proven
    allowed = f"which the claim of {spectrum.claim} allows; nothing speaks for the claim"
    return f"{proven}, {allowed}. Give it more runs"


def _same(spectrum: Spectrum) -> str:
    """Return the verdict if all outputs are the same, so that nothing can be found."""
    about = f" about the claim of {spectrum.claim}" if spectrum.claim else ""
    return (
        f"Every one of {spectrum.samples:,} runs gave the same output, whichever the input; nothing can be "
        f"learned{about} from that. Make sure that the mechanism gets its input and returns what it publishes"
    )


def _power(spectrum: Spectrum) -> str:
    if spectrum.looks.unreadable:
        return "there was nothing to compare, so this says nothing about the claim"
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
    """Return the basis of the bounds: runs, score, comparisons and confidence."""
    sure, mixture = confidence_words(spectrum.confidence), spectrum.looks.mixture
    return (
        f"This holds with {sure} confidence for all ε at once, after paying for "
        f"{spectrum.comparisons} comparisons, and rests on {spectrum.bounded:,} runs of each input that had "
        f"no part in choosing what to look at ({spectrum.samples:,} runs in all; score: {spectrum.score}"
        f"{f'; outputs: {mixture}' if mixture else ''})"
    )


# -- assumptions and limits ----------------------------------------------------------------------------


INDEPENDENT: Final = (
    "Runs are independent of each other and of one law: the mechanism remembers nothing from one run to the "
    "next, and does not change while the audit runs"
)

NEIGHBOURS: Final = (
    "The two inputs are neighbours, such as databases that differ in one person; that is not checked"
)

BY_VALUE: Final = (
    "Outputs are compared by value, fractions as doubles: 1, 1.0 and true are one output, and so are a list "
    "and a tuple, arrays of the same numbers in another shape, and notations of one printed number"
)

NO_NUMBER: Final = (
    "Outputs that are not numbers (NaN, or of another shape than the others) rank below all numbers"
)

OTHER_PAIRS: Final = "Other pairs of inputs: another person, or another database, may be more exposed"
SIDE_CHANNELS: Final = (
    "Anything except outputs: how long a run takes, its memory, its printed text, its files"
)

BITS: Final = "The bit patterns of floating-point outputs; --bits (bits=True in Python) examines them"

UNSEEN: Final = (
    "outputs that were never seen may give everything away. If their likelihood ratio is known to rise or "
    'fall, --assume monotone (assume="monotone" in Python) gives one'
)


def assumptions(spectrum: Spectrum) -> list[str]:
    """Return the assumptions of the bounds, in sentences without their full stops."""
    said = [INDEPENDENT, NEIGHBOURS, BY_VALUE, *_failures(spectrum)]
    if spectrum.looks.nan:
        said.append(NO_NUMBER)
    if spectrum.assumption is not None:
        said.append(spectrum.assumption[0].upper() + spectrum.assumption[1:])
    return said


def _failures(spectrum: Spectrum) -> list[str]:
    """Return the assumption that runs which failed may be left out."""
    if not spectrum.failures:
        return []
    times = "once" if spectrum.failures == 1 else f"{spectrum.failures:,} times"
    return [
        f"That the mechanism failed {times} while these runs were drawn has nothing to do with its input: if "
        "it has, a failure is an output that gives something away, and no bound holds without it"
    ]


def not_looked_at(spectrum: Spectrum) -> list[str]:
    """Return the limits of an audit of one pair, in sentences without their full stops."""
    said = [OTHER_PAIRS, SIDE_CHANNELS]
    if spectrum.looks.fractions and not spectrum.bits:
        said.append(BITS)
    said += _left_out(spectrum)
    if spectrum.upper is None:
        said.append(_no_upper(spectrum))
    return said


def _left_out(spectrum: Spectrum) -> list[str]:
    """Return the parts of outputs that have no feature column, unless whole outputs are counted."""
    encoder, left_out = spectrum.scorer.encoder, spectrum.scorer.encoder.left_out
    if encoder.exact and isinstance(spectrum.scorer.score, CountingScore):
        return []
    said = []
    if left_out.places:
        said.append(
            f"At least {left_out.places:,} of the {left_out.met:,} places in outputs that were met while "
            "learning (each bit counts): a score cannot use that many, and these promised least"
        )
    if left_out.partly:
        of = f"at {left_out.partly:,} of the {left_out.met:,} places " if left_out.met > 1 else ""
        said.append(f"Some of the texts, or the numbers, {of}in outputs: there are too many of them")
    return said


def _no_upper(spectrum: Spectrum) -> str:
    """Return why there is no upper bound."""
    if spectrum.refuted_assumption is not None:
        return "How bad it is at most (no upper bound): its assumption is false"
    compared = min(spectrum.samples, COMPARED)
    uncounted = f"of the first {compared:,} outputs none came twice, so they cannot be counted, and "
    return f"How bad it is at most (no upper bound): {uncounted if spectrum.looks.unrepeated else ''}{UNSEEN}"


# -- the witness ---------------------------------------------------------------------------------------


EXACT = "share of runs, with an exact binomial interval (Clopper and Pearson 1934)"

RUNS_INDEPENDENT = "the runs are independent of each other"
LARGEST = sys.float_info.max
"""Thresholds above it, and −∞, are not sizes: giveaways are there."""

RARE = 0.1
"""A chance up to which the sentence says "one audit in N"."""


@dataclass(frozen=True, eq=False)
class Witness:
    """One event, chosen before the rows it is judged by were seen; :meth:`holds` tests it on further runs.

    Attributes:
        event: The event, in words.
        favoured: The input under which the event is likelier.
        other: The other input.
        rate: The share of runs with the event under the favoured input, with its interval.
        other_rate: The same under the other input.
        epsilon_lower: No smaller ε holds at the claim's δ (or 0), by this event alone.
        chance: An upper bound on the chance of counts this far apart if the claim were true, corrected for
            all comparisons; 1 if there is no claim.
        claim: The claim that was tested, or None.
        threshold: The event is {score > ``threshold``} if ``above``, else {score ≤ ``threshold``}.
        above: Whether the event lies above the threshold.
        scorer: The score and encoder that test the event on further runs.
        refutes: Whether the audit refuted the claim.
    """

    event: str
    favoured: str
    other: str
    rate: Estimate
    other_rate: Estimate
    epsilon_lower: float
    chance: float
    claim: Claim | None
    threshold: float
    above: bool
    scorer: Scorer = field(repr=False)
    refutes: bool = False

    def holds(self, outputs: Outputs) -> NDArray[np.bool_]:
        """Return whether the event happened in each of some outputs: ``Outputs.of(list)``."""
        return self.scorer.holds(outputs, self.threshold, above=self.above)

    @property
    def sentence(self) -> str:
        """The event and its shares, in words that need no statistics."""
        seen = (
            f"With {self.favoured} {self.event} in {_share_words(self.rate)} runs, "
            f"with {self.other} in {_share_words(self.other_rate)}"
        )
        return f"{seen}." if self.claim is None else seen + self._against(self.claim)

    def _against(self, claim: Claim) -> str:
        most = min(claim.factor * self.other_rate.value + claim.delta, 1.0)
        allowed = f"; under the claim ({claim}) it could be at most about {percent(most, ROUND_CEILING)}"
        if self.refutes and self.chance <= RARE:
            rare = f"If the claim were true, fewer than one audit in {_rare(self.chance)} would show this."
            return f"{allowed}. {rare}"
        if self.refutes:
            return f"{allowed}. The whole curve refutes the claim; this event alone would not be enough."
        if self.rate.value > most:
            return f"{allowed}, and chance alone may explain the rest."
        return f"{allowed}, and it is not more."

    def to_dict(self) -> dict[str, object]:
        """Return the witness in plain JSON values."""
        return {
            "event": self.event,
            "threshold": self.threshold if -math.inf < self.threshold < LARGEST else None,
            "above": self.above,
            "favoured": self.favoured,
            "rate": self.rate.to_dict(),
            "other_rate": self.other_rate.to_dict(),
            "epsilon_lower": self.epsilon_lower,
            "chance_under_claim": self.chance,
        }


def rates(bounds: EventBounds, place: int) -> tuple[Estimate, Estimate]:
    """Return both shares of an event, with exact intervals.

    The intervals of all events hold together at the confidence of the bounds, so any of them may be picked to
    be shown. They are separate from the bounds, whose confidence does not cover them.
    """
    failure = float(bounds.failures[place])
    first = _rate(int(bounds.hits[place]), int(bounds.count[place]), failure / 2)
    second = _rate(int(bounds.other_hits[place]), int(bounds.other_count[place]), failure / 2)
    return first, second


def chance_under(bounds: EventBounds, place: int, claim: Claim, weight: float) -> float:
    """Return a bound on how often counts this far apart come up under a claim, for an event of that weight.

    It is the smallest failure probability at which the event refutes the claim, divided by the event's part
    of it. That is a p-value because regions at a smaller failure probability contain those at a larger one.

    Args:
        bounds: Bounds of several events.
        place: The index of one of them.
        claim: The claim that is tested.
        weight: The event's part of the failure probability.
    """

    def refuted(logarithm: Any) -> bool:
        again = replace(bounds.only(place), failures=np.array([math.exp(logarithm)]))
        return bool(again.deltas([claim.epsilon])[0, 0] > claim.delta)

    if not refuted(-1e-9):
        return 1.0
    least, _ = bisect(refuted, 0.0, -700.0, steps=40)  # the end at which the claim is refuted
    return min(math.exp(least) / weight, 1.0)


def _rate(hits: int, count: int, failure: float) -> Estimate:
    value = hits / count
    low, high = exact_chance(np.array(hits), np.array(count), failure)
    return Estimate(
        value, math.sqrt(value * (1 - value) / count), float(low), float(high),
        level=1 - failure, count=count, method=EXACT, assumption=RUNS_INDEPENDENT,
    )  # fmt: skip


def _share_words(rate: Estimate) -> str:
    """Return the share of runs in words; a rounded share is marked "about"."""
    if rate.value in (0, 1):
        return f"{'all' if rate.value else 'none'} of {rate.count:,}"
    return f"about {percent(rate.value)} of {rate.count:,}"


def _rare(chance: float) -> str:
    if chance <= 1e-15:
        return "10^15"
    digits = math.floor(-math.log10(chance))
    return f"{10**digits:,}" if digits <= 9 else f"10^{digits}"
