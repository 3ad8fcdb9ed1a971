r"""Text for readers: names from strangers made safe to show; numbers, lists and counts in words.

Column names, labels, paths, and answers of servers and programs come from others. An escape sequence in them
can clear a screen or retitle a window, a bidirectional override can reverse the order of letters, and
characters without width make two names look alike. Everything that is printed or put on a page passes through
here; data files keep their values as they are.

>>> visible("\x1b[2Jage\u202e")
'\\x1b[2Jage\\u202e'
"""

from __future__ import annotations

import json
import math
import re
import textwrap
import unicodedata
from collections.abc import Callable, Iterable
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from typing import Any, Final

INVISIBLE: Final = re.compile(
    # Default_Ignorable_Code_Point in DerivedCoreProperties of Unicode 14 and of 17, which agree in it
    r"[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164"
    r"\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFF8\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U000E0FFF"
    # and characters drawn as nothing: blanks of Braille, music and hieroglyphs, the Khitan filler, the place
    # of an object, and the joiners of Tifinagh letters and Brahmi numbers
    r"\u2800\U0001D159\U00013441\U00013442\U00016FE4\uFFFC\u2D7F\U0001107F]"
)
"""Invisible characters, many of which Python calls printable (letters, marks and signs)."""


class _Escapes(dict[int, str]):
    """A table for ``str.translate``: each character as itself, or as its escape if it cannot be seen."""

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
    r"""Escape every control, format, direction, unassigned or invisible character of a value.

    Letters of all scripts, signs and blanks stay; line breaks, tabs and variation selectors do not.

    >>> visible("a\n\x9b31m\u200b\u3164"), visible("größe ε 年齢")
    ('a\\n\\x9b31m\\u200b\\u3164', 'größe ε 年齢')
    """
    return str(text).translate(_VISIBLE)


def visible_lines(text: str) -> str:
    r"""Escape the same characters in an output of several lines, whose line breaks and tabs stay.

    >>> visible_lines("age\t7\r\n")
    'age\t7\\r\n'
    """
    return text.translate(_VISIBLE_LINES)


def plain(name: object) -> str:
    r"""Put a name or a sentence on one line, with single blanks and nothing hidden in it.

    >>> plain("sex =\n\x1b[2Jfemale")
    'sex = \\x1b[2Jfemale'
    """
    return visible(" ".join(str(name).split()))


def comparison_key(name: str) -> str:
    """Strip capitals, blanks and signs, which programs write differently, to compare names.

    >>> comparison_key("Device ID"), comparison_key("deviceId"), comparison_key("device-id")
    ('deviceid', 'deviceid', 'deviceid')
    """
    return "".join(letter for letter in name.casefold() if letter.isalnum())


def size_words(count: int) -> str:
    """Write a number of bytes in the largest unit that divides it.

    >>> size_words(64 << 20), size_words(16 << 10), size_words(1500)
    ('64 MiB', '16 KiB', '1,500 bytes')
    """
    for unit, name in ((1 << 20, "MiB"), (1 << 10, "KiB")):
        if count and count % unit == 0:
            return f"{count // unit:,} {name}"
    return f"{count:,} bytes"


