"""What every score offers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, NamedTuple

from noisewright.audit.encoding import Features
from noisewright.domains import Floats


class SingledOut(NamedTuple):
    """An event that gets a bound of its own, however rare: {score > threshold}, or {score ≤ threshold}."""

    above: bool
    threshold: float


class Score(ABC):
    """A number for each output; higher means that it looks more like coming from the left input.

    Only the order matters: scores need not be probabilities. Each kind has a ``fit`` that learns from the
    fitting rows of both inputs; ``cheap`` ones are fitted again on all of them once they are chosen.
    """

    title: str
    cheap: ClassVar[bool] = True

    @property
    def base(self) -> Score:
        """The score without what was added to it after it was chosen."""
        return self

    @property
    def singled_out(self) -> tuple[SingledOut, ...]:
        """Events that the fitting rows have singled out already; none, where a score says nothing else."""
        return ()

    @abstractmethod
    def values(self, features: Features) -> Floats:
        """The score of each row."""

    def event(self, threshold: float, above: bool) -> str:
        """Words for {score > threshold}, or for {score ≤ threshold}."""
        return f"the trained score ({self.title}) is {'above' if above else 'at most'} {threshold:.6g}"
