"""What a release shows while it is made, writes, and prints."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from noisewright.cli.common import print_json, print_text, say
from noisewright.cli.html import write_html
from noisewright.cli.release_making import Made
from noisewright.cli.release_table import APART, PoolTable, spread_apart
from noisewright.errors import NoisewrightError
from noisewright.release.running import run_worlds
from noisewright.release.search.expecting import ExpectedUtility, expected_utility
from noisewright.release.unbounded import UnboundedReleased
from noisewright.release.worlds import Worlds
from noisewright.text import plain

WIDTH: Final = 100
SHOWN: Final = 24
"""Released numbers that the terminal lists."""

NAMED: Final = 12
"""Class names that a line lists."""

EXTRA_HALVES: Final = 32
"""Public halves on which an unbounded release, which has no list of them, is judged for its owner."""

PYTHON_WORDS: Final = {
    "before they are randomized": "before a release",
    "is not a ledger": "is not a secret file; name a new one with --total",
    "is not a secret that noisewright saved": "is not a secret file; name a new one with --total",
    "give those that it was drawn for": "it may have been drawn with another --label or --columns: give the "
    "same ones every time",
}
"""What refusals of Python say, and what helps on this command line."""


@contextmanager
def in_words(words: Mapping[str, str]) -> Iterator[None]:
    """Refuse in other words: what a caller of Python is told does not always help here."""
    try:
        yield
    except NoisewrightError as refusal:
        text = str(refusal)
        for theirs, ours in words.items():
            text = text.replace(theirs, ours)
        raise type(refusal)(text) from None


def words_for(clusters: int | None) -> Mapping[str, str]:
    """How a release refuses; K-Means in one half can only fail of too few different rows there."""
    if clusters is None:
        return PYTHON_WORDS
    fewer = f"a half must hold at least {clusters} different rows: ask for fewer clusters"
    return {**PYTHON_WORDS, "run it on the rows of that world alone to see why": fewer}


@contextmanager
def going_on(keep: str | None) -> Iterator[None]:
    """Say how interrupted work goes on; only while nothing has left, for later that is another release."""
    try:
        yield
    except KeyboardInterrupt:
        if keep is not None:
            say(f"finished worlds are kept in {keep}; run the same command to go on")
        raise


def hint_scale(table: PoolTable) -> None:
    """Say that columns of very different spread will not count alike."""
    if spread_apart(table.rows):
        say(
            f"some columns are more than {APART} times as wide as others and will drown them; --scale "
            "standard makes them count alike (--scale none: leave them as they are)"
        )


def write(made: Made, output: str | None, html: str | None, label: str | None) -> None:
    """Write the files that were asked for, and say where they are."""
    if made.card.simulated:
        say(
            "this release is NOT PRIVATE: anyone can undo noise that comes from --seed; use it for tests only"
        )
    if output is not None:
        from noisewright.release.model_file import save  # noqa: PLC0415

        say(f"the release is in {save(output, made.released, made.card, label=label)}")
    if html is not None:
        from noisewright.pages.release_card import card_page  # noqa: PLC0415  (matplotlib is slow to load)

        write_html(html, card_page(made.card, made.report))


def show(made: Made, *, as_json: bool) -> None:
    """Print the card, the released numbers if they are few, and the report of attacks."""
    values = list(zip(_names(made), made.released.vector.tolist(), strict=True))
    if as_json:
        print_json({
            "card": made.card.to_dict(),
            "released": [{"name": name, "value": value} for name, value in values],
            "attack": None if made.report is None else made.report.to_dict(),
            "left_out": list(made.left_out),
        })  # fmt: skip
        return
    print_text(str(made.card))
    if len(values) <= SHOWN:
        print_text("\nThe released numbers")
        for name, value in values:
            print_text(f"  {value:>14.6g}  {name}")
    if made.report is not None:
        print_text("\nWhat attacks achieved")
        for line in str(made.report).splitlines():
            print_text(textwrap.fill(line, WIDTH, initial_indent="  ", subsequent_indent="    "))


def _names(made: Made) -> list[str]:
    return [plain(name) for name in made.released.algorithm.coordinates(made.released.facts)]


def tell_owner(made: Made, table: PoolTable, keep: str | None) -> None:
    """What the owner of the data should know and nobody else: it is on stderr, and in no file."""
    classes = made.released.facts.classes
    if classes is not None:
        names = ", ".join(map(str, classes[:NAMED])) + (", …" if len(classes) > NAMED else "")
        say(f"these {len(classes)} class names are published as they are: {names}")
    if made.search is not None:
        for line in str(made.search).splitlines():
            say(f"for you alone: {line}")
    expected = _expected(made, table)
    if expected is not None:
        say(f"for you alone: {expected}")
        say(
            f"(by {expected.releases} simulated releases; these figures are exact about your data: do not "
            "publish them)"
        )
    if keep is not None:
        say(f"the folder {keep} is PRIVATE, it holds outputs without noise; delete it now")


def _expected(made: Made, table: PoolTable) -> ExpectedUtility | None:
    """What releases like this one are worth; an unbounded one is played out on a few more halves."""
    released, rows, labels = made.released, table.rows, table.labels
    algorithm, facts = released.algorithm, released.facts
    if not isinstance(released, UnboundedReleased):
        return expected_utility(algorithm, facts, released.plan, released.worlds, rows, labels)
    worlds = Worlds(len(rows), EXTRA_HALVES)
    try:
        plan = released.plan.over(run_worlds(algorithm, facts, rows, labels, worlds))
    except NoisewrightError:  # the release is out, and says how it takes halves that fail
        return None
    return expected_utility(algorithm, facts, plan, worlds, rows, labels)
