"""Pages with a record inside: the same result for machines, which ``verify`` reads.

The record is the document that ``--json`` prints. It contains the SHA-256 of the page around it, so that its
signature covers every character that a reader sees, and not only the record.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Final

from noisewright.errors import BadTable
from noisewright.report.markup import Html, tag
from noisewright.text import canonical_json

OPENING: Final = '<pre id="record">'

CLOSING: Final = "</pre>"

PAGE: Final = "page_sha256"
"""The field of a record with the digest of the page around it."""

ESCAPES: Final = {ord(letter): f"\\u{ord(letter):04x}" for letter in "<>&"}
"""JSON escapes of the characters that have a meaning in HTML."""


def record_box() -> Html:
    """Return the empty record of a page, folded away."""
    words = "The record: this result for machines, which noisewright verify reads out of the page"
    return tag("details", tag("summary", words), Html(OPENING + CLOSING), class_="record")


def page_digest(page: str) -> str:
    """Return the SHA-256 of a page whose record is empty; line endings do not count."""
    return hashlib.sha256(page.replace("\r\n", "\n").encode("utf-8", "surrogatepass")).hexdigest()


def embed_record(page: str, document: Mapping[str, Any]) -> str:
    """Put a document into a page whose record is empty."""
    return page.replace(OPENING + CLOSING, OPENING + _spell(document) + CLOSING, 1)


def extract_record(page: str, where: str) -> tuple[str, str]:
    """Return the record of a page as text, and the page without it; refuse a page with none or several.

    >>> extract_record('<p>a</p><pre id="record">{}</pre>', "a.html")
    ('{}', '<p>a</p><pre id="record"></pre>')
    """
    before, opening, after = page.partition(OPENING)
    record, closing, rest = after.partition(CLOSING)
    if not (opening and closing) or OPENING in after:
        raise BadTable(f"{where} is not a page of noisewright audit, which has exactly one record")
    return record, before + OPENING + CLOSING + rest


def is_spelled(record: str, document: Mapping[str, Any]) -> bool:
    """Tell whether a record is spelled as :func:`embed_record` spells it, so that nothing hides in it."""
    return record == _spell(document)


def _spell(document: Mapping[str, Any]) -> str:
    return canonical_json(document).decode("ascii").translate(ESCAPES)
