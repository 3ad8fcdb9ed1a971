"""``explain`` and ``compare`` where true values are labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from noisewright.cli.common import print_json, print_text, status_of
from noisewright.cli.html import check_html, write_html
from noisewright.cli.label_lists import read_labels
from noisewright.cli.numbers import read_epsilon
from noisewright.cli.one_domain import read_epsilons
from noisewright.errors import InvalidParameter

if TYPE_CHECKING:
    from noisewright.domains import Categories
    from noisewright.pages.oracle_explanation import OracleExplanation


def one_list(text: str) -> Categories:
    """The labels of an option that names no column, as ``perturb`` would want it."""
    if "=@" in text:
        raise InvalidParameter(f"--categories names no column here; write @{text.split('=@', 1)[1]}")
    return read_labels(text)


def refuse_options_of_numbers(given: Mapping[str, object]) -> None:
    """Refuse options that have no meaning beside ``--categories``."""
    for option, value in given.items():
        if value is not None:
            raise InvalidParameter(f"{option} is for numbers; beside --categories it has no meaning")


def explain_labels(
    name: str, categories: str, epsilon: str | None, html: str | None, *, force: bool, as_json: bool
) -> None:
    """Explain one protocol for a list of labels."""
    from noisewright.pages.oracle_text import told  # noqa: PLC0415  (mechanisms take a moment to load)

    if epsilon is None:
        raise InvalidParameter("--epsilon is missing, for example --epsilon 1")
    check_html(html, replace=force)
    explanation = _explanation(name, categories, read_epsilon(epsilon))
    if html is not None:
        from noisewright.pages.oracle_page import oracle_page  # noqa: PLC0415  (matplotlib is slow to load)

        write_html(html, oracle_page(explanation))
    if as_json:
        print_json(explanation.to_dict())
    else:
        print_text(told(explanation))


def _explanation(name: str, categories: str, epsilon: float) -> OracleExplanation:
    from noisewright.mechanisms.categorical.choice import AUTO, best_oracle, oracle  # noqa: PLC0415
    from noisewright.pages.oracle_explanation import OracleExplanation  # noqa: PLC0415

    labels = one_list(categories)
    if name.casefold() != AUTO:
        return OracleExplanation(oracle(name, labels, epsilon))
    best = best_oracle(labels, epsilon)
    return OracleExplanation(best.mechanism, best.reason)


def compare_labels(
    names: Sequence[str],
    categories: str,
    epsilons: Sequence[str],
    html: str | None,
    *,
    force: bool,
    as_json: bool,
) -> None:
    """Compare all protocols, or the named ones, for a list of labels."""
    from noisewright.pages.oracle_comparison import compare_oracles  # noqa: PLC0415  (slow to load)
    from noisewright.pages.oracle_text import show  # noqa: PLC0415

    labels, budgets = one_list(categories), read_epsilons(epsilons)
    check_html(html, replace=force)
    with status_of("Measuring", quiet=as_json):
        comparison = compare_oracles(labels, budgets, names)
    if html is not None:
        from noisewright.pages.oracle_page import oracles_page  # noqa: PLC0415  (matplotlib is slow to load)

        write_html(html, oracles_page(comparison))
    if as_json:
        print_json(comparison.to_dict())
    else:
        show(comparison)
