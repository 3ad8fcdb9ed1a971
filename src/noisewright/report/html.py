"""A report as a page that can be mailed, archived and opened without a network.

The content security policy of a page forbids it to load anything, and to run anything but ``page.js``, which
sorts tables and is known by its hash. Everything on a page is escaped unless ``markup.py`` built it.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import singledispatch
from importlib.util import find_spec
from pathlib import Path
from typing import Final
from urllib.parse import quote

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
from noisewright.report.markup import Html, joined, tag, unbroken
from noisewright.report.provenance import VERSION, Digest, Provenance
from noisewright.report.style import FRAGMENT_STYLE, STYLE
from noisewright.report.svg import inline_svg
from noisewright.text import plain

SCRIPT: Final = Path(__file__).with_name("page.js").read_text(encoding="utf-8")
"""The one script of a page."""

POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; script-src "
    f"'sha256-{base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()}'"
)
MONTHS: Final = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
LONGEST_NAME: Final = 60
"""Letters of the name of a file, without its ending."""

LEAST_CONTENTS: Final = 4
"""Fewest sections for which a page has a table of contents."""


def render_page(report: Report, extra: Iterable[Html] = (), signature: str | None = None) -> str:
    """Return a whole document without its confidential sections: a page is mailed and archived.

    Args:
        report: What it shows; the date is that of its provenance, or today's if it has none.
        extra: Markup after the last section, such as the record of an audit.
        signature: The signer of the result, where results of this kind are signed.
    """
    sections = [section for section in report.sections if not section.confidential]
    if report.provenance is not None:
        sections.append(provenance_section(report.provenance, signature))
    numbered = [(f"part-{place}", section) for place, section in enumerate(sections, 1)]
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        Html(f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'),
        tag("meta", name_="viewport", content_="width=device-width, initial-scale=1"),
        tag("title", report.title),
        Html(f"<style>{STYLE}</style>"),
    )
    footer = f"Written by noisewright {report.verb}, version {VERSION}. {report.note}".rstrip()
    body = tag(
        "body",
        tag("header", tag("h1", report.title), _date(report), _lead(report), *_cautions(report),
            _contents(numbered)),
        tag("main", *(section_markup(section, anchor) for anchor, section in numbered), *extra),
        tag("footer", tag("p", footer)),
        Html(f"<script>{SCRIPT}</script>"),
    )  # fmt: skip
    return joined([Html("<!DOCTYPE html>\n"), tag("html", head, body, lang="en"), Html("\n")])


def render_fragment(report: Report) -> str:
    """Return a report as one element for a notebook, with a style that applies to nothing outside it.

    Confidential sections are left out, because a notebook keeps what it shows. Letters have the colour of
    the notebook, light or dark. Ids are unique among several results. Without matplotlib there are no
    figures.
    """
    drawable = find_spec("matplotlib") is not None  # it is an extra
    kept = (
        replace(section, blocks=[each for each in section.blocks if drawable or not isinstance(each, Figure)])
        for section in report.sections
        if not section.confidential
    )
    parts = (section_markup(section, None, level="h4") for section in kept)
    style, title = Html(f"<style>{FRAGMENT_STYLE}</style>"), tag("h3", report.title)
    made = tag("div", style, title, _lead(report), *_cautions(report), *parts, class_="noisewright")
    own = hashlib.sha256(made.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return re.sub(r'( id="| aria-labelledby="|href="#|url\(#)', rf"\1nw{own}-", made)


def _date(report: Report) -> Html:
    """Return the day and time of the result; without provenance only today, so that pages repeat."""
    known = report.provenance
    time = datetime.now(UTC) if known is None else datetime.fromisoformat(known.time)
    day = f"{time.day} {MONTHS[time.month - 1]} {time.year}"
    words, exact = (day, f"{time:%Y-%m-%d}") if known is None else (f"{day}, {time:%H:%M} UTC", known.time)
    return tag("p", tag("time", words, datetime=exact), class_="date")


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
    lines = block.text.splitlines()
    commands = all(line.startswith("noisewright ") for line in lines)
    shown = joined((tag("span", unbroken(line)) for line in lines), "\n") if commands else block.text
    inner = tag("code", shown, class_="commands" if commands else None)
    return tag("pre", inner, tabindex=0, role="group", aria_label=block.label)


@block_markup.register
def _(block: Link) -> Html:
    return tag("p", tag("a", block.text, href=quote(block.target, errors="replace")))


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
    rows = [(as_cell(first), [as_cell(other) for other in rest]) for first, *rest in block.rows]
    numeric = [False, *(cell.number for cell in rows[0][1])] if rows else [False] * len(block.header)
    head = (
        tag("th", name, scope="col", class_="number" if right else None)
        for name, right in zip(block.header, numeric, strict=True)
    )
    body = (
        tag("tr", tag("th", _value(first.content), scope="row", data_value=_sort_key(first)),
            *map(_cell_markup, cells))
        for first, cells in rows
    )  # fmt: skip
    caption = tag("caption", tag("span", unbroken(block.caption)))
    inner = tag("table", caption, tag("thead", tag("tr", *head)), tag("tbody", *body))
    return joined([_scrolling(inner, block.caption), *([_csv_link(block)] if rows else [])])


def _csv_link(table: Table) -> Html:
    """Return a link that saves a table as CSV: the file is in the link itself, and needs no script.

    It begins with a byte order mark, without which spreadsheets misread letters such as ε.
    """
    file = base64.b64encode(table.to_csv().encode("utf-8-sig", "surrogatepass")).decode()
    name = re.sub(r"[^A-Za-z0-9]+", "-", table.caption).strip("-").lower()[:LONGEST_NAME].rstrip("-")
    return tag(
        "p",
        tag("a", "CSV of this table", href=f"data:text/csv;charset=utf-8;base64,{file}",
            download=f"{name or 'table'}.csv", aria_label=f"CSV of this table: {table.caption}"),
        class_="save",
    )  # fmt: skip


def _scrolling(content: Html, title: str) -> Html:
    """Return wide content that keeps the size of its letters and scrolls on a narrower screen."""
    return tag("div", content, class_="scroll", tabindex=0, role="group", aria_label=title)


def _cell_markup(cell: Cell) -> Html:
    classes = " ".join(name for name, wanted in (("number", cell.number), ("best", cell.best)) if wanted)
    mark = tag("span", " ★ best", class_="mark") if cell.best else Html("")
    content = _value(cell.content)
    if cell.number:  # no line break between a number and its per cent sign
        content = Html(content.replace(" %", "\u00a0%"))
    return tag("td", content, mark, class_=classes or None, data_value=_sort_key(cell))


def _sort_key(cell: Cell) -> str | None:
    """Return the number of a cell as JavaScript reads it."""
    return None if cell.value is None else str(cell.value).replace("inf", "Infinity")


def _value(value: object) -> Html:
    return tag("code", value.text) if isinstance(value, Code) else unbroken(value)


def provenance_section(provenance: Provenance, signature: str | None = None) -> Section:
    """Return the section on the provenance of a result.

    Args:
        provenance: The provenance.
        signature: The signer of the result, where results of this kind are signed.
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
