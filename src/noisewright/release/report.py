"""A publication as a document: its card, the released numbers if they are few, and what attacks achieved."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from noisewright.release.attacks.report import attack_section
from noisewright.report import Report, Section, Table, number

if TYPE_CHECKING:
    from noisewright.release.publication import Publication

MOST_NUMBERS: Final = 24
"""Largest number of released numbers that are listed."""


def publication_report(publication: Publication) -> Report:
    """Describe a publication as a document."""
    report, numbers = publication.card.report(), publication.numbers
    sections = list(report.sections)
    if len(numbers) <= MOST_NUMBERS:
        rows = [[name, number(f"{value:.6g}", exact=value)] for name, value in numbers]
        table = Table("The numbers with their noise", ["name", "value"], rows)
        sections.append(Section("The released numbers", [table]))
    if publication.attacks is not None:
        sections.append(replace(attack_section(publication.attacks), confidential=True))
    return replace(report, sections=sections, data=publication.to_dict())
