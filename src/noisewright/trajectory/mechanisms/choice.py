"""The choice between TraCS-C and TraCS-D, and of a reference for TraCS-D, by expected errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import one_of
from noisewright.report.plots import new_axes
from noisewright.trajectory.mechanisms.coordinate import BEST, CoordinateMechanism, Pair
from noisewright.trajectory.mechanisms.expected_error import expected_error
from noisewright.trajectory.mechanisms.tracs import CENTRE, PREVIOUS, TraCSC, TraCSD
from noisewright.trajectory.spaces import Space, distance_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

AUTO = "auto"
ALONG_AXES, FOLLOWING, CENTRED = "TraCS-C", "TraCS-D", "TraCS-D from the centre"
METHODS = {"c": [ALONG_AXES], "d": [FOLLOWING, CENTRED], AUTO: [ALONG_AXES, FOLLOWING, CENTRED]}
"""The candidates: in TraCS-D references may follow the reports, as published, or stay."""

SINGLE, RECONSTRUCTION, COUNTS = "single", "reconstruction", "counts"
PURPOSES = (RECONSTRUCTION, COUNTS, SINGLE)
"""What reports are for. TraCS-D spends much of its budget on directions and says little about crowds."""

SHADE = 0.45
"""Opacity of the bars of methods that were not chosen."""

ROOM = 0.18
"""White beside the longest bar for the words at its end, as a share of the axes."""


@dataclass(frozen=True)
class Choice:
    """A mechanism for locations, the alternatives, and the reason for the choice.

    Attributes:
        mechanism: The mechanism that was chosen.
        method: The name of its method.
        errors: The expected error of each method that was compared, in the units of the space.
        purpose: What the reports are for: "single", "reconstruction" or "counts".
    """

    mechanism: CoordinateMechanism
    method: str
    errors: Mapping[str, float]
    purpose: str = SINGLE

    @property
    def reason(self) -> str:
        """The choice in one sentence."""
        units = self.mechanism.space.units
        listed = ", ".join(f"{name} {distance_words(error, units)}" for name, error in self.errors.items())
        least = "is the only one that was asked for" if len(self.errors) == 1 else "has the least"
        if self.purpose != SINGLE:
            least = f"is taken for {self.purpose}, where both coordinates need a good share of the budget"
        return f"Expected error of a location anywhere in the space: {listed}; {self.method} {least}."

    def plot(self, axes: Axes | None = None) -> Axes:
        """Draw the expected errors as bars; returns the matplotlib axes."""
        axes = axes if axes is not None else new_axes()
        units = self.mechanism.space.units
        names, errors = list(self.errors), list(self.errors.values())
        bars = axes.barh(range(len(names)), errors, color="C0", height=0.6)
        for bar, name in zip(bars, names, strict=True):
            bar.set_alpha(1.0 if name == self.method else SHADE)
        axes.bar_label(bars, [distance_words(error, units) for error in errors], padding=4)
        axes.set_yticks(range(len(names)), names)
        axes.set(xlabel=f"expected error of a location, {units}", ylim=(len(names) - 0.5, -0.5))
        axes.margins(x=ROOM)
        return axes


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
    """Choose TraCS-C or TraCS-D by what the reports are for; or build the one that is asked for.

    Only public facts decide. A choice that depended on the routes would reveal something about them.

    Args:
        space: Where locations lie. It is public and must not come from the data.
        epsilon: The budget of one location, above 0 and at most 32.
        method: "auto" (the default), "C" or "D".
        split: As for the mechanism; the best one by default.
        channel: As for the mechanism; OGPM by default.
        points: Public points where locations are expected; by default they are spread evenly.
        purpose: For "reconstruction", the default, and "counts" the automatic choice is TraCS-C (cells that
            are fixed beforehand are counted better by ``CellOracle``); for "single" reports it is the one
            with the least expected error.

    >>> from noisewright.trajectory import Rectangle
    >>> choose_tracs(Rectangle(0, 0, 1, 1), epsilon=2.0).method
    'TraCS-C'
    >>> choose_tracs(Rectangle(0, 0, 1, 1), epsilon=2.0, purpose="single").method
    'TraCS-D from the centre'
    """
    kind = method.casefold().removeprefix("tracs").strip("-_ ")
    wanted = METHODS.get(kind)
    if wanted is None:
        raise InvalidParameter(f"must be auto, C or D; got {method!r}", field="method")
    one_of("purpose", purpose, PURPOSES)
    decided = kind == AUTO and purpose != SINGLE
    build: dict[str, Callable[[], CoordinateMechanism]] = {
        ALONG_AXES: lambda: TraCSC(space, epsilon, split, channel),
        FOLLOWING: lambda: TraCSD(space, epsilon, split, channel),
        CENTRED: lambda: TraCSD(space, epsilon, split, channel, reference=CENTRE),
    }
    built = {name: build[name]() for name in ([ALONG_AXES] if decided else wanted)}
    errors = {name: mechanism.expected_error(points) for name, mechanism in built.items()}
    best = min(errors, key=errors.__getitem__)
    return Choice(built[best], best, errors, purpose if decided else SINGLE)


# -- a reference for TraCS-D -----------------------------------------------------------------------

ACROSS = 5
"""References tried along each axis of the space, besides the middle of the points."""

PLACES = 1 << 11


def with_best_reference(
    space: Space,
    epsilon: float,
    points: ArrayLike,
    *,
    split: str | float = BEST,
    channel: str | Pair = "OGPM",
) -> TraCSD:
    """Build TraCS-D with the reference that errs least on a public set of points.

    A good reference has the points in a narrow range of directions, or near the boundary where the way is
    short (Zheng 2026, 6.2.4); the expected error decides which of the two counts more. References on a grid,
    the middle of the points, the centre and the previous report are tried. If the best split is asked for,
    they are compared with the heuristic split, and the best one is found for the winner.

    Args:
        space: Where locations lie. It is public and must not come from the data.
        epsilon: The budget of one location, above 0 and at most 32.
        points: The public points (n × 2).
        split: As for the mechanism; the best one by default.
        channel: As for the mechanism; OGPM by default.

    >>> from noisewright.trajectory import Rectangle
    >>> mechanism = with_best_reference(Rectangle(0, 0, 1, 1), 4.0, [(0.9, 0.8), (0.95, 0.9), (0.8, 0.85)])
    >>> mechanism.reference == "previous"
    False
    """
    public = space.admit(points, "points")
    trial = TraCSD(space, epsilon, "heuristic" if split == BEST else split, channel)
    tried: list[str | tuple[float, float]] = [PREVIOUS, CENTRE, *_candidates(space, public)]
    errors = [expected_error(replace(trial, reference=reference), public, PLACES) for reference in tried]
    return TraCSD(space, epsilon, split, channel, reference=tried[int(np.argmin(errors))])


def _candidates(space: Space, points: Floats) -> list[tuple[float, float]]:
    left, bottom, right, top = space.bounds
    steps = (np.arange(ACROSS) + 0.5) / ACROSS
    grid = np.stack(np.meshgrid(left + steps * (right - left), bottom + steps * (top - bottom)), axis=-1)
    middle = space.from_axes(np.median(space.to_axes(points), axis=0)[None])
    places = space.project(np.concatenate([middle, grid.reshape(-1, 2)]))
    return [(float(x), float(y)) for x, y in np.unique(places, axis=0)]
