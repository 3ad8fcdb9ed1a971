"""The gallery's chance: fresh unless a seed is given, and a false alarm of any exhibit is seldom."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import pytest

from noisewright.audit import AuditRequest, audit
from noisewright.published.gallery import GALLERY, audits, exhibit
from noisewright.published.gallery.audits import ENOUGH, MISSED, AuditedExhibit, GalleryAudit, audit_gallery
from noisewright.report.html import render_page
from noisewright.report.terminal import render_text
from report.checking import check

FALSE_ALARMS = "noisy-histogram-1", "uncertain-count"
"""Right exhibits that seed 1 convicts at 90 % each, on everybody's machine."""


@pytest.fixture
def asked(monkeypatch):
    """What each exhibit is audited with; none is."""
    calls = []

    def record(mechanism, left, right, request, **options):
        calls.append(options)

    monkeypatch.setattr(audits, "audit", record)
    return calls


@pytest.mark.parametrize("names", [[], ["laplace"], ["svt-4", "rappor"]])
def test_the_confidence_is_that_of_all_exhibits_together(asked, names):
    audit_gallery(names, AuditRequest(confidence=0.95))
    count = len(names) or len(GALLERY)
    assert [call["confidence"] for call in asked] == [pytest.approx(1 - 0.05 / count, abs=1e-12)] * count


def test_chance_is_fresh_unless_a_seed_is_given(asked):
    audit_gallery(["laplace"])
    audit_gallery(["laplace"], seed=7)
    assert [call["seed"] for call in asked] == [None, 7]


def test_two_right_exhibits_are_no_longer_convicted_by_one_unlucky_seed(monkeypatch):
    """At 90 % each they were convicted, with the very same draws."""

    def only_these(mechanism, *inputs, **options):
        shown = next(each for each in GALLERY if each.mechanism is mechanism)
        return audit(mechanism, *inputs, **options) if shown.name in FALSE_ALARMS else None

    monkeypatch.setattr(audits, "audit", only_these)
    hung = [each for each in audit_gallery(seed=1).exhibits if each.spectrum]
    assert [each.exhibit.name for each in hung] == list(FALSE_ALARMS)
    assert {each.spectrum.verdict for each in hung} == {"not refuted"}


@pytest.fixture(scope="module")
def standing():
    shown = exhibit("randomized-response")
    return audit(shown.mechanism, *shown.pairs[0], claim=shown.claim, samples=6000, vectorized=True, seed=1)


def test_the_gallery_says_what_was_missed():
    wrong, right = exhibit("randomized-response-published"), exhibit("randomized-response")
    hung = [
        AuditedExhibit(
            each,
            audit(each.mechanism, *each.pairs[0], claim=each.claim, samples=6000, vectorized=True, seed=1),
        )
        for each in (wrong, right)
    ]
    assert [each.verdict for each in hung] == ["✘ FALSE, rightly", "○ stands, rightly"]
    assert "1 of 1 wrong mechanisms were convicted, and 0 of 1 right ones" in GalleryAudit(hung, 0.95).summary
    alarm = replace(hung[0], exhibit=replace(wrong, true_epsilon=0.0))
    missed = replace(hung[1], exhibit=replace(right, true_epsilon=math.inf))
    assert (alarm.verdict, missed.verdict) == ("✘ FALSE ALARM", MISSED)
    assert f"--samples {ENOUGH}" in GalleryAudit([alarm, missed], 0.95).summary
    report = GalleryAudit(hung, 0.95).report()
    text, prose = render_text(report), check(render_page(report)).prose
    for shown in (" ".join(text.split()), prose):
        assert (
            "With a probability of at least 95 % every bound of the table holds, and then no right" in shown
        )
    for each in hung:
        assert each.exhibit.name in text
        assert each.exhibit.note in prose
        assert hung[0].to_dict()["epsilon_lower"] > wrong.claim.epsilon


def test_claimed_and_true_epsilon_of_the_gallery_are_rounded_alike(standing):
    """So that neither reads as larger than the other where both are the same, or the claim is kept."""
    for each in GALLERY:
        if each.true_epsilon is None or math.isinf(each.true_epsilon):
            continue
        _, claimed, true, *_ = AuditedExhibit(each, standing).cells()
        said = re.findall(r"ε = ([\d.]+(?:e-\d+)?)", each.sentence.partition(": ")[0])
        for one, other in ((claimed, true), (said[0], said[-1])):
            assert (one == other) == math.isclose(each.claim.epsilon, each.true_epsilon, rel_tol=1e-9)
            assert (float(other) <= float(one)) == each.right, each.name
