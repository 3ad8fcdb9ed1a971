"""Read JSON that strangers wrote: the one place where such text becomes values.

Descriptions of mechanisms, cards, models, states, tasks and answers, endpoints' answers and GeoJSON all come
through :func:`strict_json`. What it returns is at most :data:`DEEPEST` levels deep, has finite numbers that
fit a double, text that can be written again, and no name twice in an object. Sizes are checked before
anything is built: memory stays below :data:`TIMES_TEXT` times the text and :data:`SPARE` bytes more.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from noisewright.errors import BadDocument
from noisewright.parameters import shown
from noisewright.text import size_words

DEEPEST: Final = 64
"""Levels of lists and objects inside one another."""

LARGEST: Final = 64 << 20
"""Bytes of a text, unless the caller says how large its kind of document may be."""

MOST_DIGITS: Final = 308
"""Digits of a whole number: every one of them fits a double."""

# The most memory of an object and of a list besides their content, and how many times the text all of them
# may take. Ordinary documents need half of it; a text of nothing but {} would need five times as much.
OBJECT: Final = 232
ARRAY: Final = 88
CONTAINERS: Final = 16

MOST_NAMES: Final = 1 << 14
BYTES_A_NAME: Final = 32
"""A text has at most :data:`MOST_NAMES` different names, and one more for each of these bytes: a new name
costs much more memory than a number."""

TIMES_TEXT: Final = 24
SPARE: Final = 8 << 20
"""Bytes that a document may take in memory even if it is short."""

MOST_STEPS: Final = 6
"""The most steps of the path to a place in an error."""

STRING: Final = re.compile(r'"([^"\\]*+(?:\\.[^"\\]*+)*+)(?:"([ \t\n\r]*+:)?|\\?\Z)', re.DOTALL)
"""A text in quotes; a colon behind it makes it a name. One that is never closed reaches to the end, so
that no part of a document is scanned twice."""

SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")


def strict_json(text: str | bytes, document: str = "the text", *, largest: int = LARGEST) -> Any:
    """Return the value of a JSON text, or refuse it by what is wrong and where.

    Args:
        text: the document; bytes are UTF-8, with or without a byte order mark.
        document: what an error calls it.
        largest: bytes or characters of the longest text that is read.

    >>> strict_json('{"epsilon": 1}')
    {'epsilon': 1}
    >>> strict_json('{"column": [{"epsilon": NaN}]}')
    Traceback (most recent call last):
    ...
    noisewright.errors.BadDocument: the text is not the strict JSON that Noisewright reads: NaN is not a
    number (at column[0].epsilon)
    """
    if len(text) > largest:
        raise BadDocument(f"{document} is larger than {size_words(largest)} and is not read")
    try:
        return _value(_decoded(text))
    except BadDocument as wrong:
        said = not wrong.place or str(wrong).endswith(f" at {wrong.place}")
        place = "" if said else f" (at {wrong.place})"
        raise BadDocument(
            f"{document} is not the strict JSON that Noisewright reads: {wrong}{place}", wrong.place
        ) from None


def _decoded(text: str | bytes) -> str:
    try:
        if isinstance(text, str):
            if not text.isascii():
                text.encode()  # a lone half of a pair could never be written again
            return text.removeprefix("\ufeff")
        return bytes(text).decode("utf-8-sig")
    except UnicodeError:
        raise BadDocument("its text is not UTF-8") from None


def _value(text: str) -> Any:
    _check_counts(text)
    wrong: list[_Wrong] = []
    try:
        value = _decoder(wrong).decode(text)
    except json.JSONDecodeError as broken:  # its own words may quote the text
        place = f"line {broken.lineno}, column {broken.colno}"
        raise BadDocument(f"it stops being JSON at {place}", place) from None
    except RecursionError:
        raise BadDocument(TOO_DEEP) from None
    _check_depth(value)
    if wrong or SURROGATE.search(text):
        _refuse_first(value)
    return value


TOO_DEEP: Final = f"its lists and objects stand more than {DEEPEST} deep in one another"


def _check_counts(text: str) -> None:
    """Refuse a text whose values would take much more memory than itself, by counting brackets and names.

    Brackets inside of texts are counted, too, which only makes the limit a little tighter.
    """
    brackets = OBJECT * text.count("{") + ARRAY * text.count("[")
    if brackets > CONTAINERS * len(text) + SPARE // 2:
        raise BadDocument("it has too many lists and objects for its size")
    most = MOST_NAMES + len(text) // BYTES_A_NAME
    if text.count(":") > most:
        names = set()
        for found in STRING.finditer(text):
            if found[2] is not None:
                names.add(found[1])
                if len(names) > most:
                    raise BadDocument("it has too many different names for its size")


class _Wrong:
    """A mark in a parsed document where something is wrong, until its place is known."""

    def __init__(self, why: str) -> None:
        self.why = why


def _decoder(wrong: list[_Wrong]) -> json.JSONDecoder:
    """Return a decoder that marks anything that strict JSON does not allow, and records the first."""

    def mark(why: str) -> _Wrong:
        mistake = _Wrong(why)
        if not wrong:  # one is enough: the first place is looked for afterwards
            wrong.append(mistake)
        return mistake

    def whole(text: str) -> int | _Wrong:
        return int(text) if len(text) <= MOST_DIGITS else mark("a number is too large")

    def decimal(text: str) -> float | _Wrong:
        number = float(text)
        return number if math.isfinite(number) else mark("a number is too large")

    def constant(text: str) -> _Wrong:
        return mark(f"{text} is not a number")

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            twice = next(name for name, times in Counter(name for name, _ in pairs).items() if times > 1)
            found[twice] = mark("a name stands twice")
        return found

    return json.JSONDecoder(
        parse_int=whole, parse_float=decimal, parse_constant=constant, object_pairs_hook=members
    )


def _check_depth(value: Any) -> None:
    """Refuse a value that is nested too deeply; level by level, without recursion."""
    level = [value]
    for _ in range(DEEPEST):
        level = [
            each
            for holder in level
            if isinstance(holder, (dict, list))
            for each in (holder.values() if isinstance(holder, dict) else holder)
            if isinstance(each, (dict, list))
        ]
        if not level:
            return
    raise BadDocument(TOO_DEEP)


def _refuse_first(value: Any) -> None:
    """Refuse what is marked as wrong, and text that cannot be written again, by its place."""
    for way, each in _leaves((), value):
        if isinstance(each, _Wrong):
            raise BadDocument(each.why, _place(way))
        if isinstance(each, str) and not _writable(each):
            raise BadDocument("a text has half of a surrogate pair", _place(way))


def _leaves(way: tuple[str | int, ...], value: Any) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Yield all names, and all values that hold no others, with the path to each."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield way, name
            yield from _leaves((*way, name), each)
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from _leaves((*way, number), each)
    else:
        yield way, value


def _writable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _place(way: tuple[str | int, ...]) -> str:
    """Write a place: names with dots, numbers in brackets; long ones are cut.

    >>> _place(("columns", "age", 3))
    'columns.age[3]'
    """
    steps = [f"[{step}]" if isinstance(step, int) else f".{_word(step)}" for step in way[:MOST_STEPS]]
    rest = "…" if len(way) > MOST_STEPS else ""
    return f"{''.join(steps)}{rest}".removeprefix(".") or "the whole"


def _word(name: str) -> str:
    return name if name.isidentifier() and len(name) <= 40 else shown(name)
