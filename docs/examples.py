"""Show the examples and references of docstrings as Markdown: an extension of griffe for the site."""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension, Object

EXAMPLE = re.compile(r"^( {0,3})>>> .*(?:\n\1\S.*)*", re.MULTILINE)  # indented by four it is code already
ROLE = re.compile(r":\w+:`~?(?:[\w.]+\.)?(\w+)`")


class Examples(Extension):
    """Rewrites every docstring as Markdown."""

    def on_object(self, *, obj: Object, **kwargs: Any) -> None:
        """Rewrite the docstring of an object once it is read."""
        if obj.docstring:
            obj.docstring.value = as_markdown(obj.docstring.value)


def as_markdown(docstring: str) -> str:
    """Put every doctest into a fence, and show a role such as ``:class:`` as code."""
    return EXAMPLE.sub(r"\1```pycon\n\g<0>\n\1```", ROLE.sub(r"`\1`", docstring))
