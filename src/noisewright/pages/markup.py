"""HTML that cannot be injected into: everything is escaped unless it was built here.

Column names, paths and labels come from users. A piece of a page is either :class:`Html`, made by
:func:`tag`, or plain text, and plain text is escaped the moment it enters a tag.

    >>> tag("p", "a < b ", tag("b", "& so on"))
    '<p>a &lt; b <b>&amp; so on</b></p>'
"""

from __future__ import annotations

import html
from collections.abc import Iterable

from noisewright.text import visible_lines

Content = object
"""What may stand inside a tag: markup as it is, anything else as escaped text."""

_VOID = frozenset({"br", "hr", "meta", "img", "col"})


class Html(str):
    """Text that is markup already."""

    __slots__ = ()


def escaped(content: Content) -> Html:
    """Markup as it is; anything else as text in which nothing is hidden."""
    return content if isinstance(content, Html) else Html(html.escape(visible_lines(str(content))))


def joined(parts: Iterable[Content], between: str = "") -> Html:
    """Several pieces one after the other."""
    return Html(html.escape(between).join(escaped(part) for part in parts))


def tag(name: str, *content: Content, **attributes: object) -> Html:
    """An element. ``class_`` and ``for_`` lose their underscore, inner ones become hyphens.

    >>> tag("td", 0.25, class_="best", aria_label='the "best"')
    '<td class="best" aria-label="the &quot;best&quot;">0.25</td>'
    """
    spelled = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{html.escape(visible_lines(str(value)))}"'
        for key, value in attributes.items()
        if value is not None
    )
    opening = f"<{name}{spelled}>"
    return Html(opening if name in _VOID else f"{opening}{joined(content)}</{name}>")


def paragraph(*content: Content) -> Html:
    """One paragraph."""
    return tag("p", *content)


def bullets(items: Iterable[Content]) -> Html:
    """A list of points."""
    return tag("ul", *(tag("li", item) for item in items))


def facts(pairs: Iterable[tuple[Content, Content]]) -> Html:
    """Names with their values, as a definition list."""
    return tag("dl", *(tag("div", tag("dt", name), tag("dd", value)) for name, value in pairs))


def listing(text: str, label: str) -> Html:
    """Text to be shown letter by letter, such as a description in JSON; scrolls if it is wide."""
    return tag("pre", tag("code", text), tabindex=0, role="region", aria_label=label)
