"""A publication as a document: its card, the released numbers if they are few, and what attacks achieved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from noisewright.release.attacks import AttackReport
from noisewright.release.attacks.report import attack_section
from noisewright.release.card import Card
from noisewright.report import Report, Section, Table, number

MOST_NUMBERS: Final = 24
"""Released numbers that are listed."""


def publication_report(
    card: Card,
    numbers: Sequence[tuple[str, float]],
    attacks: AttackReport | None,
    data: Mapping[str, Any],
) -> Report:
    """Describe a publication as a document.

    Args:
        card: Its privacy card.
        numbers: Released numbers, each with its name.
        attacks: What attacks achieved; None if none were tried.
        data: The publication in JSON values.
    """
    report = card.report()
    sections = list(report.sections)
    if len(numbers) <= MOST_NUMBERS:
        rows = [[name, number(f"{value:.6g}")] for name, value in numbers]
        table = Table("The numbers with their noise", ["name", "value"], rows)
        sections.append(Section("The released numbers", [table]))
    if attacks is not None:
        sections.append(replace(attack_section(attacks), confidential=True))
    return replace(report, sections=sections, data=data)