def canonical_json(value: Any) -> bytes:
    """Return the one spelling of JSON values that is hashed and signed: sorted keys, no spaces, ASCII.

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


# -- numbers --------------------------------------------------------------------------------------------

DIGITS: Final = 3
"""Significant digits of a number in a sentence."""

TOO_LONG: Final = 1e12
"""Numbers from here on are written with an exponent."""

SMALL_PERCENT: Final = Decimal("1e-4")
"""Percentages below this are written with an exponent."""

NOTHING: Final = 1e-12
"""An estimate up to this size is a zero plus rounding."""


def at_least(value: float, digits: int = DIGITS) -> str:
    """Write a lower bound with a few significant digits, rounded down.

    >>> at_least(0.98765), at_least(2.0), at_least(0.0), at_least(math.inf)
    ('0.987', '2', '0', '∞')
    """
    return _shown(value, digits, ROUND_FLOOR)


def at_most(value: float, digits: int = DIGITS) -> str:
    """Write an upper bound with a few significant digits, rounded up.

    >>> at_most(0.98765), at_most(1e-7)
    ('0.988', '1e-07')
    """
    return _shown(value, digits, ROUND_CEILING)


def about(value: float, digits: int = DIGITS) -> str:
    """Write an estimate with a few significant digits.

    >>> about(0.98765), about(12345.6), about(771.0, 2), about(3e-18)
    ('0.988', '12,300', '770', '0')
    """
    return _shown(value if abs(value) > NOTHING else 0.0, digits, ROUND_HALF_EVEN)


def percent(share: float, rounding: str = ROUND_HALF_EVEN) -> str:
    """Write a share in per cent with three digits, or with more near 0 % and 100 %.

    >>> percent(0.36788), percent(0.99994), percent(1.0), percent(0.969699, ROUND_FLOOR)
    ('36.8 %', '99.994 %', '100 %', '96.9 %')
    """
    exact = 100 * Decimal(repr(float(share)))
    if exact in (0, 100):
        return f"{exact:.0f} %"
    place = min(exact.adjusted() - 2, (100 - exact).adjusted() - 1)  # two digits of what is left to 100 %
    rounded = exact.quantize(Decimal(1).scaleb(place), rounding=rounding).normalize()
    return f"{rounded:f} %" if rounded >= SMALL_PERCENT else f"{float(rounded):.3g} %"


def confidence_words(confidence: float) -> str:
    """Write the confidence of bounds in per cent, rounded down.

    >>> confidence_words(0.95), confidence_words(0.969699)
    ('95 %', '96.9 %')
    """
    return percent(confidence, ROUND_FLOOR)


def _shown(value: float, digits: int, rounding: str) -> str:
    if math.isnan(value):
        return "–"
    if value == 0 or math.isinf(value):
        return "0" if value == 0 else "∞" if value > 0 else "−∞"
    exact = Decimal(repr(float(value)))  # its shortest decimal, so that 0.31 stays 0.31
    step = Decimal(1).scaleb(exact.adjusted() - digits + 1)
    rounded = float(exact.quantize(step, rounding=rounding))
    whole = abs(rounded) >= 10 ** (digits - 1) and abs(rounded) < TOO_LONG
    return f"{rounded:,.0f}" if whole else f"{rounded:.{digits}g}"


def short(value: float, digits: int = 4) -> str:
    """Write a number with a few significant digits, and without an exponent where possible.

    >>> short(0.26894), short(1048576), short(2.0), short(1.2e-9)
    ('0.2689', '1,048,576', '2', '1.2e-09')
    """
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    size = abs(value)
    if size >= 10 ** (digits - 1) and size < 1e12:
        return f"{value:,.0f}"
    return f"{value:.{digits}g}"


def span(low: float, high: float) -> str:
    """Write a stretch of values; on a circle it may end before it begins.

    >>> span(49.5, 92.5), span(22, 3)
    ('from 49.5 to 92.5', 'from 22 round to 3')
    """
    return f"from {short(low)} {'to' if low <= high else 'round to'} {short(high)}"


def aligned(value: float, digits: int = 4) -> str:
    """Write a number for a column of numbers, always with the same count of significant digits.

    >>> aligned(2.0), aligned(0.26894), aligned(1234567.0), aligned(9.99, 2)
    ('2.000', '0.2689', '1,234,567', '10')
    """
    padded = f"{value:#.{digits}g}".removesuffix(".")
    return short(value, digits) if abs(value) >= 10 ** (digits - 1) else padded


# -- numbers of a promise: every ε and δ is rounded up ----------------------------------------------------


def ceiling(number: float, digits: int = 2) -> Decimal:
    """Round a number up to a few digits; a hair is taken off first so that e^(ln 3) reads 3 and not 3.1."""
    return Context(prec=digits, rounding=ROUND_CEILING).create_decimal(number * (1 - 1e-12))


def epsilon_words(epsilon: float, digits: int = 5) -> str:
    """Write an ε with a few digits, never below the true one.

    A double keeps 15 decimal digits of what was typed. Digits beyond those are rounding, so 0.1 + 0.2 reads
    0.3; everything else is rounded up.

    >>> epsilon_words(0.1 + 0.2), epsilon_words(0.09999999999999999), epsilon_words(1.386294)
    ('0.3', '0.1', '1.3863')
    >>> epsilon_words(4.000004), epsilon_words(49364.0), epsilon_words(1e-9), epsilon_words(math.inf)
    ('4.0001', '49,364', '1e-9', '∞')
    """
    return _digits(epsilon, digits, ROUND_CEILING, Context(prec=15).create_decimal(epsilon))


def remaining_words(epsilon: float, digits: int = 5) -> str:
    """Write an ε that is left to spend with a few digits, never above the true one.

    >>> remaining_words(0.09999999999999995), remaining_words(0.25), remaining_words(0.0)
    ('0.099999', '0.25', '0')
    """
    return _digits(epsilon, digits, ROUND_FLOOR, Decimal(epsilon))


def _digits(epsilon: float, digits: int, rounding: str, exact: Decimal) -> str:
    if math.isinf(epsilon):
        return "∞"
    few = Context(prec=digits, rounding=rounding).create_decimal(exact).normalize()
    return f"{few:,f}" if not few or few.adjusted() >= -4 else f"{few:e}"


def factor(epsilon: float) -> str:
    """Write e^ε with two digits, or with two digits of its excess over 1, rounded up.

    >>> factor(2.0), factor(0.01), factor(100.0)
    ('7.4', '1.011', '10^44')
    """
    if epsilon > 34:
        return f"10^{math.ceil(epsilon / math.log(10))}"
    excess = math.expm1(epsilon)
    most = ceiling(1 + excess) if excess >= 1 else 1 + ceiling(excess and max(excess, 1e-6))
    return f"{most.normalize():,f}"


def delta_words(delta: float) -> str:
    """Write a probability that is never understated.

    >>> delta_words(0.05), delta_words(1e-6)
    ('up to 5 %', 'up to 1 in 1,000,000')
    """
    if delta >= 0.01:
        return f"up to {ceiling(100 * delta).normalize():f} %"
    most = Context(prec=2, rounding=ROUND_FLOOR).create_decimal((1 + 1e-12) / max(delta, 1e-15))
    return f"up to 1 in {most.normalize():,f}"


# -- lists and lines -------------------------------------------------------------------------------------


def listed(parts: Iterable[object], most: int | None = None) -> str:
    """Join names with commas and a last "and"; beyond ``most`` of them, say how many more there are.

    >>> listed(["mean", "quantiles", "shares"]), listed("abcdefghijk", most=3)
    ('mean, quantiles and shares', 'a, b, c and 8 more')
    """
    names = [str(part) for part in parts]
    if most is not None and len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most:,} more"
    *others, last = names or [""]
    return f"{', '.join(others)} and {last}" if others else last


def counted(count: int, one: str) -> str:
    """Write a number of things.

    >>> counted(1, "record"), counted(1200, "query"), counted(2, "day")
    ('1 record', '1,200 queries', '2 days')
    """
    several = f"{one[:-1]}ies" if one.endswith("y") and one[-2:-1] not in "aeou" else f"{one}s"
    return f"{count:,} {one if count == 1 else several}"


def wrapped(text: str, width: int = 100, indent: str = "  ") -> list[str]:
    """Break a sentence into lines for a terminal, all but the first indented."""
    return textwrap.wrap(text, width, subsequent_indent=indent)


def shortened(label: object, most: int = 40) -> str:
    """Cut a label to the letters that a table or a chart has room for.

    >>> shortened("a" * 50) == "a" * 39 + "…"
    True
    """
    text = str(label)
    return text if len(text) <= most else text[: most - 1] + "…"
