"""A report as a page that can be mailed, archived and opened without a network.

A page forbids itself, by a content security policy, to load or run anything: no scripts, no fonts, no images
from elsewhere. Everything on it is escaped unless ``markup.py`` built it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import singledispatch
from typing import Final
from urllib.parse import quote

from noisewright import __version__
from noisewright.report.document import (
    Bullets,
    Caution,
    Cell,
    Code,
    Details,
    Facts,
    Figure,
    Link,
    Listing,
    Report,
    Section,
    Strong,
    Table,
    as_cell,
)
from noisewright.report.markup import Html, escaped, joined, tag, unbroken
from noisewright.report.provenance import Digest, Provenance
from noisewright.report.style import STYLE
from noisewright.report.svg import inline_svg
from noisewright.text import plain

POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
MOST_BESIDE: Final = 4
"""Columns that a phone can show side by side."""

LEAST_CONTENTS: Final = 4
"""Sections from which on a page has links to them."""


def render_page(report: Report, extra: Iterable[Html] = ()) -> str:
    """Return a whole document, without what is confidential: a page is mailed and archived.

    Args:
        report: What it shows.
        extra: Markup after the last section, such as the record of an audit.
    """
    sections = [section for section in report.sections if not section.confidential]
    if report.provenance is not None:
        sections.append(provenance_section(report.provenance))
    numbered = [(f"part-{place}", section) for place, section in enumerate(sections, 1)]
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        Html(f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'),
        tag("meta", name_="viewport", content_="width=device-width, initial-scale=1"),
        tag("title", report.title),
        Html(f"<style>{STYLE}</style>"),
    )
    footer = f"Written by noisewright {report.verb}, version {__version__}. {report.note}".rstrip()
    body = tag(
        "body",
        tag("header", tag("h1", report.title), _lead(report), *_cautions(report), _contents(numbered)),
        tag("main", *(section_markup(section, anchor) for anchor, section in numbered), *extra),
        tag("footer", tag("p", footer)),
    )
    return joined([Html("<!DOCTYPE html>\n"), tag("html", head, body, lang="en"), Html("\n")])


def render_fragment(report: Report) -> str:
    """Return a report as one element, for a notebook: no page around it, and the notebook's own style."""
    parts = (section_markup(section, None, level="h4") for section in report.sections)
    return tag(
        "div", tag("h3", report.title), _lead(report), *_cautions(report), *parts, class_="noisewright"
    )


def _lead(report: Report) -> Html:
    mark = [] if report.mark is None else [tag("strong", report.mark, class_="verdict"), " "]
    return tag("p", *mark, report.lead, class_="lead")


def _cautions(report: Report) -> list[Html]:
    return [block_markup(Caution(text)) for text in report.cautions]


def _contents(numbered: Sequence[tuple[str, Section]]) -> Html:
    if len(numbered) < LEAST_CONTENTS:
        return Html("")
    links = (tag("li", tag("a", section.heading, href=f"#{anchor}")) for anchor, section in numbered)
    return tag("nav", tag("ol", *links), aria_label="Contents")


def section_markup(section: Section, anchor: str | None, level: str = "h2") -> Html:
    """Return a section as an element."""
    heading = tag(level, section.heading, id=anchor)
    return tag("section", heading, *(block_markup(block) for block in section.blocks))


@singledispatch
def block_markup(block: object) -> Html:
    """Return one block as an element; text becomes a paragraph."""
    return tag("p", block)


@block_markup.register
def _(block: Caution) -> Html:
    return tag("p", block.text, class_="warning")


@block_markup.register
def _(block: Strong) -> Html:
    return tag("p", tag("strong", block.text))


@block_markup.register
def _(block: Facts) -> Html:
    return tag("dl", *(tag("div", tag("dt", name), tag("dd", _value(value))) for name, value in block.pairs))


@block_markup.register
def _(block: Bullets) -> Html:
    return tag("ul", *(tag("li", item) for item in block.items))


