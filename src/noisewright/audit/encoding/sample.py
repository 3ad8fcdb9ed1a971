"""Learning runs from which it is learned what to look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Floats

Words = NDArray[np.object_]


@dataclass(frozen=True, eq=False)
class Sample:
    """Different outputs (JSON texts) and how often either input gave each.

    Both inputs' outputs come in turn, so that the first of them are a smaller sample of the same kind.

    >>> sample = Sample.of(np.array(["1", "1"], object), np.array(["2", "1"], object))
    >>> sample.words, sample.left.tolist(), sample.right.tolist()
    (['1', '2'], [2.0, 0.0], [1.0, 1.0])
    """

    words: Sequence[str]
    left: Floats
    right: Floats

    @classmethod
    def of(cls, left: Words, right: Words) -> Self:
        """The runs of both inputs."""
        turns = np.concatenate([np.arange(len(side)) / len(side) for side in (left, right)])
        in_turn = np.concatenate([left, right])[np.argsort(turns, kind="stable")]
        different = list(dict.fromkeys(in_turn))
        return cls(different, *(_counted(side, different) for side in (left, right)))

    def __len__(self) -> int:
        return len(self.words)

    def __getitem__(self, rows: slice) -> Sample:
        return Sample(self.words[rows], self.left[rows], self.right[rows])


def _counted(side: Words, different: Sequence[str]) -> Floats:
    counts = Counter(side)
    return np.array([counts[word] for word in different], dtype=np.float64)
