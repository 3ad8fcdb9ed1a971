"""What a program prints or a server answers, as a value."""

from __future__ import annotations

import json
from typing import Any


def parse_output(content: bytes) -> Any:
    """The value of a JSON text; otherwise a number, if it is one; otherwise the text itself, a category.

    >>> [parse_output(text) for text in (b"[1, null]", b" +.5 ", b"inf", b"yes", b"")]
    [[1, None], 0.5, inf, 'yes', '']
    """
    text = content.decode("utf-8", "surrogateescape").strip()  # other bytes stay different texts
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return _number(text)


def _number(text: str) -> float | str:
    try:
        return text if "_" in text else float(text)
    except ValueError:
        return text
