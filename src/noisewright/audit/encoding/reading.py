"""Outputs from their texts, taken apart."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from noisewright.audit.encoding.leaves import Parts, leaves

LETTERS = 2_000_000
"""Letters of outputs that are taken apart at a time: in pieces they need tens of times their memory."""


def parsed(words: Sequence[str]) -> list[Any]:
    """Every text read; as one list, which is several times faster than one by one."""
    return list(json.loads(f"[{','.join(words)}]"))


def taken_apart(words: Sequence[str]) -> Iterator[Parts]:
    """What stands in each output, some outputs at a time, so that little of it is in memory at once.

    >>> list(taken_apart(["[1.5]", "null"]))
    [[{'0': 1.5}, {'': 'null'}]]
    """
    start = letters = 0
    for end, word in enumerate(words, start=1):
        letters += len(word)
        if letters >= LETTERS or end == len(words):
            yield [leaves(output) for output in parsed(words[start:end])]
            start, letters = end, 0
