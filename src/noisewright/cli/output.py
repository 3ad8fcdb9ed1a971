"""How every verb shows its report and states its provenance, and which files it may write.

A report is printed as text or JSON, and written as a page if one is asked for. Its provenance holds the
command without secrets, private values, folders and the name of a person.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import typer

from noisewright.cli.options import read_headers
from noisewright.cli.terminal import print_json, print_report, say
from noisewright.cli.verb import RUNNING, STARTED, TYPED
from noisewright.errors import BadTable, InvalidParameter
from noisewright.report import Digest, Provenance, Report
from noisewright.text import plain

HIDDEN: Final = "…"
PRIVATE: Final = ("--left", "--right")
"""Options whose values are inputs, which are never shown."""

COMMAND, HEADER = "--command", "--header"
_TELLTALE: Final = r"[\w-]*(?:(?:token|secret|passw|passphrase|auth|credential|cookie)[\w-]*|key)"
_PATTERNS: Final = (
    # addresses may hold a user, a password (with a slash that should have been escaped), and keys in a query
    (re.compile(r"(\w+://)[^/\s:'\"]*:(?!\d+/)[^\s?#'\"]*@"), r"\1…@"),
    (re.compile(r"(\w+://)[^/\s@'\"]+@"), r"\1…@"),
    (re.compile(r"(\w+://[^\s?#'\"]*[?#])[^\s'\"]+"), r"\1…"),
    (re.compile(r"((?:/home|/Users|[A-Za-z]:\\Users)[/\\])[^/\\\s'\"]+"), r"\1…"),
)
_FOLDERS: Final = re.compile(
    r"""(?<![\w/.…\]-])
    (?P<home>~/ | /(?:home|Users)/…/ | [A-Za-z]:\\Users\\…\\)?
    (?(home)|(?P<root>file:// | \\\\ | ~[^/\\]+[/\\] | [A-Za-z]:[/\\] | \.\.[/\\] | (?<!:(?=//))/))
    (?P<way>.*[/\\])?(?=[^/\\])""",
    re.VERBOSE,
)
"""A path from the root, a home, a drive, a share or the folder above, up to its last name."""

_PLACEHOLDER: Final = re.compile(r"@?\{\w+\}")
_GLUED: Final = re.compile(r"-[A-Za-z][^-]")
"""A short option and its value in one word: -o/folder/file."""

_OPTION: Final = re.compile(r"(--[A-Za-z][\w-]*=?|-[A-Za-z])(.*)", re.DOTALL)


def command_line(context: typer.Context) -> tuple[str, ...]:
    """Return the words of the command that is running, without anything that a result must not show."""
    return (*context.command_path.split(), *redact(context.meta.get(TYPED, ())))


def redact(words: Iterable[str]) -> list[str]:
    """Return the words of a command line with … in place of secrets, private values and folders.

    A secret among the words of a ``--command`` cannot be recognized. So of these only the program, names of
    options, placeholders and files that exist are shown. Paths are relative to the folder of the command, or
    have only their last name; ~ is one's home.

    >>> redact(["f:g", "--left", "7", "--url", "https://x.example/?key=7", "--header", "X-Api-Key=MY_KEY"])
    ['f:g', '--left', '…', '--url', 'https://x.example/?…', '--header', 'X-Api-Key=MY_KEY']
    >>> redact(["--command", "./tool --token abc {input}", "--token-env", "NOISE_TOKEN"])
    ['--command', './tool --token … {input}', '--token-env', 'NOISE_TOKEN']
    """
    shown: list[str] = []
    option = ""
    for word in words:
        name, equals, value = word.partition("=")
        if not option and _GLUED.match(word):
            shown.append(word[:2] + _redact_value("", word[2:]))
        elif option or not word.startswith("--"):  # a private value may begin like an option
            shown.append(_redact_value(option, word))
        else:
            shown.append(f"{name}={_redact_value(name, value)}" if equals else word)
        option = word if not option and (word == COMMAND or _is_private(word)) else ""
    return shown


def _redact_value(option: str, value: str) -> str:
    """Return the value of an option, or a word without an option, as far as it may be shown."""
    if option == HEADER:
        return _redact_header(value)
    if _is_private(option):
        return HIDDEN
    if option == COMMAND:
        return _redact_command(value)
    return _redact_path(value)


def _redact_path(value: str) -> str:
    """Return a word without secrets of addresses, and with no folder but those below the current one."""
    here = str(Path.cwd())
    if len(here) > 1:
        value = value.replace(here + os.sep, "")
    return plain(_FOLDERS.sub(_without_folders, _without_names(value)))


def _without_folders(found: re.Match[str]) -> str:
    home, root, way = found["home"], found["root"], found["way"]
    if not way and root in (None, "/"):  # a file of the home or of the root
        return found.group()
    if home:
        return home if HIDDEN in home else f"{home}{HIDDEN}/"
    return HIDDEN + (way or root)[-1]


def _without_names(value: str) -> str:
    """Return a word without passwords and queries of addresses, and without the names of people's homes."""
    home = str(Path.home())
    value = value.replace(home, "~") if len(home) > 1 else value
    for pattern, replacement in _PATTERNS:
        value = pattern.sub(replacement, value)
    return value


def _redact_command(command: str) -> str:
    """Return a command with … in place of every word that may be a secret."""
    try:
        words = shlex.split(command)
    except ValueError:  # a quote that is not closed
        return HIDDEN
    return " ".join(_redact_argument(word, first=place == 0) for place, word in enumerate(words))


def _redact_argument(word: str, *, first: bool) -> str:
    if _PLACEHOLDER.fullmatch(word):
        return word
    if found := _OPTION.fullmatch(word):
        return plain(found[1]) + (HIDDEN if found[2] else "")
    if (first and "=" not in word) or _is_file(word):
        return _redact_path(word)
    return HIDDEN


def _is_file(word: str) -> bool:
    with suppress(OSError, ValueError):  # too long for a name, or with a null in it
        return Path(word).is_file()
    return False


def _redact_header(value: str) -> str:
    """Return NAME=VARIABLE, which holds no secret; anything else may be the value itself."""
    try:
        read_headers([value])
    except InvalidParameter:
        return HIDDEN
    return plain(value)


def _is_private(option: str) -> bool:
    """Tell whether the value of one of our options must stay hidden; the name of a variable need not."""
    secret = re.fullmatch(rf"--{_TELLTALE}", option, re.IGNORECASE) is not None
    return option in (*PRIVATE, HEADER) or (secret and not option.endswith("-env"))


TABLES: Final = (".csv", ".parquet", ".pq", ".arrow", ".feather")
"""Endings of the tables that verbs write."""


def check_new_file(target: Path, inputs: Sequence[Path] = (), *, replace: bool) -> None:
    """Refuse a file whose folder is missing, that is an input or no regular file, or that exists already."""
    if not target.absolute().parent.is_dir():
        raise BadTable(f"cannot write {target}: the folder {target.absolute().parent} does not exist")
    if not target.exists():
        return
    if any(path.exists() and target.samefile(path) for path in inputs):
        raise BadTable(f"the output {target} is an input itself; choose another name")
    if not target.is_file():
        raise BadTable(f"cannot write {target}: it exists and is not a regular file")
    if not replace:
        raise BadTable(f"{target} exists already; choose another name, or pass replace=True to replace it")


def check_output(
    output: str, endings: Sequence[str], what: str, inputs: Sequence[Path], *, replace: bool
) -> None:
    """Refuse an output that is an input, has the wrong ending, or exists already without ``replace``."""
    target = Path(output)
    if target.suffix.lower() not in endings:
        raise BadTable(f"{what} must end in {' or '.join(endings)}, not as {output} does")
    check_new_file(target, inputs, replace=replace)


def check_folder(folder: str | None, what: str) -> None:
    """Refuse a file in place of the folder of ``--keep``."""
    if folder is not None and Path(folder).exists() and not Path(folder).is_dir():
        raise InvalidParameter(f"--keep {folder} is a file; name a folder for {what}")


def write_columns(output: str, columns: Mapping[str, Any]) -> None:
    """Write columns as a table, whole or not at all."""
    import pyarrow as pa  # noqa: PLC0415  (slow to load)

    from noisewright.io.file_access import published, writing  # noqa: PLC0415
    from noisewright.io.files import report_writer  # noqa: PLC0415
    from noisewright.io.table_files import kind_of  # noqa: PLC0415

    target = Path(output).resolve()
    table = pa.table({name: pa.array(values) for name, values in columns.items()})
    with (
        writing(target),
        published(target) as (draft,),
        report_writer(kind_of(target), draft, table.schema) as to,
    ):
        to.write_table(table)


ENDINGS: Final = (".html", ".htm")


def check_html(html: str | None, *, replace: bool) -> None:
    """Refuse, before any work is done, a page that could not be drawn or written in the end.

    A page that exists is replaced only with ``replace``, like any other output.
    """
    if html is None:
        return
    from noisewright.report.plots import new_figure  # noqa: PLC0415  (matplotlib is slow to load)

    target = Path(html).absolute()
    if target.is_dir():
        raise BadTable(f"cannot write {target}: it is a folder")
    if target.suffix.lower() not in ENDINGS:
        raise BadTable(f"a page is HTML, so its name must end in {' or '.join(ENDINGS)}, not as {html} does")
    new_figure(1, 1)
    check_new_file(target, replace=replace)


def write_html(html: str, page: str) -> None:
    """Write a page and say where it is, by the name that was typed."""
    from noisewright.io.file_access import write_text  # noqa: PLC0415  (Arrow is slow to load)

    write_text(html, page)
    say(f"the page is in {html}")


def show(
    report: Report,
    *,
    inputs: Iterable[str | os.PathLike[str]] = (),
    files: Mapping[str, str | os.PathLike[str]] = MappingProxyType({}),
    html: str | None = None,
    random: bool = False,
    as_json: bool = False,
    quiet: bool = False,
) -> None:
    """Print a report, and write its page, each with its provenance.

    Args:
        report: The result.
        inputs: Files that the result was computed from; the provenance has their digests.
        files: Files that the JSON document names.
        html: The file of the page, if one is asked for.
        random: Whether a verb without ``--seed`` draws random numbers.
        as_json: Print JSON instead of text.
        quiet: Print no text; JSON is printed if it is asked for.
    """
    if html is not None or as_json:
        report = replace(report, provenance=provenance(inputs, random=random))
    if html is not None:
        from noisewright.report.html import render_page  # noqa: PLC0415  (matplotlib is slow to load)

        write_html(html, render_page(report))
    if as_json:
        assert report.provenance is not None
        named = {name: _redact_path(str(file)) for name, file in files.items()}
        print_json({**named, **report.data, **named, "provenance": report.provenance.to_dict()})
    elif not quiet:
        print_report(report)


def provenance(inputs: Iterable[str | os.PathLike[str]] = (), *, random: bool = False) -> Provenance:
    """Return the provenance of the command that is running.

    Args:
        inputs: Files that the result was computed from.
        random: Whether the verb draws random numbers; one with ``--seed`` always does.
    """
    context = RUNNING.get()
    return Provenance(
        command_line(context),
        context.params.get("seed"),
        inputs=tuple(digest for path in inputs for digest in _digests(path)),
        time=context.meta[STARTED],
        random=random or "seed" in context.params,
    )


def _digests(path: str | os.PathLike[str]) -> list[Digest]:
    from noisewright.io.partitions import digests  # noqa: PLC0415  (Arrow is slow to load)

    return digests(path)
