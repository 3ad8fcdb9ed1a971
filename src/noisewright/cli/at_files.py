"""Files that stand where the name of a mechanism may stand, too: they begin with an @."""

from __future__ import annotations

from typing import Final

MARK: Final = "@"


def file_of(name: str) -> str | None:
    """The file that is meant, if it is one.

    >>> file_of("@mechanism.json"), file_of("ogpm")
    ('mechanism.json', None)
    """
    return name[len(MARK) :] if name.startswith(MARK) else None
