"""A summary of all runs for people, and the counts or values that an upper bound rests on.

An upper bound is over a class of sets that was fixed before any run. So unlike a lower bound it may use the
runs that trained the score, if their number was fixed too, and they did not decide whether there is an upper
bound. No bound rests on the summary.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from noisewright.audit.basics.outputs import Outputs
from noisewright.audit.encoding import Encoder
from noisewright.audit.encoding.encoder import Features, is_no_number, row_keys
from noisewright.audit.encoding.paths import BITS, NUMBERS, WITHIN, leaves
from noisewright.audit.experiment.sampler import SIDES
from noisewright.domains import Floats
from noisewright.errors import BadMechanism
from noisewright.text import percent

TEXTS: Final = "texts"


@dataclass(frozen=True)
class OutputSummary:
    """A summary of the outputs of both inputs, over all runs that were read."""

    identified: bool = False
    """Each input gave one output only, and not the same."""

    same: bool = False
    """Every run, with either input, gave one and the same output."""

    empty: bool = False
    """Every output was empty: no text, an empty list, null, or NaN."""

    unrepeated: bool = False
    """No output came twice among those that were compared, so they cannot be counted one by one."""

    fractions: bool = False
    """Some output has a fraction in it, so its bits are worth examining."""

    nan: bool = False
    """Some output in place of one number was not a number, and ranks below all others."""

    kinds: Mapping[str, int] = field(default_factory=dict)
    """How many outputs were numbers, lists, texts, and so on; the most frequent first."""

    @property
    def unreadable(self) -> bool:
        """Whether outputs were texts without numbers or bits, no two alike: nothing can be compared."""
        return self.unrepeated and list(self.kinds) == [TEXTS]

    @property
    def mixture(self) -> str | None:
        """The shares of several kinds in words; None if all outputs were of one kind.

        >>> OutputSummary(kinds={"numbers": 9, "texts": 1}).mixture
        '90 % numbers, 10 % texts'
        """
        total = sum(self.kinds.values())
        if len(self.kinds) < 2:
            return None
        return ", ".join(f"{percent(count / total)} {kind}" for kind, count in self.kinds.items())


# -- facts about some outputs --------------------------------------------------------------------------


FIRST_LOOK: Final = 20
"""The number of outputs in a first, cheap comparison."""


def single_output(outputs: Outputs) -> str | None:
    """Return the text of the output if all are the same, or None if they differ."""
    words = set(outputs[:FIRST_LOOK].as_words().tolist())
    if len(words) == 1:
        words = set(outputs.as_words().tolist())
    return str(words.pop()) if len(words) == 1 else None


def all_empty(outputs: Outputs) -> bool:
    """Return whether all outputs are empty.

    >>> all_empty(Outputs.of([None, "", [], [float("nan")]])), all_empty(Outputs.of([None, 0]))
    (True, False)
    """
    if outputs.numbers is not None:
        return bool(np.isnan(outputs.numbers).all())
    return all(map(_says_nothing, _different(outputs)))


def any_fraction(outputs: Outputs) -> bool:
    """Return whether some output has a fraction in it.

    >>> any_fraction(Outputs.of([1, 2.5])), any_fraction(Outputs.of(["2.5", [3.0]]))
    (True, False)
    """
    if outputs.numbers is not None:
        finite = outputs.numbers[np.isfinite(outputs.numbers)]
        return bool((finite != np.floor(finite)).any())
    parts = (leaves(output).items() for output in _different(outputs))
    return any(
        isinstance(leaf, float) and not leaf.is_integer() and WITHIN not in place
        for part in parts
        for place, leaf in part
    )


def kinds_of(outputs: Outputs) -> Counter[str]:
    """Return how many outputs are numbers, lists, texts, and so on.

    >>> kinds_of(Outputs.of([1, 2.5, "yes", None, [1, 2]])).most_common(2)
    [('numbers', 2), ('texts', 1)]
    """
    if outputs.numbers is not None:
        return Counter({"lists" if outputs.listed else "numbers": len(outputs)})
    return Counter(map(_kind, outputs.as_words().tolist()))


def _kind(word: str) -> str:
    """Return the kind of a JSON text, by its beginning."""
    match word[:3]:
        case "nul":
            return "empty (null)"
        case '{"h' | '{"d' | '{"s':
            return {"h": "bytes", "d": "dictionaries", "s": "sets"}[word[2]]
        case start if start.startswith("["):
            return "lists"
        case start if start.startswith('"'):
            text = json.loads(word)
            if BITS.fullmatch(text):
                return "bit strings"
            return "texts with numbers" if NUMBERS.search(text) else TEXTS
    return "numbers"


def _different(outputs: Outputs) -> Iterable[Any]:
    """Return every different output, parsed, one after another."""
    return map(json.loads, dict.fromkeys(outputs.as_words().tolist()))


def _says_nothing(output: Any) -> bool:
    match output:
        case None | "" | {"float": "nan"} | {"hex": ""} | {"dict": []} | {"set": []}:
            return True
        case list():
            return all(map(_says_nothing, output))
    return False


def keys_of(outputs: Outputs) -> NDArray[Any]:
    """Return one word for each output; the same for equal ones."""
    if outputs.numbers is not None:
        return row_keys(outputs.numbers)
    return np.array([hash(word) for word in outputs.as_words()], dtype=np.int64)


# -- facts about all outputs, chunk by chunk -----------------------------------------------------------


COMPARED: Final = 50_000
"""The most outputs that are compared with each other: more would only cost memory."""


@dataclass(eq=False)
class Sameness:
    """The one output that all runs of an input gave so far; None as soon as two differ."""

    text: str | None = None
    begun: bool = False

    def see(self, outputs: Outputs) -> None:
        """Take some more runs."""
        if not len(outputs) or (self.begun and self.text is None):
            return
        text = single_output(outputs)
        self.text = text if not self.begun or text == self.text else None
        self.begun = True


@dataclass(eq=False)
class Repetition:
    """Whether any output came twice, over both inputs, among the first ``COMPARED``."""

    found: bool = False
    _keys: list[NDArray[Any]] = field(default_factory=list)
    _count: int = 0

    def see(self, outputs: Outputs) -> None:
        """Compare some more runs, until one has come twice or there are too many."""
        if self.found or self._count >= COMPARED:
            return
        keys = keys_of(outputs[: COMPARED - self._count])
        self.found = len(np.unique(keys)) < len(keys)
        self._keys.append(keys)
        self._count += len(keys)

    @property
    def none(self) -> bool:
        """Whether outputs were compared and all were different."""
        if self.found or not self._count:
            return False
        every = np.concatenate(self._keys)
        return len(np.unique(every)) == len(every)


@dataclass(eq=False)
class SummaryBuilder:
    """Collects facts about all outputs of both inputs; settled facts are not examined again."""

    _left: Sameness = field(default_factory=Sameness)
    _right: Sameness = field(default_factory=Sameness)
    _repetition: Repetition = field(default_factory=Repetition)
    _empty: bool = True
    _fractions: bool = False
    _nan: bool = False
    _kinds: Counter[str] = field(default_factory=Counter)

    def see(self, side: str, outputs: Outputs, *, nan: bool) -> None:
        """Take some more runs of one input; ``nan`` says that one in place of a number is not a number."""
        (self._left if side == "left" else self._right).see(outputs)
        self._repetition.see(outputs)
        self._empty = self._empty and all_empty(outputs)
        self._fractions = self._fractions or any_fraction(outputs)
        self._nan = self._nan or nan
        self._kinds += kinds_of(outputs)

    @property
    def looks(self) -> OutputSummary:
        """The summary of the outputs so far."""
        left, right = self._left.text, self._right.text
        constant = left is not None and right is not None
        return OutputSummary(
            identified=constant and left != right,
            same=constant and left == right,
            empty=self._empty and self._left.begun and self._right.begun,
            unrepeated=self._repetition.none,
            fractions=self._fractions,
            nan=self._nan,
            kinds=dict(self._kinds.most_common()),
        )


# -- the record of all runs ----------------------------------------------------------------------------


@dataclass(eq=False)
class RunRecord:
    """Plain values of one-dimensional outputs if ``keeps_values``, and counts if outputs are few."""

    encoder: Encoder
    keeps_values: bool = False
    _values: dict[str, list[Floats]] = field(default_factory=dict, init=False)
    _counts: dict[str, NDArray[np.int64]] = field(default_factory=dict, init=False)
    _lookout: SummaryBuilder = field(default_factory=SummaryBuilder, init=False)

    @property
    def counts_outputs(self) -> bool:
        """Whether atoms are whole outputs; bit patterns are coarser, and bound nothing from above."""
        return self.encoder.atoms is not None and self.encoder.exact

    @property
    def looks(self) -> OutputSummary:
        """The summary of the outputs so far."""
        return self._lookout.looks

    def add(self, side: str, outputs: Outputs, features: Features) -> None:
        """Take some more runs of one input."""
        no_numbers = self.encoder.width == 1 and bool(is_no_number(features.table[:, 0]).any())
        self._lookout.see(side, outputs, nan=no_numbers)
        if self.keeps_values:
            self._values.setdefault(side, []).append(_one_column(outputs))
        if self.counts_outputs:
            assert self.encoder.atoms is not None
            assert features.atoms is not None
            counts = np.bincount(features.atoms, minlength=len(self.encoder.atoms))
            self._counts[side] = self._counts.get(side, 0) + counts

    def forget(self) -> None:
        """Drop the basis of upper bounds: these runs helped to decide which bounds there are."""
        self._values, self._counts = {}, {}

    def atoms(self) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
        """Return the counts of finitely many outputs so far, per input; None if they are too many."""
        return (self._counts["left"], self._counts["right"]) if self._counts else None

    def values(self) -> tuple[Floats, Floats]:
        """Return all plain values so far, of either input."""
        left, right = (np.concatenate(self._values[side]) for side in SIDES)
        return left, right


def _one_column(outputs: Outputs) -> Floats:
    if outputs.width != 1 or outputs.numbers is None:
        raise BadMechanism(
            "an upper bound by half-lines or intervals needs outputs that are single numbers; leave out "
            "assume=..."
        )
    if bool(np.isnan(outputs.numbers).any()):
        raise BadMechanism(
            "an upper bound by half-lines or intervals needs numbers, not NaN; leave out assume=..."
        )
    return outputs.numbers[:, 0].copy()
