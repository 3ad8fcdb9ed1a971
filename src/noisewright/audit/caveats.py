"""What the word of an audit rests on besides its runs, and what it says nothing about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from noisewright.audit.looking import COMPARED
from noisewright.audit.scores.counting import CountingScore

if TYPE_CHECKING:
    from noisewright.audit.spectrum import Spectrum

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
    """What has to be true for the bounds to hold, in sentences without their full stops."""
    said = [INDEPENDENT, NEIGHBOURS, BY_VALUE, *_failures(spectrum)]
    if spectrum.looks.nan:
        said.append(NO_NUMBER)
    if spectrum.assumption is not None:
        said.append(_capital(spectrum.assumption))
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
    """What an audit of one pair says nothing about, in sentences without their full stops."""
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


def _capital(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]
