"""The command line as a result may tell it: without secrets, private values and the name of a person."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import typer

from noisewright.cli.model_options import read_headers
from noisewright.cli.verb import TYPED
from noisewright.errors import InvalidParameter
from noisewright.text import plain

HIDDEN: Final = "…"
PRIVATE: Final = ("--left", "--right")
"""Options whose values are inputs, which are never shown."""

HEADER: Final = "--header"
_TELLTALE: Final = r"[\w-]*(?:(?:token|secret|passw|passphrase|auth|credential|cookie)[\w-]*|key)"
_PATTERNS: Final = (
    # options, assignments and headers that are named like a secret; the name of a variable is none itself
    (
        re.compile(
            rf"((?<![\w-])--?(?!{_TELLTALE}-env\b){_TELLTALE}[= ]+)('[^']*'|\"[^\"]*\"|\S+)", re.IGNORECASE
        ),
        r"\1…",
    ),
    (re.compile(rf"((?<![\w-]){_TELLTALE}=)('[^']*'|\"[^\"]*\"|[^\s&]+)", re.IGNORECASE), r"\1…"),
    (re.compile(rf"((?<![\w-]){_TELLTALE}: *)[^'\"]+", re.IGNORECASE), r"\1…"),
    # addresses may hold a user, a password, and keys in their query
    (re.compile(r"(\w+://)[^/\s@'\"]+@"), r"\1…@"),
    (re.compile(r"(\w+://[^\s?#'\"]*[?#])[^\s'\"]+"), r"\1…"),
)


def command_line(context: typer.Context) -> tuple[str, ...]:
    """Return the words of the command that is running, as a result may tell them."""
    return (*context.command_path.split(), *redact(context.meta.get(TYPED, ())))


def redact(words: Iterable[str]) -> list[str]:
    """Return the words of a command line with … in place of secrets and private values, and ~ for one's home.

    A secret is known by the name beside it (token, password, key=…): one that stands there without such a
    name, as in ``--command './tool hunter2 {input}'``, is not recognized.

    >>> redact(["f:g", "--left", "7", "--url", "https://x.example/?key=7", "--header", "X-Api-Key=MY_KEY"])
    ['f:g', '--left', '…', '--url', 'https://x.example/?…', '--header', 'X-Api-Key=MY_KEY']
    >>> redact(["--command", "./tool --token abc {input}", "--token-env", "NOISE_TOKEN"])
    ['--command', './tool --token … {input}', '--token-env', 'NOISE_TOKEN']
    """
    told: list[str] = []
    option = ""
    for word in words:
        name, equals, value = word.partition("=")
        if option or not word.startswith("--"):  # a private value may begin like an option
            told.append(_tell(option, word))
        else:
            told.append(f"{name}={_tell(name, value)}" if equals else word)
        option = word if not option and _is_private(word) else ""
    return told


def _tell(option: str, value: str) -> str:
    """Return the value of an option, or a word that has none, without what is not to be told."""
    if option == HEADER:
        return _tell_header(value)
    if _is_private(option):
        return HIDDEN
    for pattern, replacement in _PATTERNS:
        value = pattern.sub(replacement, value)
    home = str(Path.home())
    return plain(value.replace(home, "~") if len(home) > 1 else value)


def _tell_header(value: str) -> str:
    """Return NAME=VARIABLE, which holds no secret; anything else may be the value itself."""
    try:
        read_headers([value])
    except InvalidParameter:
        return HIDDEN
    return plain(value)


def _is_private(option: str) -> bool:
    """Tell whether the value of an option of ours is not to be told; the name of a variable is."""
    secret = re.fullmatch(rf"--{_TELLTALE}", option, re.IGNORECASE) is not None
    return option in (*PRIVATE, HEADER) or (secret and not option.endswith("-env"))
