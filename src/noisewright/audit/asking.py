"""What is asked of an audit, checked before anything is run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from noisewright.audit.bounds.choosing import AIMS
from noisewright.audit.bounds.classes import parse_assumption
from noisewright.audit.claim import Claim, Claimed
from noisewright.audit.coordinates import read_confidence, read_grid
from noisewright.audit.scores import check_wanted
from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import shown


@dataclass(frozen=True, eq=False)
class Question:
    """What an audit is to say, all of it sound; ``assumption`` is as ``parse_assumption`` has it.

    >>> Question.of(claim="epsilon=1", assume="intervals:3").assumption
    3
    """

    claim: Claim | None
    epsilons: Floats | None
    confidence: float
    score: Any
    assumption: int | None
    aim: str
    bits: bool

    @classmethod
    def of(
        cls,
        *,
        claim: Claimed | None = None,
        epsilons: ArrayLike | None = None,
        confidence: float = 0.95,
        score: Any = "auto",
        assume: str | None = None,
        aim: str = "curve",
        bits: bool = False,
    ) -> Question:
        """From whatever a user may write for each; what has no meaning is refused in a sentence."""
        check_wanted(score)
        if aim == "epsilon" and assume is not None:
            raise InvalidParameter(
                "the aim epsilon spends everything on one lower bound; an upper bound, which an assumption "
                "buys, needs the aim curve"
            )
        return cls(
            Claim.of(claim),
            None if epsilons is None else read_grid(epsilons),
            read_confidence(confidence),
            score,
            _assumption(assume),
            _aim(aim),
            bits,
        )

    @property
    def failure(self) -> float:
        """How likely the answer may be wrong."""
        return 1 - self.confidence


def two_names(names: object) -> tuple[str, str]:
    """What the two inputs are called.

    >>> two_names(("with Ada", "without"))
    ('with Ada', 'without')
    """
    match names:
        case (str(left), str(right)):
            return left, right
    raise InvalidParameter('names must be two texts, such as ("with Ada", "without her")')


def _assumption(assume: object) -> int | None:
    if assume is not None and not isinstance(assume, str):
        raise InvalidParameter(f"assume must be a text such as monotone, got {shown(assume)}")
    return parse_assumption(assume)


def _aim(aim: object) -> str:
    if isinstance(aim, str) and aim in AIMS:
        return aim
    raise InvalidParameter(f"aim must be one of {', '.join(AIMS)}, got {shown(aim)}")
