"""HTML into which nothing can be injected: everything is escaped unless it was built here.

Column names, paths and labels come from users. A piece of a page is either :class:`Html`, made by
:func:`tag`, or plain text, and plain text is escaped the moment it enters a tag.

    >>> tag("p", "a < b ", tag("b", "& so on"))
    '<p>a &lt; b <b>&amp; so on</b></p>'
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from typing import Final

from noisewright.text import visible_lines

Content = object
"""The content of a tag: markup as it is, anything else as escaped text."""

OPTION: Final = re.compile(r"(?<![\w-])-(?:-[a-z]+(?:-[a-z]+)*|[a-z])(?![\w-])")
"""An option of the command line, long or short, in a command or a sentence."""

_PROSE = frozenset(
    {"a", "b", "caption", "code", "dd", "dt", "figcaption", "h1", "h2", "h3", "h4", "li", "p", "strong"}
    | {"summary", "td", "th"}
)
"""Elements in whose text no line breaks inside an option."""

_VOID = frozenset({"br", "hr", "meta", "img", "col"})


class Html(str):
    """Text that is markup already."""

    __slots__ = ()


def escaped(content: Content) -> Html:
    """Return markup as it is, and anything else as escaped text in which no character is hidden."""
    return content if isinstance(content, Html) else Html(html.escape(visible_lines(str(content))))


def joined(parts: Iterable[Content], between: str = "") -> Html:
    """Return several pieces one after the other."""
    return Html(html.escape(between).join(escaped(part) for part in parts))


def tag(name: str, *content: Content, **attributes: object) -> Html:
    """Return an element; ``class_`` loses its last underscore, and inner underscores become hyphens.

    >>> tag("td", 0.25, class_="best", aria_label='the "best"')
    '<td class="best" aria-label="the &quot;best&quot;">0.25</td>'
    """
    spelled = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{html.escape(visible_lines(str(value)))}"'
        for key, value in attributes.items()
        if value is not None
    )
    opening = f"<{name}{spelled}>"
    parts = map(unbroken, content) if name in _PROSE else content
    return Html(opening if name in _VOID else f"{opening}{joined(parts)}</{name}>")


def unbroken(content: Content) -> Html:
    """Return text as markup in which browsers keep each option on one line, and markup as it is.

    >>> unbroken("see --out-of-domain")
    'see <span class="option">--out-of-domain</span>'
    """
    if isinstance(content, Html):
        return content
    return Html(OPTION.sub(r'<span class="option">\g<0></span>', escaped(content)))
