"""The command line as a result may tell it: without secrets, private values and the name of a person."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from contextlib import suppress
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

COMMAND, HEADER = "--command", "--header"
_TELLTALE: Final = r"[\w-]*(?:(?:token|secret|passw|passphrase|auth|credential|cookie)[\w-]*|key)"
_PATTERNS: Final = (
    # addresses may hold a user, a password, and keys in their query
    (re.compile(r"(\w+://)[^/\s@'\"]+@"), r"\1…@"),
    (re.compile(r"(\w+://[^\s?#'\"]*[?#])[^\s'\"]+"), r"\1…"),
    (re.compile(r"((?:/home|/Users|[A-Za-z]:\\Users)[/\\])[^/\\\s'\"]+"), r"\1…"),
)
_PLACEHOLDER: Final = re.compile(r"@?\{\w+\}")
_OPTION: Final = re.compile(r"(--[A-Za-z][\w-]*=?|-[A-Za-z])(.*)", re.DOTALL)


def command_line(context: typer.Context) -> tuple[str, ...]:
    """Return the words of the command that is running, as a result may tell them."""
    return (*context.command_path.split(), *redact(context.meta.get(TYPED, ())))


def redact(words: Iterable[str]) -> list[str]:
    """Return the words of a command line with … in place of secrets and private values, and ~ for one's home.

    Nobody can tell a secret among the words of a ``--command``. So of these only the program, names of
    options, placeholders and files that exist are shown.

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
        option = word if not option and (word == COMMAND or _is_private(word)) else ""
    return told


def _tell(option: str, value: str) -> str:
    """Return the value of an option, or a word that has none, without what is not to be told."""
    if option == HEADER:
        return _tell_header(value)
    if _is_private(option):
        return HIDDEN
    if option == COMMAND:
        return _tell_command(value)
    return _tell_word(value)


def _tell_word(value: str) -> str:
    """Return a word without passwords and queries of addresses, and without the names of people's folders."""
    home = str(Path.home())
    value = value.replace(home, "~") if len(home) > 1 else value
    for pattern, replacement in _PATTERNS:
        value = pattern.sub(replacement, value)
    return plain(value)


def _tell_command(command: str) -> str:
    """Return a command of which only what cannot be a secret is shown."""
    try:
        words = shlex.split(command)
    except ValueError:  # a quote that is not closed
        return HIDDEN
    return " ".join(_tell_argument(word, first=place == 0) for place, word in enumerate(words))


def _tell_argument(word: str, *, first: bool) -> str:
    if _PLACEHOLDER.fullmatch(word):
        return word
    if found := _OPTION.fullmatch(word):
        return plain(found[1]) + (HIDDEN if found[2] else "")
    if (first and "=" not in word) or _is_file(word):
        return _tell_word(word)
    return HIDDEN


def _is_file(word: str) -> bool:
    with suppress(OSError, ValueError):  # too long for a name, or with a null in it
        return Path(word).is_file()
    return False


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
