"""Provable privacy noise between personal data and everyone else.

>>> from noisewright import Interval
>>> from noisewright.mechanisms import OGPM
>>> mechanism = OGPM(Interval(40, 200), epsilon=2.0)
>>> report = mechanism.perturb(71.0)
>>> mechanism.guarantee.explain()
'An observer of one report can raise their odds between any two values by at most a factor of 7.4.'

Names are loaded when they are first used, so that importing a single module of the package loads nothing
else; ``__init__.pyi`` tells type checkers where they come from.
"""

from importlib import import_module

__version__ = "0.3.0"

ROOMS = {
    "domains": ("Bins", "Categories", "Circle", "Domain", "Integers", "Interval", "MetricSpace", "Product"),
    "guarantees": ("ApproximateLDP", "ProbabilisticLDP", "PureLDP"),
    "io": ("perturb_file", "perturb_table"),
    "survey": ("estimate_file",),
    "design": ("compare", "explain"),
    "utility": ("forecast_file",),
    "learn": ("learn_file",),
    "release": ("release_file",),
}
"""What the package exports, by the room that defines it."""

__all__ = ["__version__", *(name for names in ROOMS.values() for name in names)]  # noqa: PLE0604


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> object:
    for room, names in ROOMS.items():
        if name in names:
            return getattr(import_module(f"noisewright.{room}"), name)
    raise AttributeError(f"module 'noisewright' has no attribute {name!r}")