@block_markup.register
def _(block: Listing) -> Html:
    return tag("pre", tag("code", escaped(block.text)), tabindex=0, role="region", aria_label=block.label)


@block_markup.register
def _(block: Link) -> Html:
    return tag("p", tag("a", block.text, href=quote(block.target)))


@block_markup.register
def _(block: Details) -> Html:
    return tag("details", tag("summary", block.summary), *map(block_markup, block.blocks))


@block_markup.register
def _(block: Figure) -> Html:
    one = len(block.panels) == 1
    drawn = [
        _scrolling(inline_svg(draw(), block.name if one else f"{block.name}-{place}", title), title)
        for place, (title, draw) in enumerate(block.panels)
    ]
    shown = drawn[0] if one else tag("div", *drawn, class_="panels")
    return tag("figure", shown, tag("figcaption", block.caption))


@block_markup.register
def _(block: Table) -> Html:
    rows = [(first, [as_cell(other) for other in rest]) for first, *rest in block.rows]
    numeric = [False, *(cell.number for cell in rows[0][1])] if rows else [False] * len(block.header)
    head = (
        tag("th", name, scope="col", class_="number" if right else None)
        for name, right in zip(block.header, numeric, strict=True)
    )
    wide = len(block.header) > MOST_BESIDE
    labels = block.header[1:] if wide else [None] * len(block.header[1:])
    body = (
        tag("tr", tag("th", _value(first), scope="row"), *map(_cell_markup, cells, labels))
        for first, cells in rows
    )
    inner = tag(
        "table", tag("caption", block.caption), tag("thead", tag("tr", *head)), tag("tbody", *body),
        class_="wide" if wide else None,
    )  # fmt: skip
    return _scrolling(inner, block.caption)


def _scrolling(content: Html, title: str) -> Html:
    """Return something wide that keeps the size of its letters and scrolls where the screen is narrower."""
    return tag("div", content, class_="scroll", tabindex=0, role="region", aria_label=title)


def _cell_markup(cell: Cell, label: str | None) -> Html:
    """Return a cell; ``label`` names its column where a narrow screen has no room for the header."""
    classes = " ".join(name for name, wanted in (("number", cell.number), ("best", cell.best)) if wanted)
    mark = tag("span", " ★ best", class_="mark") if cell.best else Html("")
    content = _value(cell.content)
    if cell.number:  # no line break between a number and its per cent sign
        content = Html(content.replace(" %", "\u00a0%"))
    return tag("td", content, mark, class_=classes or None, data_label=label)


def _value(value: object) -> Html:
    return tag("code", value.text) if isinstance(value, Code) else unbroken(value)


def provenance_section(provenance: Provenance, signature: str | None = None) -> Section:
    """Say how a result came about.

    Args:
        provenance: What is known of it.
        signature: Who signed the result, where results of this kind are signed.
    """
    target = provenance.target
    pairs: list[tuple[str, object]] = [
        ("Date and time (UTC)", provenance.time),
        ("Command", Code(plain(" ".join(provenance.command)))),
    ]
    if target is not None:
        pairs.append(("Target", f"{target.kind} {plain(target.name)}"))
        pairs.append(("SHA-256 of the target", _digests(target.parts, target.sha256)))
    if provenance.inputs:
        pairs.append(("SHA-256 of inputs", _digests(provenance.inputs)))
    if provenance.random:
        pairs.append(("Seed", "fresh" if provenance.seed is None else provenance.seed))
    pairs += [
        ("Noisewright", provenance.version),
        ("Environment", ", ".join(f"{name} {value}" for name, value in provenance.environment.items())),
    ]
    if signature is not None:
        pairs.append(("Signature", signature))
    return Section("How this came about", [Facts(pairs)])


def _digests(digests: tuple[Digest, ...], whole: str | None = None) -> Html:
    lines = [f"{plain(each.name)}: {each.sha256}" for each in digests]
    lines += [] if whole is None else [f"all of it: {whole}"]
    return joined(part for line in lines for part in (tag("code", line), tag("br")))
