r"""Names and other texts of strangers: made safe to show, and compared however they are written.

Column names, labels, paths, and answers of servers and programs come from files that others made. In them an
escape sequence can clear a screen or retitle a window, a bidirectional override can turn the order of the
letters round, and characters of no width make two names look alike. What is printed or put on a page passes
through here; what is written to data files keeps its values as they are.

>>> visible("\x1b[2Jage\u202e")
'\\x1b[2Jage\\u202e'
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable
from typing import Any, Final

INVISIBLE: Final = re.compile(
    # Default_Ignorable_Code_Point in DerivedCoreProperties of Unicode 14 and of 17, which agree in it
    r"[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164"
    r"\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFF8\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U000E0FFF"
    # and what is drawn as nothing: blanks of Braille, music and hieroglyphs, the Khitan filler, the place of
    # an object, and the joiners of Tifinagh letters and Brahmi numbers
    r"\u2800\U0001D159\U00013441\U00013442\U00016FE4\uFFFC\u2D7F\U0001107F]"
)
"""Characters that nobody sees, though Python calls many of them printable (letters, marks and signs)."""


class _Escapes(dict[int, str]):
    """What stands for each character in ``str.translate``: itself, or its escape if it cannot be seen."""

    def __init__(self, escape: Callable[[str], str], kept: str = "") -> None:
        super().__init__((ord(letter), letter) for letter in kept)
        self._escape = escape

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        printable = letter.isprintable() or unicodedata.category(letter) == "Zs"  # blanks of other scripts
        self[code] = letter if printable and not INVISIBLE.match(letter) else self._escape(letter)
        return self[code]


def _in_python(letter: str) -> str:
    return letter.encode("unicode_escape", "surrogatepass").decode("ascii")


def _in_json(letter: str) -> str:
    units = letter.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[place : place + 4]}" for place in range(0, len(units), 4))


_VISIBLE: Final = _Escapes(_in_python)
_VISIBLE_LINES: Final = _Escapes(_in_python, kept="\n\t")
_VISIBLE_JSON: Final = _Escapes(_in_json, kept="\n")


def visible(text: object) -> str:
    r"""A value in which every control, format, direction, unassigned or invisible character is escaped.

    Letters of all scripts, signs and blanks stay; line breaks, tabs and variation selectors do not.

    >>> visible("a\n\x9b31m\u200b\u3164"), visible("größe ε 年齢")
    ('a\\n\\x9b31m\\u200b\\u3164', 'größe ε 年齢')
    """
    return str(text).translate(_VISIBLE)


def visible_lines(text: str) -> str:
    r"""The same for an output of several lines, whose line breaks and tabs stay.

    >>> visible_lines("age\t7\r\n")
    'age\t7\\r\n'
    """
    return text.translate(_VISIBLE_LINES)


def plain(name: object) -> str:
    r"""A name or a sentence on one line, with single blanks, and with nothing hidden in it.

    >>> plain("sex =\n\x1b[2Jfemale")
    'sex = \\x1b[2Jfemale'
    """
    return visible(" ".join(str(name).split()))


def comparison_key(name: str) -> str:
    """A name without what programs write differently, to compare it: capitals, blanks and signs.

    >>> comparison_key("Device ID"), comparison_key("deviceId"), comparison_key("device-id")
    ('deviceid', 'deviceid', 'deviceid')
    """
    return "".join(letter for letter in name.casefold() if letter.isalnum())


def size_words(count: int) -> str:
    """Bytes in the largest unit that holds them whole.

    >>> size_words(64 << 20), size_words(16 << 10), size_words(1500)
    ('64 MiB', '16 KiB', '1,500 bytes')
    """
    for unit, name in ((1 << 20, "MiB"), (1 << 10, "KiB")):
        if count and count % unit == 0:
            return f"{count // unit:,} {name}"
    return f"{count:,} bytes"


def canonical_json(value: Any) -> bytes:
    """The one spelling of JSON values that is hashed and signed: sorted keys, no spaces, ASCII.

    >>> canonical_json({"b": 1.0, "a": "x"})
    b'{"a":"x","b":1.0}'
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False).encode("ascii")


def json_text(document: Any, indent: int | None = None) -> str:
    r"""Strict JSON that can be printed: hidden characters are escaped, which changes no value.

    Args:
        document: What :func:`json.dumps` takes, without NaN and infinity.
        indent: Blanks for each level; None puts everything on one line.

    >>> print(json_text({"größe\u202e": "\x9b"}))
    {"größe\u202e": "\u009b"}
    """
    return json.dumps(document, indent=indent, allow_nan=False, ensure_ascii=False).translate(_VISIBLE_JSON)
