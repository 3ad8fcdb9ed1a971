"""The frame of every page: title, lead, contents, sections, and nothing from anywhere else.

A page forbids itself, by a content security policy, to load or run anything: no scripts, no fonts, no
images from elsewhere. It can be mailed, archived and opened without a network.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from noisewright.pages.markup import Content, Html, joined, paragraph, tag
from noisewright.pages.style import STYLE

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


@dataclass(frozen=True)
class Section:
    """One part of a page under a heading of its own."""

    heading: str
    content: Sequence[Content]

    def markup(self, anchor: str) -> Html:
        """The section as an element; content that is plain text becomes a paragraph."""
        parts = (part if isinstance(part, Html) else paragraph(part) for part in self.content)
        return tag("section", tag("h2", self.heading, id=anchor), *parts)


def page(title: str, lead: Content, sections: Iterable[Section], footer: Content) -> str:
    """A whole document.

    >>> page("A <b>", "lead", [Section("One", ["text"])], "end").count("&lt;b&gt;")
    2
    """
    numbered = [(f"part-{place}", section) for place, section in enumerate(sections, 1)]
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        Html(f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'),
        tag("meta", name_="viewport", content_="width=device-width, initial-scale=1"),
        tag("title", title),
        Html(f"<style>{STYLE}</style>"),
    )
    body = tag(
        "body",
        tag("header", tag("h1", title), tag("p", lead, class_="lead"), _contents(numbered)),
        tag("main", *(section.markup(anchor) for anchor, section in numbered)),
        tag("footer", tag("p", footer)),
    )
    return joined([Html("<!DOCTYPE html>\n"), tag("html", head, body, lang="en"), Html("\n")])


def _contents(numbered: Sequence[tuple[str, Section]]) -> Html:
    """Links to the sections, where there are enough of them to get lost."""
    if len(numbered) < 4:
        return Html("")
    links = (tag("li", tag("a", section.heading, href=f"#{anchor}")) for anchor, section in numbered)
    return tag("nav", tag("ol", *links), aria_label="Contents")
