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
"""Runs of each exhibit: the whole gallery takes about a minute of one core."""


def hang(names: Sequence[str], scope: Scope, tell: Callable[[str], None]) -> list[Hung]:
    """Audit the exhibits of these names, or all; ``tell`` hears which one is being audited.

    The confidence of the scope is that of all of them together: each gets the same part of the failure
    probability (Bonferroni), so that every bound of the table holds beside every other one. Holm's steps
    would convict as many or more, but would leave no bounds on ε that hold together.
    """
    for name in names:
        if names.count(name) > 1:
            raise InvalidParameter(f"the exhibit {name!r} is named twice")
    chosen = [exhibit(name) for name in names] or GALLERY
    samples = SAMPLES if scope.samples is None else scope.samples
    options = {**scope.options(), "confidence": 1 - (1 - scope.confidence) / len(chosen)}
    hung = []
    for shown in chosen:
        tell(shown.name)
        found = audit(
            shown.mechanism, *shown.pairs[0], claim=shown.claim, samples=samples, vectorized=True, **options
        )
        hung.append(Hung(shown, found))
    return hung
