"""Reading JSON from strangers: no NaN, no key twice, no nesting without end."""

from __future__ import annotations

import json
from typing import Any, NoReturn


def strict_json(text: str | bytes) -> Any:
    """The value of a JSON text, or a ``ValueError`` for what strict JSON does not have.

    >>> strict_json('{"epsilon": 1}')
    {'epsilon': 1}
    >>> strict_json('{"epsilon": NaN}')
    Traceback (most recent call last):
    ...
    ValueError: NaN is not JSON
    """
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key stands twice")
    return dict(pairs)


def _no_number(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")
