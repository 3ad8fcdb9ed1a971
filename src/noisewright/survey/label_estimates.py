"""What reports say about a column of labels: the share and the number of people with each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from noisewright.design.blind_spots import blind_spots
from noisewright.domains.words import label_word
from noisewright.estimate import Estimate, Frequencies, Tally

TOP = 20
"""Labels that a reader is shown unless more are asked for."""


@dataclass(frozen=True, eq=False)
class LabelEstimates:
    """The shares of one column of labels, and how many of them a reader wants to see; ``None`` is all."""

    name: str
    tally: Tally
    frequencies: Frequencies
    top: int | None = TOP

    @property
    def level(self) -> float:
        """How often each interval holds the truth."""
        return self.frequencies.level

    @property
    def kind(self) -> str:
        """What one of its entries is called: a label, or a bin."""
        return label_word(self.tally.domain)

    def shown(self, most: int | None = None) -> Frequencies:
        """The most frequent labels by their estimates, those first: so many, or as many as are wanted."""
        return self.frequencies.top(most or self.top or len(self.frequencies.labels))

    @property
    def left_open(self) -> tuple[str, ...]:
        """What cannot be told from these reports, however many there are."""
        return left_open(self.tally)

    def parts(self) -> dict[str, Estimate]:
        """The estimates by what they are called."""
        return {f"shares of {self.kind}s": self.frequencies}

    def to_dict(self) -> dict[str, Any]:
        """The column in strict JSON values: all labels in the order of their list."""
        people = self.frequencies.counts().to_dict()
        return {
            "domain": {"kind": self.tally.domain.kind, "size": len(self.tally.domain)},
            "reports": self.tally.count,
            "mechanisms": mechanisms_of(self.tally, labels=False),
            "frequencies": self.frequencies.to_dict(),
            "people": {name: people[name] for name in ("value", "stderr", "low", "high", "symmetric")},
        }


@dataclass(frozen=True, eq=False)
class BinEstimates(LabelEstimates):
    """The shares of bins that were fixed beforehand, in their order; all of them are shown."""

    def shown(self, most: int | None = None) -> Frequencies:
        return self.frequencies

    def to_dict(self) -> dict[str, Any]:
        domain = self.tally.domain.to_dict()
        return {**super().to_dict(), "domain": domain, "left_open": list(self.left_open)}


def left_open(tally: Tally) -> tuple[str, ...]:
    """What none of the mechanisms of a column can tell."""
    first, *others = (blind_spots(group.mechanism) for group in tally.groups)
    return tuple(spot for spot in first if all(spot in other for other in others))


def mechanisms_of(tally: Tally, *, labels: bool = True) -> list[dict[str, Any]]:
    """The mechanisms of a tally in strict JSON values; a list of labels need not be said for each again."""
    found = []
    for group in tally.groups:
        mechanism = group.mechanism.to_dict()
        if not labels:
            del mechanism["domain"]
        promise = group.mechanism.guarantee.to_dict()
        found.append({"mechanism": mechanism, "guarantee": promise, "reports": group.count})
    return found
