"""A page with a record inside: the same result for machines, which ``verify`` reads again.

The record is the document that ``--json`` prints. It holds the SHA-256 of the page around it, so that its
signature covers every letter that a reader sees, and not the record alone.
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
"""How JSON spells the letters that would mean something to HTML."""


def record_box() -> Html:
    """Return the empty record of a page, folded away."""
    words = "The record: this result for machines, which noisewright verify reads out of the page"
    return tag("details", tag("summary", words), Html(OPENING + CLOSING), class_="record")


def page_digest(page: str) -> str:
    """Return the SHA-256 of a page whose record is empty; how lines end does not count."""
    return hashlib.sha256(page.replace("\r\n", "\n").encode("utf-8", "surrogatepass")).hexdigest()


def embed_record(page: str, document: Mapping[str, Any]) -> str:
    """Put a document into a page whose record is empty."""
    return page.replace(OPENING + CLOSING, OPENING + _spell(document) + CLOSING, 1)


def extract_record(page: str, where: str) -> tuple[str, str]:
    """Return the record of a page as text, and the page without it; refuse a page that has none, or several.

    >>> extract_record('<p>a</p><pre id="record">{}</pre>', "a.html")
    ('{}', '<p>a</p><pre id="record"></pre>')
    """
    before, opening, after = page.partition(OPENING)
    record, closing, rest = after.partition(CLOSING)
    if not (opening and closing) or OPENING in after:
        raise BadTable(f"{where} is no page that noisewright audit wrote with its record; there is one each")
    return record, before + OPENING + CLOSING + rest


def is_spelled(record: str, document: Mapping[str, Any]) -> bool:
    """Tell whether a record in a page is spelled as :func:`embed_record` does: nothing hides in it."""
    return record == _spell(document)


def _spell(document: Mapping[str, Any]) -> str:
    return canonical_json(document).decode("ascii").translate(ESCAPES)
