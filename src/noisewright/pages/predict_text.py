"""A prediction in the terminal: one screen."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

import numpy as np

from noisewright.pages.predict_caveats import caveats
from noisewright.pages.predict_forecast import Forecast
from noisewright.pages.predict_least import LeastEpsilon
from noisewright.pages.predict_numbers import budget, down, epsilon_words, within
from noisewright.pages.predict_words import (
    answer_words,
    budget_words,
    focus_words,
    gap_words,
    least_note,
    losers_words,
    method_words,
    published_words,
    records_words,
    sensitive_words,
    title,
    width_words,
)

WIDTH = 100


def told(forecast: Forecast) -> str:
    """The whole prediction as text."""
    parts = [
        (title(forecast), _asked(forecast)),
        (f"Utility at least, {_scopes(forecast)}", _numbers(forecast)),
        *_target(forecast),
        (f"{losers_words(forecast)}: {focus_words(forecast)}", _losers(forecast)),
        *_groups(forecast),
        *_published(forecast),
        ("What these numbers mean", _bullets(caveats(forecast))),
    ]
    return "\n\n".join("\n".join([name, *(f"  {line}".rstrip() for line in lines)]) for name, lines in parts)


def _asked(forecast: Forecast) -> list[str]:
    facts = [
        ("records", records_words(forecast)),
        ("sensitive", sensitive_words(forecast)),
        ("ε", budget_words(forecast)),
        ("method", method_words(forecast)),
    ]
    if (width := width_words(forecast)) is not None:
        facts.append(("intervals", width))
    lines = [line for name, text in facts for line in _wrapped(f"{name:<11}{text}", " " * 11)]
    return [*lines, "", *_wrapped(answer_words(forecast))]


def _scopes(forecast: Forecast) -> str:
    first, *others = forecast.scopes.values()
    return first + "".join(f" (and {words})" for words in others)


def _numbers(forecast: Forecast) -> list[str]:
    places, several = forecast.columns, len(forecast.names) > 1
    head = ("mechanism", *(f"ε = {budget(forecast.budgets[place])}" for place in places))
    body = [
        (name, *(_lows(forecast, row, place) for place in places)) for row, name in enumerate(forecast.names)
    ]
    best = [
        (
            f"best {words.removesuffix(' record')}",
            *(forecast.prediction.best(scope)[place] for place in places),
        )
        for scope, words in forecast.scopes.items()
    ]
    return aligned([head, *body, *(best if several else [])])


def _lows(forecast: Forecast, row: int, place: int) -> str:
    """The lower bounds of a cell; of several, all but the first in brackets."""
    first, *others = (down(forecast.prediction.band(scope).low[row, place]) for scope in forecast.scopes)
    return first + "".join(f" ({low})" for low in others)


def _target(forecast: Forecast) -> list[tuple[str, list[str]]]:
    if not forecast.least:
        return []
    heading = f"Least ε for a utility of {forecast.asked.target:g}"
    lines = [line for row in forecast.least for line in _wrapped(least_words(row, forecast))]
    return [(heading, [*lines, *_wrapped(least_note(forecast))])]


def least_words(row: LeastEpsilon, forecast: Forecast) -> str:
    """From where on one mechanism keeps the target; what a record spends in all is said once."""
    found = _wanted(row, forecast)
    kept = {where: epsilon for where, epsilon in found.items() if epsilon is not None}
    missed = [where for where in found if where not in kept]
    if not kept:
        return f"{row.mechanism}: not kept up to ε = {budget(forecast.epsilons[-1])}"
    (first, least), *others = kept.items()
    said = [f"{first} from {epsilon_words(least, forecast.features)} on"]
    said += [f"{where} from {budget(epsilon)} on" for where, epsilon in others]
    if missed:
        said.append(f"not kept {' or '.join(missed)}")
    return f"{row.mechanism}: {'; '.join(said)}"


def _wanted(row: LeastEpsilon, forecast: Forecast) -> dict[str, float | None]:
    """Where the target is to be kept, in words; a single record is its own average."""
    records = [f"at record {record}" for record in row.records]
    names = [*forecast.scopes.values(), *records] if len(forecast.scopes) > 1 else [*forecast.scopes.values()]
    return dict(zip(names, row.found, strict=False))


def _losers(forecast: Forecast) -> list[str]:
    found = forecast.losers()
    return aligned(
        [(f"record {loser['record']}", f"utility {within(loser['low'], loser['high'])}") for loser in found]
    )


def _groups(forecast: Forecast) -> list[tuple[str, list[str]]]:
    said = gap_words(forecast)
    return [] if said is None else [(f"Groups: {focus_words(forecast)}", _wrapped(said))]


def _published(forecast: Forecast) -> list[tuple[str, list[str]]]:
    if (published := forecast.published) is None:
        return []
    head = ("average", *(f"ε = {budget(forecast.budgets[place])}" for place in forecast.columns))
    rows = [
        (name, *(f"{np.asarray(published.average)[row, place]:.3f}" for place in forecast.columns))
        for row, name in enumerate(forecast.names)
    ]
    return [("As published", [*aligned([head, *rows]), "", *_bullets(published_words(forecast))])]


def aligned(table: Sequence[tuple[str, ...]]) -> list[str]:
    """Rows with their names to the left and their numbers to the right.

    >>> aligned([("", "low"), ("OGPM", "0.8")])
    ['      low', 'OGPM  0.8']
    """
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return [_line(row, widths) for row in table]


def _line(row: Iterable[str], widths: Sequence[int]) -> str:
    name, *numbers = row
    cells = [text.rjust(width) for text, width in zip(numbers, widths[1:], strict=True)]
    return "  ".join([name.ljust(widths[0]), *cells])


def _bullets(sentences: Iterable[str]) -> list[str]:
    return [line for sentence in sentences for line in _wrapped(f"• {sentence}")]


def _wrapped(text: str, indent: str = "  ") -> list[str]:
    return textwrap.wrap(text, WIDTH, subsequent_indent=indent)
