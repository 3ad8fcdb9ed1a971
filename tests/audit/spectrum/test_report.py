"""Pages and texts of audits: they stand alone, round outward, and say what the spectrum says."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from noisewright.audit import audit
from noisewright.audit.neighbours.report import search_report
from noisewright.audit.spectrum.explanation import assumptions, not_looked_at, verdict_words
from noisewright.audit.spectrum.report import (
    BY_EVENT,
    BY_EVENT_NOTE,
    MARKS,
    OTHER_MEASURES,
    curve_rows,
    measures,
    plan_rows,
)
from noisewright.audit.spectrum.report import standing as word_of
from noisewright.report.html import render_page
from report.checking import check

NASTY = "\x1b[2J\u202e<script>alert(1)</script>$\\frac"


def response(data, count, generator):
    """Randomized response that keeps ε = ln 3."""
    return np.where(generator.random(count) < 0.75, data, 1 - data)


def spectrum_of(claim, samples=8000, **options):
    return audit(response, 0, 1, claim=claim, samples=samples, vectorized=True, seed=3, **options)


@pytest.fixture(scope="module")
def refuted():
    return spectrum_of("epsilon=0.7,delta=1e-6")


@pytest.fixture(scope="module")
def standing():
    return spectrum_of("epsilon=1.2")


def test_a_refuted_claim_is_told_with_its_witness(refuted):
    page, text = render_page(refuted.report()), str(refuted)
    prose = check(page).prose
    assert refuted.verdict == "false"
    for said in (
        verdict_words(refuted), refuted.witness.sentence, "What this assumes", *assumptions(refuted),
        "Not examined", *not_looked_at(refuted),
    ):  # fmt: skip
        assert said in prose
        assert " ".join(said.split()) in " ".join(text.split())
    assert 'class="warning"' in page
    assert check(page).count("svg") == 3
    assert "0.7 (claimed)" in prose
    assert max(map(len, text.splitlines())) <= 100


def test_a_claim_that_stands_has_no_warning_and_a_plan(standing):
    page = render_page(standing.report())
    assert standing.verdict == "not refuted"
    assert 'class="warning"' not in page
    assert "How many runs it takes" in check(page).prose
    runs = [int(words.removeprefix("about ").replace(",", "")) for _, words in plan_rows(standing)]
    assert runs == sorted(runs, reverse=True)
    # ε is known within 0.1 here: a violation of a tenth needs more runs than these, one of twofold does not
    assert runs[-1] < standing.samples < runs[0]


def test_rows_show_the_curve_and_the_claim(refuted):
    rows = curve_rows(refuted)
    assert [row.epsilon for row in rows if row.claimed] == [0.7]
    for row in rows:
        assert float(row.lower) <= refuted.delta_lower(row.epsilon) + 1e-12
        assert float(row.upper) >= refuted.delta_upper(row.epsilon) - 1e-12


def test_measures_are_bounds_of_the_true_law(refuted):
    """ε = ln 3, and for order 2 the divergence is ln(p²/q + q²/p) with p = 3/4."""
    found = {name: float(lower) for name, lower, _ in measures(refuted)}
    assert 0.7 < found["ε at δ = 0"] <= math.log(3)
    assert 0.3 < found["Rényi divergence of order 2"] <= math.log(0.75**2 / 0.25 + 0.25**2 / 0.75)


def test_without_a_claim_nothing_speaks_of_one_and_names_of_others_do_no_harm(refuted):
    bare = replace(refuted, claim=None, upper=None, assumption=None, mechanism=NASTY, left=NASTY, score=NASTY)
    page = render_page(bare.report())
    assert "the claim" not in check(page).prose
    assert "<script>alert" not in page
    assert not set("\x1b\u202e") & set(page)
    assert plan_rows(bare) == []
    assert not any(row.claimed for row in curve_rows(bare))
    assert sum("no upper bound" in said for said in not_looked_at(bare)) == 1


def test_the_same_output_from_every_run_is_not_dressed_up(standing):
    same = replace(standing, looks=replace(standing.looks, same=True))
    assert verdict_words(same).startswith("Every one of 8,000 runs gave the same output, whichever the input")
    for shown in (str(same), check(render_page(same.report())).prose):
        assert "nothing can be learned about the claim of ε = 1.2" in " ".join(shown.split())
        assert OTHER_MEASURES not in shown
        assert "nine times in ten" not in shown
    assert (measures(same), plan_rows(same)) == ([], [])
    assert measures(standing)


def test_every_verdict_has_a_word_and_a_shape_of_its_own(refuted, standing):
    """Not by colour alone: in the text that is read aloud and printed."""
    silent = replace(standing, looks=replace(standing.looks, same=True))
    bare = replace(refuted, claim=None, upper=None, assumption=None)
    marks = {
        spectrum: check(render_page(spectrum.report())).prose
        for spectrum in (refuted, standing, silent, bare)
    }
    for prose, mark in zip(
        marks.values(), ("✘ refuted", "○ not refuted", "? nothing can be said", "– no claim"), strict=True
    ):
        assert mark in prose
    assert len(set(MARKS.values())) == len(MARKS) == 4


def search_of(spectrum, verdict):
    return SimpleNamespace(
        spectrum=spectrum, verdict=verdict, audited=[None], beyond=False, made_up=False, passed_over=0,
        screened=(), worst="database 1: row 0 removed", samples=10,
    )  # fmt: skip


def test_a_search_has_one_standing_for_badge_json_and_exit_code(refuted, standing):
    """Another pair than the worst may fall, or be identified; all three places tell of the whole search."""
    for found, word, mark in (
        ("false", "refuted", "✘"), ("identified", "nothing can be said", "?"), ("not refuted", "not refuted", "○"),
    ):  # fmt: skip
        report = search_report(search_of(standing, found))
        assert report.data["standing"] == word
        assert f"{mark} {word}" in check(render_page(report)).prose
    bare = replace(standing, claim=None)
    assert search_report(search_of(bare, "identified")).data["standing"] == "no claim"
    assert refuted.report().data["standing"] == word_of(refuted) == "refuted"


def test_where_no_event_tells_anything_there_is_no_witness(refuted):
    empty = replace(refuted)
    empty.__dict__["witness"] = None
    assert "The witness" in str(refuted)
    assert "The witness" not in str(empty)


def test_two_guesses_of_an_audit_have_two_names(standing):
    """The estimated curve adds up all outputs, ε at δ rests on one event: they differ at a small δ."""
    text, page = str(standing), render_page(standing.report())
    rest = " ".join(text.split()).replace(BY_EVENT_NOTE, "")
    assert rest.count("estimate") == rest.count("estimated") + 1  # the head of the curve's column
    assert "δ estimate" in BY_EVENT_NOTE  # the note names both, and says what each rests on
    prose = check(page).prose
    assert "δ estimate" in prose
    for shown in (" ".join(text.split()), prose):
        assert BY_EVENT_NOTE in shown
    heads = re.findall(r"<th[^>]*>([^<]*)</th>", page)
    assert BY_EVENT.capitalize() in heads
    assert [head for head in heads if "stimate" in head] == ["δ estimate"]
