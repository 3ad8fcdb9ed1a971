"""A page as evidence: what it says of its provenance, and the record inside, which verify reads again.

The record is the document that ``--json`` prints. It holds the SHA-256 of the page around it, so that its
signature covers every letter that a reader sees, and not the record alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Final

from noisewright.engine.provenance import Digest, Provenance
from noisewright.errors import BadTable
from noisewright.pages.markup import Content, Html, facts, joined, tag
from noisewright.pages.template import Section
from noisewright.text import canonical_json, plain

AUDIT: Final = "audit"
GALLERY: Final = "audit gallery"
KINDS: Final = (AUDIT, GALLERY)
FORMAT: Final = 1
MARKS: Final = {"refuted": "✘", "not refuted": "○", "nothing can be said": "?", "no claim": "–"}
"""What became of a claim, and the shape that stands before the word; no tick, for nothing is proved."""

REFUTED: Final = 3
"""The exit code of a claim that was shown to be false, or a file shown to be changed or another's."""

INCONCLUSIVE: Final = 2
"""That of an audit that can say nothing of its claim, or a file of which nobody can say whose it is."""

OPENING: Final = '<pre id="record">'
CLOSING: Final = "</pre>"
PAGE: Final = "page_sha256"
"""The field of a record with the digest of the page around it."""

UNSIGNED: Final = "not signed: anybody may have changed it, the record included"
SIGNED: Final = "Ed25519; noisewright verify checks it; the key's fingerprint is"
ESCAPES: Final = {ord(letter): f"\\u{ord(letter):04x}" for letter in "<>&"}
"""How JSON spells the letters that would mean something to HTML."""


def provenance_section(provenance: Provenance, signer: str | None) -> Section:
    """Say how a result came about; ``signer`` is the fingerprint of the key that signs it, if one does."""
    target = provenance.target
    said: list[tuple[Content, Content]] = [
        ("Date and time (UTC)", provenance.time),
        ("Command", tag("code", plain(" ".join(provenance.command)))),
        *([] if target is None else [("Target", f"{target.kind} {plain(target.name)}")]),
        *([] if target is None else [("SHA-256 of the target", _digests(target.parts, target.sha256))]),
        *([("SHA-256 of inputs", _digests(provenance.inputs))] if provenance.inputs else []),
        ("Seed", "fresh" if provenance.seed is None else provenance.seed),
        ("Noisewright", provenance.version),
        ("Environment", ", ".join(f"{name} {value}" for name, value in provenance.environment.items())),
        ("Signature", UNSIGNED if signer is None else f"{SIGNED} {signer}"),
    ]
    return Section("How this came about", [facts(said), _record_box()])


def _digests(digests: tuple[Digest, ...], whole: str | None = None) -> Html:
    lines = [f"{plain(each.name)}: {each.sha256}" for each in digests]
    lines += [] if whole is None else [f"all of it: {whole}"]
    return joined(part for line in lines for part in (tag("code", line), tag("br")))


def _record_box() -> Html:
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
