"""A prediction in the terminal: one screen."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

import numpy as np

from noisewright.pages.predict_forecast import Forecast, LeastEpsilon
from noisewright.pages.predict_numbers import budget, down, epsilon_words, within
from noisewright.pages.predict_words import (
    answer_words,
    budget_words,
    caveats,
    focus_words,
    gap_words,
    least_note,
    method_words,
    published_words,
    records_words,
    sensitive_words,
    title,
)

WIDTH = 100


def told(forecast: Forecast) -> str:
    """The whole prediction as text."""
    parts = [
        (title(forecast), _asked(forecast)),
        ("Utility at least, on average (and at the worst record)", _numbers(forecast)),
        *_target(forecast),
        (f"Who loses most: {focus_words(forecast)}", _losers(forecast)),
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
    lines = [line for name, text in facts for line in _wrapped(f"{name:<11}{text}", " " * 11)]
    return [*lines, "", *_wrapped(answer_words(forecast))]


def _numbers(forecast: Forecast) -> list[str]:
    prediction, places = forecast.prediction, forecast.columns
    head = ("mechanism", *(f"ε = {budget(forecast.budgets[place])}" for place in places))
    body = [
        (
            name,
            *(
                f"{down(prediction.average.low[row, place])} ({down(prediction.worst.low[row, place])})"
                for place in places
            ),
        )
        for row, name in enumerate(forecast.names)
    ]
    best = [
        (f"best {words}", *(prediction.best(scope)[place] for place in places))
        for scope, words in (("average", "on average"), ("worst", "at the worst"))
    ]
    return aligned([head, *body, *best]) if len(forecast.names) > 1 else aligned([head, *body])


def _target(forecast: Forecast) -> list[tuple[str, list[str]]]:
    if not forecast.least:
        return []
    heading = f"Least ε for a utility of {forecast.asked.target:g}"
    lines = [line for row in forecast.least for line in _wrapped(least_words(row, forecast))]
    return [(heading, [*lines, least_note(forecast)])]


def least_words(row: LeastEpsilon, forecast: Forecast) -> str:
    """What one mechanism needs for the target; what a record spends in all is said once, for the average."""
    if not row.reached:
        return f"{row.mechanism}: not reached up to ε = {budget(forecast.epsilons[-1])}"
    said = [f"{epsilon_words(row.average, forecast.features)} on average"] if row.average is not None else []
    others = {"at the worst record": row.worst}
    others |= {f"at record {record}": epsilon for record, epsilon in row.records.items()}
    said += [f"{budget(epsilon)} {where}" for where, epsilon in others.items() if epsilon is not None]
    missed = [where for where, epsilon in others.items() if epsilon is None]
    missed = ["on average", *missed] if row.average is None else missed
    return f"{row.mechanism}: " + "; ".join(
        [*said, *([f"not reached {' or '.join(missed)}"] if missed else [])]
    )


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
