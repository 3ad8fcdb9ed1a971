"""Choosing between TraCS-C and TraCS-D for a space, by the errors they can be expected to make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

from noisewright.errors import InvalidParameter
from noisewright.trajectory.channels import Pair
from noisewright.trajectory.coordinate import BEST, CoordinateMechanism
from noisewright.trajectory.spaces import Space
from noisewright.trajectory.tracs_c import TraCSC
from noisewright.trajectory.tracs_d import CENTRE, TraCSD
from noisewright.trajectory.words import distance_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

AUTO = "auto"
ALONG_AXES, FOLLOWING, CENTRED = "TraCS-C", "TraCS-D", "TraCS-D from the centre"
METHODS = {"c": [ALONG_AXES], "d": [FOLLOWING, CENTRED], AUTO: [ALONG_AXES, FOLLOWING, CENTRED]}
"""What there is to choose from: in TraCS-D references may follow the reports, as published, or stay."""

SINGLE, RECONSTRUCTION, COUNTS = "single", "reconstruction", "counts"
PURPOSES = (RECONSTRUCTION, COUNTS, SINGLE)
"""What reports are for. TraCS-D spends much of its budget on directions and says little of where many are."""


@dataclass(frozen=True)
class Choice:
    """A mechanism for locations, what it was compared with, and why it was taken."""

    mechanism: CoordinateMechanism
    method: str
    errors: Mapping[str, float]
    """The expected error of each method that was looked at, in the units of the space."""

    purpose: str = SINGLE

    @property
    def reason(self) -> str:
        """The choice in one sentence."""
        units = self.mechanism.space.units
        told = ", ".join(f"{name} {distance_words(error, units)}" for name, error in self.errors.items())
        least = "is the only one that was asked for" if len(self.errors) == 1 else "makes the least of them"
        if self.purpose != SINGLE:
            least = f"is taken for {self.purpose}, where both coordinates need a good share of the budget"
        return f"Expected error of a location anywhere in the space: {told}; {self.method} {least}."

    def plot(self, axes: Axes | None = None) -> Axes:
        """Draw the expected errors as bars; returns the matplotlib axes."""
        from noisewright.trajectory.drawing import plot_choice  # noqa: PLC0415  (matplotlib is an extra)

        return plot_choice(self, axes)


def choose_tracs(
    space: Space,
    epsilon: float,
    method: str = AUTO,
    *,
    split: str | float = BEST,
    channel: str | Pair = "OGPM",
    points: ArrayLike | None = None,
    purpose: str = RECONSTRUCTION,
) -> Choice:
    """TraCS-C or TraCS-D, by what the reports are for; or the one that is asked for.

    For a ``purpose`` of "reconstruction", the default, and of "counts" the automatic choice is TraCS-C (cells
    that are fixed beforehand are counted better by ``CellOracle``); for "single" reports it is the one with
    the least expected error.

    Only public things decide: the space, ε, and public ``points`` where locations are to be expected (evenly
    over the space otherwise). A choice that looked at the routes would tell something of them.

    >>> from noisewright.trajectory import Rectangle
    >>> choose_tracs(Rectangle(0, 0, 1, 1), epsilon=2.0).method
    'TraCS-C'
    >>> choose_tracs(Rectangle(0, 0, 1, 1), epsilon=2.0, purpose="single").method
    'TraCS-D from the centre'
    """
    kind = method.casefold().removeprefix("tracs").strip("-_ ")
    wanted = METHODS.get(kind)
    if wanted is None:
        raise InvalidParameter(f"method must be auto, C or D; got {method!r}")
    if purpose not in PURPOSES:
        raise InvalidParameter(f"purpose must be one of {', '.join(PURPOSES)}; got {purpose!r}")
    if kind == AUTO and purpose != SINGLE:
        mechanism = _build(ALONG_AXES, space, epsilon, split, channel)
        return Choice(mechanism, ALONG_AXES, {ALONG_AXES: mechanism.expected_error(points)}, purpose)
    built = {name: _build(name, space, epsilon, split, channel) for name in wanted}
    errors = {name: mechanism.expected_error(points) for name, mechanism in built.items()}
    best = min(errors, key=errors.__getitem__)
    return Choice(built[best], best, errors)


def _build(
    name: str, space: Space, epsilon: float, split: str | float, channel: str | Pair
) -> CoordinateMechanism:
    if name == ALONG_AXES:
        return TraCSC(space, epsilon, split, channel)
    return TraCSD(space, epsilon, split, channel, **({"reference": CENTRE} if name == CENTRED else {}))
