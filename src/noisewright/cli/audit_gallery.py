"""Auditing the gallery: every exhibit, or those that are named, on its published pair."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from noisewright.audit.auditing import audit
from noisewright.audit.gallery import GALLERY, exhibit
from noisewright.cli.audit_scope import Scope
from noisewright.errors import InvalidParameter
from noisewright.pages.audit_gallery import Hung

SAMPLES: Final = 300_000
"""Runs of each exhibit: the whole gallery takes about two minutes of one core."""

SEED: Final = 1
"""Of the audit's own chance, where none is given; the gallery is then the same every time."""


def hang(names: Sequence[str], scope: Scope, tell: Callable[[str], None]) -> list[Hung]:
    """Audit the exhibits of these names, or all; ``tell`` hears which one is being audited."""
    for name in names:
        if names.count(name) > 1:
            raise InvalidParameter(f"the exhibit {name!r} is named twice")
    chosen = [exhibit(name) for name in names] or GALLERY
    samples = SAMPLES if scope.samples is None else scope.samples
    options = {**scope.options(), "seed": SEED if scope.seed is None else scope.seed}
    hung = []
    for shown in chosen:
        tell(shown.name)
        found = audit(
            shown.mechanism, *shown.pairs[0], claim=shown.claim, samples=samples, vectorized=True, **options
        )
        hung.append(Hung(shown, found))
    return hung
