"""Names that others chose, such as columns, groups and files, as text that is safe to show."""

from __future__ import annotations


def plain(name: object) -> str:
    r"""A name on one line and without characters that steer a terminal or turn the direction of text.

    >>> plain("sex =\n\x1b[2Jfemale")
    'sex = �[2Jfemale'
    """
    line = " ".join(str(name).split())
    return "".join(letter if letter.isprintable() else "�" for letter in line)
