"""Reports of releases: the page stands alone, says all that the card says, and shows attacks if there were any."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from noisewright.release import MutualInformation, Release
from noisewright.release.algorithms import LinearSVM
from noisewright.release.attacks.report import OWNER, chance_notes, verdict
from noisewright.release.basics.pool_file import PoolTable
from noisewright.release.card.report import HIDES, NOT_PRIVATE, not_promised, percent_up, taken_as_public
from noisewright.release.publication import Publication
from noisewright.report.html import render_page
from noisewright.report.terminal import render_text
from report.checking import check

NASTY = "\x1b[2J\x9b31m\u202e\r\n<script>alert(1)</script>$\\frac"
ROWS = np.random.default_rng(2).normal(size=(40, 2)) + np.repeat([[0, 0], [2, 1]], 20, axis=0)
LABELS = np.repeat(["healthy", "ill"], 20)


@pytest.fixture(scope="module")
def release() -> Release:
    return Release(LinearSVM(), MutualInformation(1 / 16), worlds=32, random_state=1).fit(ROWS, LABELS)


@pytest.fixture(scope="module")
def report(release):
    return release.attack(trials=40, seed=1)


def test_the_page_stands_alone_and_says_what_the_card_says(release):
    card = replace(release.card_, simulated=False)
    page = check(render_page(card.report()))
    said = (card.explain(), HIDES, *not_promised(card), *taken_as_public(card))
    for text in (*said, *(percent_up(guess.at_most) for guess in card.guesses)):
        assert " ".join(text.split()) in page.prose, text
    assert page.count("svg") == 0
    assert "NOT PRIVATE" not in page.prose


def test_a_simulated_page_leads_with_that_and_has_no_bounds(release):
    page = render_page(release.card_.report())
    prose = check(page).prose
    word, _, rest = NOT_PRIVATE.partition(": ")
    assert f'<p class="lead"><strong class="verdict">✗ {word}</strong> {rest}' in page
    assert prose.count("no bound") == len(release.card_.guesses)
    assert prose.index("would promise") < prose.index("Whoever sees this release")


def test_attacks_have_their_curves_and_numbers(report):
    page = check(render_page(report.report()))
    assert page.count("svg") == 1
    assert report.sentence[1:] in page.prose
    for result in report.attacks:
        assert result.title in page.prose
        assert f"{100 * result.success.value:.1f} %" in page.prose
    assert OWNER in page.prose


def test_what_attacks_achieved_is_not_on_the_page_that_is_published(release, report):
    table = PoolTable(ROWS, ("a", "b"), LABELS, ())
    publication = Publication(release.released_, release.card_, table, report).report()
    assert OWNER in " ".join(render_text(publication).split())
    page = check(render_page(publication))
    assert page.count("svg") == 0
    assert OWNER not in page.prose
    assert not any(result.title in page.prose for result in report.attacks)


def test_chance_is_not_taken_for_a_contradiction(report):
    """An estimate above the bound, or an attack above the best one, is explained if its interval allows."""
    told, best = report.information, report.attacks[0]
    assert "contradiction" not in str(replace(report, information_upper=told.high))
    below = replace(report, information_upper=(told.low + told.value) / 2, attacks=(best,))
    assert "no contradiction" in chance_notes(below)[0]
    ahead = replace(best, worst=replace(best.worst, value=best.worst.value + 0.01))
    plainly = replace(ahead, success=replace(best.success, value=0.9, low=0.8))
    lucky, convicted = (
        replace(below, information_upper=9.0, attacks=(best, each)) for each in (ahead, plainly)
    )
    assert "in the long run" in chance_notes(lucky)[0]
    assert chance_notes(convicted) == []


def test_a_release_that_breaks_its_promise_is_warned_of(report):
    broken = replace(report, promised=0.5, information_upper=0.0)
    assert broken.verdict == "fail"
    pages = [render_page(each.report()) for each in (broken, report)]
    said = [
        f'<p class="warning">{verdict(each)}' in page
        for each, page in zip((broken, report), pages, strict=True)
    ]
    assert said == [True, False]


def test_names_of_others_do_no_harm_on_the_page(release):
    card = replace(release.card_, names=(NASTY, "b"), classes=(NASTY,), search=NASTY, title=NASTY)
    page = render_page(card.report())
    check(page)
    assert "<script>alert" not in page
    assert not set("\x1b\x9b\u202e") & set(page)
