"""What every score offers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from noisewright.audit.encoding import Features
from noisewright.domains import Floats


class Score(ABC):
    """A number for each output; higher means that it looks more like coming from the left input.

    Only the order matters: scores need not be probabilities. Each kind has a ``fit`` that learns from the
    fitting rows of both inputs; ``cheap`` ones are fitted again on all of them once they are chosen.
    """

    title: str
    cheap: ClassVar[bool] = True

    @abstractmethod
    def values(self, features: Features) -> Floats:
        """The score of each row."""

    def event(self, threshold: float, above: bool) -> str:
        """Words for {score > threshold}, or for {score ≤ threshold}."""
        return f"the trained score ({self.title}) is {'above' if above else 'at most'} {threshold:.6g}"
