"""Outputs, of the kinds that JSON has, in words for people."""

from __future__ import annotations

import json
import math
from typing import Any, Final

from noisewright.text import visible

NOT_FINITE: Final = {"nan": "NaN", "inf": "∞", "-inf": "-∞"}

LONGEST: Final = 60
"""Letters of a text that are shown."""


def readable(output: Any) -> str:
    """An output for people: whole numbers without a point, the two zeros apart, texts without escapes.

    >>> readable([3.0, -0.0, None, 1e300, 'say "hi"'])
    '[3, -0.0, null, 1e+300, "say "hi""]'
    >>> readable({"dict": [["alarm", 1.0], ["why", {"float": "nan"}]]}), readable({"set": ["1.0", "2.0"]})
    ('{alarm: 1, why: NaN}', '{1, 2}')
    """
    match output:
        case str():
            return f'"{_shown(output)}"' if output else "an empty text"
        case list():
            return f"[{', '.join(map(readable, output))}]"
        case float() if abs(output) < 1 << 53 and output == int(output):
            minus_zero = output == 0 and math.copysign(1, output) < 0
            return "-0.0" if minus_zero else str(int(output))
        case dict():
            return _named(output)
    return json.dumps(output)


def _named(output: dict[str, Any]) -> str:
    """What JSON has no kind for; it stands under a name (:func:`~noisewright.audit.outputs.canonical`)."""
    match output:
        case {"float": str(name)}:
            return NOT_FINITE[name]
        case {"hex": str(digits)}:
            return f"the bytes {_shown(digits)}" if digits else "no bytes"
        case {"set": list(members)}:
            return "{" + ", ".join(readable(json.loads(member)) for member in members) + "}"
        case {"dict": list(pairs)}:
            return "{" + ", ".join(f"{_key(key)}: {readable(value)}" for key, value in pairs) + "}"
    return json.dumps(output)


def _key(key: Any) -> str:
    return _shown(key) if isinstance(key, str) else readable(key)


def _shown(text: str) -> str:
    """A text on one line, cut where it is long."""
    return visible(text if len(text) <= LONGEST else f"{text[:LONGEST]}…")
