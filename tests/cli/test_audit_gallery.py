"""The gallery's chance: fresh unless a seed is given, and a false alarm of any exhibit is seldom."""

from __future__ import annotations

import pytest

from noisewright.audit import audit
from noisewright.audit.gallery import GALLERY
from noisewright.cli import audit_gallery
from noisewright.cli.audit_gallery import hang
from noisewright.cli.audit_scope import Scope

FALSE_ALARMS = "noisy-histogram-1", "uncertain-count"
"""Right exhibits that seed 1 convicts at 90 % each, on everybody's machine."""


@pytest.fixture
def asked(monkeypatch):
    """What each exhibit is audited with; none is."""
    calls = []

    def record(mechanism, left, right, **options):
        calls.append(options)

    monkeypatch.setattr(audit_gallery, "audit", record)
    return calls


@pytest.mark.parametrize("names", [[], ["laplace"], ["svt-4", "rappor"]])
def test_the_confidence_is_that_of_all_exhibits_together(asked, names):
    hang(names, Scope(confidence=0.95), lambda _: None)
    count = len(names) or len(GALLERY)
    assert [call["confidence"] for call in asked] == [pytest.approx(1 - 0.05 / count, abs=1e-12)] * count


def test_chance_is_fresh_unless_a_seed_is_given(asked):
    hang(["laplace"], Scope(confidence=0.95), lambda _: None)
    hang(["laplace"], Scope(confidence=0.95, seed=7), lambda _: None)
    assert [call["seed"] for call in asked] == [None, 7]


def test_two_right_exhibits_are_no_longer_convicted_by_one_unlucky_seed(monkeypatch):
    """At 90 % each they were convicted, with the very same draws."""

    def only_these(mechanism, *inputs, **options):
        shown = next(each for each in GALLERY if each.mechanism is mechanism)
        return audit(mechanism, *inputs, **options) if shown.name in FALSE_ALARMS else None

    monkeypatch.setattr(audit_gallery, "audit", only_these)
    hung = [each for each in hang([], Scope(confidence=0.95, seed=1), lambda _: None) if each.spectrum]
    assert [each.exhibit.name for each in hung] == list(FALSE_ALARMS)
    assert {each.spectrum.verdict for each in hung} == {"not refuted"}
