"""An audit in the terminal: the verdict first, then the curve, the witness, and what all that rests on."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import Final

from noisewright.audit.spectrum import Spectrum
from noisewright.pages.audit_rows import curve_rows, planner_rows
from noisewright.pages.audit_words import assumptions, not_looked_at, readings, rests_on, verdict
from noisewright.text import plain

WIDTH: Final = 100


Part = tuple[str, Sequence[str]]
"""A heading and the lines under it."""


def told(spectrum: Spectrum, extra: Sequence[Part] = ()) -> str:
    """The whole audit as text; ``extra`` are parts about what else was asked, such as a search."""
    parts = [
        ("", wrapped(verdict(spectrum))),
        ("The curve", _curve(spectrum)),
        *_witness(spectrum),
        *extra,
        *_readings(spectrum),
        *_planner(spectrum),
        ("What this rests on", _facts(rests_on(spectrum))),
        ("What this assumes", _bullets(assumptions(spectrum))),
        ("What was not looked at", _bullets(not_looked_at(spectrum))),
    ]
    return "\n\n".join("\n".join(_block(heading, lines)) for heading, lines in parts)


def _witness(spectrum: Spectrum) -> list[Part]:
    witness = spectrum.witness
    return [] if witness is None else [("The witness", wrapped(plain(witness.sentence)))]


def _block(heading: str, lines: Iterable[str]) -> list[str]:
    return [heading, *(f"  {line}".rstrip() for line in lines)] if heading else list(lines)


def _curve(spectrum: Spectrum) -> list[str]:
    header = ["ε", "δ at least", "estimate"] + ([] if spectrum.upper is None else ["at most"])
    rows = [
        [row.name, row.lower, row.estimate, *([] if row.upper is None else [row.upper]),
         *(["← claimed"] if row.claimed else [])]
        for row in curve_rows(spectrum)
    ]  # fmt: skip
    return [columns(cells) for cells in (header, *rows)]


def columns(cells: Iterable[str]) -> str:
    """A row of a table of numbers."""
    first, *others = cells
    return f"{first:>8}" + "".join(f"  {cell:>11}" for cell in others)


def _readings(spectrum: Spectrum) -> list[Part]:
    rows = readings(spectrum)
    header = ("", "at least", "estimate")
    lines = [f"{name:<40} {lower:>10} {estimate:>10}" for name, lower, estimate in (header, *rows)]
    return [("In other currencies", lines)] if rows else []


def _planner(spectrum: Spectrum) -> list[tuple[str, list[str]]]:
    rows = planner_rows(spectrum)
    lines = [f"{what:<20} {runs} runs" for what, runs in rows]
    return [("To see a violation by an event like this one", lines)] if rows else []


def _facts(pairs: Iterable[tuple[str, str]]) -> list[str]:
    lines: list[str] = []
    for name, value in pairs:
        lines += textwrap.wrap(f"{name}: {value}", WIDTH - 2, subsequent_indent="    ")
    return lines


def _bullets(sentences: Iterable[str]) -> list[str]:
    lines: list[str] = []
    for sentence in sentences:
        lines += textwrap.wrap(sentence, WIDTH - 2, initial_indent="- ", subsequent_indent="  ")
    return lines


def wrapped(text: str) -> list[str]:
    """A sentence in lines that fit the terminal."""
    return textwrap.wrap(text, WIDTH - 2)
