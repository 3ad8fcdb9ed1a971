"""A finished run of ``noisewright perturb`` in the terminal and as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from noisewright.engine.files import Written
from noisewright.guarantees.words import numbers
from noisewright.mechanisms import Mechanism
from noisewright.pages.wording import domain_words
from noisewright.text import plain


def told(output: Path, written: Written, reasons: Mapping[str, str]) -> str:
    """What was written, through which mechanisms, why those, and what they promise."""
    about = written.description
    beside = f", described in {plain(written.sidecar.name)}" if written.sidecar else ""
    lines = [
        f"{written.rows:,} {'row' if written.rows == 1 else 'rows'} of reports in {plain(output)}{beside}"
    ]
    for name, mechanism in about.mechanisms.items():
        promise = f"{numbers(mechanism.guarantee)}. {about.explain_column(name)}"
        lines.append(f"  {plain(name)}: {_kind(mechanism)}, {promise}")
        if name in reasons:
            lines.append(f"    {reasons[name]}")
    lines.append(f"  one row: {numbers(about.guarantee)}. {about.explain_row()}")
    if about.kept:
        lines.append(f"  NOT randomized, as asked: {', '.join(map(plain, about.kept))}")
    return "\n".join(lines)


def summary(
    readings: Path,
    output: Path,
    written: Written,
    choices: Mapping[str, Any],
    untold: Mapping[str, tuple[str, ...]],
) -> dict[str, Any]:
    """The same in strict JSON values, with how mechanisms were chosen and what reports leave open."""
    where = {"input": str(readings), "output": str(output), "rows": written.rows}
    facts = where | {"private": written.description.private} | written.description.to_dict()
    facts |= {"choices": dict(choices)} if choices else {}
    return facts | ({"untold": {name: list(spots) for name, spots in untold.items()}} if untold else {})


def _kind(mechanism: Mechanism) -> str:
    return f"{type(mechanism).__name__} on {domain_words(mechanism.domain)}"
