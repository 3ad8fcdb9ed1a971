"""The curve of a prediction: several mechanisms, each at several ε, with their channels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import DEFAULT_CELLS, Floats, Interval
from noisewright.errors import InvalidParameter
from noisewright.mechanisms import NumericMechanism
from noisewright.mechanisms.basics.tables import MOST_POINTS
from noisewright.mechanisms.catalogue import DEFAULT_DELTA, check_fit, find, takes_delta
from noisewright.mechanisms.tabular import GridMechanism
from noisewright.parameters import EPSILON, whole
from noisewright.utility.core.channels import Channel

Factory = Callable[[Interval, float], NumericMechanism]
Wanted = str | type[NumericMechanism]

DEFAULT_MECHANISMS = ("OGPM", "PMC", "SWC", "TruncatedLaplace", "Exponential", "BinnedKRR")
"""Mechanisms whose reports stay inside the interval, so that a model can take them unchanged."""

MOST_EPSILONS = 512


@dataclass(frozen=True, eq=False)
class Curve:
    """Mechanisms × ε, and the channel of each pair.

    Attributes:
        names: Labels of the mechanisms.
        epsilons: Budgets of one feature, ascending.
        channels: One row of channels per mechanism.
        factories: Functions that build each mechanism from a domain and ε.
        lattice: Cells of the unit interval that true values are rounded to.

    >>> curve = make_curve(["OGPM", "SWC"], [1.0, 2.0])
    >>> curve.shape, [channel.name for channel in curve.flat()]
    ((2, 2), ['OGPM', 'OGPM', 'SWC', 'SWC'])
    """

    names: tuple[str, ...]
    epsilons: Floats
    channels: tuple[tuple[Channel, ...], ...] = field(repr=False)
    factories: tuple[Factory, ...] = field(repr=False)
    lattice: int = DEFAULT_CELLS

    @property
    def shape(self) -> tuple[int, int]:
        """The number of mechanisms and the number of ε."""
        return len(self.names), self.epsilons.size

    def flat(self) -> list[Channel]:
        """Return all channels, those of one mechanism together."""
        return [channel for row in self.channels for channel in row]

    def where(self, name: str) -> int:
        """Return the index of a mechanism; refuse an unknown name and list the known ones."""
        if name not in self.names:
            raise InvalidParameter(f"{name!r} is not part of this curve; it has {', '.join(self.names)}")
        return self.names.index(name)

    def at_epsilons(self, place: int, epsilons: ArrayLike) -> Curve:
        """Return one of the mechanisms, given by its index, at other values of ε."""
        return _built({self.names[place]: self.factories[place]}, read_epsilons(epsilons), self.lattice)


def make_curve(
    mechanisms: Sequence[Wanted] | Mapping[str, Wanted | Factory] = DEFAULT_MECHANISMS,
    epsilons: ArrayLike = (1.0, 2.0, 4.0, 8.0),
    *,
    points: int | None = None,
    delta: float = DEFAULT_DELTA,
    lattice: int = DEFAULT_CELLS,
) -> Curve:
    """Build every mechanism at every ε on the unit interval; each proves its guarantee when it is built.

    Args:
        mechanisms: Names or classes, or a mapping from labels to these or to functions that build a mechanism
            from a domain and ε.
        epsilons: Budgets of one feature, ascending.
        points: Points of mechanisms on a grid; None takes each mechanism's own default.
        delta: δ of mechanisms that have one.
        lattice: Cells of the unit interval that true values are rounded to.
    """
    budgets = read_epsilons(epsilons)
    if points is not None:
        points = whole("points", points, 2, MOST_POINTS)
    factories = dict(_factories(mechanisms, points, delta))
    if not factories:
        raise InvalidParameter("a prediction needs at least one mechanism")
    return _built(factories, budgets, lattice)


def _built(factories: Mapping[str, Factory], epsilons: Floats, lattice: int) -> Curve:
    domain = Interval(0, 1, cells=lattice)
    rows = tuple(
        tuple(Channel(name, float(epsilon), make(domain, float(epsilon))) for epsilon in epsilons)
        for name, make in factories.items()
    )
    return Curve(tuple(factories), epsilons, rows, tuple(factories.values()), lattice)


def read_epsilons(epsilons: ArrayLike) -> Floats:
    """Return the ε of a curve as positive ascending numbers, or refuse them."""
    try:
        budgets = np.atleast_1d(np.asarray(epsilons, dtype=np.float64))
    except (TypeError, ValueError):
        raise InvalidParameter("the values of epsilon must be numbers") from None
    if budgets.ndim != 1 or not 1 <= budgets.size <= MOST_EPSILONS:
        raise InvalidParameter(f"a curve needs 1 to {MOST_EPSILONS} values of epsilon, got {budgets.size}")
    for budget in budgets.tolist():
        EPSILON.check(budget)
    if (np.diff(budgets) <= 0).any():
        raise InvalidParameter("the values of epsilon must ascend, each once")
    return budgets


def _factories(
    mechanisms: Sequence[Wanted] | Mapping[str, Wanted | Factory], points: int | None, delta: float
) -> Iterable[tuple[str, Factory]]:
    if isinstance(mechanisms, str):
        raise InvalidParameter(f"must be a list, for example [{mechanisms!r}]", field="mechanisms")
    if isinstance(mechanisms, Mapping):
        for name, wanted in mechanisms.items():
            is_kind = isinstance(wanted, (str, type))
            yield name, _factory(_kind(wanted), points, delta) if is_kind else wanted  # type: ignore[misc,arg-type]
        return
    kinds = [_kind(wanted) for wanted in mechanisms]
    for kind in kinds:
        if kinds.count(kind) > 1:
            raise InvalidParameter(f"{kind.__name__} is named twice")
        yield kind.__name__, _factory(kind, points, delta)


def _kind(wanted: Wanted) -> type[NumericMechanism]:
    kind = find(wanted) if isinstance(wanted, str) else wanted
    check_fit(kind, Interval(0, 1))
    return kind


def _factory(kind: type[NumericMechanism], points: int | None, delta: float) -> Factory:
    gridded = points is not None and issubclass(kind, GridMechanism)
    extra: dict[str, Any] = {"points": points} if gridded else {}
    if takes_delta(kind):
        extra["delta"] = delta

    def make(domain: Interval, epsilon: float) -> NumericMechanism:
        return kind(domain, epsilon, **extra)

    return make
