"""Facts about the outputs that came, for people: no bound rests on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from noisewright.audit.rounding import percent

TEXTS: Final = "texts"


@dataclass(frozen=True)
class Looks:
    """What the outputs of both inputs looked like, over all runs that were read."""

    identified: bool = False
    """Each input gave one output only, and not the same."""

    same: bool = False
    """Every run, with either input, gave one and the same output."""

    empty: bool = False
    """Every output was empty: no text, nothing in a list, null, or no number (NaN)."""

    unrepeated: bool = False
    """No output came twice among those that were compared, so they cannot be counted one by one."""

    fractions: bool = False
    """Some output has a number in it that is not whole, and so has bits worth a look."""

    nan: bool = False
    """Some output that was taken as one number was none, and stands below all others."""

    kinds: Mapping[str, int] = field(default_factory=dict)
    """How many outputs were numbers, lists, texts, and so on; the most frequent first."""

    @property
    def unreadable(self) -> bool:
        """Whether outputs were texts without numbers or bits, no two alike: nothing can be compared."""
        return self.unrepeated and list(self.kinds) == [TEXTS]

    @property
    def mixture(self) -> str | None:
        """The shares of several kinds in words; None where all outputs were of one.

        >>> Looks(kinds={"numbers": 9, "texts": 1}).mixture
        '90 % numbers, 10 % texts'
        """
        total = sum(self.kinds.values())
        if len(self.kinds) < 2:
            return None
        return ", ".join(f"{percent(count / total)} {kind}" for kind, count in self.kinds.items())
