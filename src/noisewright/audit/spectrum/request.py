"""What is asked of an audit, checked before anything is run."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from noisewright.audit.basics.budget import Budget
from noisewright.audit.basics.claim import Claim, Claimed, read_confidence, read_grid
from noisewright.audit.bounds.lower import AIMS
from noisewright.audit.scores import check_wanted
from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import one_of, shown

SAMPLES: Final = 200_000
"""Runs over both inputs, where no budget is given."""

MOST_INTERVALS: Final = 64


@dataclass(frozen=True, eq=False, kw_only=True)
class AuditRequest:
    """The question that an audit answers, all of it sound.

    Attributes:
        claim: What the mechanism is said to keep: a :class:`Claim`, a guarantee, a text such as "epsilon=1,
            delta=1e-6", or a number, which is ε. None tests nothing and bounds the spectrum all the same.
        samples: Runs over both inputs, at least 200. None means 200,000, or what ``seconds`` allow.
        seconds: About how long the audit may take; with ``samples`` too, whichever ends first.
        epsilons: The ε at which the spectrum is shown, from 0 to 700. None chooses a grid by what is found.
        confidence: How sure all bounds are together, from 0.5 to below 1.
        score: What tells the inputs apart: the name of a score, a scikit-learn classifier, or "auto" for the
            best on rows kept back from fitting.
        assume: What buys an upper bound: "monotone" (the likelihood ratio rises or falls with the output), or
            "intervals:r" (outputs that favour one input make up at most r intervals). None assumes nothing.
        aim: "curve" spends the failure probability on every ε; "epsilon" spends all of it on one event, for
            the largest ε at the claim's δ, and the rest of the curve and an upper bound go without.
        bits: Whether to look at how floating-point outputs are written, too.

    >>> AuditRequest(claim="epsilon=1", assume="intervals:3").assumption
    3
    """

    claim: Claimed | None = None
    samples: float | None = None
    seconds: float | None = None
    epsilons: ArrayLike | None = None
    confidence: float = 0.95
    score: Any = "auto"
    assume: str | None = None
    aim: str = "curve"
    bits: bool = False

    def __post_init__(self) -> None:
        check_wanted(self.score)
        if self.aim == "epsilon" and self.assume is not None:
            raise InvalidParameter(
                "the aim epsilon spends everything on one lower bound; an upper bound, which an assumption "
                "buys, needs the aim curve"
            )
        object.__setattr__(self, "claim", Claim.of(self.claim))
        if self.epsilons is not None:
            object.__setattr__(self, "epsilons", read_grid(self.epsilons))
        object.__setattr__(self, "confidence", read_confidence(self.confidence))
        _ = self.assumption
        one_of("aim", self.aim, AIMS)
        self.budget()

    @classmethod
    def of(cls, request: AuditRequest | None, **options: Any) -> AuditRequest:
        """Return a request with some fields replaced, or a new one from fields."""
        return cls(**options) if request is None else replace(request, **options)

    @property
    def tested(self) -> Claim | None:
        """The claim, whatever it was written as."""
        return Claim.of(self.claim)

    @property
    def grid(self) -> Floats | None:
        """The values of ε to show, each once and rising; None if the audit is to choose them."""
        return None if self.epsilons is None else np.asarray(self.epsilons)

    @cached_property
    def assumption(self) -> int | None:
        """The assumption as :func:`parse_assumption` has it."""
        if self.assume is not None and not isinstance(self.assume, str):
            raise InvalidParameter(
                f"must be a text such as monotone, got {shown(self.assume)}", field="assume"
            )
        return parse_assumption(self.assume)

    @property
    def failure(self) -> float:
        """How likely the answer may be wrong."""
        return 1 - self.confidence

    def budget(self) -> Budget:
        """Start the clock on the runs, or on the seconds, that were asked for."""
        neither = self.samples is None and self.seconds is None
        return Budget.of(SAMPLES if neither else self.samples, self.seconds)


def parse_assumption(text: str | None) -> int | None:
    """Return None for no assumption, 0 for a monotone likelihood ratio, r for at most r intervals.

    >>> parse_assumption("monotone"), parse_assumption("intervals:3")
    (0, 3)
    """
    if text is None:
        return None
    name, _, count = text.partition(":")
    if name == "monotone" and not count:
        return 0
    if name == "intervals" and count.isdecimal() and 1 <= int(count) <= MOST_INTERVALS:
        return int(count)
    raise InvalidParameter(
        f"must be monotone, or intervals:r with r from 1 to {MOST_INTERVALS}, got {text!r}", field="assume"
    )


def two_names(names: object) -> tuple[str, str]:
    """Return what the two inputs are called, or refuse what is not two texts.

    >>> two_names(("with Ada", "without"))
    ('with Ada', 'without')
    """
    match names:
        case (str(left), str(right)):
            return left, right
    raise InvalidParameter('must be two texts, such as ("with Ada", "without her")', field="names")
