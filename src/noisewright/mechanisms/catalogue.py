"""Mechanisms by the names people use for them, and built with the parameters they need."""

from __future__ import annotations

import difflib
from dataclasses import fields

from noisewright.domains import FiniteDomain, NumericDomain
from noisewright.errors import InvalidParameter
from noisewright.mechanisms import OGPM, CircularOGPM, Mechanism, NumericMechanism
from noisewright.text import comparison_key

DEFAULT_DELTA = 1e-5
"""δ of the mechanisms that have one, where the user does not choose."""


def find(name: str, field: str = "mechanism") -> type[NumericMechanism]:
    """Return the mechanism of a name, in any case, with or without hyphens; or suggest another name.

    >>> find("t-sw").__name__, find("Bounded Laplace").__name__
    ('TSW', 'BoundedLaplace')
    >>> find("ogmp")
    Traceback (most recent call last):
    ...
    noisewright.errors.InvalidParameter: mechanism 'ogmp' is unknown; did you mean OGPM?
    """
    kinds = _numeric()
    wanted, known = comparison_key(name), {comparison_key(kind.__name__): kind for kind in kinds}
    if (found := known.get(wanted)) is not None:
        return found
    for_labels = [kind.__name__ for kind in Mechanism.registry.values() if _for_labels(kind)]
    if wanted in map(comparison_key, for_labels):
        raise InvalidParameter(f"{name} is a mechanism for labels; say which, for example --categories a,b,c")
    close = difflib.get_close_matches(wanted, known, n=3, cutoff=0.6)
    names = [known[key].__name__ for key in close]
    remedy = (
        f"did you mean {' or '.join(names)}?"
        if names
        else f"known: {', '.join(kind.__name__ for kind in kinds)}"
    )
    raise InvalidParameter(f"{name!r} is unknown; {remedy}", field=field)


def _for_labels(kind: type[Mechanism]) -> bool:
    return all(issubclass(domain, FiniteDomain) for domain in kind.domains)


def _numeric() -> list[type[NumericMechanism]]:
    """Return the mechanisms for numbers that need only a domain and a budget; designs come from files."""
    return [
        kind
        for kind in Mechanism.registry.values()
        if issubclass(kind, NumericMechanism) and not kind.designed
    ]


def applicable(domain: NumericDomain) -> list[type[NumericMechanism]]:
    """Return every registered mechanism for a domain that needs no design."""
    return [kind for kind in _numeric() if isinstance(domain, kind.domains)]


def build(
    kind: type[NumericMechanism], domain: NumericDomain, epsilon: float, delta: float = DEFAULT_DELTA
) -> NumericMechanism:
    """Build a mechanism of a kind, with δ only if it has one.

    >>> from noisewright import Interval
    >>> build(find("gaussian"), Interval(0, 1), 1.0).guarantee
    ApproximateLDP(epsilon=1.0, delta=1e-05)
    """
    check_fit(kind, domain)
    extra = {"delta": delta} if takes_delta(kind) else {}
    return kind(domain, epsilon, **extra)


def takes_delta(kind: type[NumericMechanism]) -> bool:
    """Return whether a mechanism has a δ."""
    return any(field.name == "delta" for field in fields(kind))


def check_fit(kind: type[NumericMechanism], domain: NumericDomain, remedy: str | None = None) -> None:
    """Refuse a domain that a mechanism does not support, and say what to use instead."""
    if not isinstance(domain, kind.domains):
        raise InvalidParameter(f"{kind.misfit(domain)}; {remedy or f'use {reference(domain).__name__}'}")


def reference(domain: NumericDomain) -> type[NumericMechanism]:
    """Return the mechanism that others are measured against: OGPM of the domain."""
    return next(kind for kind in (OGPM, CircularOGPM) if isinstance(domain, kind.domains))
